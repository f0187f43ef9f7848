package verify

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// Cause is why a number may differ. It is put forward only where it gives the printed numbers: a benign one
// when these are computed again under what it assumes, or differ by the digits that our inputs lack.
type Cause struct {
	Name   string // stable, in kebab case
	Benign bool   // neither side is wrong: the numbers are as they must be
	Doc    string

	// assume makes, for the open subjects of a check, the assumptions under which their numbers are computed again; nil
	// if the cause makes none of any.
	assume func(*inquiry, *Cause, *check) (func(*subject) []assumption, error)

	// find settles the open subjects of a cause that is no excuse, and says how far it goes.
	find func(*inquiry, *Cause) error
}

// fewDigits is settled while numbers are judged.
var fewDigits = Cause{Name: "few-digits", Benign: true,
	Doc: "Fairshare follows from usage that is printed in whole seconds or hundredths, or was read from sshare with " +
		"six decimals: of that a priority may be off by one, and by one more for each million of weight; and levels of " +
		"little usage in their last digits."}

// Causes lists all causes in the order in which they are tried: what leaves no doubt is first.
func Causes() []*Cause {
	return []*Cause{
		&fewDigits,
		{Name: "tried-partition", Benign: true, assume: triedPartition,
			Doc: "The scheduler copies the priority of a job in the partition that it tries into the job, so a job of " +
				"several partitions shows that of the one tried last."},
		{Name: "printed-twice-weighed", Benign: true, assume: twiceWeighed,
			Doc: "For a partition that lacks a resource, sprio weighs the weighted value of another partition of the job " +
				"once more (22.05 to 25.11); slurmctld does not."},
		{Name: "plain-fairshare", Benign: true, assume: plainFairshare,
			Doc: "Where fairshare has no weight, the check of UsageThreshold leaves the plain factor in sprio's column."},
		{Name: "computed-later", Benign: true, assume: computedLater,
			Doc: "The job was submitted or released after the last pass, and its priority was computed then."},
		{Name: "age-not-counted", Benign: true, assume: ageNotCounted,
			Doc: "Age counts once a scheduling pass has set AccrueTime; with ACCRUE_ALWAYS it is lost when slurmctld starts, " +
				"until the pass after the next."},
		{Name: "whole-nodes", Benign: true, assume: wholeNodes,
			Doc: "Once the scheduler has tried a job that has its nodes for itself, all processors of its nodes count " +
				"for its size; commands go on to print what it asked for."},
		{Name: "first-pass", Benign: true, assume: afterStart,
			Doc: "In the first pass after slurmctld's start the depth-oblivious formula goes by usage that is not yet known; " +
				"the next pass has it right."},
		{Name: "ended-since", Benign: true, assume: charged,
			Doc: "A job is charged when it ends, and the levels and factors of Fair Tree are of the last pass: jobs have " +
				"ended since."},
		{Name: "tied-levels", Benign: true, assume: tiedLevels,
			Doc: "Levels of Fair Tree are as good as equal. Which is first is decided by digits of usage that are not " +
				"printed (`scontrol show assoc_mgr` has two decimals, sshare none), or by the order of accounts in slurmctld: " +
				"the database's (lft, which `scontrol show assoc_mgr` and `sacctmgr show assoc` with that column tell) when it " +
				"starts, and by name once one is added or moved (before 23.11)."},
		{Name: "earlier-reason", Benign: true,
			Doc: "A reason stays until a scheduling pass comes to the job again; it was right some moments before the " +
				"snapshot."},
		{Name: "never-tried", Benign: true,
			Doc: "A reason is set when a scheduling pass comes to the job, and none has: LastSchedEval is not set."},
		{Name: "tried-before", Benign: true,
			Doc: "Jobs have started or ended since the scheduler came to the job: its reason is right for what ran then."},
		{Name: "partition-state", Doc: "The job was tried last while its partition was down or inactive, and the " +
			"partition is up in the snapshot or the configuration: it was set so in between, or the inputs are of different " +
			"moments."},
		{Name: "other-limit", Doc: "The controller lets the job wait for nodes, where a limit of the policy stops it: the " +
			"scheduler passes the job over, or the limit is not the controller's."},
		{Name: "other-weight", Doc: "The controller weighs a factor with another number than the policy: the file has " +
			"changed and is not in force, or is not the controller's.", find: otherWeight},
		{Name: "other-factor", Doc: "sprio has another factor than we, and everything else of the priority is right.",
			find: otherFactor},
		{Name: "other-moment", Doc: "The numbers are right as of another moment, and nothing in the snapshot says that " +
			"the job's priority was computed then.", find: otherMoment},
		{Name: "maybe-set-by-hand", Doc: "Only sprio tells a priority that was set by hand from one that was computed, " +
			"and the snapshot has no output of sprio.", find: maybeSetByHand},
	}
}

// inquiry is the search for causes.
type inquiry struct {
	*comparison
	window   window
	samples  samples
	whole    *evaluation.Result // of all jobs, as of some moment
	checks   []*check
	readings []*reading // of all checks
	equal    []*subject // what is as printed
	open     []*subject // what nothing explains so far
}

func (q *inquiry) explain() error {
	if err := q.assume(); err != nil {
		return err
	}
	for _, c := range Causes() {
		if c.find == nil || len(q.open) == 0 {
			continue
		}
		if err := c.find(q, c); err != nil {
			return err
		}
	}
	return nil
}

// settle closes the subjects that a cause explains, with what to say of each.
func (q *inquiry) settle(c *Cause, explains func(*subject) (why string, ok bool)) {
	q.open = slices.DeleteFunc(q.open, func(s *subject) bool {
		why, ok := explains(s)
		if ok {
			s.blame(c, why)
		}
		return ok
	})
}

func causeNamed(name string) *Cause {
	list := Causes()
	return list[slices.IndexFunc(list, func(c *Cause) bool { return c.Name == name })]
}
