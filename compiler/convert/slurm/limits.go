package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// allLimits writes the limits, and that slurmctld is to look at them.
func (w *writer) allLimits() {
	var first *ir.Limit
	limits := slices.Clone(w.Policy.Limits)
	if w.From.Own {
		limits = append(limits, w.holdLimits()...)
	}
	for _, l := range draft.Stricter(limits) {
		switch {
		case !w.hangLimit(l):
			w.Miss(l.Source, l.Span)
		case first == nil:
			first = l
		}
	}
	w.sayHung()
	if first != nil {
		w.Say("AccountingStorageEnforce", "limits")
		w.someAccount(first.Span)
		w.enforcing(first)
	}
}

// someAccount sees that there is an account, for the users that limits need.
func (w *writer) someAccount(from source.Span) {
	if !w.HasRecord("Account", "") {
		w.association(w.usersAccount, "", "", "root", draft.Setting{Span: from})
	}
}

// enforcing says what comes with limits.
func (w *writer) enforcing(first *ir.Limit) {
	w.Diags.Infof("convert-approximated", first.Span, "limits count with AccountingStorageEnforce=limits alone").
		Note("slurmctld then also refuses the jobs of users without an association: load one for each, with sacctmgr")
}

// limitName is what Slurm calls a limit, "" if it has none.
func (w *writer) limitName(l *ir.Limit) string {
	return match.SlurmLimit(w.From.Own, l.Per, l.Phase, l.Counts)
}

// hiding are the classes and QOS for whose jobs Slurm ignores a limit of the same kind: of each kind
// it asks the partition's QOS, else the job's, and associations only where neither has it.
func (w *writer) hiding(object, name string) string {
	kindOf := func(name string) string {
		if name == "MaxJobsPU" {
			return "MaxJobs"
		}
		return name
	}
	if w.hiders == nil {
		w.hiders = map[string]map[string][]string{"partition": {}, "qos": {}}
		for i := range w.Policy.Limits {
			l := &w.Policy.Limits[i]
			kind := w.limitName(l)
			if l.Kind != "" { // one that is Slurm's already
				kind = l.Name
			}
			kind = kindOf(kind)
			rows := w.hiders[l.Object]
			if rows == nil || kind == "" || l.Hard == nil || strings.EqualFold(l.Row, "DEFAULT") ||
				!canName(l.Row) || slices.Contains(rows[kind], l.Row) {
				continue
			}
			rows[kind] = append(rows[kind], l.Row)
		}
	}
	var list []string
	hide := func(object, what string) {
		if names := w.hiders[object][kindOf(name)]; len(names) > 0 {
			list = append(list, what+" "+draft.Few(names))
		}
	}
	if object != "partition" {
		hide("partition", "partition")
	}
	if object == "user" || object == "account" || object == "" {
		hide("qos", "QOS")
	}
	return strings.Join(list, " and of ")
}

// partitionQOS is the name of the QOS that holds a partition's limits. Slurm takes names of QOS in any case, so
// that partitions Fast and fast need two.
func (w *writer) partitionQOS(partition string) string {
	if name := w.recordOf("PartitionName", partition, draft.Setting{}).Text("QOS"); name != "" {
		return name
	}
	taken := draft.Named(w.Policy, "qos")
	for i := range w.Records {
		taken = append(taken, w.Records[i].Text("QOS"))
	}
	return draft.Free("part_"+strings.ToLower(partition), taken)
}

// hangLimit hangs a limit on what Slurm has: users and accounts are associations, classes partitions with a QOS.
func (w *writer) hangLimit(l *ir.Limit) bool {
	h := hungLimit{limit: l, object: "association", label: w.limitName(l)}
	switch hang := hangers[l.Object]; {
	case len(l.Cross) > 0 && !isInAccount(l):
		return false
	case slices.Contains(l.Per, "group"):
		w.Because(l.Span, "Slurm has no limits of groups")
		return false
	case h.label == "" && l.Object == "" && len(l.Per) > 0:
		return w.noneEach(l)
	case h.label == "" || l.Override || l.AtLeast || l.When.IsSet() || !draft.IsWhole(l.Hard) || *l.Hard < 0:
		return false // left
	case l.Row != "" && l.Object != "partition" && !canName(l.Row):
		w.Because(l.Span, noName)
		return false
	default:
		w.counted(&h)
		if hang == nil || !hang(w, l, &h) {
			return false
		}
	}
	hard := float64(h.most)
	option, _, _ := strings.Cut(h.label, "=")
	for _, row := range h.rows {
		if first := w.reached(l, h.object, row, h.label); first != nil {
			w.Near(l.Span, "both hold in "+w.From.Called+", and in Slurm there is room for one",
				"%s says nothing: %s holds first", l.Source, first.Source)
			return true
		}
		if w.Same != nil { // of a policy for Slurm: it is no difference that the limit is there
			w.Same[h.object+" "+row+" "+h.label] = true
		}
		if !w.limit(
			&ir.Limit{Name: h.label, Kind: option, Object: h.object, Row: row, Hard: &hard, Span: l.Span}) {
			return false
		}
	}
	if hiding := w.hiding(l.Object, h.label); hiding != "" {
		h.also("Slurm ignores it for jobs of %s, where the same limit is asked first; %s asks all", hiding,
			w.From.Called)
	}
	w.hang(h)
	return true
}

// inAccount is the account in which a limit counts a user's jobs, "" if it counts them anywhere.
func inAccount(l *ir.Limit) string {
	if isInAccount(l) {
		return l.Cross[0]
	}
	return ""
}

func isInAccount(l *ir.Limit) bool {
	return len(l.Cross) == 1 && l.Object == "user" && l.Per[1] == "account"
}

// counted turns the number into Slurm's unit, and says what is counted otherwise.
func (w *writer) counted(h *hungLimit) {
	l, of := h.limit, match.CountOf(h.limit.Counts)
	if h.most = int64(*l.Hard); l.Soft != nil && *l.Soft < *l.Hard {
		h.also("the soft limit of %v is lost: Slurm has none", *l.Soft)
	}
	if of.ToSlurm != "" {
		h.also("%s", strings.Replace(of.ToSlurm, "%s", w.From.Called, 1))
	}
	if h.most%of.Unit != 0 && of.Rounded != "" {
		h.also("%s", of.Rounded)
	}
	h.most = (h.most + of.Unit - 1) / of.Unit
	if l.Counts == "gpus" {
		w.countGPUs()
	}
}

// hangers find, by what a limit is written on, the associations or the QOS for it; false if there is none,
// which they explain.
var hangers = map[string]func(w *writer, l *ir.Limit, h *hungLimit) bool{
	"": (*writer).onRoot, "account": (*writer).onAccount, "user": (*writer).onUser,
	"qos": (*writer).onQOS, "partition": (*writer).onPartition,
}

// inEachAccount is the remark on a limit that slurmctld counts for each association of a user.
const inEachAccount = "Slurm counts in each account of a user by itself"

func (w *writer) onRoot(l *ir.Limit, h *hungLimit) bool {
	h.rows = []string{"root"}
	if strings.HasPrefix(l.Source, "hold ") {
		h.also("the job waits with the reason of Slurm's limit")
	}
	if len(l.Per) > 0 && h.label != "MaxJobs" {
		return w.noneEach(l)
	}
	if len(l.Per) == 1 {
		h.also(inEachAccount)
	}
	return true
}

func (w *writer) onAccount(l *ir.Limit, h *hungLimit) bool {
	if l.Row == "DEFAULT" {
		return w.noneEach(l)
	}
	if w.isRoot(l.Row, l.Span) {
		return false
	}
	if h.rows = []string{l.Row}; w.hasBelow(l.Row) {
		h.also("Slurm counts jobs of accounts below it too")
	}
	return true
}

func (w *writer) onUser(l *ir.Limit, h *hungLimit) bool {
	within, drawn := inAccount(l), true
	switch {
	case within != "" && l.Row != "DEFAULT":
		h.rows = []string{within + "/" + l.Row}
	case l.Row != "DEFAULT":
		if h.rows, drawn = w.homes(l.Row); len(h.rows) > 1 && l.Phase != "job" {
			h.also(inEachAccount)
		}
	case h.label != "MaxJobs" || within != "":
		return w.noneEach(l)
	default:
		h.rows, drawn = []string{"root"}, w.From.Own
		h.also(inEachAccount)
	}
	if !drawn {
		h.also("%s", moveUsers+w.usersAccount)
	}
	return true
}

func (w *writer) onQOS(l *ir.Limit, h *hungLimit) bool {
	if l.Row == "DEFAULT" {
		return w.noneEach(l)
	}
	h.object, h.rows = "qos", []string{l.Row}
	if all := w.forAll(l.Row); all != "" {
		h.also("%s", all)
	}
	return true
}

func (w *writer) onPartition(l *ir.Limit, h *hungLimit) bool {
	if l.Row == "DEFAULT" {
		return w.noneEach(l)
	}
	if !w.partition(l.Row, l.Span) {
		return false
	}
	h.object, h.rows = "qos", []string{w.partitionQOS(l.Row)}
	w.setSlurm("PartitionName", l.Row, draft.Set("QOS", h.rows[0], l.Span))
	h.also(
		"the limit is in a QOS of the partition; a job that asks for that QOS in another partition has it too, " +
			"unless AccountingStorageEnforce=qos keeps the QOS from it")
	return true
}

// noneEach says why a limit of everybody is left: for each of them by itself, or for all that are not named.
func (w *writer) noneEach(l *ir.Limit) bool {
	who := strings.NewReplacer("partition", "class", "qos", "QOS").Replace(strings.Join(l.Per, " in each "))
	if l.Object != "" {
		w.Because(l.Span, "Slurm has no such limit for each "+who+
			" that has none of its own; write it for those that are to have it, by name")
		return false
	}
	w.Because(l.Span, "one on Slurm's account root counts all jobs together, and there is none for each "+who+
		" by itself; write it for those that are to have it, by name")
	return false
}
