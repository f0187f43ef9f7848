package snapshot

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// oracleCase is what the recorded runs of a real slurmctld say they hold.
type oracleCase struct {
	SlurmVersion string `json:"slurm_version"`
	Snapshots    []struct {
		Tag          string
		Now          int64
		Jobs         []oracleJob
		Associations []oracleAssociation
	}
}

type oracleJob struct {
	ID            int64  `json:"job_id"`
	ArrayJob      *int64 `json:"array_job_id"`
	ArrayTask     any    `json:"array_task_id"`
	User          string
	Account       string
	QOS           *string
	Partition     string
	State         string
	Reason        *string
	Dependency    *string
	Submit        *int64
	Eligible      *int64
	Accrue        *int64
	Start         *int64
	End           *int64
	TimeLimitMin  any    `json:"time_limit_min"`
	TimeMin       *int64 `json:"time_min"`
	NumNodes      string `json:"num_nodes"`
	NumCPUs       string `json:"num_cpus"`
	NumTasks      string `json:"num_tasks"`
	ReqTRES       string `json:"req_tres"`
	AllocTRES     string `json:"alloc_tres"`
	Features      *string
	Licenses      *string
	Reservation   *string
	OverSubscribe string  `json:"oversubscribe"`
	ReqNodes      *string `json:"req_nodes"`
	NodeList      *string
	Nice          *int64
	SiteFactor    *int64 `json:"site_factor"`
	Priority      *int64
	ByPartition   []struct {
		Partition string
		Priority  float64
		Weighted  map[string]any
	} `json:"priority_by_partition"`
}

type oracleAssociation struct {
	Account, User, Partition string
	RawShares                any      `json:"raw_shares"`
	FairShare                *float64 `json:"fairshare"`
	LevelFS                  any      `json:"level_fs"`
	Usage                    *float64 `json:"usage_raw_2dp"`
	Depth                    int
}

// TestSlurmOracle reads every recording, and its cells must be what the
// recording's own summary says, which was made from the same files by other means.
func TestSlurmOracle(t *testing.T) {
	fsys := shared(t, "oracle/slurm")
	cases, err := fs.Glob(fsys, "*/expected.json")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	compared := map[string]int{}
	for _, name := range cases {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		var want oracleCase
		text = pythonInfinity.ReplaceAll(text, []byte(`"inf"`))
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		raw := path.Join(path.Dir(name), "raw")
		for _, s := range want.Snapshots {
			paths := []string{raw}
			if s.Tag != "" {
				paths = append(paths, path.Join(raw, s.Tag))
			}
			label := path.Dir(name) + " " + s.Tag
			got, diags, err := Read(fsys, paths, format.Options{})
			if err != nil {
				t.Errorf("%s: %v", label, err)
				continue
			}
			checkReading(t, label, got, diags)
			c := &comparison{t: t, label: label, done: compared}
			c.jobs(got, s.Jobs)
			c.associations(got.Credentials["association"], s.Associations)
			c.sprio(got, s.Jobs)
			if got.Family != "slurm" || !strings.HasPrefix(want.SlurmVersion, got.Version+".") {
				t.Errorf("%s: family %q version %q", label, got.Family, got.Version)
			}
			// The answer came after the pass whose time the summary gives, by
			// no more than one period of one minute (two when a pass was late).
			if age := got.Now - s.Now; age < -1 || age > 150 {
				t.Errorf("%s: now is %d s after the last priority pass", label, age)
			}
		}
	}
	var fields []string
	for f := range compared {
		fields = append(fields, f)
	}
	sort.Strings(fields)
	for _, f := range fields {
		t.Logf("%-20s %6d cells", f, compared[f])
	}
	for _, f := range []string{"accrue", "alloc", "cpus", "nice", "nodes", "priority", "shares", "site_factor",
		"sprio.age", "start", "state", "usage", "walltime"} {
		if compared[f] == 0 {
			t.Errorf("nothing was compared for %s", f)
		}
	}
}

func checkReading(t *testing.T, label string, s *format.Snapshot, diags diag.List) {
	t.Helper()
	for _, source := range s.Sources {
		if source.Bad > 0 {
			t.Errorf("%s: %s has %d bad records of %d", label, source.Name, source.Bad, source.Records+source.Bad)
		}
	}
	for _, d := range diags {
		if d.Severity != diag.Info && d.Code != "snapshot-partition-not-stated" { // the full sshare beside it says it
			t.Errorf("%s: %s %s %s", label, d.Span, d.Code, d.Message)
		}
	}
}

// comparison checks cells and counts how many of each kind it saw.
type comparison struct {
	t     *testing.T
	label string
	done  map[string]int
}

func (c *comparison) equal(what, key string, got, want any) {
	c.t.Helper()
	c.done[what]++
	if fmt.Sprint(got) != fmt.Sprint(want) {
		c.t.Errorf("%s: job %s %s: got %v, want %v", c.label, key, what, got, want)
	}
}

func (c *comparison) jobs(s *format.Snapshot, want []oracleJob) {
	c.t.Helper()
	if s.Jobs == nil || s.Jobs.Rows != len(want) {
		rows := 0
		if s.Jobs != nil {
			rows = s.Jobs.Rows
		}
		c.t.Errorf("%s: %d jobs, want %d", c.label, rows, len(want))
		return
	}
	rowOf := map[string]int{}
	for row := range s.Jobs.Rows {
		rowOf[s.Jobs.Value("job.id", row).Str] = row
	}
	for _, w := range want {
		key := wantedID(w)
		row, ok := rowOf[key]
		if !ok {
			c.t.Errorf("%s: no job %s", c.label, key)
			continue
		}
		value := func(name string) schema.Value { return s.Jobs.Value(schema.ColumnID("job."+name), row) }
		number := func(name string) any {
			if v := value(name); v.Known() {
				return v.Int
			}
			return nil
		}
		pending := w.State == "PENDING"
		c.equal("user", key, value("user").Str, w.User)
		c.equal("account", key, value("account").Str, strings.TrimPrefix(w.Account, "(null)"))
		c.equal("qos", key, value("qos").Str, text(w.QOS))
		c.equal("partitions", key, strings.Join(value("partitions").List, ","), w.Partition)
		first, _, _ := strings.Cut(w.Partition, ",")
		c.equal("partition", key, value("partition").Str, first)
		c.equal("state_word", key, value("state_word").Str, w.State)
		c.equal("state", key, value("state").Str,
			map[string]string{"PENDING": "pending", "RUNNING": "running", "FAILED": "done"}[w.State])
		c.equal("reason", key, value("state_reason").Str, text(w.Reason))
		c.equal("dependency", key, value("dependency").Str, text(w.Dependency))
		c.equal("submit", key, number("submit_time"), some(w.Submit))
		c.equal("eligible", key, number("eligible_time"), some(w.Eligible))
		c.equal("accrue", key, number("accrue_time"), some(w.Accrue))
		if pending {
			c.equal("start_pending", key, number("start_time"), nil)
		} else {
			c.equal("start", key, number("start_time"), some(w.Start))
			c.equal("end", key, number("end_time"), some(w.End))
		}
		if limit, ok := w.TimeLimitMin.(float64); ok {
			c.equal("walltime", key, number("walltime_seconds"), int64(limit)*60)
		} else {
			c.equal("unlimited", key, value("walltime_unlimited").Int == 1, w.TimeLimitMin == "UNLIMITED")
		}
		if w.TimeMin != nil {
			c.equal("walltime_min", key, number("walltime_min_seconds"), *w.TimeMin*60)
		}
		low, _, _ := strings.Cut(w.NumNodes, "-")
		if least, ok := leastNodes(w.ReqTRES); ok && pending {
			low = least
		}
		c.equal("nodes", key, number("nodes"), low)
		c.equal("cpus", key, number("procs"), w.NumCPUs)
		if w.NumTasks != "N/A" {
			c.equal("tasks", key, number("tasks"), w.NumTasks)
		}
		c.equal("features", key, value("feature_expression").Str, text(w.Features))
		c.equal("licenses", key, value("licenses").Str, text(w.Licenses))
		c.equal("reservation", key, value("reservation").Str, text(w.Reservation))
		c.equal("exclusive", key, value("exclusive").Int == 1, w.OverSubscribe == "NO")
		c.equal("priority", key, number("recorded_priority"), some(w.Priority))
		c.equal("held", key, value("held").Int == 1, pending && w.Priority != nil && *w.Priority == 0)
		c.equal("nice", key, number("nice"), some(w.Nice))
		if w.SiteFactor != nil && (s.Sprio != nil || *w.SiteFactor != 0) { // without any job in sprio the column is absent
			c.equal("site_factor", key, number("site_factor"), *w.SiteFactor)
		}
		c.tres(s.Jobs, row, key, w)
	}
}

// tres checks every count of the allocated, else requested list that the
// summary gives as text.
func (c *comparison) tres(jobs *column.Table, row int, key string, w oracleJob) {
	list, what := w.ReqTRES, "requested"
	if w.AllocTRES != "" && w.AllocTRES != "(null)" {
		list, what = w.AllocTRES, "alloc"
	}
	if list == "" || list == "(null)" {
		return
	}
	for _, entry := range strings.Split(list, ",") {
		name, count, _ := strings.Cut(entry, "=")
		wanted := amount(count)
		got := jobs.Value(schema.TRES("job", name), row).Double
		if got != wanted {
			c.t.Errorf("%s: job %s %s: got %v, want %s", c.label, key, name, got, entry)
		}
		if name == "mem" && jobs.Value("job.mem_mb", row).Int != int64(wanted) {
			c.t.Errorf("%s: job %s mem_mb: got %v, want %s", c.label, key, jobs.Value("job.mem_mb", row).Int, entry)
		}
		if name == "gres/gpu" && jobs.Value("job.gpus", row).Int != int64(wanted) {
			c.t.Errorf("%s: job %s gpus: got %v, want %s", c.label, key, jobs.Value("job.gpus", row).Int, entry)
		}
		c.done[what]++
	}
}

// amount reads a count with a unit, in MB where there is one.
func amount(text string) float64 {
	units := map[byte]float64{'M': 1, 'G': 1024, 'T': 1024 * 1024}
	unit, ok := units[text[len(text)-1]]
	if ok {
		text = text[:len(text)-1]
	} else {
		unit = 1
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return math.Floor(f * unit)
}

func wantedID(w oracleJob) string {
	if task, err := strconv.Atoi(fmt.Sprint(w.ArrayTask)); err == nil && w.ArrayJob != nil {
		return fmt.Sprintf("%d_%d", *w.ArrayJob, task)
	}
	return strconv.FormatInt(w.ID, 10)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func some(n *int64) any {
	if n == nil {
		return nil
	}
	return *n
}

func (c *comparison) associations(t *column.Table, want []oracleAssociation) {
	c.t.Helper()
	if t == nil || t.Rows != len(want) {
		c.t.Errorf("%s: associations are not %d", c.label, len(want))
		return
	}
	var above []string
	for row, w := range want {
		key := slurmtext.AssociationKey(w.Account, w.User, w.Partition)
		value := func(name string) schema.Value { return t.Value(schema.ColumnID("association."+name), row) }
		number := func(name string) any {
			if v := value(name); v.Known() {
				return v.Double
			}
			return nil
		}
		c.equal("association", key, value("name").Str, key)
		if w.User == "" {
			above = append(above[:w.Depth], w.Account)
		}
		parent := ""
		if w.Depth > 0 {
			parent = above[w.Depth-1]
		}
		if w.User == "" {
			c.equal("parent", key, value("parent").Str, parent)
		} else {
			c.equal("parent", key, value("parent").Str, w.Account)
		}
		if shares, ok := w.RawShares.(float64); ok {
			c.equal("shares", key, value("shares").Int, int64(shares))
		} else if w.RawShares == "parent" {
			c.equal("shares", key, value("shares").Known(), false)
		}
		if w.FairShare != nil {
			c.equal("fairshare", key, number("fairshare_factor"), *w.FairShare)
		}
		if level, ok := w.LevelFS.(float64); ok {
			c.equal("level", key, number("level_fairshare"), level)
		} else if w.LevelFS == "inf" {
			c.equal("level", key, number("level_fairshare"), math.Inf(1))
		}
		if w.Usage != nil {
			c.equal("usage", key, number("usage_seconds"), *w.Usage)
		}
	}
}

// sprio checks the recorded factors, row by row.
func (c *comparison) sprio(s *format.Snapshot, want []oracleJob) {
	rows := 0
	for _, w := range want {
		for _, p := range w.ByPartition {
			if s.Sprio == nil || rows >= s.Sprio.Rows {
				c.t.Errorf("%s: sprio has fewer rows than the summary", c.label)
				return
			}
			value := func(name string) schema.Value { return s.Sprio.Value(format.SprioColumn(name), rows) }
			c.equal("sprio.id", wantedID(w), value("id").Str, wantedID(w))
			c.equal("sprio.partition", wantedID(w), value("partition_name").Str, p.Partition)
			c.equal("sprio.priority", wantedID(w), value("priority").Double, p.Priority)
			c.equal("sprio.age", wantedID(w), value("age").Double, p.Weighted["age"])
			rows++
		}
	}
}

// pythonInfinity is what the summaries write for a level of an unused association.
var pythonInfinity = regexp.MustCompile(`\bInfinity\b`)

// leastNodes is the node count of a requested TRES list.
func leastNodes(tres string) (string, bool) {
	for _, t := range strings.Split(tres, ",") {
		if n, ok := strings.CutPrefix(t, "node="); ok {
			return n, true
		}
	}
	return "", false
}
