package replay

import (
	"container/heap"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// EASY backfilling on one pool of processors, first come first served. Such a queue keeps its order, and nothing but
// the number of free processors decides who starts: neither is computed anew at each event. All other policies and
// machines go the general way, to which this one comes out the same, start by start.

// pool is the machine and the queue.
type pool struct {
	*run
	free    int64
	waiting places
	now     int64
	limits  []ending // of running jobs: when each may run until, the first first
	shadow  int64    // when the first job of the queue starts at the latest; 0 if none waits
	extra   int64    // processors that it leaves then
	shares  []backfill.Share
}

// pooled reports a policy, a machine and a workload that pool plays.
func (r *run) pooled() bool {
	p := r.program
	if r.options.general || r.options.Evaluation.Procs <= 0 || r.workload.queue != nil || !firstComeFirst(p) {
		return false
	}
	easy := program.NativePlan{ReservationDepth: 1}
	if plan := p.Plan; plan != nil && plan.Native != nil {
		if easy = *plan.Native; len(plan.Reservations) > 0 || plan.Licenses != nil {
			return false
		}
	}
	if easy.Algorithm != "" && easy.Algorithm != "firstfit" || easy.ReservationDepth != 1 || easy.WindowSeconds > 0 ||
		easy.ResolutionSeconds > 1 {
		return false
	}
	for _, c := range r.workload.table.Columns() {
		if !plain[c.ID] && !recordedOnly[c.ID] && !ofNodes[c.ID] && filled(c) {
			return false
		}
	}
	return !slices.ContainsFunc(r.workload.Jobs, func(j Job) bool {
		tasks := r.workload.tasks(&j)
		uneven := tasks*r.workload.each(&j) != j.Procs
		return uneven || j.Procs > mostProcs || j.Limit < 1 || j.Limit > mostSeconds
	})
}

// each is how many processors each task of a job asks for.
func (w *Workload) each(j *Job) int64 { return max(1, w.table.Value("job.procs_per_task", j.Row).Int) }

// tasks is how many tasks a job has.
func (w *Workload) tasks(j *Job) int64 {
	if v := w.table.Value("job.tasks", j.Row); v.Known() {
		return v.Int
	}
	return j.Procs / w.each(j)
}

// mostProcs is more than any machine has.
const mostProcs = 1 << 28

// plain are columns of jobs that decide nothing on one pool under a policy without rules of its own, beside the
// processors, the limit and the submit time.
var plain = map[schema.ColumnID]bool{"job.id": true, "job.user": true, "job.group": true, "job.account": true,
	"job.qos": true, "job.partition": true, "job.name": true, "job.submit_time": true, "job.procs": true,
	"job.tasks": true, "job.procs_per_task": true, "job.walltime_seconds": true, "job.mem_mb": true,
	"job.mem_per_proc_mb": true, "job.mem_per_task_mb": true, "job.node_partitions": true}

// filled reports a column that has a value of a job; an empty text is none.
func filled(c *column.Column) bool {
	for row := range c.Len() {
		if v := c.Value(row); v.Known() && (v.Type != schema.String || v.Str != "") {
			return true
		}
	}
	return false
}

// firstComeFirst reports a policy by which no job is ever before one that was submitted earlier: there are no limits,
// holds or shares, and the score depends on how long a job has waited alone, and does not fall with it.
func firstComeFirst(p *program.Program) bool {
	if p.Family != "" || p.Windows != nil || p.Tree != nil || p.Queue != nil || p.Slurm != nil ||
		len(p.Limits)+len(p.Holds)+len(p.Admission)+len(p.Overrides)+len(p.Calls) > 0 {
		return false
	}
	constant := make(map[program.Reg]float64, len(p.Regs)) // by register
	for i := range p.Instrs {
		in := &p.Instrs[i]
		if in.Op == program.OpConst {
			constant[in.Dst] = number(in.Value)
		} else if !neverFalls(in, constant) {
			return false
		}
	}
	return true
}

// number is a constant; NaN if it is none.
func number(v schema.Value) float64 {
	switch v.Type {
	case schema.Double:
		return v.Double
	case schema.Int, schema.Duration:
		return float64(v.Int)
	}
	return math.NaN()
}

// neverFalls reports an instruction whose result does not fall as the time waited grows, if its arguments do not.
func neverFalls(in *program.Instr, constant map[program.Reg]float64) bool {
	positive := func(r program.Reg) bool { c, ok := constant[r]; return ok && c >= 0 && !math.IsInf(c, 0) }
	switch in.Op {
	case program.OpColumn:
		return in.Column == "job.queue_seconds" || in.Column == "job.queue_minutes"
	case "int64_to_double", "add_double", "add_int64", program.OpFinite, program.OpNumber, program.OpStorable:
		return true
	case "multiply_double", "multiply_int64":
		return positive(in.Args[0]) || positive(in.Args[1])
	case "divide_double":
		return positive(in.Args[1]) && constant[in.Args[1]] > 0
	case program.OpCapMul:
		return positive(in.Args[0]) && (len(in.Args) < 3 || positive(in.Args[2]))
	case program.OpWeighSum:
		for k := 1; k < len(in.Args); k += 2 {
			if !positive(in.Args[k]) {
				return false
			}
		}
		return true
	}
	return false
}

// playPool plays first come first served. An event costs the jobs that it starts.
func (r *run) playPool() error {
	if err := r.tried(); err != nil {
		return err
	}
	p := &pool{run: r, free: r.options.Evaluation.Procs, waiting: newPlaces(len(r.workload.Jobs)),
		shares: make([]backfill.Share, len(r.workload.Jobs))}
	for events := 0; ; events++ {
		if events&255 == 0 {
			if err := r.options.Context.Err(); err != nil {
				return err
			}
			if r.options.Progress != nil {
				r.options.Progress(p.now, len(r.out.Started))
			}
		}
		now := int64(math.MaxInt64)
		if r.next < len(r.workload.Jobs) {
			now = r.workload.Jobs[r.next].Submit
		}
		if len(r.running) > 0 {
			now = min(now, r.running[0].at)
		}
		if now == math.MaxInt64 {
			return p.leftOver()
		}
		p.event(now)
	}
}

// tried lets the policy be evaluated once, with the first job: what is wrong with it is reported, and the machine noted.
func (r *run) tried() error {
	first := &r.workload.Jobs[0]
	if err := r.state.Submit(r.workload.cells(first, true)); err != nil {
		return err
	}
	result, err := r.evaluate()
	if err != nil {
		return err
	}
	s, err := r.plan(result, true)
	if err != nil {
		return err
	}
	r.machine(s)
	return r.state.End(first.ID)
}

// event ends the jobs whose time has come, takes those that come into the queue, and starts who can.
func (p *pool) event(now int64) {
	p.now = now
	ended := false
	for len(p.running) > 0 && p.running[0].at <= now {
		e := heap.Pop(&p.running).(ending)
		o := &p.out.Outcomes[e.job]
		o.End, ended = now, true
		p.out.End = max(p.out.End, now)
		p.free += o.Procs
		at, _ := slices.BinarySearchFunc(p.limits, ending{o.Start + o.Limit, e.job}, before)
		p.limits = slices.Delete(p.limits, at, at+1)
	}
	from := p.next
	for p.next < len(p.workload.Jobs) && p.workload.Jobs[p.next].Submit <= now {
		if j := &p.workload.Jobs[p.next]; j.Procs <= p.options.Evaluation.Procs {
			p.waiting.add(p.next, j.Procs, j.Limit)
		}
		p.next++
	}
	// What could not start at the last event cannot now if nothing has ended and the reservation is where it was: the
	// time until that has only become less.
	if p.shadow == 0 || ended || len(p.limits) > 0 && p.limits[0].at <= now {
		from = p.inOrder()
	}
	p.backfill(from)
}

func before(a, b ending) int {
	switch {
	case a.at < b.at || a.at == b.at && a.job < b.job:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// inOrder starts jobs in their order until one does not fit, which gets a reservation. It returns the job after that.
func (p *pool) inOrder() int {
	for {
		first := p.waiting.next(0, math.MaxInt64, math.MaxInt64, 0)
		switch {
		case first < 0:
			p.shadow = 0
			return len(p.workload.Jobs)
		case p.workload.Jobs[first].Procs > p.free:
			p.reserve(p.workload.Jobs[first].Procs)
			return first + 1
		}
		p.begin(first, backfill.ByMain)
	}
}

// reserve finds when so many processors are free at the latest, and how many more are then. A job beyond its limit may
// end any moment.
func (p *pool) reserve(procs int64) {
	free := p.free
	for k := 0; k < len(p.limits); {
		at := max(p.limits[k].at, p.now+1)
		for ; k < len(p.limits) && max(p.limits[k].at, p.now+1) == at; k++ {
			free += p.out.Outcomes[p.limits[k].job].Procs
		}
		if free >= procs {
			p.shadow, p.extra = at, free-procs
			return
		}
	}
}

// backfill starts jobs from one on that fit and do not delay the reservation.
func (p *pool) backfill(from int) {
	for p.shadow > 0 {
		job := p.waiting.next(from, p.free, p.shadow-p.now, p.extra)
		if job < 0 {
			return
		}
		if j := &p.workload.Jobs[job]; j.Limit > p.shadow-p.now {
			p.extra -= j.Procs
		}
		p.begin(job, backfill.ByBackfill)
		from = job + 1
	}
}

// begin lets a job run.
func (p *pool) begin(job int, by backfill.By) {
	o := &p.out.Outcomes[job]
	p.shares[job] = backfill.Share{Tasks: p.workload.tasks(o.Job)}
	o.Start, o.By, o.Nodes = p.now, by, p.shares[job:job+1:job+1]
	p.free -= o.Procs
	p.waiting.remove(job)
	heap.Push(&p.running, ending{p.now + o.Seconds, job})
	limit := ending{p.now + o.Limit, job}
	at, _ := slices.BinarySearchFunc(p.limits, limit, before)
	p.limits = slices.Insert(p.limits, at, limit)
	p.out.Started = append(p.out.Started, job)
}

// leftOver asks the planner about the jobs that can never start.
func (p *pool) leftOver() (err error) {
	p.state.Advance(p.now)
	for i := range p.out.Outcomes {
		if o := &p.out.Outcomes[i]; o.By == "" {
			p.run.waiting[o.ID] = i
			if err := p.state.Submit(p.workload.cells(o.Job, true)); err != nil {
				return err
			}
		}
	}
	if len(p.run.waiting) == 0 {
		return nil
	}
	if p.result, err = p.evaluate(); err == nil {
		err = p.atTheEnd()
	}
	return err
}

// places are the jobs that wait, by their order: a tree whose nodes have the fewest processors and the shortest limit
// of those below, so that the first one that fits is found without looking at those that do not.
type places struct {
	leaves int
	nodes  []want
}

// want is what a job asks for.
type want struct{ procs, seconds int64 }

var nobody = want{math.MaxInt64, math.MaxInt64}

func newPlaces(n int) places {
	leaves := 1
	for leaves < n {
		leaves *= 2
	}
	return places{leaves, slices.Repeat([]want{nobody}, 2*leaves)}
}

func (p *places) add(at int, procs, seconds int64) { p.set(at, want{procs, seconds}) }
func (p *places) remove(at int)                    { p.set(at, nobody) }

func (p *places) set(at int, w want) {
	i := at + p.leaves
	p.nodes[i] = w
	for i /= 2; i > 0; i /= 2 {
		l, r := &p.nodes[2*i], &p.nodes[2*i+1]
		w = want{min(l.procs, r.procs), min(l.seconds, r.seconds)}
		if p.nodes[i] == w {
			return
		}
		p.nodes[i] = w
	}
}

// next is the first job from a place on that takes at most so many processors, and at most so many seconds or at most
// extra processors; -1 if there is none.
func (p *places) next(from int, procs, seconds, extra int64) int {
	fits := func(i int) bool {
		w := &p.nodes[i]
		return w.procs <= procs && w.procs != math.MaxInt64 && (w.seconds <= seconds || w.procs <= extra)
	}
	if from >= p.leaves {
		return -1
	}
	for i := from + p.leaves; ; {
		switch {
		case !fits(i):
			for i&1 == 1 { // all below the parent has been looked at
				i /= 2
			}
			if i == 0 {
				return -1
			}
			i++
		case i >= p.leaves:
			return i - p.leaves
		default:
			i *= 2
		}
	}
}
