package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm"
	"github.com/fairway-sched/fairway/runtime/limit"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// overSlurm explains the limit of an association or a QOS that a job does not pass: where it
// is, the comparison that failed, the line that set it, and the jobs that hold the counter.
func (x *explainedBlock) overSlurm(r *evaluation.Result, job int) {
	s := x.Block.Slurm
	x.What = fmt.Sprintf("%s of %s: %s", s.Limit.Name, slurmLevel(s), slurmSum(s))
	x.Details = append(x.Details, setText(x.source))
	if s.Value != s.Limit.Hard && s.Limit.Hard != program.NoLimit {
		x.Details = append(x.Details,
			fmt.Sprintf("the limit is %d; a factor or a share of the QOS makes it %d for this job", s.Limit.Hard,
				s.Value))
	}
	if word := r.Reason[job]; word != x.Text && r.State[job] == evaluation.Blocked {
		x.Details = append(x.Details,
			fmt.Sprintf("squeue shows %s instead: slurmctld asks this limit only when it finds nodes for the job",
				source.Plain(word)))
	}
	if x.Kind == evaluation.BlockSubmission {
		x.Details = append(x.Details, "sbatch says: "+source.Plain(x.Text))
	}
	counted := slices.DeleteFunc(runningJobs(r), func(job int32) bool { // one that completes counts against no limit
		return r.Jobs.Text("job.state", int(job)) == "completing"
	})
	x.uses = r.SlurmLimits.Uses(s, counted)
	if who := usersText(r, limit.Active, eval.SlurmCounts(s), x.uses); who != "" {
		x.Details = append(x.Details, who)
	}
	x.slurmWays(r, job)
}

// slurmLevel names where a limit is: partition QOS part, for user amy.
func slurmLevel(s *slurmlimit.Stop) string { return source.Plain(s.Whose()) }

// slurmUnit is what a limit counts, as written after a number.
func slurmUnit(s *slurmlimit.Stop) string {
	word := s.TRES
	switch {
	case strings.Contains(s.Kind, "Wall"):
		return "minutes"
	case word == "":
		return "jobs"
	case word == "cpu":
		word = "CPUs"
	case word == "mem":
		word = "MB"
	case word == "node":
		word = "nodes"
	}
	if strings.Contains(s.Kind, "Mins") {
		return "minutes of " + word
	}
	return word
}

// slurmSum is the comparison that failed.
func slurmSum(s *slurmlimit.Stop) string {
	unit := slurmUnit(s)
	switch s.Test {
	case slurmlimit.Full:
		return fmt.Sprintf("%d in use, and no more than %d %s may be", s.InUse, s.Value, unit)
	case slurmlimit.UsedUp:
		return fmt.Sprintf("%d of %d %s are used up", s.InUse, s.Value, unit)
	case slurmlimit.Unsafe:
		if s.Runs > 0 {
			return fmt.Sprintf("%d used + %d that running jobs may use + %d of this job > %d %s", s.InUse, s.Runs, s.Asks,
				s.Value, unit)
		}
		return fmt.Sprintf("%d used + %d of this job > %d %s", s.InUse, s.Asks, s.Value, unit)
	case slurmlimit.Above:
		return fmt.Sprintf("this job asks for %d, more than %d %s", s.Asks, s.Value, unit)
	case slurmlimit.Below:
		return fmt.Sprintf("this job asks for %d, less than %d %s", s.Asks, s.Value, unit)
	}
	return fmt.Sprintf("%d in use + %d of this job > %d %s", s.InUse, s.Asks, s.Value, unit)
}

// slurmWays lists what would let the job pass.
func (x *explainedBlock) slurmWays(r *evaluation.Result, job int) {
	s, unit := x.Block.Slurm, slurmUnit(x.Block.Slurm)
	raise := func(n int64) string { return fmt.Sprintf("with a limit of %d or more", n) }
	switch s.Test {
	case slurmlimit.Above:
		x.Passes = []string{fmt.Sprintf("if the job asks for %d %s or less", s.Value, unit), raise(s.Asks)}
	case slurmlimit.Below:
		x.Passes = []string{fmt.Sprintf("if the job asks for %d %s or more", s.Value, unit),
			fmt.Sprintf("with a limit of %d or less", s.Asks)}
	case slurmlimit.UsedUp:
		x.Passes = []string{"when what was used up has decayed below the limit, or is reset", raise(s.InUse + 1)}
	case slurmlimit.Unsafe:
		x.Passes = []string{"when enough has decayed, or running jobs end before their time",
			raise(s.InUse + s.Runs + s.Asks)}
	default:
		room := s.Value - s.Asks
		counts, uses, within := "jobs", x.uses, room
		if strings.Contains(s.Kind, "Mins") { // what is left of jobs runs down, in seconds, and whole minutes are compared
			counts, uses, within = "proc_seconds", slices.Clone(x.uses), 60*room+59
			for k := range uses {
				uses[k].Amount = uses[k].Seconds
			}
		}
		way := fmt.Sprintf("when use falls from %d to %d %s", s.InUse, room, unit)
		if s.TRES == "" {
			n := s.InUse - room
			way = fmt.Sprintf("when %d of these jobs %s", n, form.Plural(int(n), "ends", "end"))
		}
		if s.TRES == "node" { // jobs of a group may share some
			at, by, known := slurm.NodesFree(r, job, s)
			x.release = explainedRelease{known, at, by}
		} else {
			x.release = release(r, counts, uses, within)
		}
		if x.release.known {
			way += ": by " + form.ClockText(x.release.time)
			if x.release.after >= 0 {
				way += ", when " + source.Plain(eval.JobText(r, "job.id", x.release.after)) + " ends"
			}
			way += ", if no others start"
		}
		x.Passes = []string{way, raise(s.InUse + s.Asks)}
	}
}

func runningJobs(r *evaluation.Result) []int32 {
	var list []int32
	for job, state := range r.State {
		if state == evaluation.Running {
			list = append(list, int32(job))
		}
	}
	return list
}

// refusedBy explains what a partition does not take, and the line of the partition that says so.
func (x *explainedBlock) refusedBy(r *evaluation.Result, job int) {
	p := x.Block.Refusal
	x.What = source.Plain(r.Says(p))
	if x.What == "" {
		x.What = "the policy refuses it: " + source.Plain(x.Text)
	}
	if p.From != "" {
		x.Details = append(x.Details, source.Plain(p.From))
	} else if x.source.Name != "" {
		x.Details = append(x.Details, setText(x.source))
	}
	if p.Hold != nil && p.Hold.Doc != "" && !p.Hold.Library {
		x.Details = append(x.Details, p.Hold.Doc)
	}
	if x.Kind == evaluation.BlockSubmission {
		x.Details = append(x.Details, "sbatch says: "+source.Plain(x.Text))
		x.Passes = []string{"if it asks for something else"}
		return
	}
	switch {
	case p.Hold != nil && p.Hold.Passes != nil:
		x.Passes = p.Hold.Passes
	case x.Kind == evaluation.BlockAccess:
		x.Passes = accessWays(p)
	case x.Kind == evaluation.BlockPolicy:
		x.Passes = []string{"when the rule's condition no longer holds for it"}
	case x.Text == "QOSUsageThreshold":
		x.Passes = []string{"when the fairshare factor has risen, or with another QOS"}
	default:
		x.Passes = []string{"if it asks for something else, or for another partition",
			"with another setting of the partition"}
	}
}

// accessWays are what gives a job its association or its QOS.
func accessWays(p *evaluation.Refusal) []string {
	if p.Column == "" {
		return []string{"when it is added"}
	}
	return []string{"with one of these, or when the list of the association has it",
		"when an operator gives the job its QOS, which no output shows"}
}

// slurmRooms lists the limits of associations and QOS on a job, in the order in which they are
// asked, with what is left of each.
func slurmRooms(r *evaluation.Result, job int) []slurmlimit.Standing {
	if r.SlurmLimits == nil || r.State[job] == evaluation.Done || r.State[job] == evaluation.Running {
		return nil
	}
	return r.SlurmLimits.Standings(int(r.JobRow[job]))
}

// hiddenText says why a limit is not asked.
func hiddenText(s *slurmlimit.Standing) string {
	if strings.Contains(s.Kind, "Accrue") {
		return "not asked: one before decides"
	}
	return "not asked: a QOS has one"
}

// slurmTable writes them as columns.
func slurmTable(list []slurmlimit.Standing) string {
	g := form.Grid{Rows: len(list)}
	add := func(title string, right bool, cell func(*slurmlimit.Standing) string) {
		g.Add(title, right, func(row int) string { return cell(&list[row]) })
	}
	add("limit", false, func(s *slurmlimit.Standing) string { return s.Limit.Name })
	add("of", false, func(s *slurmlimit.Standing) string { return slurmLevel(&s.Stop) })
	add("in use", true, func(s *slurmlimit.Standing) string { return fmt.Sprint(s.InUse) })
	add("asks", true, func(s *slurmlimit.Standing) string { return fmt.Sprint(s.Asks) })
	add("value", true, func(s *slurmlimit.Standing) string { return fmt.Sprint(s.Value) })
	add("", false, func(s *slurmlimit.Standing) string {
		if s.Hidden {
			return hiddenText(s)
		}
		return ""
	})
	add("set at", false, func(s *slurmlimit.Standing) string {
		if s.Limit.Span.IsZero() {
			return s.Limit.Source
		}
		return s.Limit.Span.String()
	})
	return g.Text(false)
}
