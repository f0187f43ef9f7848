package slurmconf

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// scalars tests global values whose rule is their own.
func (e *evaluator) scalars() {
	if p, ok := e.cfg.Param("AccountingStorageEnforce"); ok {
		if _, unknown := ParseEnforce(p.Text); len(unknown) > 0 {
			var words []string
			for _, w := range enforceWords {
				words = append(words, w.words[0])
			}
			d := e.ds.Errorf("slurm-enforce", p.Span, "AccountingStorageEnforce does not know %q", unknown[0]).
				Note("it is a comma list of %s", strings.Join(words, ", "))
			nearest(d, unknown[0], words)
		}
	}
	if p, ok := e.cfg.Param("AccountingStorageType"); ok && strings.HasSuffix(strings.ToLower(p.Text), "mysql") {
		e.ds.Errorf("slurm-fatal-setting", p.Span, "AccountingStorageType=%s keeps slurmctld from starting", p.Text).
			Note("only slurmdbd talks to the database; write accounting_storage/slurmdbd")
	}
	if p, ok := e.cfg.Param("SchedulerParameters"); ok && HasFlag(p.Text, "max_job_bf=") && e.cfg.Text("SchedulerType") == "sched/backfill" && !before(e.version, "20.11") {
		e.ds.Errorf("slurm-fatal-setting", p.Span, "max_job_bf in SchedulerParameters keeps slurmctld from starting").Note("it is called bf_max_job_test now")
	}
	if p, ok := e.cfg.Param("PriorityWeightTRES"); ok {
		e.weights(p.Value)
	}
	if p, ok := e.cfg.Param("Licenses"); ok && p.Text != "" && licenses(p.Text) == nil {
		e.ds.Errorf("slurm-value", p.Span, "Licenses cannot be %q", p.Text).Note("write name:count, for instance matlab:10,abaqus:5; Slurm ignores the whole list")
	}
}

// weights parses a list of TRES weights that typed has passed and tests that
// each TRES is tracked: a name that is not stops slurmctld.
func (e *evaluator) weights(v Value) []slurmtext.TRESWeight {
	list, err := slurmtext.ParseTRESWeights(v.Text)
	if err != nil {
		return nil
	}
	tracked := strings.Split(strings.ToLower(e.cfg.Text("AccountingStorageTRES")), ",")
	for _, w := range list {
		if slurmtext.IsFixedTRES(w.Name) || containsFold(tracked, w.Name) || isImpliedTRES(w.Name, tracked) {
			continue
		}
		d := e.ds.Errorf("slurm-unknown-tres", v.Span, "the TRES %s is not tracked", w.Name).
			Note("add it to AccountingStorageTRES; slurmctld refuses to start with a weight for an unknown TRES")
		nearest(d, w.Name, tracked)
	}
	return list
}

// isImpliedTRES covers gpumem and gpuutil, which come with gres/gpu.
func isImpliedTRES(name string, tracked []string) bool {
	return (name == "gres/gpumem" || name == "gres/gpuutil") && containsFold(tracked, "gres/gpu")
}

// nearest suggests a word within a list. There is no fix: the diagnostic's span
// is the whole list.
func nearest(d *diag.Diagnostic, word string, candidates []string) {
	if near := diag.Nearest(word, candidates); near != "" {
		d.Note("did you mean %q?", near)
	}
}
