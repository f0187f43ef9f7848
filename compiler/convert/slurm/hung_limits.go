package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
)

// hungLimit is a limit that is written on associations or on a QOS of Slurm.
type hungLimit struct {
	limit  *ir.Limit
	object string // association, qos
	label  string // MaxTRESPerJob=cpu
	rows   []string
	most   int64 // in Slurm's unit
	how    string
}

// also adds to what differs.
func (h *hungLimit) also(format string, args ...any) {
	h.how = strings.TrimPrefix(h.how+"; "+fmt.Sprintf(format, args...), "; ")
}

// sayHung tells of each limit that was written how near it comes. Which others Slurm asks instead is known when
// all are there.
func (w *writer) sayHung() {
	hidden, hiding := w.nearerLimits()
	for i := range w.hung {
		h := &w.hung[i]
		if nearer := hidden[h]; len(nearer) > 0 {
			h.also("in Slurm the higher one of %s counts instead, %s asks both", draft.Few(nearer), w.From.Called)
		}
		if farther := hiding[h]; len(farther) > 0 {
			h.also("in Slurm it counts instead of the lower one of %s, %s asks both", draft.Few(farther), w.From.Called)
		}
		if h.how == "" {
			w.Exact(h.limit.Span)
			continue
		}
		of := map[string]string{"qos": "QOS", "association": "the association"}[h.object]
		w.Near(h.limit.Span, h.how, "%s becomes %s=%d of %s %s", h.limit.Source, h.label, h.most, of,
			strings.Join(h.rows, ", "))
	}
}

// nearerLimits are, of those that are written, the ones that a higher one below hides, and the ones that hide
// one of the site's own above: of limits called Max slurmctld asks the one that is nearest to the job's user
// alone, where an account or root has the same (those called Grp it asks from the user up to root).
func (w *writer) nearerLimits() (hidden, hiding map[*hungLimit][]string) {
	type placed struct {
		row  string
		most int64
		from *ir.Limit
	}
	list, own := map[string][]placed{}, map[string]int64{}
	for i := range w.Policy.Limits {
		if l := &w.Policy.Limits[i]; l.Kind != "" && l.Object == "association" && l.Hard != nil {
			list[l.Name] = append(list[l.Name], placed{l.Row, int64(*l.Hard), l})
			own[l.Name+" "+strings.ToLower(l.Row)] = int64(*l.Hard)
		}
	}
	at := map[string]*hungLimit{}
	for i := range w.hung {
		h := &w.hung[i]
		if h.object != "association" || !strings.HasPrefix(h.label, "Max") {
			continue
		}
		for _, row := range h.rows {
			list[h.label] = append(list[h.label], placed{row, h.most, h.limit})
			at[h.label+" "+strings.ToLower(row)] = h
		}
	}
	if len(at) == 0 {
		return nil, nil
	}
	above := w.associationsAbove()
	hidden, hiding = map[*hungLimit][]string{}, map[*hungLimit][]string{}
	for label, limits := range list {
		for _, p := range limits {
			for _, row := range upwards(p.row, above) {
				if most, has := own[label+" "+row]; has && p.from.Kind == "" && most < p.most {
					h := at[label+" "+strings.ToLower(p.row)]
					hiding[h] = append(hiding[h], row)
				}
				if h := at[label+" "+row]; h != nil && p.most > h.most && !isOfOthers(h.limit, p.from) {
					hidden[h] = append(hidden[h], p.row)
				}
			}
		}
	}
	for _, rows := range hidden {
		slices.Sort(rows)
	}
	return hidden, hiding
}

// isOfOthers reports a limit that the policy too asks only where there is none by name.
func isOfOthers(l, named *ir.Limit) bool {
	return l.Others && named.Object == l.Object && slices.Equal(named.Per, l.Per)
}

// associationsAbove are the accounts that contain accounts, in small letters.
func (w *writer) associationsAbove() map[string]string {
	above := map[string]string{}
	for _, r := range w.Rows("association.parent") {
		if !strings.Contains(r.Name, "/") {
			above[strings.ToLower(r.Name)] = strings.ToLower(r.Value.Str)
		}
	}
	for a := range draft.Associations(w.Policy) {
		if a.User == "" {
			above[strings.ToLower(a.Account)] = strings.ToLower(a.Parent)
		}
	}
	return above
}

// upwards are the associations above one, the nearest first and root last.
func upwards(association string, above map[string]string) []string {
	list := []string{strings.ToLower(association)}
	for i := 0; list[i] != "root" && !slices.Contains(list[:i], list[i]); i++ {
		account, _, user := strings.Cut(list[i], "/")
		if !user {
			account = cmp.Or(above[account], "root")
		}
		list = append(list, account)
	}
	return list[1:]
}

// hang keeps a limit that was written.
func (w *writer) hang(h hungLimit) {
	if w.hungAt == nil {
		w.hungAt = map[string][]*ir.Limit{}
	}
	for _, row := range h.rows {
		place := h.object + " " + strings.ToLower(row) + " " + h.label
		w.hungAt[place] = append(w.hungAt[place], h.limit)
	}
	w.hung = append(w.hung, h)
}

// reached is a lower limit at the place this one would have, if each job comes to it first.
func (w *writer) reached(l *ir.Limit, object, row, label string) *ir.Limit {
	for _, first := range w.hungAt[object+" "+strings.ToLower(row)+" "+label] {
		if first.Span == l.Span || *first.Hard >= *l.Hard || first.Counts != l.Counts ||
			!slices.Equal(first.Per, l.Per) {
			continue
		}
		named := func(other ir.Limit) bool {
			return other.Object == first.Object && !other.Others && other.Counts == l.Counts &&
				other.Phase == l.Phase &&
				slices.Equal(other.Per, l.Per)
		}
		if !first.Others || l.Others ||
			!slices.ContainsFunc(w.Policy.Limits, named) { // else it is not of those that are named
			return first
		}
	}
	return nil
}
