package slurm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// qosList is what an association of Slurm may use, gathered of lists and defaults.
type qosList struct {
	association string
	names       []string
	alone       bool // it counts instead of what is above
	span        source.Span
}

// qosLists are the lists of associations, in the order in which they are met.
type qosLists struct {
	byKey map[string]*qosList // in small letters
	order []string
}

func (x *qosLists) of(key string, at source.Span) *qosList {
	folded := strings.ToLower(key)
	if x.byKey[folded] == nil {
		x.byKey[folded] = &qosList{association: key, span: at}
		x.order = append(x.order, folded)
	}
	return x.byKey[folded]
}

// access: the QLIST of users and accounts adds to what the association has from above, with ^ it counts
// instead; those of the system and of all users are root's. Each has QOS normal too, which jobs get that name
// none, as the default of Maui. sacctmgr load takes such lists, and defaults, of QOS that are there.
func (w *writer) access() {
	lists := qosLists{byKey: map[string]*qosList{}}
	rows := w.accessRows("qos_list")
	said := slices.DeleteFunc(slices.Clone(rows), func(r accessRow) bool { return !w.canList(r) })
	whole := len(said) == len(rows) && !w.listsElsewhere()
	defaults := w.accountDefaults()
	for _, r := range said {
		w.addList(r, lists.of(r.association, r.Span), len(rows) > 1, whole, len(defaults) > 0)
	}
	for _, r := range w.accessRows("qos_default") {
		if !w.qosName(r.Value.Str, r.Span) || w.isRoot(r.Name, r.Span) && r.object == "account" {
			continue
		}
		w.setSlurm("association", r.association, draft.Set("DefaultQOS", r.Value.Str, r.Span))
		w.Near(r.Span,
			"Slurm takes it for jobs that name none, Maui also for those that ask for one they may not have"+w.moved(
				r.association), "%s becomes DefaultQOS=%s of %s", r.Source, r.Value.Str, called(r.association))
		if l := lists.of(r.association, r.Span); !slices.Contains(l.names, r.Value.Str) {
			l.names = append(l.names, r.Value.Str)
		}
	}
	if len(said) == 0 {
		return // slurmctld looks at no list
	}
	lists.of("root", w.Policy.Span)
	w.writeLists(&lists, defaults)
	if !whole {
		return
	}
	w.Say("AccountingStorageEnforce", strings.TrimPrefix(w.TextOf("AccountingStorageEnforce")+",qos", ","))
	w.someAccount(lists.byKey[lists.order[0]].span)
	w.Diags.Infof("convert-approximated", w.Policy.Span, "lists of QOS count with AccountingStorageEnforce=qos alone").
		Note("slurmctld then refuses jobs that ask for a QOS which no list gives them, where Maui gives the default, " +
			"and the jobs of users without an association: load one for each, with sacctmgr")
}

// addList adds a list to that of its association; several and whole are of all lists.
func (w *writer) addList(r accessRow, l *qosList, several, whole, defaults bool) {
	text := strings.Join(r.Value.List, ",")
	if l.association != r.association {
		w.Because(r.Span,
			fmt.Sprintf("Slurm takes names in any case, and line %d has the list of this one", l.span.Position().Line))
		return
	}
	l.alone = l.alone || strings.HasSuffix(text, "^")
	l.names = append(l.names, strings.Split(strings.TrimRight(text, "^"), ",")...)
	how := "slurmctld refuses a job that asks for another QOS, Maui gives it the default"
	if !whole {
		how = "not all lists of QOS can be written, so slurmctld is not set up to check them, " +
			"with AccountingStorageEnforce=qos, and gives a job the QOS it asks for"
	}
	switch {
	case r.object != "cluster" && r.Name == "DEFAULT" && several:
		how += "; in Slurm users with a list of their own have these too"
	case r.object == "account" && l.alone && several:
		how += "; in Slurm users with a list of their own have that too, in Maui not"
	case r.object == "user" && l.alone && defaults && w.moved(r.association) != "":
		how += "; where the account that the user is in has a DefaultQOS, add that to the list"
	}
	w.Near(r.Span, how+w.moved(r.association), "%s becomes the list of QOS of %s", r.Source, called(r.association))
}

// writeLists writes the lists, with the QOS that jobs have which name none.
func (w *writer) writeLists(lists *qosLists, defaults map[string]string) {
	w.recordOf("QOS", "normal", draft.Setting{}) // which each database has
	usual := []string{"normal"}
	if r := w.recordOf("association", "root", draft.Setting{}); r.Text("DefaultQOS") != "" {
		usual = append(usual, r.Text("DefaultQOS"))
	}
	above := w.associationsAbove()
	for _, key := range lists.order {
		l, before := lists.byKey[key], "+"
		if l.alone || key == "root" {
			before, l.names = "", append(slices.Clone(usual), l.names...)
			if strings.Contains(key, "/") {
				for _, account := range upwards(key, above) { // the default of the nearest that has one
					if name := defaults[account]; name != "" {
						l.names = append(l.names, name)
						break
					}
				}
			}
		}
		var words []string
		for _, name := range l.names {
			if !slices.ContainsFunc(words, func(old string) bool { return strings.EqualFold(old, before+name) }) {
				words = append(words, before+name)
			}
		}
		w.setSlurm("association", l.association, draft.Set("QOS", strings.Join(words, ","), l.span))
	}
}

// accountDefaults are the QOS that jobs of accounts get which name none, by the accounts' names in small letters.
func (w *writer) accountDefaults() map[string]string {
	defaults := map[string]string{}
	for _, r := range w.Rows("account.qos_default") {
		if r.Name != "DEFAULT" && canName(r.Value.Str) {
			defaults[strings.ToLower(r.Name)] = r.Value.Str
		}
	}
	return defaults
}

// accessRow is what a credential may use, and Slurm's association in its place.
type accessRow struct {
	ir.TableRow
	object, association string
}

// accessRows are those of what is an association of Slurm.
func (w *writer) accessRows(column string) (list []accessRow) {
	for _, object := range []string{"user", "account", "cluster"} {
		for _, r := range w.Rows(schema.ColumnID(object + "." + column)) {
			at := []string{"root"}
			if object == "account" && r.Name != "DEFAULT" {
				at = []string{r.Name}
			} else if object == "user" && r.Name != "DEFAULT" {
				at, _ = w.homes(r.Name)
			}
			for _, key := range at {
				list = append(list, accessRow{r, object, key})
			}
		}
	}
	return list
}

// canList reports a list that an association can have.
func (w *writer) canList(r accessRow) bool {
	text := strings.Join(r.Value.List, ",")
	if strings.HasSuffix(text, "&") {
		w.Because(r.Span,
			"Slurm adds to a list and takes from it, and has no QOS that both lists must have; work out what is "+
				"left, and set it with qos=")
		return false
	}
	for name := range strings.SplitSeq(strings.TrimRight(text, "^"), ",") {
		if !w.qosName(name, r.Span) {
			return false
		}
	}
	return r.object != "account" || !w.isRoot(r.Name, r.Span)
}

// qosName sees that a QOS is there.
func (w *writer) qosName(name string, at source.Span) bool {
	if !canName(name) || strings.ContainsAny(name[:1], "+-") {
		w.Because(at, "no QOS of Slurm can have such a name; give it another name first")
		return false
	}
	w.recordOf("QOS", name, draft.Setting{Span: at})
	return true
}

// listsElsewhere reports lists of what is no association.
func (w *writer) listsElsewhere() bool {
	return len(w.Rows("group.qos_list"))+len(w.Rows("partition.qos_list")) > 0
}

// moved says of a user's association where it belongs.
func (w *writer) moved(association string) string {
	if !strings.HasPrefix(association, w.usersAccount+"/") {
		return ""
	}
	return "; " + moveUsers + w.usersAccount
}

// called is an association in a sentence.
func called(key string) string {
	if key == "root" {
		return "the account root"
	}
	return "the association " + key
}

// forAll is what Slurm changes about a QOS of Maui that no list gives to anybody; "" if one does.
func (w *writer) forAll(qos string) string {
	if w.given == nil {
		w.findGiven()
	}
	listed, given := w.given[qos]
	switch {
	case w.From.Own || qos == "DEFAULT" || listed:
		return ""
	case given:
		return "QDEF alone gives the QOS in Maui, and no QLIST to a job that asks for it; in Slurm a job has the " +
			"one it asks for"
	}
	return "no QLIST and no QDEF gives the QOS to a job in Maui; in Slurm a job has the one it asks for"
}

// findGiven gathers the QOS that lists and defaults give.
func (w *writer) findGiven() {
	w.given = map[string]bool{}
	for i := range w.Policy.Tables {
		t := &w.Policy.Tables[i]
		if column := t.Column.Name(); column != "qos_list" && column != "qos_default" {
			continue
		}
		for _, r := range w.Rows(t.Column) {
			if q := r.Value.Str; !w.given[q] {
				w.given[q] = false
			}
			for _, name := range r.Value.List {
				w.given[strings.TrimRight(name, "&^")] = true
			}
		}
	}
}
