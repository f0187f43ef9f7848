package maui

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/mauitext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// WriteCheckJob writes what Maui's checkjob -v prints of a job, or of all that wait or run. What a snapshot
// does not know is left out: what the job executes, what it really uses, its reservation,
// and on which nodes it would fit.
func WriteCheckJob(w io.Writer, r *evaluation.Result, o eval.Options) error {
	out := bufio.NewWriter(w)
	jobs := o.Jobs
	if jobs == nil {
		for job := range r.Jobs.Rows {
			if r.State[job] != evaluation.Done {
				jobs = append(jobs, job)
			}
		}
	}
	if len(jobs) == 0 {
		fmt.Fprintln(out, "no jobs in queue")
	}
	kept := eval.KeptJobs(r)
	for _, job := range jobs {
		c := &checkJob{Writer: out, r: r, job: job, kept: kept[eval.JobText(r, "job.id", job)]}
		c.write()
	}
	return out.Flush()
}

// checkJob is the report on one job.
type checkJob struct {
	*bufio.Writer
	r    *evaluation.Result
	job  int
	kept checkpoint.Job // what the scheduler remembers of it
}

func (c *checkJob) line(format string, args ...any) { fmt.Fprintf(c, format+"\n", args...) }

func (c *checkJob) value(id schema.ColumnID) schema.Value { return c.r.Jobs.Value(id, c.job) }

func (c *checkJob) running() bool { return c.r.State[c.job] == evaluation.Running }

func (c *checkJob) write() {
	c.line("\n\nchecking job %s\n", source.Plain(eval.JobText(c.r, "job.id", c.job)))
	c.state()
	c.times()
	c.request()
	c.nodes()
	c.line("\n\nBypass: %d", c.kept.Bypass)
	c.access()
	c.holds()
	c.priority()
	c.selection()
	c.line("\n")
}

func (c *checkJob) state() {
	state := mauiState(c.r, c.job)
	switch state {
	case "Deferred":
		state = "Idle  EState: Deferred"
	case "Running", "Suspended", "Hold":
	default:
		state = "Idle" // what holds it is reported below
	}
	c.line("State: %s", state)
	creds := "Creds:"
	for _, name := range []schema.ColumnID{"job.user", "job.group", "job.account", "job.partition", "job.qos"} {
		word := name.Name()
		if word == "partition" {
			word = "class"
		}
		if text := eval.JobText(c.r, name, c.job); text != "" {
			creds += "  " + word + ":" + source.Plain(text)
		}
	}
	c.line("%s", creds)
}

// times: the queue time in all ends when the job starts; the eligible part is what the scheduler
// counted when the job last passed a selection.
func (c *checkJob) times() {
	limit, start, submit := c.value("job.walltime_seconds"), eval.StartOf(c.r, c.job), c.value("job.submit_time")
	switch {
	case !limit.Known():
	case !c.running():
		c.line("WallTime: 00:00:00 of %s", mauitext.Span(limit.Int))
	case c.r.Suspended(c.job): // no input says for how long it ran
	case start.Known():
		c.line("WallTime: %s of %s", mauitext.Span(c.r.Now-start.Int), mauitext.Span(limit.Int))
	}
	if submit.Known() {
		until := c.r.Now
		if c.running() && start.Known() {
			until = start.Int
		}
		c.line("SubmitTime: %s", MauiTime(submit.Int))
		c.line("  (Time Queued  Total: %s  Eligible: %s)\n", mauitext.Span(until-submit.Int),
			mauitext.Span(c.kept.EligibleSeconds))
	}
	if begin := c.value("job.begin_time"); begin.Known() && !c.running() {
		c.line("StartDate: %s  %s", mauitext.Span(begin.Int-c.r.Now), MauiTime(begin.Int))
	}
	if c.running() && start.Known() {
		c.line("StartTime: %s", MauiTime(start.Int))
	}
}

// request says what the job asks for.
func (c *checkJob) request() {
	if tasks := c.value("job.tasks"); tasks.Known() {
		c.line("Total Tasks: %d\n", tasks.Int)
		c.line("Req[0]  TaskCount: %d", tasks.Int)
	} else if procs := c.value("job.procs"); procs.Known() {
		c.line("Total Procs: %d\n", procs.Int)
	}
	c.line("Memory >= %s  Disk >= %s  Swap >= %s", megabytes(c.value("job.node_mem_min_mb").Int),
		megabytes(c.value("job.node_disk_min_mb").Int), megabytes(c.value("job.node_swap_min_mb").Int))
	if features := c.value("job.features"); len(features.List) > 0 {
		c.line("Features: %s", bracketed(inNodeOrder(c.r, features.List)))
	}
	var each []string
	if procs := c.value("job.procs_per_task"); procs.Known() {
		each = append(each, fmt.Sprintf("PROCS: %d", procs.Int))
	}
	for _, r := range []struct {
		word string
		id   schema.ColumnID
	}{{"MEM", "job.mem_per_task_mb"}, {"SWAP", "job.swap_per_task_mb"}, {"DISK", "job.disk_per_task_mb"}} {
		if n := c.value(r.id).Int; n > 0 {
			each = append(each, r.word+": "+megabytes(n))
		}
	}
	if len(each) > 0 {
		c.line("Dedicated Resources Per Task: %s", strings.Join(each, "  "))
	}
	var counts []string
	if n := c.value("job.tasks_per_node"); n.Known() && n.Int > 0 {
		counts = append(counts, fmt.Sprintf("TasksPerNode: %d", n.Int))
	}
	if n := c.value("job.nodes"); n.Known() {
		counts = append(counts, fmt.Sprintf("NodeCount: %d", n.Int))
	}
	if len(counts) > 0 {
		c.line("%s", strings.Join(counts, "  "))
	}
}

// nodes lists where the job runs, if the snapshot knows.
func (c *checkJob) nodes() {
	hosts := c.value("job.allocated_hosts")
	if !c.running() || len(hosts.List) == 0 {
		return
	}
	c.line("Allocated Nodes:\n%s", counted(hosts.List))
	shown := hosts.List
	if len(shown) > maxDistribution {
		shown = append(shown[:maxDistribution:maxDistribution], "...")
	}
	c.line("Task Distribution: %s", source.Plain(strings.Join(shown, ",")))
}

const (
	maxDistribution = 11 // tasks whose nodes Maui names
	nodesPerLine    = 4
)

// counted writes a list of nodes, one entry a task, as [n01:4][n02:1].
func counted(hosts []string) string {
	var b strings.Builder
	nodes := 0
	for i := 0; i < len(hosts); nodes++ {
		n := i
		for n < len(hosts) && hosts[n] == hosts[i] {
			n++
		}
		if nodes > 0 && nodes%nodesPerLine == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[%s:%d]", source.Plain(hosts[i]), n-i)
		i = n
	}
	return b.String()
}

func bracketed(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString("[" + source.Plain(w) + "]")
	}
	return b.String()
}

// inNodeOrder sorts features as Maui numbers them: when it first sees them on a node.
func inNodeOrder(r *evaluation.Result, features []string) []string {
	var seen []string
	if r.Snapshot != nil && r.Snapshot.Nodes != nil {
		for i := range r.Snapshot.Nodes.Rows {
			seen = append(seen, r.Snapshot.Nodes.Value("node.features", i).List...)
		}
	}
	number := func(f string) int {
		if i := slices.Index(seen, f); i >= 0 {
			return i
		}
		return len(seen)
	}
	sorted := slices.Clone(features)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return sorted
}

// megabytes is how Maui writes memory: nothing has no unit, and from ten gigabytes on the megabytes
// are cut off.
func megabytes(mb int64) string {
	switch {
	case mb == 0:
		return "0"
	case mb >= 10<<10:
		return fmt.Sprintf("%dG", mb>>10)
	}
	return fmt.Sprintf("%dM", mb)
}

// access says where the job may run, and since when its queue time counts if that is not its
// submission.
func (c *checkJob) access() {
	if mask := c.value("job.node_partitions"); len(mask.List) > 0 {
		c.line("PartitionMask: %s", bracketed(mask.List))
	}
	hosts := c.value("job.hosts")
	var flags []string
	if len(hosts.List) > 0 {
		flags = append(flags, "HOSTLIST")
	}
	if c.running() && c.kept.OverSoftLimit {
		flags = append(flags, "SPVIOLATION")
	}
	if len(flags) > 0 {
		c.line("Flags:       %s", strings.Join(flags, " "))
	}
	if submit := c.value("job.submit_time"); !c.running() && submit.Known() && c.kept.QueueStart > submit.Int {
		c.line("SystemQueueTime: %s\n", MauiTime(c.kept.QueueStart))
	}
	if len(hosts.List) > 0 {
		c.line("HostList: \n  %s", counted(hosts.List))
	}
}

func (c *checkJob) priority() {
	var words []string
	if pe := c.value("job.processor_equivalents"); pe.Known() {
		words = append(words, fmt.Sprintf("PE:  %.2f", pe.Double))
	}
	if c.r.Stored != nil && !c.r.JobFailed(c.job) {
		words = append(words, fmt.Sprintf("StartPriority:  %d", c.r.Stored[c.job]))
	}
	if set := c.value("job.system_priority").Int; set != 0 {
		if c.value("job.system_priority_relative").Int != 0 {
			set += relativeMark
		}
		words = append(words, fmt.Sprintf("SystemPriority:  %d", set))
	}
	if len(words) > 0 {
		c.line("%s", strings.Join(words, "  "))
	}
}

// relativeMark is what Maui adds to a relative system priority to know it from an absolute one,
// and shows (recorded: p37).
const relativeMark = 2000000000

// holds says who holds the job, as far as the scheduler did it itself. It sets such a hold on
// running jobs as well, where it does nothing.
func (c *checkJob) holds() {
	if c.running() && c.r.Limits != nil {
		if v, over := c.r.Limits.CheckLoaded(c.job); over {
			c.tooLarge(&v)
		}
	}
	for _, b := range eval.Reasons(c.r.Why[int32(c.job)]) {
		switch b.Kind {
		case evaluation.BlockHold:
			if kind := holdKind(c.r, c.job); kind != "" {
				c.line("Holds:    %s", kind)
			}
		case evaluation.BlockSize:
			c.tooLarge(b.Limit)
		case evaluation.BlockPolicy:
			c.line("Holds:    Batch  (hold reason:  %s)", source.Plain(b.Text))
		case evaluation.BlockResources:
			if len(b.Also) == 0 {
				continue // the second line of the same block
			}
			c.line("job is deferred.  Reason:  NoResources  (exceeds available partition procs)")
			c.line("Holds:    Defer  (hold reason:  NoResources)")
		}
	}
}

// tooLarge is the hold of a job that is larger than its class or the system allows.
func (c *checkJob) tooLarge(v *limit.Violation) {
	c.line("Holds:    Batch  (hold reason:  PolicyViolation)")
	if v != nil {
		c.line("Messages:  %s", maui.LoadText(v))
	}
}

// selection says for each partition of nodes what keeps a waiting job from being considered
// there. Hard limits come before soft ones, which are named only where nothing else is; whether the
// idle nodes would do is not asked.
func (c *checkJob) selection() {
	if c.running() {
		return
	}
	id := source.Plain(eval.JobText(c.r, "job.id", c.job))
	for k, partition := range maui.NodePartitions(c.r) {
		if why := c.unselected(k, partition); why != "" {
			c.line("cannot select job %s for partition %s (%s)\n", id, source.Plain(partition), why)
		} else if v, over := c.over(limit.Soft); over {
			c.line("job cannot run in partition %s.  (job %s %s\n)\n", source.Plain(partition), id,
				maui.LimitText(&v, partition))
		}
	}
}

// unselected is the first thing that is against the job, "" if nothing does.
func (c *checkJob) unselected(k int, partition string) string {
	if b := c.r.Why[int32(c.job)]; b != nil {
		switch b.Kind {
		case evaluation.BlockHold:
			if holdKind(c.r, c.job) == "" {
				return "non-idle state 'Hold'"
			}
			return "job hold active"
		case evaluation.BlockSize, evaluation.BlockPolicy, evaluation.BlockResources:
			return "job hold active"
		case evaluation.BlockBegin:
			return "startdate in '" + mauitext.Span(c.value("job.begin_time").Int-c.r.Now) + "'"
		case evaluation.BlockPriority:
			return "negative priority"
		case evaluation.BlockFailed:
			return source.Plain(b.Text)
		}
	}
	switch maui.RefusedBy(c.r, c.job, k) {
	case evaluation.BlockNodes:
		return "PartitionAccess"
	case evaluation.BlockClass:
		return "Class"
	}
	for _, b := range eval.Reasons(c.r.Why[int32(c.job)]) {
		if b.Kind == evaluation.BlockDependency {
			return source.Plain(b.Text)
		}
	}
	if v, over := c.over(limit.Hard); over {
		return "job " + source.Plain(eval.JobText(c.r, "job.id", c.job)) + " " + maui.LimitText(&v, partition) + "\n"
	}
	for _, b := range eval.Reasons(c.r.Why[int32(c.job)]) {
		if b.Kind == evaluation.BlockCap {
			return "FairShare"
		}
	}
	return ""
}

// over asks the limits with all that runs now.
func (c *checkJob) over(b limit.Bound) (limit.Violation, bool) {
	if c.r.Limits == nil {
		return limit.Violation{}, false
	}
	if v, over := c.r.Limits.CheckJob(c.job, b); over {
		return v, over
	}
	return c.r.Limits.CheckActive(c.job, b)
}
