package convert

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// maxList is how much of a list Maui reads.
const maxList = 63

// mauiAccess: the QOS that an association may use are the QLIST of its user or account, which with ^ counts instead of all
// others; the QOS of jobs that name none is QDEF. A list that slurmctld does not look at restricts nobody.
func (w *writer) mauiAccess() {
	enforced := w.enforces("qos")
	for _, r := range w.rows("association.qos_list") {
		if !enforced {
			w.exact(r.Span)
			continue
		}
		family, name := w.mauiCredential(r.Name)
		text := strings.Join(r.Value.List, ",") + "^"
		switch {
		case family == "SYSCFG" && !slices.ContainsFunc(w.rows("qos.priority"), func(q ir.TableRow) bool { return !slices.Contains(r.Value.List, q.Name) }):
			w.exact(r.Span) // all there are
		case family == "SYSCFG":
			w.because(r.Span, "Maui adds the lists of users and accounts to that of all; leave QOS out of SYSCFG QLIST that nobody may have by it")
		case family == "":
			w.because(r.Span, "Maui knows users and accounts, no user in several of them; USERCFG QLIST says it for one")
		case len(r.Value.List) == 0 || slices.ContainsFunc(r.Value.List, func(q string) bool { return q == "" || strings.ContainsAny(q, "+-") }):
			w.because(r.Span, "a list that adds to another is none of Maui's")
		case len(text) > maxList:
			w.because(r.Span, "Maui reads 63 characters of a list")
		default:
			w.setIn(family, name, setting{"QLIST", text, r.Span})
			w.near(r.Span, "Slurm refuses a job that asks for another QOS, Maui gives it the default", "%s becomes QLIST=%s of %s", r.Source, text, name)
		}
	}
	for i := range w.policy.Facts.Records {
		rec := &w.policy.Facts.Records[i]
		if rec.Kind != "association" {
			continue
		}
		for _, a := range rec.Attrs {
			if a.Name == "DefaultQOS" {
				w.mauiDefaultQOS(rec.Name, a.Text, a.Span)
			}
		}
	}
}

func (w *writer) mauiDefaultQOS(association, qos string, at source.Span) {
	family, name := w.mauiCredential(association)
	if family == "" || qos == "" || len(qos) > maxList {
		w.diags.Warnf("convert-not-said", at, "maui.cfg cannot say DefaultQOS of association %s", association)
		w.taken[at] = true
		return
	}
	w.setIn(family, name, setting{"QDEF", qos, at})
	w.near(at, "Maui gives the QOS also to a job that asks for one it may not have", "DefaultQOS of association %s becomes QDEF=%s", association, qos)
}

// mauiCredential is what Maui has in the place of an association, "" if nothing is the same.
func (w *writer) mauiCredential(association string) (family, name string) {
	account, user, _ := strings.Cut(association, "/")
	switch {
	case association == "root":
		return "SYSCFG", ""
	case user == "":
		return "ACCOUNTCFG", account
	case strings.Contains(user, "/") || w.accounts(user) > 1:
		return "", ""
	}
	return "USERCFG", user
}

// enforces reports a word of AccountingStorageEnforce.
func (w *writer) enforces(word string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(w.word("AccountingStorageEnforce")), ","), func(s string) bool {
		s = strings.TrimSpace(s)
		return s == word || s == "all"
	})
}

// slurmAccess says what the QLIST and QDEF of Maui's credentials are in Slurm. They are not written: where slurmctld looks at
// the lists it refuses the jobs of everybody who has none, and who is in which account is no part of the policy.
func (w *writer) slurmAccess() {
	for _, c := range []struct{ object, who string }{{"user", "user "}, {"account", "account "}, {"cluster", "account root"}} {
		name := func(row string) string {
			switch {
			case c.object == "cluster" || row == "DEFAULT":
				return "account root"
			default:
				return c.who + shellWord(row)
			}
		}
		for _, column := range []string{"qos_list", "qos_default"} {
			for _, r := range w.rows(schema.ColumnID(c.object + "." + column)) {
				if column == "qos_default" {
					w.because(r.Span, "once associations are there: sacctmgr modify "+name(r.Name)+" set defaultqos="+shellWord(r.Value.Str))
					continue
				}
				list := strings.Join(r.Value.List, ",")
				why := "once associations are there: sacctmgr modify " + name(r.Name) + " set qos+=" + shellWord(list)
				switch {
				case strings.HasSuffix(list, "^"):
					why = "once associations are there: sacctmgr modify " + name(r.Name) + " set qos=" + shellWord(strings.TrimRight(list, "&^"))
				case strings.HasSuffix(list, "&"):
					why = "Slurm adds to a list and takes from it, and has no QOS that both lists must have; work out what is left, and set it with qos="
				}
				w.because(r.Span, why+"; lists count with AccountingStorageEnforce=qos, which refuses jobs where Maui gives them the default")
			}
		}
	}
}
