package tree

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	runs "github.com/fairway-sched/fairway/conformance/recorded"
)

// readJSON reads a file of the shared inputs, in which infinity is written bare.
func readJSON(t testing.TB, files fs.FS, name string, into any) bool {
	t.Helper()
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return false
	}
	text = bytes.ReplaceAll(text, []byte(`:Infinity`), []byte(`:"inf"`))
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(name, err)
	}
	return true
}

// recorded is one run of the real controller.
type recorded struct {
	name      string
	conf      string
	loose     int // levels that are compared to less than three digits
	state     state
	Version   string             `json:"slurm_version"`
	Snapshots []recordedSnapshot `json:"snapshots"`
	Final     []recordedLeaf     `json:"final_usage_raw"`
	Injected  []recordedLeaf     `json:"injected_usage"`
}

type recordedLeaf struct {
	Account, User, Partition string
	Usage                    json.RawMessage `json:"usage_raw"` // a string or a number
}

func (l recordedLeaf) usage(t testing.TB) float64 {
	v, err := strconv.ParseFloat(strings.Trim(string(l.Usage), `"`), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type recordedSnapshot struct {
	Tag          string
	Now          int64
	LastReset    int64 `json:"last_reset"`
	Jobs         []recordedJob
	Associations []recordedRow
	QOS          []map[string]string `json:"qos_state"`
}

type recordedRow struct {
	Account   string
	User      string
	Partition string
	Depth     int
	RawShares json.RawMessage `json:"raw_shares"`
	Norm      *float64        `json:"norm_shares"`
	RawUsage  float64         `json:"raw_usage"`
	NormUsage *float64        `json:"norm_usage"`
	Effective *float64        `json:"effectv_usage"`
	Fairshare *float64
	Level     json.RawMessage `json:"level_fs"`
	Usage     float64         `json:"usage_raw_2dp"`
}

type recordedJob struct {
	ID        int    `json:"job_id"`
	State     string `json:"state"`
	User      string
	Account   string
	QOS       string
	Partition string
	Start     float64
	End       float64
	Request   string  `json:"req_tres"` // up to 22.05 what is allocated, once it runs
	Allocated *string `json:"alloc_tres"`
	Billing   float64 `json:"billing"`
	Sprio     []struct {
		Normalized struct{ Fairshare float64 }
	} `json:"priority_by_partition"`
}

// tree makes the association tree of a snapshot; rows are in tree order, each below
// the last one that is one level further left.
func (s *recordedSnapshot) tree(t testing.TB) *Tree {
	t.Helper()
	var rows []Association
	var path []string
	for _, r := range s.Associations {
		a := Association{Account: r.Account, User: r.User, Partition: r.Partition}
		switch text := strings.Trim(string(r.RawShares), `"`); text {
		case "parent":
			a.Shares = ParentShares
		case "null":
		default:
			a.Shares, _ = strconv.ParseInt(text, 10, 64)
		}
		if r.User == "" {
			path = append(path[:r.Depth], r.Account)
			if r.Depth > 0 {
				a.Parent = path[r.Depth-1]
			}
		}
		rows = append(rows, a)
	}
	tree, diags := New(rows)
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	return tree
}

// setting is the last value of a key in the controller's configuration.
func (r *recorded) setting(key string) string {
	value := ""
	for _, line := range strings.Split(r.conf, "\n") {
		if rest, ok := strings.CutPrefix(line, key+"="); ok {
			value = rest
		}
	}
	return value
}

// recordings reads the full recordings that show associations.
func recordings(t testing.TB, visit func(r *recorded)) {
	full, err := runs.Full(beside.Files(t, "oracle/slurm"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range full {
		visit(readRecorded(t, c))
	}
}

// copies reads the compact copies, which tell shares and usage but not what follows from them.
func copies(t testing.TB, visit func(r *recorded)) {
	list, err := runs.Copies("slurm")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		visit(readRecorded(t, c))
	}
}

func readRecorded(t testing.TB, c runs.Case) *recorded {
	r := &recorded{name: c.Name}
	if !readJSON(t, c.Files, "expected.json", r) {
		t.Fatal(c.Name)
	}
	conf, err := fs.ReadFile(c.Files, "inputs/slurm.conf")
	if err != nil {
		t.Fatal(err)
	}
	r.conf = string(conf)
	readJSON(t, c.Files, "inputs/injected_last_decay.json", &r.state)
	readJSON(t, c.Files, "inputs/injected_qos_usage.json", &r.state.qos)
	return r
}
