package slurmconf

import (
	"math"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// weightKeys are the integer weights of priority/multifactor.
var weightKeys = []string{"PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairshare",
	"PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS"}

// setWeights lists the integer weights that are not 0, in file order.
func (e *evaluator) setWeights() (set []Param) {
	for _, p := range e.cfg.Params {
		if containsFold(weightKeys, p.Name) && p.Number > 0 {
			set = append(set, p)
		}
	}
	return set
}

// ignoredWeights finds weights that nothing is multiplied with. slurmctld logs
// those that need the database once at its start and goes on with 0
// (priority_multifactor.c, init: fairshare in every version, age since 20.02).
func (e *evaluator) ignoredWeights() {
	set := e.setWeights()
	if e.cfg.Text("PriorityType") == "priority/basic" {
		if len(set) == 0 {
			return
		}
		d := e.ds.Warnf("slurm-weight-ignored", set[0].Span, "%s has no effect with priority/basic", set[0].Name).
			Note("no weight has; write PriorityType=priority/multifactor")
		if p, ok := e.cfg.Param("PriorityType"); ok {
			d.NoteAt(p.Span, "the priority plugin is chosen here")
		} else {
			d.Note("priority/basic is the default before 23.11")
		}
		return
	}
	storage := strings.ToLower(e.cfg.Text("AccountingStorageType"))
	if e.partial || strings.Contains(storage, "slurmdbd") || strings.Contains(storage, "mysql") {
		return
	}
	for _, p := range set {
		if p.Name != "PriorityWeightFairshare" && (p.Name != "PriorityWeightAge" || before(e.version, "20.02")) {
			continue
		}
		d := e.ds.Warnf("slurm-weight-ignored", p.Span, "%s has no effect without slurmdbd", p.Name).
			Note("Slurm takes it as 0 and says so only in its log; write AccountingStorageType=accounting_storage/slurmdbd, " +
				"or delete the weight")
		if used, ok := e.cfg.Param("AccountingStorageType"); ok {
			d.NoteAt(used.Span, "this is the accounting storage")
		}
	}
}

// weightSum: factors reach 1, so the weights must fit the 32 bits of a priority
// together; Slurm adds them up the same way and logs an error (read_config.c).
func (e *evaluator) weightSum() {
	sum := uint64(0)
	largest := Param{}
	for _, p := range e.setWeights() {
		if sum += p.Number; p.Number > largest.Number {
			largest = p
		}
	}
	if sum > math.MaxUint32 && e.cfg.Text("PriorityType") != "priority/basic" {
		e.ds.Warnf("slurm-weight-sum", largest.Span, "the priority weights add up to %d", sum).
			Note("a priority ends at %d, and jobs that reach it are in no order; lower the weights; %s is the largest",
				math.MaxUint32, largest.Name)
	}
}

// weights parses a list of TRES weights that typed has passed and tests that
// each TRES is tracked: a name that is not stops slurmctld.
func (e *evaluator) weights(key string, v Value) []slurmtext.TRESWeight {
	list, err := slurmtext.ParseTRESWeights(v.Text)
	if err != nil || !e.first(v) {
		return list
	}
	tracked := strings.Split(strings.ToLower(e.cfg.Text("AccountingStorageTRES")), ",")
	places, entries := placesIn(v.Text, v.Span), entries(v.Text)
	for i, w := range list {
		name, _, _ := strings.Cut(entries[i].text, "=")
		place := places.at(entries[i].at, entries[i].at+len(name))
		switch {
		case w.Name == "billing" && key == "PriorityWeightTRES":
			e.ds.Infof("slurm-billing-weight", place, "the manual has no billing in PriorityWeightTRES").
				Note("it says that billing is not known before a job has its nodes; recorded runs of 22.05 and 25.11 count an " +
					"estimate from what the job asks for")
		case w.Name == "billing":
			e.ds.Warnf("slurm-billing-weight", place, "billing has no weight of its own").
				Note("it is the sum of the other weighted TRES, so Slurm leaves it out; delete the entry")
		case slurmtext.IsFixedTRES(w.Name) || containsFold(tracked, w.Name) || isImpliedTRES(w.Name, tracked):
		default:
			e.ds.Errorf("slurm-unknown-tres", place, "the TRES %s is not tracked", w.Name).
				Note("add it to AccountingStorageTRES; slurmctld refuses to start with a weight for an unknown TRES").
				DidYouMean(place, name, tracked)
		}
	}
	return list
}

// isImpliedTRES covers gpumem and gpuutil, which come with gres/gpu.
func isImpliedTRES(name string, tracked []string) bool {
	return (name == "gres/gpumem" || name == "gres/gpuutil") && containsFold(tracked, "gres/gpu")
}
