package convert

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// maxList is how much of a list Maui reads.
const maxList = 63

// mauiAccess: the QOS that an association may use are the QLIST of its user or account, which with ^ counts
// instead of all others, and root's that of SYSCFG, for all who have none; the QOS of jobs that name none is
// QDEF. Lists that slurmctld does not look at restrict nobody.
func (w *mauiWriter) mauiAccess() {
	lists := w.rows("association.qos_list")
	if w.enforces("qos") && len(lists) > 0 {
		w.mauiLists(lists)
	} else {
		for _, r := range lists {
			w.exact(r.Span)
		}
		w.askedQOS()
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

// mauiLists writes what each association may use in the end. An account below one with a list has that list
// too, which Maui's accounts do not get from each other.
func (w *mauiWriter) mauiLists(rows []ir.TableRow) {
	own, above := map[string]ir.TableRow{}, map[string]string{}
	for _, r := range rows {
		own[r.Name] = r
	}
	var accounts []string
	for a := range associations(w.policy) {
		if above[a.Key()] = a.Account; a.User == "" {
			above[a.Key()] = cmp.Or(a.Parent, "root")
			accounts = append(accounts, a.Account)
		}
	}
	for _, r := range rows {
		w.mauiList(r, r.Name, usable(r.Name, own, above))
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
			w.mauiList(r, account, usable(at, own, above))
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

// mauiList writes a list for what Maui has in the place of an association.
func (w *mauiWriter) mauiList(r ir.TableRow, association string, list []string) {
	family, name := w.mauiCredential(association)
	list = slices.DeleteFunc(list, func(qos string) bool {
		if !mauiCanList(qos) {
			w.lacks("QOS "+qos+" in "+r.Source, r.Span, mauiNames)
		}
		return !mauiCanList(qos)
	})
	text := strings.Join(list, ",")
	if family != "SYSCFG" {
		text += "^"
	}
	switch {
	case family == "":
		w.because(r.Span, severalAccounts+"; USERCFG QLIST says it for one")
	case len(list) == 0:
		w.because(r.Span, "no QOS is left, and a list of Maui's has at least one")
	case len(text) > maxList:
		w.because(r.Span, "Maui reads 63 characters of a list")
	default:
		w.setIn(family, name, setting{"QLIST", text, r.Span})
		w.near(r.Span, "Slurm refuses a job that asks for another QOS, Maui gives it the default",
			"%s becomes QLIST=%s of %s", r.Source, text, cmp.Or(name, "SYSCFG"))
	}
}

// severalAccounts is why a user's setting in one account has no place.
const severalAccounts = "Maui knows users and accounts, no user in several of them"

func (w *mauiWriter) mauiDefaultQOS(association, qos string, at source.Span) {
	family, name := w.mauiCredential(association)
	why := ""
	switch {
	case family == "":
		why = severalAccounts + "; USERCFG QDEF says it for one"
	case qos == "":
		why = "it names none"
	case !mauiCanList(qos):
		why = mauiNames
	}
	if why != "" {
		w.diags.Warnf("convert-not-said", at, "maui.cfg cannot say DefaultQOS of association %s", association).
			Note("%s", why)
		w.taken[at] = true
		return
	}
	w.setIn(family, name, setting{"QDEF", qos, at})
	w.near(at, "Maui gives the QOS also to a job that asks for one it may not have",
		"DefaultQOS of association %s becomes QDEF=%s", association, qos)
}

// askedQOS lets all who ask for a QOS have it: Maui gives one only to whom a QLIST lists it. The lists of what
// each job has add up, so that there is room for more than one of them holds.
func (w *mauiWriter) askedQOS() {
	var names []string
	var first source.Span
	for i := range w.records {
		r := &w.records[i]
		if r.text("QLIST") != "" {
			return // the policy says who has which
		}
		if r.kind == "QOSCFG" && r.name != "DEFAULT" {
			if names == nil {
				first = r.span
			}
			names = append(names, r.name)
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
			w.setIn(of[0], of[1], setting{"QLIST", list, first})
		}
	}
	switch {
	case len(names) > 0:
		w.diags.Warnf("convert-not-said", first, "maui.cfg cannot say that all jobs may have the QOS they ask for: "+
			"there is no room for %s", strings.Join(names, ", ")).
			Note("Maui cuts a list off after %d characters, and gives a job only a QOS that a list has: write "+
				"QLIST for the users of each", maxList)
	case w.library != nil:
		w.diags.Infof("convert-approximated", first, "all jobs may have the QOS that they ask for").
			Note("QLIST; Maui gives a job only a QOS that a list has, and knows no QOS of an association")
	}
}

// mauiCredential is what Maui has in the place of an association, "" if nothing is the same.
func (w *mauiWriter) mauiCredential(association string) (family, name string) {
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
func (w *mauiWriter) enforces(word string) bool {
	return slices.ContainsFunc(
		strings.Split(strings.ToLower(w.word("AccountingStorageEnforce")), ","),
		func(s string) bool {
			s = strings.TrimSpace(s)
			return s == word || s == "all"
		},
	)
}
