package laws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// throttles are what limits of maui.cfg look like, by where they may be.
var throttles = []struct{ family, attributes string }{
	{"USERCFG", "MAXJOB MAXPROC MAXNODE MAXPS MAXPE MAXWC MAXIJOB MAXIPROC MAXIPS MAX.WCLIMIT MAXMEM MINPROC " +
		"MAXJOB[CLASS:amy]"},
	{"GROUPCFG", "MAXJOB MAXPROC MAXNODE MAXPS MAXPE MAXWC MAXIJOB MAXIPROC"},
	{"ACCOUNTCFG", "MAXJOB MAXPROC MAXPS MAXIJOB"},
	{"CLASSCFG", "MAXJOB MAXPROC MAXNODE MAXJOB[USER] MAXJOBPERUSER MAXPROCPERUSER MAXIJOB MAX.WCLIMIT MAXPROCPERJOB " +
		"MAXJOB[USER:amy] MAXPROC[GROUP]"},
	{"QOSCFG", "MAXJOB MAXPROC MAXPE MAXIJOB OMAXJOB OMAXPROC OMAXPS OMAXIJOB OMAXJPROC QFLAGS MAXJOBPERUSER"},
}

// limitDeviations are the points in which the manual tells of limits and of the queue otherwise.
var limitDeviations = []string{"limit_mem", "override_reach", "multi_dimension", "old_style", "soft_over_hard",
	"idle_soft", "idle_default", "class_default",
	"queue_display", "queue_time_source"}

// amounts are numbers of which some jobs are over and some are not.
var amounts = map[string][]string{
	"PS": {"4000", "20000", "7200,40000", "2147483647"}, "WC": {"3600", "7200,40000", "100000"},
	"WCLIMIT": {"1:00:00", "3:00:00"},
	"MEM":     {"150", "300,500"}, "MINPROC": {"2", "4"},
	"QFLAGS": {"IGNJOBPERUSER", "IGNPSPERUSER:IGNPROCPERUSER", "IGNALL", "IGNUSER"},
}

// drawThrottled writes a maui.cfg with limits, fairshare and a few weights.
func drawThrottled(t *rapid.T) string {
	b := &strings.Builder{}
	b.WriteString("SERVERHOST here\n")
	for _, line := range []string{"JOBPRIOACCRUALPOLICY ALWAYS", "JOBPRIOACCRUALPOLICY FULLPOLICY",
		"REJECTNEGPRIOJOBS TRUE", "ENABLENEGJOBPRIORITY TRUE", "SYSTEMMAXPROCPERJOB 6", "SYSTEMMAXPROCSECONDPERJOB 20000",
		"SYSTEMMAXJOBWALLTIME 5:00:00", "USERWEIGHT 10", "PSWEIGHT -1", "XFACTORWEIGHT 3", "SPVIOLATIONWEIGHT 50",
		"MAXJOBPERUSERCOUNT 2", "USESYSTEMQUEUETIME FALSE"} {
		if rapid.IntRange(0, 3).Draw(t, line) == 0 {
			b.WriteString(line + "\n")
		}
	}
	rare := rapid.SampledFrom([]int{4, 20}).Draw(t, "rare") // under many limits hardly any job may start
	for _, family := range throttles {
		for _, name := range []string{"DEFAULT", "amy", "bob", "gpu"} {
			if rapid.IntRange(1, rare).Draw(t, family.family) > 1 {
				continue
			}
			attribute := rapid.SampledFrom(strings.Fields(family.attributes)).Draw(t, "attribute")
			fmt.Fprintf(b, "%s[%s] %s=%s PRIORITY=%s\n", family.family, name, attribute, drawAmount(t, attribute),
				rapid.SampledFrom([]string{"0", "20", "-300"}).Draw(t, "priority"))
		}
	}
	drawWindows(t, b)
	return b.String()
}

func drawAmount(t *rapid.T, attribute string) string {
	for ending, list := range amounts {
		if strings.HasSuffix(attribute, ending) {
			return rapid.SampledFrom(list).Draw(t, "amount")
		}
	}
	return rapid.SampledFrom([]string{"1", "2", "3", "1,4", "4,2", "2,0", "-1", "0", "8"}).Draw(t, "amount")
}

func drawWindows(t *rapid.T, b *strings.Builder) {
	if rapid.IntRange(0, 2).Draw(t, "fairshare") == 0 {
		return
	}
	fmt.Fprintf(b, "FSPOLICY %s\nFSINTERVAL 1:00:00\nFSDEPTH %d\nFSDECAY %s\nFSUSERWEIGHT 2\nFSGROUPWEIGHT "+
		"1\nFSCLASSWEIGHT 1\n",
		rapid.SampledFrom([]string{"DEDICATEDPS", "DEDICATEDPES", "DEDICATEDPS%", "UTILIZEDPS"}).
			Draw(t, "policy"), rapid.IntRange(1, 5).Draw(t, "depth"),
		rapid.SampledFrom([]string{"1.0", "0.5", "0.8"}).Draw(t, "decay"))
	for _, family := range throttles {
		for _, name := range []string{"DEFAULT", "amy", "bob"} {
			if rapid.IntRange(0, 2).Draw(t, "target") == 0 {
				fmt.Fprintf(b, "%s[%s] FSTARGET=%s\n", family.family, name,
					rapid.SampledFrom([]string{"25", "40.5+", "10-", "0", "50000^", "30%", "-5"}).Draw(t, "target"))
			}
		}
	}
}

// drawQueue makes a queue as Maui could have one: jobs that say all that limits ask for.
func drawQueue(t *rapid.T) *snapshot.Snapshot {
	s := &snapshot.Snapshot{Now: now, Credentials: map[string]*column.Table{}}
	b := column.NewBuilder("jobs")
	for i := range rapid.IntRange(1, 12).Draw(t, "jobs") {
		b.Row()
		b.String("job.id", fmt.Sprint(100+i))
		for _, id := range []schema.ColumnID{"job.user", "job.group", "job.account", "job.partition", "job.qos"} {
			b.String(id, rapid.SampledFrom([]string{"amy", "amy", "bob", "gpu", ""}).Draw(t, string(id)))
		}
		tasks := int64(rapid.IntRange(1, 4).Draw(t, "tasks"))
		b.Int("job.procs", 2*tasks)
		b.Declare("job.tasks", schema.Int)
		b.Declare("job.procs_per_task", schema.Int)
		if rapid.IntRange(0, 3).Draw(t, "says") > 0 {
			b.Int("job.tasks", tasks)
			b.Int("job.procs_per_task", 2)
		}
		b.Int("job.nodes", int64(rapid.IntRange(0, 2).Draw(t, "nodes")))
		for _, resource := range []schema.ColumnID{"mem", "swap", "disk"} {
			b.Int("job."+resource+"_per_task_mb", 100)
			b.Int("job."+resource+"_mb", 100*tasks)
		}
		b.Int("job.walltime_seconds", rapid.SampledFrom([]int64{60, 3600, 7200, 36000, 0}).Draw(t, "limit"))
		submitted := int64(now - rapid.SampledFrom([]int{0, 60, 600, 7200, 90000}).Draw(t, "age"))
		b.Value("job.submit_time", schema.TimestampValue(submitted))
		b.Declare("job.start_time", schema.Timestamp)
		state := rapid.SampledFrom([]string{"pending", "pending", "pending", "pending", "running", "running", "suspended",
			"done"}).Draw(t, "state")
		b.String("job.state", state)
		if state == "running" || state == "suspended" {
			b.Value("job.start_time", schema.TimestampValue(max(submitted, now-1800)))
		}
		b.Declare("job.node_partitions", schema.StringList)
		if mask := rapid.SampledFrom([]string{"", "", "", "pa", "pb", "pa pb", "pc"}).Draw(t, "mask"); mask != "" {
			b.Value("job.node_partitions", schema.ListValue(strings.Fields(mask)))
		}
		b.Value("job.held", schema.BoolValue(rapid.IntRange(0, 9).Draw(t, "held") == 0))
		b.String("job.dependency", rapid.SampledFrom([]string{"", "", "", "", "", "x"}).Draw(t, "dependency"))
		b.Declare("job.begin_time", schema.Timestamp)
		if rapid.IntRange(0, 9).Draw(t, "later") == 9 {
			b.Value("job.begin_time", schema.TimestampValue(now+60))
		}
	}
	s.Jobs = b.Table()
	s.Nodes = drawPlaces(t)
	for k := range rapid.IntRange(0, 6).Draw(t, "windows") {
		const length = 3600
		w := snapshot.UsageWindow{StartTime: now - now%length - int64(k)*length, Usage: map[string]map[string]float64{}}
		w.Total = rapid.Float64Range(0, 100_000).Draw(t, "total")
		for _, object := range []string{"user", "group", "account", "qos", "partition"} {
			w.Usage[object] = map[string]float64{"amy": rapid.Float64Range(0, 50_000).Draw(t, "usage"), "bob": 1}
		}
		s.Usage = append(s.Usage, w)
	}
	return s
}

// drawPlaces makes nodes in some partitions, with classes, and in Maui's states; some queues have none.
func drawPlaces(t *rapid.T) *column.Table {
	n := rapid.IntRange(0, 4).Draw(t, "nodes")
	if n == 0 {
		return nil
	}
	b := column.NewBuilder("nodes")
	b.Declare("node.partitions", schema.StringList)
	b.Declare("node.classes", schema.StringList)
	b.Declare("node.up", schema.Bool)
	for range n {
		b.Row()
		b.Int("node.procs", int64(rapid.IntRange(2, 12).Draw(t, "procs")))
		b.Int("node.mem_mb", 1000)
		b.String("node.state", rapid.SampledFrom([]string{"idle", "Busy", "Draining", "Drained", "Unknown", "Flush", "Down"}).
			Draw(t, "state"))
		if up := rapid.IntRange(0, 2).Draw(t, "up"); up < 2 {
			b.Value("node.up", schema.BoolValue(up == 1))
		}
		if partition := rapid.SampledFrom([]string{"", "", "pa", "pb"}).Draw(t, "partition"); partition != "" {
			b.Value("node.partitions", schema.ListValue([]string{partition}))
		}
		if classes := rapid.SampledFrom([]string{"?", "?", "amy bob gpu", "amy", "bob gpu"}).
			Draw(t, "classes"); classes != "?" {
			b.Value("node.classes", schema.ListValue(strings.Fields(classes)))
		}
	}
	return b.Table()
}

// TestGeneratedSelection: which jobs may start, with limits and fairshare caps, when some start, and what
// priorities are stored in the end, is what the oracle finds by looking everything up each time.
func TestGeneratedSelection(t *testing.T) {
	seen := map[string]int{}
	states := []string{"running", "eligible", "blocked", "held", "done"}
	enough := func() bool { return !slices.ContainsFunc(states, func(s string) bool { return seen[s] < 20 }) }
	draws.UntilSeen(t, enough, func(t *rapid.T) {
		in := compiler.Input{Lang: lower.Maui}
		if rapid.Bool().Draw(t, "manual") {
			in.Deviations = rapid.SliceOfDistinct(rapid.SampledFrom(limitDeviations), rapid.ID).Draw(t, "deviations")
		}
		text := drawThrottled(t)
		out := compile(t, in, text)
		if out == nil {
			return
		}
		s := drawQueue(t)
		answer := agree(t, out, s, text)
		if answer == nil {
			return
		}
		started, ids := drawStarted(t, s)
		want := answer.Select(started)
		got, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1, Started: ids})
		if err != nil {
			t.Fatal(err)
		}
		for job, state := range want.State {
			seen[state]++
			if got.State[job].String() != state {
				t.Fatalf("job %d is %s (%s), oracle has %s\n%s", job, got.State[job], got.Reason[job], state, text)
			}
			if stored := want.Stored[job]; stored != got.Stored[job] {
				t.Fatalf("job %d: stored is %d, oracle has %d\n%s", job, got.Stored[job], stored, text)
			}
		}
	})
	if !enough() && !t.Failed() {
		t.Errorf("of %v at least 20 each are wanted, there were %v: the generator has gone blind", states, seen)
	}
}

// drawStarted picks waiting jobs that start.
func drawStarted(t *rapid.T, s *snapshot.Snapshot) (jobs []int, ids []string) {
	for job := range s.Jobs.Rows {
		waits := s.Jobs.Value("job.state", job).Str == "pending" && s.Jobs.Value("job.held", job).Int == 0
		if waits && rapid.IntRange(0, 4).Draw(t, "starts") == 0 {
			jobs, ids = append(jobs, job), append(ids, s.Jobs.Value("job.id", job).Str)
		}
	}
	return jobs, ids
}

// steady is a policy under which nothing moves a priority within an iteration, so that both
// walks go through the queue in the same order.
func steady(text string) string {
	return strings.ReplaceAll(text, "SPVIOLATIONWEIGHT", "BYPASSWEIGHT") + "JOBPRIOACCRUALPOLICY ALWAYS\n"
}

// TestPermutedSelection: permuting jobs of distinct priorities permutes who may start and why not. (Of
// jobs of one priority the first in the queue is asked first.)
func TestPermutedSelection(t *testing.T) {
	compared := 0
	draws.UntilSeen(t, func() bool { return compared >= 10 }, func(t *rapid.T) {
		text := steady(drawThrottled(t))
		out := compile(t, compiler.Input{Lang: lower.Maui}, text)
		s := drawQueue(t)
		if out == nil {
			return
		}
		a := run(t, out.Program, s, 1)
		if a == nil || !distinct(a.Priority) {
			return
		}
		compared++
		permuted := *s
		index := rapid.Permutation(numbers(s.Jobs.Rows)).Draw(t, "permutation")
		permuted.Jobs = pick(s.Jobs, index)
		b := run(t, out.Program, &permuted, 1)
		for k, job := range index {
			sameDecision(t, a, job, b, k, text)
		}
	})
	if compared < 10 && !t.Failed() {
		t.Errorf("only %d queues had distinct priorities: the generator has gone blind", compared)
	}
}

// TestLastJobChangesNothing: a waiting job after all others changes nothing for them, whatever
// limits count it.
func TestLastJobChangesNothing(t *testing.T) {
	compared := 0
	draws.UntilSeen(t, func() bool { return compared >= 5 }, func(t *rapid.T) {
		text := steady(drawThrottled(t))
		out := compile(t, compiler.Input{Lang: lower.Maui}, text)
		s := drawQueue(t)
		if out == nil {
			return
		}
		a := run(t, out.Program, s, 1)
		last := s.Jobs.Rows - 1
		waits := s.Jobs.Value("job.state", last).Str == "pending"
		if a == nil || !waits || slices.ContainsFunc(a.Priority[:last], func(p int64) bool { return p < a.Priority[last] }) {
			return
		}
		compared++
		fewer := *s
		fewer.Jobs = pick(s.Jobs, numbers(last))
		b := run(t, out.Program, &fewer, 1)
		for job := range last {
			sameDecision(t, a, job, b, job, text)
		}
	})
	if compared < 5 && !t.Failed() {
		t.Errorf("only %d queues ended with a job behind all others: the generator has gone blind", compared)
	}
}

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func distinct(list []int64) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) == len(list)
}

func sameDecision(t *rapid.T, a *evaluation.Result, jobA int, b *evaluation.Result, jobB int, text string) {
	if a.State[jobA] != b.State[jobB] || a.Reason[jobA] != b.Reason[jobB] || a.Stored[jobA] != b.Stored[jobB] {
		t.Fatalf("job %d is %s (%s) with %d, then %s (%s) with %d\n%s", jobA, a.State[jobA], a.Reason[jobA], a.Stored[jobA],
			b.State[jobB], b.Reason[jobB], b.Stored[jobB], text)
	}
}
