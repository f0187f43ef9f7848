package slurm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/program"
)

// slowLimits says what Slurm must say, the slow way: it keeps lists of jobs, walks up the accounts by
// name, and adds up use whenever it is asked.
type slowLimits struct {
	o       Options
	jobs    []twinJob
	running []int
	present []int
	used    map[string]map[string]int64 // by object and name: minutes by TRES, wall under "wall"
}

type twinJob struct {
	account, user, qos, partition string // partition is its QOS
	tres                          map[string]int64
	minutes                       int64 // −1: not stated
	start, tasks                  int64
	hosts                         []string
	exclusive                     bool
}

// path is the way up of a job: its association, then all accounts.
func (w *slowLimits) path(j *twinJob) []string {
	names := []string{j.account + "/" + j.user}
	for at := j.account; at != ""; at = w.o.Parents[at] {
		names = append(names, at)
	}
	return names
}

// qosOf lists a job's QOS in the order in which they are asked.
func (w *slowLimits) qosOf(j *twinJob) []string {
	list := []string{j.partition, j.qos}
	if q := w.o.QOS[j.qos]; q != nil && q.Overrides {
		list = []string{j.qos, j.partition}
	}
	return slices.Compact(slices.DeleteFunc(list, func(s string) bool { return s == "" }))
}

// set finds a limit as it is written; ok is false where there is none or it was lifted.
func (w *slowLimits) set(object, row, kind, tres string) (value int64, lifted, ok bool) {
	for i := len(w.o.Limits) - 1; i >= 0; i-- {
		l := &w.o.Limits[i]
		if l.Object == object && l.Row == row && l.Kind == kind && (tres == "" || l.Counts == tres) {
			return l.Hard, l.Hard == program.NoLimit, l.Hard != program.NoLimit
		}
	}
	return 0, false, false
}

func (w *slowLimits) factor(j *twinJob) float64 {
	if q := w.o.QOS[j.qos]; q != nil {
		return q.UsageFactor
	}
	return 1
}

// sum adds up a number of those of the given jobs that fit.
func (w *slowLimits) sum(jobs []int, fits func(*twinJob) bool, of func(*twinJob) int64) int64 {
	total := int64(0)
	for _, i := range jobs {
		if fits(&w.jobs[i]) {
			total += of(&w.jobs[i])
		}
	}
	return total
}

func (w *slowLimits) reserved(tres string) func(*twinJob) int64 {
	return func(j *twinJob) int64 {
		minutes := j.minutes
		if minutes < 0 {
			minutes = UnlimitedMinutes
		}
		left := max(0, 60*minutes-max(0, w.o.Now-j.start))
		return int64(float64(left*j.tres[tres]) * w.factor(j))
	}
}

// check is the walk of the manual page: QOS first, each kind and resource for itself, then the
// association and its accounts.
func (w *slowLimits) check(i int) (kind, tres, object, name string, stopped bool) {
	j := &w.jobs[i]
	for _, phase := range []func(limitKind) bool{limitKind.beforeNodes, limitKind.withNodes} {
		said := map[string]bool{}
		for _, q := range w.qosOf(j) {
			var saying []string
			for k := range kinds {
				if !phase(k) || k == maxJobs {
					continue
				}
				for _, t := range w.resources(k) {
					key := k.String() + t
					limit, _, ok := w.set("qos", q, k.String(), t)
					if !ok || said[key] {
						continue
					}
					saying = append(saying, key)
					fits := func(o *twinJob) bool { return slices.Contains(w.qosOf(o), q) }
					switch kindDocs[k].who {
					case byUser:
						fits = func(o *twinJob) bool { return slices.Contains(w.qosOf(o), q) && o.user == j.user }
					case byAccount:
						fits = func(o *twinJob) bool { return slices.Contains(w.qosOf(o), q) && o.account == j.account }
					}
					if w.over(k, t, j, limit, fits, "qos", q) {
						return k.String(), t, "qos", q, true
					}
				}
			}
			for _, key := range saying {
				said[key] = true
			}
		}
		for step, name := range w.path(j) {
			for k := range kinds {
				if !phase(k) || step > 0 && k.inherited() || said["MaxJobsPU"] && k == maxJobs || said["MaxJobsPA"] &&
					k == maxJobs {
					continue
				}
				for _, t := range w.resources(k) {
					if said[k.String()+t] {
						continue
					}
					limit, _, ok := w.set("association", name, k.String(), t)
					if k.inherited() {
						limit, ok = w.handedDown(j, k.String(), t)
					}
					if !ok {
						continue
					}
					if k == grpTRES || k == maxTRESPerJob || k == maxTRESPerNode {
						for _, q := range w.qosOf(j) {
							if x := w.o.QOS[q]; x != nil && x.LimitFactor > 0 {
								limit = int64(float64(limit) * x.LimitFactor)
								break
							}
						}
					}
					fits := func(o *twinJob) bool { return slices.Contains(w.path(o), name) }
					if w.over(k, t, j, limit, fits, "association", name) {
						return k.String(), t, "association", name, true
					}
				}
			}
		}
	}
	return "", "", "", "", false
}

func (w *slowLimits) handedDown(j *twinJob, kind, tres string) (int64, bool) {
	for _, name := range w.path(j) {
		if limit, lifted, ok := w.set("association", name, kind, tres); ok || lifted {
			return limit, ok
		}
	}
	return 0, false
}

func (w *slowLimits) resources(k limitKind) []string {
	if kindDocs[k].tres {
		return w.o.TRES
	}
	return []string{""}
}

func (w *slowLimits) over(k limitKind, t string, j *twinJob, limit int64, fits func(*twinJob) bool, object,
	name string) bool {
	asks, minutes := j.tres[t], j.minutes
	if minutes < 0 {
		minutes = UnlimitedMinutes
	}
	for _, q := range w.qosOf(j) {
		if x := w.o.QOS[q]; x != nil && x.FactorSafe {
			minutes = int64(float64(minutes) * w.factor(j))
			break
		}
	}
	runs, used := w.sum(w.running, fits, w.reserved(t))/60, w.used[object+" "+name][t]
	if w.factor(j) == 0 {
		runs, used = 0, 0
	}
	need := minutes * asks
	switch k {
	case grpJobs, maxJobsPA, maxJobsPU, maxJobs:
		return w.sum(w.running, fits, func(*twinJob) int64 { return 1 }) >= limit
	case maxWall:
		return j.minutes >= 0 && j.minutes > limit
	case grpWall:
		wall, own := w.used[object+" "+name]["wall"], j.minutes
		if own < 0 {
			own = UnlimitedMinutes
		}
		return wall >= limit || w.o.Safe && wall+own > limit
	case maxTRESPerJob:
		return asks > limit
	case maxTRESPerNode:
		if t != "node" {
			asks /= max(1, j.tres["node"])
		}
		return asks > limit
	case minTRESPerJob:
		return asks < limit
	case maxTRESMinsPerJob:
		return need > limit
	case grpTRES, maxTRESPA, maxTRESPU:
		inUse := w.sum(w.running, fits, func(o *twinJob) int64 { return o.tres[t] })
		more := asks
		if t == "node" {
			inUse, more = w.nodes(j, fits)
		}
		return asks > limit || inUse+more > limit
	case grpTRESMins:
		return asks > 0 && (used >= limit || w.o.Safe && (need > limit || need+runs > limit-used))
	}
	return need > limit || need+runs > limit
}

// nodes counts those that a group has, and those that a job adds at least.
func (w *slowLimits) nodes(j *twinJob, fits func(*twinJob) bool) (have, more int64) {
	mine, shut := map[string]bool{}, map[string]bool{}
	for _, i := range w.running {
		for _, host := range w.jobs[i].hosts {
			mine[host] = mine[host] || fits(&w.jobs[i])
			shut[host] = shut[host] || w.jobs[i].exclusive
		}
	}
	open := int64(0)
	for host, is := range mine {
		if is {
			have++
			if !shut[host] {
				open++
			}
		}
	}
	if more = j.tres["node"]; !j.exclusive {
		more = max(0, more-open)
	}
	return have, more
}

// submit is the walk at submission.
func (w *slowLimits) submit(i int) (kind string, stopped bool) {
	j := &w.jobs[i]
	counts := func(k limitKind) bool {
		return k == grpSubmit || k == maxSubmitPA || k == maxSubmitPU || k == maxSubmit
	}
	strict := len(w.qosOf(j)) == 0
	for _, q := range w.qosOf(j) {
		strict = strict || w.o.QOS[q] != nil && w.o.QOS[q].Deny
	}
	tooMuch := func(k limitKind, t string, limit int64, fits func(*twinJob) bool) bool {
		if counts(k) {
			return w.sum(w.present, fits, func(o *twinJob) int64 { return o.tasks })+j.tasks > limit
		}
		if !strict || (k.minutes() && j.minutes < 0) || k == grpTRESMins && !w.o.Safe {
			return false
		}
		minutes := j.minutes
		for _, q := range w.qosOf(j) {
			if x := w.o.QOS[q]; x != nil && x.FactorSafe {
				minutes = int64(float64(minutes) * w.factor(j))
				break
			}
		}
		switch k {
		case maxWall, grpWall:
			return j.minutes > limit
		case minTRESPerJob:
			return j.tres[t] < limit
		case maxTRESPerNode:
			if t != "node" {
				return j.tres[t]/max(1, j.tres["node"]) > limit
			}
			return j.tres[t] > limit
		case maxTRESMinsPerJob, grpTRESMins, grpTRESRunMins, maxRunMinsPA, maxRunMinsPU:
			return minutes*j.tres[t] > limit
		}
		return j.tres[t] > limit
	}
	said := map[string]bool{}
	for _, q := range w.qosOf(j) {
		var saying []string
		for _, k := range submitOrder {
			for _, t := range w.resources(k) {
				limit, _, ok := w.set("qos", q, k.String(), t)
				if !ok || said[k.String()+t] || k == maxSubmit {
					continue
				}
				saying = append(saying, k.String()+t)
				if tooMuch(k, t, limit, func(o *twinJob) bool {
					return slices.Contains(w.qosOf(o), q) && (kindDocs[k].who != byUser || o.user == j.user) &&
						(kindDocs[k].who != byAccount || o.account == j.account)
				}) {
					return k.String(), true
				}
			}
		}
		for _, key := range saying {
			said[key] = true
		}
	}
	for step, name := range w.path(j) {
		for _, k := range submitOrder {
			for _, t := range w.resources(k) {
				limit, _, ok := w.set("association", name, k.String(), t)
				if k.inherited() {
					if step > 0 {
						continue
					}
					limit, ok = w.handedDown(j, k.String(), t)
				}
				if !ok || said[k.String()+t] || k == maxSubmit && (said["MaxSubmitJobsPU"] || said["MaxSubmitJobsPA"]) {
					continue
				}
				if k == grpTRES || k == maxTRESPerJob || k == maxTRESPerNode {
					for _, q := range w.qosOf(j) {
						if x := w.o.QOS[q]; x != nil && x.LimitFactor > 0 {
							limit = int64(float64(limit) * x.LimitFactor)
							break
						}
					}
				}
				if tooMuch(k, t, limit, func(o *twinJob) bool { return slices.Contains(w.path(o), name) }) {
					return k.String(), true
				}
			}
		}
	}
	return "", false
}

// draw makes a cluster with limits everywhere, a few jobs, and its twin.
func draw(t *rapid.T) (*Limits, *slowLimits) {
	o := Options{Now: 10000, Version: 2511, Safe: rapid.Bool().
		Draw(t, "safe"), TRES: []string{"cpu", "mem", "node", "gres/gpu"}, RunMinutes: true,
		Parents: map[string]string{"root": "", "a": "root", "b": "a", "c": "root"}, QOS: map[string]*QOS{}}
	users := map[string][]string{"a": {"u", "v"}, "b": {"u", "w"}, "c": {"v"}}
	for _, account := range []string{"a", "b", "c"} {
		for _, user := range users[account] {
			o.Parents[account+"/"+user] = account
		}
	}
	qoses := []string{"q", "r", "s"}
	for _, q := range qoses {
		if rapid.Bool().Draw(t, "special") {
			o.QOS[q] = &QOS{Overrides: rapid.Bool().Draw(t, "over"), Deny: rapid.Bool().
				Draw(t, "deny"), FactorSafe: rapid.Bool().Draw(t, "factorsafe"),
				UsageFactor: rapid.SampledFrom([]float64{0, 0.5, 1, 2}).
					Draw(t, "factor"), LimitFactor: rapid.SampledFrom([]float64{0, 0, 1.5, 2}).Draw(t, "limitfactor")}
		}
	}
	names := []string{"root", "a", "b", "c", "a/u", "a/v", "b/u", "b/w", "c/v"}
	for range rapid.IntRange(0, 25).Draw(t, "limits") {
		k := limitKind(rapid.IntRange(0, int(kinds)-1).Draw(t, "kind"))
		l := program.Limit{Kind: k.String(), Name: k.String(), Object: "association", Row: rapid.SampledFrom(names).
			Draw(t, "row"), Counts: "jobs",
			Hard: rapid.SampledFrom([]int64{0, 1, 2, 3, 5, 8, 20, 60, 200, program.NoLimit}).Draw(t, "hard")}
		if kindDocs[k].who == byUser || kindDocs[k].who == byAccount || k == minTRESPerJob || k != maxJobs &&
			k != maxSubmit && k != maxAccrue && rapid.Bool().Draw(t, "of a QOS") {
			l.Object, l.Row = "qos", rapid.SampledFrom(qoses).Draw(t, "row")
		}
		if kindDocs[k].tres {
			l.Counts = rapid.SampledFrom(o.TRES).Draw(t, "tres")
			l.Name += "=" + l.Counts
		}
		o.Limits = append(o.Limits, l)
	}
	w := &slowLimits{used: map[string]map[string]int64{}}
	for _, name := range slices.Concat(names, qoses) {
		object := "association "
		if slices.Contains(qoses, name) {
			object = "qos "
		}
		w.used[object+name] = map[string]int64{"cpu": rapid.Int64Range(0, 30).
			Draw(t, "used"), "wall": rapid.Int64Range(0, 30).Draw(t, "wall")}
	}
	o.Used = func(object, name string) (Used, bool) {
		u := w.used[object+" "+name]
		return Used{WallSeconds: float64(60*u["wall"]) + 59,
			TRESMinutes: func(tres string) float64 { return float64(u[tres]) + 0.9 }}, true
	}
	b := column.NewBuilder("jobs")
	for _, id := range []schema.ColumnID{"job.walltime_seconds", "job.start_time", "job.array_tasks", "job.mem_mb",
		"job.gpus"} {
		b.Declare(id, schema.Int)
	}
	for i := range rapid.IntRange(1, 8).Draw(t, "jobs") {
		account := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "account")
		j := twinJob{account: account, user: rapid.SampledFrom(users[account]).
			Draw(t, "user"), qos: rapid.SampledFrom([]string{"", "q", "r", "s"}).Draw(t, "qos"),
			partition: rapid.SampledFrom([]string{"", "", "q", "s"}).
				Draw(t, "partition"), minutes: rapid.SampledFrom([]int64{-1, 1, 5, 60}).Draw(t, "minutes"),
			start: rapid.Int64Range(9000, 10100).Draw(t, "start"), tasks: rapid.Int64Range(1, 3).
				Draw(t, "tasks"), exclusive: rapid.Bool().Draw(t, "exclusive")}
		nodes := rapid.Int64Range(1, 3).Draw(t, "nodes")
		j.tres = map[string]int64{"cpu": nodes * rapid.Int64Range(1, 4).
			Draw(t, "cpu"), "node": nodes, "mem": rapid.Int64Range(0, 9).Draw(t, "mem"), "gres/gpu": rapid.Int64Range(0, 2).
			Draw(t, "gpu")}
		for n := range nodes {
			j.hosts = append(j.hosts, fmt.Sprintf("n%d", (n+rapid.Int64Range(0, 2).Draw(t, "first"))%4))
		}
		j.hosts = slices.Compact(slices.Sorted(slices.Values(j.hosts)))
		w.jobs = append(w.jobs, j)
		b.Row()
		b.String("job.association", j.account+"/"+j.user)
		b.String("job.account", j.account)
		b.String("job.user", j.user)
		b.String("job.qos", j.qos)
		b.Int("job.procs", j.tres["cpu"])
		b.Int("job.nodes", nodes)
		b.Int("job.mem_mb", j.tres["mem"])
		b.Int("job.gpus", j.tres["gres/gpu"])
		b.Int("job.start_time", j.start)
		b.Int("job.array_tasks", j.tasks)
		b.List("job.allocated_hosts", j.hosts)
		if j.minutes >= 0 {
			b.Int("job.walltime_seconds", 60*j.minutes)
		}
		o.RowJob, o.JobRow = append(o.RowJob, int32(i)), append(o.JobRow, int32(i))
		o.Partition, o.Minutes = append(o.Partition, j.partition), append(o.Minutes, j.minutes)
		o.Alone = append(o.Alone, j.exclusive)
	}
	o.Jobs = b.Table()
	s, _ := New(o)
	w.o = o
	return s, w
}

// TestSlurmTwin: with any limits, the fast walk stops a job exactly where the slow one does.
func TestSlurmTwin(t *testing.T) {
	stops := map[string]int{}
	draws.Check(t, func(t *rapid.T) {
		s, w := draw(t)
		for i := range w.jobs {
			if rapid.Bool().Draw(t, "runs") {
				s.Add(i)
				w.running = append(w.running, i)
			}
			if rapid.Bool().Draw(t, "present") {
				s.AddSubmitted(i)
				w.present = append(w.present, i)
			}
		}
		for i := range w.jobs {
			kind, tres, object, name, stopped := w.check(i)
			got := s.Check(i)
			text := "passes"
			if stopped {
				text = strings.Join([]string{object, name, kind, tres}, " ")
				stops[kind]++
			}
			if has := stopText(got); has != text {
				t.Fatalf("job %d: %s, the twin says %s", i, has, text)
			}
			for _, st := range s.Standings(i) {
				if got != nil && st.Limit == got.Limit && st.Kind == got.Kind && st.TRES == got.TRES && st.Name == got.Name &&
					(st.Value != got.Value || st.Hidden) {
					t.Fatalf("job %d: the standing %+v is not that of the stop %+v", i, st, got)
				}
			}
			kind, stopped = w.submit(i)
			if got := s.CheckSubmit(i); (got != nil) != stopped || got != nil && got.Kind != kind {
				t.Fatalf("submission of job %d: %s, the twin says %v %s", i, stopText(got), stopped, kind)
			}
		}
	})
	if len(stops) < 8 {
		t.Errorf("only %v stopped jobs", stops)
	}
	t.Log(stops)
}

func stopText(s *Stop) string {
	if s == nil {
		return "passes"
	}
	return strings.Join([]string{s.Object, s.Name, s.Kind, s.TRES}, " ")
}

// TestRemoveTakesOutWhatAddCounts: a job that is ended for another leaves the counters as they are without it, whatever
// runs beside it, and so does one that the plan has started.
func TestRemoveTakesOutWhatAddCounts(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		s, w := draw(t)
		last := len(w.jobs) - 1
		for i := range last {
			if rapid.Bool().Draw(t, "runs") {
				s.Add(i)
			}
		}
		after := s.Clone()
		if got := (timeline.Got{Procs: 3, Nodes: 2, Hosts: []string{"n0", "n3"}}); rapid.Bool().Draw(t, "starts") {
			after.Start(last, got)
			after.End(last, got)
		} else {
			after.Add(last)
			after.Remove(last)
		}
		if !slices.Equal(after.counts, s.counts) {
			t.Fatalf("counters are %v, without the job %v", after.counts, s.counts)
		}
		for h := range s.hosts {
			if !maps.Equal(after.hosts[h], s.hosts[h]) {
				t.Fatalf("nodes are %v, without the job %v", after.hosts[h], s.hosts[h])
			}
		}
	})
}
