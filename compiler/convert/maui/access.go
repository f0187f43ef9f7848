package maui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// maxList is how much of a list Maui reads.
const maxList = 63

// access: the QOS that an association may use are the QLIST of its user or account, which with ^ counts
// instead of all others, and root's that of SYSCFG, for all who have none; the QOS of jobs that name none is
// QDEF. Lists that slurmctld does not look at restrict no one.
func (w *writer) access() {
	lists := w.Rows("association.qos_list")
	if w.enforces("qos") && len(lists) > 0 {
		w.lists(lists)
	} else {
		for _, r := range lists {
			w.Exact(r.Span)
		}
		w.askedQOS()
	}
	for i := range w.Policy.Facts.Records {
		rec := &w.Policy.Facts.Records[i]
		if rec.Kind != "association" {
			continue
		}
		for _, a := range rec.Attrs {
			if a.Name == "DefaultQOS" {
				w.defaultQOS(rec.Name, a.Text, a.Span)
			}
		}
	}
}

// lists writes what each association may use in the end. An account below one with a list has that list
// too, which Maui's accounts do not get from each other.
func (w *writer) lists(rows []ir.TableRow) {
	own, above := map[string]ir.TableRow{}, map[string]string{}
	for _, r := range rows {
		own[r.Name] = r
	}
	var accounts []string
	for a := range draft.Associations(w.Policy) {
		if above[a.Key()] = a.Account; a.User == "" {
			above[a.Key()] = cmp.Or(a.Parent, "root")
			accounts = append(accounts, a.Account)
		}
	}
	for _, r := range rows {
		w.list(r, r.Name, usable(r.Name, own, above))
	}
	for _, account := range accounts {
		if _, has := own[account]; has {
			continue
		}
		at := account
		for range len(above) {
			if _, has := own[at]; has || at == "root" {
				break
			}
			at = above[at]
		}
		if r, has := own[at]; has && at != "root" {
			w.list(r, account, usable(at, own, above))
		}
	}
}

// usable is the list of an association: its own, which with + and - changes that of the one above.
func usable(key string, own map[string]ir.TableRow, above map[string]string) (list []string) {
	var changes [][]string // from the association upwards
	for range len(above) + 1 {
		words := own[key].Value.List
		if slices.ContainsFunc(words,
			func(q string) bool { return strings.HasPrefix(q, "+") || strings.HasPrefix(q, "-") }) {
			changes = append(changes, words)
		} else if len(words) > 0 {
			list = slices.Clone(words)
			break
		}
		if key == "root" {
			break
		}
		key = above[key]
	}
	for _, words := range slices.Backward(changes) {
		for _, word := range words {
			name := strings.TrimLeft(word, "+-")
			list = slices.DeleteFunc(list, func(have string) bool { return have == name })
			if name != "" && word[0] != '-' {
				list = append(list, name)
			}
		}
	}
	return list
}

// list writes a list for what Maui has in the place of an association.
func (w *writer) list(r ir.TableRow, association string, list []string) {
	family, name := w.credential(association)
	list = slices.DeleteFunc(list, func(qos string) bool {
		if !canList(qos) {
			w.Lacks("QOS "+qos+" in "+r.Source, r.Span, noName)
		}
		return !canList(qos)
	})
	text := strings.Join(list, ",")
	if family != "SYSCFG" {
		text += "^"
	}
	switch {
	case family == "":
		w.Because(r.Span, severalAccounts+"; USERCFG QLIST says it for one")
	case len(list) == 0:
		w.Because(r.Span, "no QOS is left, and a list of Maui's has at least one")
	case len(text) > maxList:
		w.Because(r.Span, "Maui reads 63 characters of a list")
	default:
		w.setIn(family, name, draft.Set("QLIST", text, r.Span))
		w.Near(r.Span, "Slurm refuses a job that asks for another QOS, Maui gives it the default",
			"%s becomes QLIST=%s of %s", r.Source, text, cmp.Or(name, "SYSCFG"))
	}
}

// severalAccounts is why a user's setting in one account has no place.
const severalAccounts = "Maui knows users and accounts, no user in several of them"

func (w *writer) defaultQOS(association, qos string, at source.Span) {
	family, name := w.credential(association)
	why := ""
	switch {
	case family == "":
		why = severalAccounts + "; USERCFG QDEF says it for one"
	case qos == "":
		why = "it names none"
	case !canList(qos):
		why = noName
	}
	if why != "" {
		w.Diags.Warnf("convert-not-said", at, "maui.cfg cannot say DefaultQOS of association %s", association).
			Note("%s", why)
		w.Taken[at] = true
		return
	}
	w.setIn(family, name, draft.Set("QDEF", qos, at))
	w.Near(at, "Maui gives the QOS also to a job that asks for one it may not have",
		"DefaultQOS of association %s becomes QDEF=%s", association, qos)
}

// askedQOS lets all who ask for a QOS have it: Maui gives one only where a QLIST lists it. The lists of what
// each job has add up, so that there is room for more than one of them holds.
func (w *writer) askedQOS() {
	var names []string
	var first source.Span
	for i := range w.Records {
		r := &w.Records[i]
		if r.Text("QLIST") != "" {
			return // the policy says who has which
		}
		if r.Kind == "QOSCFG" && r.Name != "DEFAULT" {
			if names == nil {
				first = r.Span
			}
			names = append(names, r.Name)
		}
	}
	if names == nil {
		return
	}
	for _, of := range [][2]string{
		{"SYSCFG", ""}, {"USERCFG", "DEFAULT"}, {"GROUPCFG", "DEFAULT"}, {"ACCOUNTCFG", "DEFAULT"},
	} {
		list := ""
		names = slices.DeleteFunc(names, func(name string) bool {
			longer := strings.TrimPrefix(list+","+name, ",")
			if len(longer) > maxList {
				return false
			}
			list = longer
			return true
		})
		if list != "" {
			w.setIn(of[0], of[1], draft.Set("QLIST", list, first))
		}
	}
	switch {
	case len(names) > 0:
		w.Diags.Warnf("convert-not-said", first, "maui.cfg cannot say that all jobs may have the QOS they ask for: "+
			"there is no room for %s", strings.Join(names, ", ")).
			Note("Maui cuts a list off after %d characters, and gives a job only a QOS that a list has: write "+
				"QLIST for the users of each", maxList)
	case w.Library != nil:
		w.Diags.Infof("convert-approximated", first, "all jobs may have the QOS that they ask for").
			Note("QLIST; Maui gives a job only a QOS that a list has, and knows no QOS of an association")
	}
}

// credential is what Maui has in the place of an association, "" if nothing is the same.
func (w *writer) credential(association string) (family, name string) {
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
	return slices.ContainsFunc(
		strings.Split(strings.ToLower(w.Word("AccountingStorageEnforce")), ","),
		func(s string) bool {
			s = strings.TrimSpace(s)
			return s == word || s == "all"
		},
	)
}
