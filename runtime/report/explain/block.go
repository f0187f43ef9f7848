package explain

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// explainedBlock is one thing that keeps a job from starting.
type explainedBlock struct {
	Why      *eval.WhyReport `json:"why"`
	What     string          `json:"text"`           // one line
	Details  []string        `json:"details"`        // where it comes from and who has a part in it
	Passes   []string        `json:"passes"`         // each lets the job pass, but for other blocks
	PassesBy *int64          `json:"passes_by"`      // when it does by itself
	Advice   any             `json:"" form:"inline"` // numbers of what would let it pass, of limits and caps

	*evaluation.Block
	limit   *explainedLimit  // for limits
	cap     *capAdvice       // for fairshare caps
	source  program.Source   // what set it, if the policy did
	replace *program.Limit   // what an override stands in for
	release explainedRelease // when it passes by itself
	uses    []limit.Use      // who holds the counter of one of Slurm's limits
}

// userReport is a job that fills a counter.
type userReport struct {
	Job    string `json:"job"`
	Amount int64  `json:"amount"`
}

func userReports(r *evaluation.Result, uses []limit.Use) (list []userReport) {
	for _, use := range uses {
		list = append(list, userReport{eval.JobText(r, "job.id", use.Job), use.Amount})
	}
	return list
}

type slurmAdvice struct {
	Users []userReport `json:"users"`
}

type limitAdvice struct {
	Replaces    *replacedLimit `json:"replaces"`
	Users       []userReport   `json:"users"`
	LeastLimit  *int64         `json:"least_limit"`
	MostRequest *int64         `json:"most_request"`
	ComesBefore *string        `json:"comes_before"`
}

type replacedLimit struct {
	Limit  string     `json:"limit"`
	Soft   *int64     `json:"soft"`
	Hard   *int64     `json:"hard"`
	Source eval.SetBy `json:"source"`
}

// advise fills in what programs read of the block.
func (x *explainedBlock) advise(r *evaluation.Result) {
	alone := *x.Block
	alone.Also = nil // each is for itself here
	x.Why, x.PassesBy = eval.WhyOf(r, &alone), encode.Some(x.release.time, x.release.known)
	switch l := x.limit; {
	case x.Slurm != nil:
		x.Advice = slurmAdvice{userReports(r, x.uses)}
	case l != nil:
		a := limitAdvice{Users: userReports(r, l.uses), LeastLimit: encode.Some(l.least, !l.set.AtLeast),
			MostRequest: encode.Some(l.most, !l.set.AtLeast && l.most >= 1 && l.Counts != "jobs")}
		if old := x.replace; old != nil {
			a.Replaces = &replacedLimit{old.Name, eval.Bound(old.Soft), eval.Bound(old.Hard),
				eval.SetBy{Name: old.Source, Place: encode.Position(old.Span)}}
		}
		if l.before >= 0 {
			id := eval.JobText(r, "job.id", l.before)
			a.ComesBefore = &id
		}
		x.Advice = a
	case x.cap != nil:
		x.Advice = x.cap
	}
}

// explainedRelease says when something passes by itself if nothing new comes.
type explainedRelease struct {
	known bool
	time  int64 // epoch seconds, at the latest
	after int   // the job whose end does it; −1 for none
}

// explainBlocks lists what keeps a job from starting, in the order in which it was found.
func explainBlocks(r *evaluation.Result, job int) []explainedBlock {
	var list []explainedBlock
	for _, b := range eval.Reasons(eval.BlockOf(r, job)) {
		x := explainedBlock{Block: b, source: eval.SetterOf(r, b), release: explainedRelease{after: -1}}
		switch {
		case b.Limit != nil:
			x.overLimit(r, job)
		case b.Slurm != nil:
			x.overSlurm(r, job)
		case b.Refusal != nil:
			x.refusedBy(r, job)
		case b.Cap != nil:
			x.overCap(r)
		default:
			if b.Kind == evaluation.BlockResources && len(b.Also) == 0 && len(list) > 0 {
				continue // Maui's second line for the same block
			}
			x.other(r, job)
		}
		x.advise(r)
		list = append(list, x)
	}
	return list
}

// other explains what is neither a limit nor a cap.
func (x *explainedBlock) other(r *evaluation.Result, job int) {
	switch x.Kind {
	case evaluation.BlockHold:
		x.What = "it is held"
		if word := eval.JobText(r, "job.state_word", job); word != "" {
			x.What += ": the resource manager's state is " + source.Plain(word)
		}
		x.Passes = []string{"when somebody releases it"}
	case evaluation.BlockPolicy:
		hold := &r.Program.Holds[x.Hold]
		x.What = "the policy holds it: " + source.Plain(hold.Reason)
		x.Details = append(x.Details, setText(x.source))
		if hold.Doc != "" {
			x.Details = append(x.Details, hold.Doc)
		}
		x.Passes = []string{"when the rule's condition no longer holds for it"}
	case evaluation.BlockSize:
		x.What = "it is larger than its class or the system allows"
	case evaluation.BlockPriority:
		x.What = "its priority is negative, and such jobs may not start"
		if r.Stored != nil && r.Stored[job] < 0 {
			x.What = fmt.Sprintf("its priority is %d, and jobs of negative priority may not start", r.Stored[job])
		} else if r.Stored != nil {
			x.What = fmt.Sprintf("its priority was negative when the queue was walked; it is %d since", r.Stored[job])
		}
		x.Passes = []string{"when its priority is 0 or more, or if REJECTNEGPRIOJOBS is FALSE"}
	case evaluation.BlockFailed:
		x.What = "it has no priority, as an expression failed for it"
		x.Passes = []string{"when the expression has a value for it: see the findings"}
	case evaluation.BlockNodes:
		x.What = "it is not allowed to run in partition " + source.Plain(x.Nodes)
		x.Passes = []string{"if its list of partitions names it"}
	case evaluation.BlockClass:
		x.What = "no node of partition " + source.Plain(x.Nodes) + " offers its class, " + source.Plain(eval.JobText(r,
			"job.partition", job))
		x.Passes = []string{"when a node offers the class, or if the job asks for another"}
	case evaluation.BlockDependency:
		x.What = "it waits for " + source.Plain(eval.JobText(r, "job.dependency", job))
		x.Passes = []string{"when that is fulfilled"}
	case evaluation.BlockBegin:
		begin := r.Jobs.Int("job.begin_time", job)
		x.release = explainedRelease{true, begin, -1}
		x.What = "it is not to start before " + form.ClockText(begin)
		x.Passes = []string{"in " + form.SpanText(begin-r.Now)}
	case evaluation.BlockResources:
		procs, _, _ := evaluation.Machine(r.Snapshot)
		x.What = fmt.Sprintf("it asks for %d processors, and the nodes that are up have %d",
			r.Jobs.Int("job.procs", job), procs)
		x.Passes = []string{"when enough nodes are up, or if it asks for less"}
	case evaluation.BlockReservation:
		x.What = "its reservation " + source.Plain(eval.JobText(r, "job.reservation", job)) + " has not begun"
		x.Passes = []string{"when it begins"}
	case evaluation.BlockArray:
		x.What = fmt.Sprintf("as many tasks of its array run as may at a time: %d",
			r.Jobs.Int("job.array_running_max", job))
		x.Passes = []string{"when one of them ends"}
	default:
		x.What = source.Plain(x.Text)
	}
}

// setText says what set something: as the site knows it, where, and what is there.
func setText(s program.Source) string {
	name := s.Name
	if name == "" {
		name = "the policy"
	}
	if s.Span.IsZero() {
		return "set by " + source.Plain(name)
	}
	line := s.Span.File.Shown(s.Span.Position().Line)
	return "set by " + source.Plain(name) + " (" + s.Span.String() + "): " + shortLine(line)
}

// shortLine is a line of a file as part of a sentence.
func shortLine(line string) string {
	line = source.Plain(strings.Join(strings.Fields(line), " "))
	if runes := []rune(line); len(runes) > maxQuoted {
		return string(runes[:maxQuoted]) + "…"
	}
	return line
}

// maxQuoted are the characters of a line that are quoted.
const maxQuoted = 80

// blocks writes what keeps a job from starting, where that comes from, and what would let it
// pass.
func (t *tree) blocks(e *Explanation) {
	if len(e.Blocks) == 0 {
		return
	}
	t.line(0, "%s", t.strong("why it may not start"))
	for i := range e.Blocks {
		x := &e.Blocks[i]
		t.line(1, "%s", x.What)
		for _, detail := range x.Details {
			t.line(2, "%s", detail)
		}
		for k, way := range x.Passes {
			word := "it passes "
			if k > 0 {
				word = "or "
			}
			t.line(2, "%s%s", word, way)
		}
	}
	for _, h := range besides(e) {
		t.line(1, "besides, %s limit %s%s: %s", h.Phase, h.set.Name, whose(e.r, h.Per, h.Names), h.sum())
	}
	t.line(0, "")
}

// limits writes the limits on the job that are nearest, and how its queue time is counted.
func (t *tree) limits(e *Explanation) {
	if list := e.Limits; len(list) > 0 {
		shown := list
		if !t.o.All && len(shown) > maxHeadrooms {
			shown = shown[:maxHeadrooms]
		}
		t.line(0, "%s", t.strong("limits on it, the nearest first"))
		t.table(1, headroomTable(e.r, shown))
		if n := len(list) - len(shown); n > 0 {
			t.line(1, "and %d more, which --all shows", n)
		}
		t.line(0, "")
	}
	if list := slurmRooms(e.r, e.job); len(list) > 0 {
		t.line(0, "%s", t.strong("limits on it, in the order in which they are asked"))
		t.table(1, slurmTable(list))
		t.line(0, "")
	}
	t.ageClock(e)
	if q := e.QueueTime; q != nil {
		t.line(0, "%s", t.strong("queue time "+form.SpanText(q.Seconds)))
		for _, line := range q.lines() {
			t.line(1, "%s", line)
		}
		t.line(0, "")
	}
}

// table writes the lines of a table, indented.
func (t *tree) table(depth int, text string) {
	for line := range strings.Lines(text) {
		t.line(depth, "%s", strings.TrimSuffix(line, "\n"))
	}
}
