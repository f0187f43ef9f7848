package slurmconf

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// Settings that are right by themselves and together keep slurmctld from starting. All were seen of 22.05.

// refusedPairs finds words of one list that exclude each other.
func (e *evaluator) refusedPairs() {
	var shared []item // what is shared out: slurmctld takes one of them
	if p, ok := e.cfg.Param("SelectTypeParameters"); ok {
		shared = e.onlyOne(p, []string{"CR_CPU", "CR_CPU_Memory", "CR_Core", "CR_Core_Memory", "CR_Memory", "CR_Socket",
			"CR_Socket_Memory"})
		e.linearShares(p, shared)
		e.onePerCore(p, shared)
	}
	if p, ok := e.cfg.Param("TaskPluginParam"); ok {
		e.onlyOne(p, []string{"None", "Boards", "Sockets", "Cores", "Threads"})
	}
}

// onlyOne reports a second word of those that exclude each other, and returns the ones there are.
func (e *evaluator) onlyOne(p Param, words []string) (found []item) {
	places := placesIn(p.Text, p.Span)
	for _, it := range entries(p.Text) {
		if !containsFold(words, it.text) {
			continue
		}
		if found = append(found, it); len(found) == 2 {
			first := found[0]
			e.ds.Errorf("slurm-fatal-setting", places.at(it.at, it.end()), "%s and %s in %s keep slurmctld from starting",
				first.text, it.text, p.Name).
				NoteAt(places.at(first.at, first.end()), "the first one").Note("write one of %s", strings.Join(words, ", "))
		}
	}
	return found
}

// linearShares: select/linear gives whole nodes (interfaces/select.c).
func (e *evaluator) linearShares(p Param, shared []item) {
	selects, ok := e.cfg.Param("SelectType")
	if !ok || selects.Text != "select/linear" || before(e.version, "18.08") {
		return
	}
	places := placesIn(p.Text, p.Span)
	for _, it := range shared {
		if !strings.EqualFold(it.text, "CR_Memory") {
			e.ds.Errorf("slurm-fatal-setting", places.at(it.at, it.end()), "%s with select/linear keeps slurmctld from starting",
				it.text).
				NoteAt(selects.Span, "select/linear gives whole nodes").
				Note("write CR_Memory or nothing, or SelectType=select/cons_tres")
			return
		}
	}
}

// onePerCore: where processors are shared out there are no cores to give.
func (e *evaluator) onePerCore(p Param, shared []item) {
	places := placesIn(p.Text, p.Span)
	for _, it := range entries(p.Text) {
		if !strings.EqualFold(it.text, "CR_ONE_TASK_PER_CORE") || before(e.version, "18.08") {
			continue
		}
		for _, what := range shared {
			if strings.HasPrefix(strings.ToUpper(what.text), "CR_CPU") {
				e.ds.Errorf("slurm-fatal-setting", places.at(it.at, it.end()),
					"CR_ONE_TASK_PER_CORE with %s keeps slurmctld from starting", what.text).
					Note("write CR_Core or CR_Core_Memory in the place of %s", what.text)
			}
		}
	}
}

// refusedNumbers finds numbers that slurmctld takes for a mistake.
func (e *evaluator) refusedNumbers() {
	if p, ok := e.cfg.Param("MaxJobCount"); ok && p.Number == 0 {
		e.ds.Errorf("slurm-fatal-setting", p.Span, "MaxJobCount=%s keeps slurmctld from starting", p.Text).
			Note("it is how many jobs there may be; the default is 10000")
	}
	first, ok := e.cfg.Param("FirstJobId")
	if last, set := e.cfg.Param("MaxJobId"); ok && set && first.Number > last.Number {
		e.ds.Errorf("slurm-fatal-setting", last.Span, "MaxJobId=%s below FirstJobId keeps slurmctld from starting",
			last.Text).
			NoteAt(first.Span, "the first number that a job gets").Note("write a larger MaxJobId")
	}
	if p, ok := e.cfg.Param("SlurmctldPort"); ok && !before(e.version, "2.2") && !portRange(p.Text) {
		e.ds.Errorf("slurm-fatal-setting", p.Span, "SlurmctldPort=%s keeps slurmctld from starting", p.Text).
			Note("write a port, or a range such as 6817-6820 whose end is the greater")
	}
}

// portRange reports a number above 0, or two with the greater last.
func portRange(text string) bool {
	low, high, ranged := strings.Cut(text, "-")
	a, err := strconv.Atoi(low)
	if err != nil || a <= 0 {
		return false
	}
	b, err := strconv.Atoi(high)
	return !ranged || err == nil && b > a
}

// trackedTRES tests AccountingStorageTRES (controller.c, _init_tres): kinds of TRES, and without a database only those
// that Slurm has by itself.
func (e *evaluator) trackedTRES() {
	p, ok := e.cfg.Param("AccountingStorageTRES")
	if !ok || before(e.version, "15.08") {
		return
	}
	storage, stored := e.cfg.Param("AccountingStorageType")
	database := stored && (HasFlag(storage.Text, "slurmdbd") || HasFlag(storage.Text, "mysql")) || !stored && e.partial
	places := placesIn(p.Text, p.Span)
	at := func(it item) source.Span { return places.at(it.at, it.end()) }
	for _, it := range entries(p.Text) {
		name := strings.ToLower(it.text)
		switch {
		case !slurmtext.IsTRESType(name):
			d := e.ds.Errorf("slurm-fatal-setting", at(it), "%s in AccountingStorageTRES keeps slurmctld from starting",
				it.text).
				Note("it takes billing, cpu, energy, mem, node, pages, vmem, and bb/, fs/, gres/, ic/ and license/ with a name")
			if whole := "gres/" + strings.TrimPrefix(name, "gres:"); name == "gpu" || name != whole &&
				strings.HasPrefix(name, "gres:") {
				d.Note("did you mean %q?", whole).Suggest(at(it), whole)
			}
		case !database && !slurmtext.IsFixedTRES(name) && !strings.HasPrefix(name, "fs/disk"):
			e.ds.Errorf("slurm-fatal-setting", at(it),
				"%s in AccountingStorageTRES without slurmdbd keeps slurmctld from starting", it.text).
				Note("write AccountingStorageType=accounting_storage/slurmdbd, or delete it")
		}
	}
}
