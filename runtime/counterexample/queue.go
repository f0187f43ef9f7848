package counterexample

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// now is the time of all generated queues: ten minutes into a week since 1970, so that a window of fairshare
// that divides a day or a week has just begun.
const now = 2976*7*86400 + 600

// Queue is a generated queue.
type Queue struct {
	Jobs     []Job
	Used     []Used     // what was used before
	Recorded []Recorded // what only the resource manager knows of associations
	QOS      []Recorded // and of QOS
}

// Job is a generated job, in the members of the native form of snapshots.
type Job struct {
	ID              int      `json:"id,string"`
	User            string   `json:"user"`
	Group           string   `json:"group,omitempty"`
	Account         string   `json:"account,omitempty"`
	QOS             string   `json:"qos,omitempty"`
	Partition       string   `json:"partition,omitempty"`
	State           string   `json:"state"`
	Procs           int64    `json:"procs"`
	Nodes           int64    `json:"nodes"`
	WalltimeSeconds int64    `json:"walltime_seconds"`
	MemMB           int64    `json:"mem_mb"`
	SwapMB          int64    `json:"swap_mb,omitempty"`
	DiskMB          int64    `json:"disk_mb,omitempty"`
	BypassCount     int64    `json:"bypass_count,omitempty"`
	GPUs            int64    `json:"gpus,omitempty"`
	Nice            int64    `json:"nice,omitempty"`
	Features        []string `json:"features,omitempty"`
	Licenses        string   `json:"licenses,omitempty"`
	SubmitTime      int64    `json:"submit_time"`
	EligibleTime    int64    `json:"eligible_time"`
	AccrueTime      int64    `json:"accrue_time"`
	StartTime       int64    `json:"start_time,omitempty"`

	TRES map[string]int64 `json:"tres"`
}

const (
	pending = "pending"
	running = "running"
)

// complete fills in what follows from the rest.
func (j Job) complete(waited int64) Job {
	j.SubmitTime = now - waited
	j.EligibleTime, j.AccrueTime = j.SubmitTime, j.SubmitTime
	if j.StartTime = 0; j.State == running {
		j.StartTime = now - 60
	}
	j.TRES = map[string]int64{"cpu": j.Procs, "mem": j.MemMB, "node": max(1, j.Nodes)}
	if j.GPUs > 0 {
		j.TRES["gres/gpu"] = j.GPUs
	}
	return j
}

// waited is how long the job has been there.
func (j *Job) waited() int64 { return now - j.SubmitTime }

// association is the job's key among associations.
func (j *Job) association() string { return j.Account + "/" + j.User }

// String is the job in one line.
func (j *Job) String() string {
	state := "waiting for " + duration(j.waited())
	if j.State == running {
		state = "running"
	}
	parts := []string{fmt.Sprintf("job %d: user %s", j.ID, j.User)}
	for _, p := range []struct{ name, value string }{{"group", j.Group}, {"account", j.Account}, {"qos", j.QOS},
		{"partition", j.Partition},
		{"features", strings.Join(j.Features, ",")}, {"licences", j.Licenses}} {
		if p.value != "" {
			parts = append(parts, p.name+" "+p.value)
		}
	}
	for _, p := range []struct {
		format string
		n      int64
	}{{plural(j.GPUs, "GPU"), j.GPUs}, {"%d MB of swap", j.SwapMB}, {"%d MB of disk", j.DiskMB}, {"nice %d", j.Nice},
		{"overtaken " + plural(j.BypassCount, "time"), j.BypassCount}} {
		if p.n != 0 {
			parts = append(parts, fmt.Sprintf(p.format, p.n))
		}
	}
	nodes := fmt.Sprintf(plural(j.Nodes, "node"), j.Nodes)
	if j.Nodes == 0 {
		nodes = "no nodes that it asks for"
	}
	return strings.Join(parts, ", ") + fmt.Sprintf(", "+plural(j.Procs, "processor")+" on %s with %d MB for %s, %s",
		j.Procs, nodes, j.MemMB,
		duration(j.WalltimeSeconds), state)
}

// plural is the format of so many of something.
func plural(n int64, one string) string {
	if n == 1 {
		return "%d " + one
	}
	return "%d " + one + "s"
}

func duration(seconds int64) string {
	return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

// Used is what jobs that have ended used, in processor-seconds.
type Used struct {
	User, Group, Account, QOS, Partition string
	ProcSeconds                          int64
}

// String is the usage in one line.
func (u *Used) String() string {
	return fmt.Sprintf("used before: %d processor-seconds by user %s, group %s, account %s", u.ProcSeconds, u.User,
		u.Group, u.Account)
}

// Recorded is what the resource manager states of an association or a QOS.
type Recorded struct {
	Name            string   `json:"name"`
	FairshareFactor *float64 `json:"fairshare_factor,omitempty"`
	UsageSeconds    int64    `json:"usage_seconds"`
	Priority        *int64   `json:"priority,omitempty"`
}

type node struct {
	ID    string `json:"id"`
	Procs int64  `json:"procs"`
	MemMB int64  `json:"mem_mb"`
	GPUs  int64  `json:"gpus,omitempty"`
	Up    bool   `json:"up"`

	Partitions []string `json:"partitions,omitempty"`
}

type usageWindow struct {
	StartTime int64                       `json:"start_time"`
	Total     int64                       `json:"total"`
	Usage     map[string]map[string]int64 `json:"usage"`
}

// nodes are those of the machine, each with the partitions that have so many.
func (s *Search) nodes() (list []node) {
	machine := s.Vocabulary.Partitions[0]
	for i := range machine.Nodes {
		n := node{ID: fmt.Sprintf("n%d", i+1), Procs: machine.NodeProcs, MemMB: machine.NodeMemMB, GPUs: machine.NodeGPUs,
			Up: true}
		for _, p := range s.Vocabulary.Partitions {
			if p.Name != "" && i < p.Nodes {
				n.Partitions = append(n.Partitions, p.Name)
			}
		}
		list = append(list, n)
	}
	return list
}

// snapshot reads the queue back from its text, so that what is evaluated is what the file says.
func (s *Search) snapshot(q *Queue) (*snapshot.Snapshot, error) {
	type credentials struct {
		Association []Recorded `json:"association,omitempty"`
		QOS         []Recorded `json:"qos,omitempty"`
	}
	form := struct {
		FormatVersion int           `json:"format_version"`
		Now           int64         `json:"now"`
		Jobs          []Job         `json:"jobs"`
		Nodes         []node        `json:"nodes,omitempty"`
		Credentials   credentials   `json:"credentials"`
		Usage         []usageWindow `json:"usage,omitempty"`
	}{FormatVersion: 1, Now: now, Jobs: q.Jobs}
	if s.Vocabulary.ListNodes {
		form.Nodes = s.nodes()
	}
	if s.Vocabulary.Associations {
		form.Credentials.Association = s.associations(q)
	}
	form.Credentials.QOS = q.QOS
	if len(q.Used) > 0 {
		form.Usage = []usageWindow{q.window()}
	}
	text, err := json.Marshal(form)
	if err != nil {
		return nil, err
	}
	read, diags, err := snapshot.Read(snapshot.Texts{"queue.json": text}, []string{"queue.json"}, snapshot.Options{})
	if err != nil {
		return nil, err
	}
	for _, d := range diags {
		if d.Severity == diag.Error {
			return nil, errors.New(d.Message)
		}
	}
	return read, nil
}

// associations are those of the jobs and of who used something, in the order of their names.
func (s *Search) associations(q *Queue) []Recorded {
	rows := map[string]Recorded{}
	for i := range q.Jobs {
		rows[q.Jobs[i].association()] = Recorded{Name: q.Jobs[i].association(), Priority: s.noPriority()}
	}
	for _, u := range q.Used {
		r, known := rows[u.Account+"/"+u.User]
		if !known {
			r.Priority = s.noPriority()
		}
		r.Name = u.Account + "/" + u.User
		r.UsageSeconds += u.ProcSeconds
		rows[r.Name] = r
	}
	for name, r := range rows {
		if s.Vocabulary.Shares {
			half := 0.5
			r.FairshareFactor = &half
			if i := slices.IndexFunc(q.Recorded, func(x Recorded) bool { return x.Name == name }); i >= 0 {
				r.FairshareFactor, r.Priority = q.Recorded[i].FairshareFactor, q.Recorded[i].Priority
			}
		}
		rows[name] = r
	}
	list := make([]Recorded, 0, len(rows))
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		list = append(list, rows[name])
	}
	return list
}

// noPriority is that of an association which has none; where policies say which have it is not stated.
func (s *Search) noPriority() *int64 {
	if s.Vocabulary.Priorities {
		return nil
	}
	return new(int64)
}

// window is the usage as Maui keeps it, of the window that has begun ten minutes ago.
func (q *Queue) window() usageWindow {
	w := usageWindow{StartTime: now - 600, Usage: map[string]map[string]int64{}}
	for _, u := range q.Used {
		w.Total += u.ProcSeconds
		for kind, name := range map[string]string{"user": u.User, "group": u.Group, "account": u.Account, "qos": u.QOS,
			"partition": u.Partition} {
			if name == "" {
				continue
			}
			if w.Usage[kind] == nil {
				w.Usage[kind] = map[string]int64{}
			}
			w.Usage[kind][name] += u.ProcSeconds
		}
	}
	return w
}
