package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// deviationCase is a maui.cfg and a queue in which one difference between Maui and its manual
// shows. The lines of pinned come before the configuration, but for the
// parameters in unset; every job has waited for ten minutes and asks for an hour.
type deviationCase struct {
	deviation            string
	config, unset        string
	jobs                 []string // JSON members beside those of every job
	see                  func(*compiler.Output, *evaluation.Result) string
	observed, documented string
}

// pinned keeps a case apart from the defaults that other deviations change.
const pinned = `
QUEUETIMEWEIGHT 1
SERVICEWEIGHT 1
TARGETWEIGHT 1
CREDWEIGHT 1
FSWEIGHT 1
RESWEIGHT 1
REJECTNEGPRIOJOBS FALSE
XFMINWCLIMIT 0:20:00
SYSCFG QLIST=hi
`

var deviationCases = []deviationCase{
	{deviation: "name_case", config: "procweight 5", observed: "10", documented: "30"},
	{deviation: "name_case", config: "USERCFG[u1] priority=7\nUSERWEIGHT 1", observed: "10", documented: "17"},
	{deviation: "two_field_time", config: "WALLTIMEWEIGHT 1\nCLASSCFG[a] DEFAULT.WCLIMIT=2:00",
		jobs:     []string{`"partition": "a", "walltime_seconds": 0`},
		observed: "7210", documented: "130"},
	{deviation: "manual_parameters", config: "SERVWEIGHT 3", observed: "10", documented: "30"},
	{deviation: "manual_parameters", config: "WALLTIMEWEIGHT 1\nSYSTEMDEFAULTJOBWALLTIME 0:01:00:00",
		jobs: []string{`"walltime_seconds": 0`}, observed: "10", documented: "3610"},
	{deviation: "manual_parameters", config: "WALLTIMEWEIGHT 1", jobs: []string{`"walltime_seconds": 0`}, observed: "10",
		documented: "864010"},
	{deviation: "manual_parameters", config: "XFACTORWEIGHT 0\nTARGETXFACTORWEIGHT 1\nQOSXFTARGET[hi] 1",
		jobs: []string{`"qos": "hi"`}, observed: "10", documented: "100000009"},
	{deviation: "class_default", config: "CLASSWEIGHT 1\nCLASSCFG[DEFAULT] PRIORITY=5\nCLASSCFG[b] PRIORITY=7",
		jobs:     []string{`"partition": "a"`, `"partition": "b"`, `"partition": "DEFAULT"`},
		observed: "10 17 15", documented: "15 17 15"},
	{deviation: "component_cap", config: "PROCWEIGHT 100\nRESWEIGHT 5\nRESCAP 300", observed: "1510", documented: "310"},
	{deviation: "component_cap", config: "PROCWEIGHT 100\nRESWEIGHT 49\nRESCAP 1", observed: "59", documented: "11"},
	{deviation: "partition_weights", config: "QUEUETIMEWEIGHT[fast] 20",
		jobs: []string{`"node_partitions": ["fast"]`, `"node_partitions": ["slow"]`,
			`"node_partitions": ["fast", "slow"]`, ``},
		observed: "10 10 10 10", documented: "200 10 10 10"},
	{deviation: "partition_weights",
		config:   "PROCCAP[slow] 1\nPROCWEIGHT 3\nNODECFG[n1] PARTITION=fast\nNODECFG[n2] PARTITION=slow\nPROCWEIGHT[2] 7",
		jobs:     []string{`"node_partitions": ["fast"]`, `"node_partitions": ["slow"]`},
		observed: "22 22", documented: "22 17"},
	{deviation: "user_activity", config: "UPROCWEIGHT 10\nUJOBWEIGHT 100",
		jobs:     []string{``, `"state": "running", "procs": 6`, `"state": "running", "user": "u2"`, `"user": "u3"`},
		observed: "10 10 10 10", documented: "170 170 150 10"},
	{deviation: "component_weight_defaults", config: "PROCWEIGHT 5", unset: "RESWEIGHT", observed: "30", documented: "10"},
	{deviation: "component_weight_defaults", config: "TARGETXFACTORWEIGHT 1\nQOSCFG[hi] XFTARGET=1", unset: "TARGETWEIGHT",
		jobs: []string{`"qos": "hi"`}, observed: "100000009", documented: "10"},
	{deviation: "xfactor_numerator", config: "XFACTORWEIGHT 100", jobs: []string{`"walltime_seconds": 600`, ``},
		observed: "110 126", documented: "160 126"},
	{deviation: "queue_time_target", config: "TARGETQUEUETIMEWEIGHT 1000000\nQOSCFG[hi] QTTARGET=700",
		jobs: []string{`"qos": "hi"`}, observed: "1000000000", documented: "110"},
	{deviation: "queue_time_target", config: "TARGETQUEUETIMEWEIGHT 1000000\nQOSCFG[hi] QTTARGET=0:11:40",
		jobs: []string{`"qos": "hi"`}, observed: "10", documented: "110"},
	{deviation: "queue_time_target", config: "TARGETQUEUETIMEWEIGHT 1000000\nQOSTARGETQT[hi] 700",
		jobs: []string{`"qos": "hi"`}, observed: "10", documented: "110"},
	{deviation: "priority_floor", config: "USERWEIGHT 1\nUSERCFG[u1] PRIORITY=-50", observed: "1", documented: "0"},
	{deviation: "relative_priority_range",
		jobs: []string{`"system_priority": 1000, "system_priority_relative": true`,
			`"system_priority": 5000, "system_priority_relative": true`,
			`"system_priority": -4, "system_priority_relative": true`},
		observed: "1010 10 10", documented: "1010 5010 6"},
	{deviation: "qos_flags", config: "QOSCFG[hi] QFLAGS=NOBF:NORESERVATION", see: table("qos.flags", "hi"),
		observed: `["NOBF"]`, documented: `["NOBF" "NORESERVATION"]`},
	{deviation: "qos_flags", config: "QOSFLAGS[hi] RESTARTPREEMPT DEDICATED", see: table("qos.flags", "hi"),
		observed: `["DEDICATED"]`, documented: `["RESTARTPREEMPT" "DEDICATED"]`},
	{deviation: "backfill_metric", config: "BACKFILLPOLICY BESTFIT\nBACKFILLMETRIC PESECONDS",
		see: param("BACKFILLMETRIC"), observed: `"PROCS"`, documented: `"PESECONDS"`},
	{deviation: "backfill_metric", config: "SCHEDULINGCRITERIA SECONDS", see: param("BACKFILLMETRIC"), observed: `"PROCS"`,
		documented: `"SECONDS"`},
	{deviation: "fspolicy_spelling", config: "FSPOLICY PSDEDICATED", see: windows, observed: "none",
		documented: "dedicated_proc_seconds"},
	{deviation: "soft_backfill", config: "USERCFG[u3] MAXJOB=1,2",
		jobs: []string{filled, blocked, blocked, `"user": "u3", "state": "running", "procs": 8, "allocated_hosts": ["n1"]`,
			`"user": "u3", "procs": 8`, `"user": "u2", "procs": 8`}, see: starts, observed: "5", documented: "6"},
	{deviation: "greedy_backfill", config: "BACKFILLPOLICY GREEDY",
		jobs: []string{filled, blocked, blocked, `"procs": 9`, `"procs": 8`, `"procs": 8`}, see: starts,
		observed: "", documented: "5 6"},
	{deviation: "weekly_reservation", config: "SRCFG[x] PERIOD=WEEK STARTTIME=2:00:00 ENDTIME=4:00:00", see: starts,
		observed: "", documented: "1"},
	{deviation: "qos_flags", config: "QOSCFG[hi] QFLAGS=NORESERVATION\nUSERCFG[u1] QLIST=hi",
		jobs: []string{filled, blocked + `, "qos": "hi"`}, see: reserved,
		observed: "2", documented: ""},
	{deviation: "backfill_metric", config: "BACKFILLPOLICY BESTFIT\nBACKFILLMETRIC PESECONDS",
		jobs: []string{filled, blocked, blocked, `"procs": 16, "walltime_seconds": 600`, `"procs": 9`}, see: starts,
		observed: "4", documented: "5"},
	{deviation: "reject_negative_default", config: "USERWEIGHT 1\nUSERCFG[u1] PRIORITY=-50", unset: "REJECTNEGPRIOJOBS",
		see: states, observed: "eligible", documented: "blocked"},
	{deviation: "queue_display", config: "USERCFG[u1] MAXJOB=1,4", jobs: []string{`"state": "running"`, ``}, see: states,
		observed: "running blocked", documented: "running eligible"},
	{deviation: "fractional_caps", config: "QUEUETIMEWEIGHT 2\nQUEUETIMECAP 2.5", observed: "4", documented: "5"},
	{deviation: "fractional_caps", config: "PROCWEIGHT 1\nRESCAP 0.5", observed: "14", documented: "10"},
	{deviation: "queue_time_source", config: "USERWEIGHT 1\nUSERCFG[u1] PRIORITY=100 MAXIJOB=1",
		jobs: []string{`"queue_seconds": null, "submit_time": 1699999400`,
			`"queue_seconds": null, "submit_time": 1699999400`}, see: stored, observed: "[110 100]", documented: "[110 110]"},
	{deviation: "limit_mem", config: "USERCFG[u1] MAXMEM=1000",
		jobs: []string{`"state": "running", "mem_mb": 800`, `"mem_mb": 500`, `"mem_mb": 100`}, see: stopped,
		observed: "no no no", documented: "no yes no"},
	{deviation: "limit_mem", config: "USERCFG[u1] MINPROC=8", jobs: []string{``, `"procs": 8`}, see: stopped,
		observed: "no no", documented: "yes no"},
	{deviation: "override_reach", config: "USERCFG[u1] MAXJOB=2\nQOSCFG[hi] OMAXJOB=3",
		jobs: []string{`"state": "running", "qos": "hi"`, `"state": "running", "qos": "hi"`, `"qos": "hi"`}, see: stopped,
		observed: "no no no", documented: "no no yes"},
	{deviation: "multi_dimension", config: "CLASSCFG[a] MAXPROC[USER:u1]=4",
		jobs:     []string{`"state": "running", "partition": "a"`, `"partition": "a"`, `"partition": "a", "user": "u2"`},
		see:      stopped,
		observed: "no no no", documented: "no yes no"},
	{deviation: "old_style", config: "MAXJOBPERUSERCOUNT 1", jobs: []string{`"state": "running"`, ``}, see: stopped,
		observed: "no yes", documented: "no no"},
	{deviation: "old_style", config: "MAXPROCPERGROUPCOUNT 6\nMAXPROCPERGROUPPOLICY ON",
		jobs: []string{`"state": "running", "group": "g"`, `"group": "g"`}, see: stopped, observed: "no no",
		documented: "no yes"},
	{deviation: "soft_over_hard", config: "USERCFG[u1] MAXJOB=2,1",
		jobs: []string{`"state": "running"`, `"queue_seconds": 6000`}, see: stopped, observed: "no no", documented: "no yes"},
	{deviation: "idle_soft", config: "USERCFG[u1] MAXIJOB=1,3", jobs: []string{``, ``, ``, ``}, see: walks,
		observed: "1 3", documented: "3 3"},
	{deviation: "idle_default", config: "GROUPCFG[DEFAULT] MAXIJOB=1", jobs: []string{`"group": "g"`, `"group": "g"`},
		see: stopped, observed: "no no", documented: "no yes"},
	{deviation: "defaults", unset: "XFMINWCLIMIT", see: param("XFMINWCLIMIT"), observed: "120", documented: "-1"},
	{deviation: "defaults", see: param("FSDEPTH"), observed: "8", documented: "7"},
}

// elsewhere are the deviations whose two sides are compared by other tests.
var elsewhere = map[string]string{
	"usage_file_words": "suite/maui/fairshare", "report_sign": "runtime/report",
}

func (c deviationCase) text() string {
	var b strings.Builder
	for line := range strings.Lines(pinned) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); !slices.Contains(strings.Fields(c.unset), name) {
			b.WriteString(line)
		}
	}
	return b.String() + c.config + "\n"
}

// queue is the snapshot of a case. Members of a job win over those of every job.
func (c deviationCase) queue(t *testing.T) *snapshot.Snapshot {
	jobs := c.jobs
	if jobs == nil {
		jobs = []string{""}
	}
	rows := make([]string, len(jobs))
	for i, own := range jobs {
		rows[i] = fmt.Sprintf(`{"id": "%d"`, i+1)
		for _, member := range []string{`"user": "u1"`, `"state": "pending"`, `"procs": 4`, `"nodes": 0`,
			`"walltime_seconds": 3600`, `"queue_seconds": 600`} {
			if name, _, _ := strings.Cut(member, ":"); !strings.Contains(own, name+":") {
				rows[i] += ", " + member
			}
		}
		if own != "" {
			rows[i] += ", " + own
		}
		rows[i] += "}"
	}
	text := fmt.Sprintf(`{"format_version": 1, "now": 1700000000, "jobs": [%s], "nodes": [{"id": "n1", "procs": 64, "mem_mb": 1000}]}`, strings.Join(rows, ", "))
	s, diags, err := snapshot.Read(fstest.MapFS{"queue.json": {Data: []byte(text)}}, []string{"queue.json"},
		snapshot.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatalf("%v %s\n%s", err, recordedtest.Text(diags), text)
	}
	return s
}

// run is what the case shows where the manual is followed in the named points.
func (c deviationCase) run(t *testing.T, opt lower.Options) string {
	t.Helper()
	out := compiler.Compile(compiler.Input{Lang: lower.Maui, Options: opt,
		Files: []*source.File{source.NewFile("maui.cfg", []byte(c.text()))}})
	if out.Program == nil {
		t.Fatal(recordedtest.Text(out.Diags))
	}
	r, err := engine.Run(out.Program, c.queue(t), evaluation.Options{Workers: 1})
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, recordedtest.Text(r.Findings))
	}
	if c.see == nil {
		return priorities(out, r)
	}
	return c.see(out, r)
}

func priorities(_ *compiler.Output, r *evaluation.Result) string {
	var list []string
	for i := range r.Jobs.Rows {
		list = append(list, fmt.Sprint(r.Priority[r.JobRow[i]]))
	}
	return strings.Join(list, " ")
}

// stored sees the priorities after the queue walk, which resets queue times.
func stored(_ *compiler.Output, r *evaluation.Result) string { return fmt.Sprint(r.Stored) }

func states(_ *compiler.Output, r *evaluation.Result) string {
	var list []string
	for i := range r.Jobs.Rows {
		list = append(list, r.State[i].String())
	}
	return strings.Join(list, " ")
}

// stopped sees which jobs may not start, wherever the queue shows them.
func stopped(_ *compiler.Output, r *evaluation.Result) string {
	var list []string
	for i := range r.Jobs.Rows {
		list = append(list, map[bool]string{true: "yes", false: "no"}[r.Why[int32(i)] != nil])
	}
	return strings.Join(list, " ")
}

// walks sees how many jobs enter the priority pass and the backfill pass.
func walks(_ *compiler.Output, r *evaluation.Result) string {
	return fmt.Sprint(len(r.Taken[limit.Soft]), len(r.Taken[limit.Hard]))
}

// param sees what a parameter is in the policy.
func param(name string) func(*compiler.Output, *evaluation.Result) string {
	return func(out *compiler.Output, _ *evaluation.Result) string {
		for _, p := range out.Policy.Params {
			if p.Name == name {
				return p.Value.String()
			}
		}
		return "no parameter"
	}
}

// table sees what the policy says of a credential.
func table(column schema.ColumnID, name string) func(*compiler.Output, *evaluation.Result) string {
	return func(out *compiler.Output, _ *evaluation.Result) string {
		for _, s := range out.Program.Settings {
			if s.Column == column {
				return s.Rows[name].Value.String()
			}
		}
		return "no table"
	}
}

// windows sees what fairshare counts.
func windows(out *compiler.Output, _ *evaluation.Result) string {
	if out.Program.Windows == nil {
		return "none"
	}
	return out.Program.Windows.Usage
}

// filled leaves sixteen processors free for two hours, and blocked is a job that waits for all. The second that does
// ends the pass by priority.
const (
	filled  = `"state": "running", "procs": 48, "walltime_seconds": 7200, "start_time": 1700000000, "allocated_hosts": ["n1"]`
	blocked = `"procs": 64`
)

// starts sees which jobs a plan starts at once.
func starts(_ *compiler.Output, r *evaluation.Result) string {
	return plannedJobs(r, func(p *backfill.Placement) bool {
		return p.By == backfill.ByMain ||
			p.By == backfill.ByBackfill
	})
}

// reserved sees which jobs a plan reserves for.
func reserved(_ *compiler.Output, r *evaluation.Result) string {
	return plannedJobs(r, func(p *backfill.Placement) bool { return p.By == backfill.ByReservation })
}

func plannedJobs(r *evaluation.Result, which func(*backfill.Placement) bool) string {
	plan, err := engine.Plan(r, planning.Options{})
	if err != nil {
		return err.Error()
	}
	var list []string
	for i := range plan.Placements {
		if which(&plan.Placements[i]) {
			list = append(list, plan.Requests[i].ID)
		}
	}
	return strings.Join(list, " ")
}

// TestDeviations: a case shows one side or the other of its own deviation, whatever
// side all others are on.
func TestDeviations(t *testing.T) {
	names := mauiDeviations()
	for i, c := range deviationCases {
		t.Run(fmt.Sprintf("%s_%d", c.deviation, i), func(t *testing.T) {
			others := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == c.deviation })
			for _, x := range []struct {
				how  string
				opt  lower.Options
				want string
			}{
				{"observed", lower.Options{}, c.observed},
				{"documented in this point", lower.Options{Deviations: []string{c.deviation}}, c.documented},
				{"documented in all others", lower.Options{Deviations: others}, c.observed},
				{"documented", lower.Options{Semantics: "documented"}, c.documented},
			} {
				if got := c.run(t, x.opt); got != x.want {
					t.Errorf("%s: %s, want %s", x.how, got, x.want)
				}
			}
		})
	}
}

// TestDeviationsCovered: every number of the list of differences has a deviation, and every
// deviation a case, here or where the map says.
func TestDeviationsCovered(t *testing.T) {
	numbered := map[string]bool{}
	for _, p := range lower.Library() {
		for _, d := range p.DeviationDecls {
			for _, n := range strings.Split(d.Number.Value, ", ") {
				numbered[n] = true
			}
		}
	}
	for n := 1; n <= 31; n++ {
		if number := fmt.Sprintf("Δ%d", n); !numbered[number] {
			t.Errorf("%s has no deviation", number)
		}
	}
	for _, name := range mauiDeviations() {
		here := slices.ContainsFunc(deviationCases, func(c deviationCase) bool { return c.deviation == name })
		if there := elsewhere[name]; here == (there != "") {
			t.Errorf("deviation %s: has a case here is %t, and elsewhere %q", name, here, there)
		}
	}
}

func mauiDeviations() []string {
	var names []string
	for _, p := range lower.Library() {
		if p.Name.Value == "maui" {
			for _, d := range p.DeviationDecls {
				names = append(names, d.Name)
			}
		}
	}
	return names
}
