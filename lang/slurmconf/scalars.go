package slurmconf

import "strings"

// scalars tests global values whose rule is their own.
func (e *evaluator) scalars() {
	e.plugins()
	e.submitPlugins()
	if p, ok := e.cfg.Param("AccountingStorageEnforce"); ok {
		e.enforce(p.Value)
	}
	if p, ok := e.cfg.Param("PriorityFlags"); ok {
		e.priorityFlags(p.Value)
	}
	if p, ok := e.cfg.Param("SchedulerParameters"); ok {
		e.schedulerParameters(p.Value)
	}
	if p, ok := e.cfg.Param("PriorityWeightTRES"); ok {
		e.weights(p.Name, p.Value)
	}
	e.ignoredWeights()
	e.weightSum()
	e.refusedWords()
	e.refusedPairs()
	e.refusedNumbers()
	e.trackedTRES()
	if p, ok := e.cfg.Param("Licenses"); ok && p.Text != "" && licenses(p.Text) == nil {
		e.ds.Errorf("slurm-value", p.Span, "Licenses cannot be %q", p.Text).Note("write name:count, for instance matlab:10,abaqus:5; Slurm ignores the whole list")
	}
}

// enforce tests the words of AccountingStorageEnforce, the one list that Slurm
// splits at its commas and whose unknown words it does not pass over.
func (e *evaluator) enforce(v Value) {
	var words []string
	for _, w := range enforceWords {
		words = append(words, w.words[0])
	}
	places := placesIn(v.Text, v.Span)
	for _, it := range entries(v.Text) {
		if _, unknown := ParseEnforce(it.text); len(unknown) == 0 {
			continue
		}
		place := places.at(it.at, it.end())
		e.ds.Errorf("slurm-enforce", place, "AccountingStorageEnforce does not know %q", it.text).
			Note("slurmctld refuses to start; it is a comma list of %s", strings.Join(words, ", ")).DidYouMean(place, it.text, words)
	}
}
