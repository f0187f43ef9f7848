package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// maxList is how much of a list Maui reads.
const maxList = 63

// mauiAccess: the QOS that an association may use are the QLIST of its user or account, which with ^ counts instead of all
// others, and root's that of SYSCFG, for all who have none; the QOS of jobs that name none is QDEF. Lists that slurmctld does
// not look at restrict nobody.
func (w *writer) mauiAccess() {
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

// mauiLists writes what each association may use in the end. An account below one with a list has that list too, which
// Maui's accounts do not get from each other.
func (w *writer) mauiLists(rows []ir.TableRow) {
	own, above := map[string]ir.TableRow{}, map[string]string{}
	for _, r := range rows {
		own[r.Name] = r
	}
	var accounts []string
	for i := range w.policy.Fairshare {
		for k := range w.policy.Fairshare[i].Associations {
			a := &w.policy.Fairshare[i].Associations[k]
			if above[a.Key()] = a.Account; a.User == "" {
				above[a.Key()] = cmp.Or(a.Parent, "root")
				accounts = append(accounts, a.Account)
			}
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
		if slices.ContainsFunc(words, func(q string) bool { return strings.HasPrefix(q, "+") || strings.HasPrefix(q, "-") }) {
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
func (w *writer) mauiList(r ir.TableRow, association string, list []string) {
	family, name := w.mauiCredential(association)
	list = slices.DeleteFunc(list, func(qos string) bool {
		if !mauiCanList(qos) {
			w.lacks("QOS "+qos+" in "+r.Source, r.Span, mauiNames())
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
		w.near(r.Span, "Slurm refuses a job that asks for another QOS, Maui gives it the default", "%s becomes QLIST=%s of %s", r.Source, text, cmp.Or(name, "SYSCFG"))
	}
}

// severalAccounts is why a user's setting in one account has no place.
const severalAccounts = "Maui knows users and accounts, no user in several of them"

func (w *writer) mauiDefaultQOS(association, qos string, at source.Span) {
	family, name := w.mauiCredential(association)
	why := ""
	switch {
	case family == "":
		why = severalAccounts + "; USERCFG QDEF says it for one"
	case qos == "":
		why = "it names none"
	case !mauiCanList(qos):
		why = mauiNames()
	}
	if why != "" {
		w.diags.Warnf("convert-not-said", at, "maui.cfg cannot say DefaultQOS of association %s", association).Note("%s", why)
		w.taken[at] = true
		return
	}
	w.setIn(family, name, setting{"QDEF", qos, at})
	w.near(at, "Maui gives the QOS also to a job that asks for one it may not have", "DefaultQOS of association %s becomes QDEF=%s", association, qos)
}

// askedQOS lets all who ask for a QOS have it: Maui gives one only to whom a QLIST lists it. The lists of what each job
// has add up, so that there is room for more than one of them holds.
func (w *writer) askedQOS() {
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
	for _, of := range []struct{ family, name string }{{"SYSCFG", ""}, {"USERCFG", "DEFAULT"}, {"GROUPCFG", "DEFAULT"}, {"ACCOUNTCFG", "DEFAULT"}} {
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
			w.setIn(of.family, of.name, setting{"QLIST", list, first})
		}
	}
	switch {
	case len(names) > 0:
		w.diags.Warnf("convert-not-said", first, "maui.cfg cannot say that all jobs may have the QOS they ask for: there is no room for %s", strings.Join(names, ", ")).
			Note("Maui cuts a list off after %d characters, and gives a job only a QOS that a list has: write QLIST for the users of each", maxList)
	case w.library != nil:
		w.diags.Infof("convert-approximated", first, "all jobs may have the QOS that they ask for").
			Note("QLIST; Maui gives a job only a QOS that a list has, and knows no QOS of an association")
	}
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

// slurmQOSList is what an association of Slurm may use, gathered of lists and defaults.
type slurmQOSList struct {
	association string
	names       []string
	alone       bool // it counts instead of what is above
	span        source.Span
}

// slurmAccess: the QLIST of users and accounts adds to what the association has from above, with ^ it counts instead; those of
// the system and of all users are root's. Each has QOS normal too, which jobs get that name none, as the default of Maui.
// sacctmgr load takes such lists, and defaults, of QOS that are there.
func (w *writer) slurmAccess() {
	lists, order, listed := map[string]*slurmQOSList{}, []string{}, false
	of := func(key string, at source.Span) *slurmQOSList {
		folded := strings.ToLower(key)
		if lists[folded] == nil {
			lists[folded] = &slurmQOSList{association: key, span: at}
			order = append(order, folded)
		}
		return lists[folded]
	}
	rows := w.accessRows("qos_list")
	said := slices.DeleteFunc(slices.Clone(rows), func(r accessRow) bool { return !w.slurmList(r) })
	whole := len(said) == len(rows) && !w.listsElsewhere()
	defaults := w.accountDefaults()
	for _, r := range said {
		listed = true
		text := strings.Join(r.Value.List, ",")
		l := of(r.association, r.Span)
		if l.association != r.association {
			w.because(r.Span, fmt.Sprintf("Slurm takes names in any case, and line %d has the list of this one", l.span.Position().Line))
			continue
		}
		l.alone = l.alone || strings.HasSuffix(text, "^")
		l.names = append(l.names, strings.Split(strings.TrimRight(text, "^"), ",")...)
		how := "slurmctld refuses a job that asks for another QOS, Maui gives it the default"
		if !whole {
			how = "not all lists of QOS can be said, so that slurmctld is not told to look at them, with AccountingStorageEnforce=qos, and gives a job the QOS it asks for"
		}
		also := func(text string) { how += "; " + text }
		switch {
		case r.object != "cluster" && r.Name == "DEFAULT" && len(rows) > 1:
			also("in Slurm users with a list of their own have these too")
		case r.object == "account" && l.alone && len(rows) > 1:
			also("in Slurm users with a list of their own have that too, in Maui not")
		case r.object == "user" && l.alone && len(defaults) > 0 && w.moved(r.association) != "":
			also("where the account that the user is in has a DefaultQOS, add that to the list")
		}
		w.near(r.Span, how+w.moved(r.association), "%s becomes the list of QOS of %s", r.Source, called(r.association))
	}
	for _, r := range w.accessRows("qos_default") {
		if !w.slurmQOSName(r.Value.Str, r.Span) || w.isRoot(r.Name, r.Span) && r.object == "account" {
			continue
		}
		w.setSlurm("association", r.association, setting{"DefaultQOS", r.Value.Str, r.Span})
		w.near(r.Span, "Slurm takes it for jobs that name none, Maui also for those that ask for one they may not have"+w.moved(r.association),
			"%s becomes DefaultQOS=%s of %s", r.Source, r.Value.Str, called(r.association))
		if l := of(r.association, r.Span); !slices.Contains(l.names, r.Value.Str) {
			l.names = append(l.names, r.Value.Str)
		}
	}
	if !listed {
		return // slurmctld looks at no list
	}
	of("root", w.policy.Span)
	w.slurmRecord("QOS", "normal", setting{}) // which each database has
	usual := []string{"normal"}
	if r := w.slurmRecord("association", "root", setting{}); r.text("DefaultQOS") != "" {
		usual = append(usual, r.text("DefaultQOS"))
	}
	for _, key := range order {
		l, before := lists[key], "+"
		if l.alone || key == "root" {
			before, l.names = "", append(slices.Clone(usual), l.names...)
			if account, _, user := strings.Cut(key, "/"); user {
				l.names = append(l.names, w.defaultAbove(account, defaults)...)
			}
		}
		var words []string
		for _, name := range l.names {
			if !slices.ContainsFunc(words, func(old string) bool { return strings.EqualFold(old, before+name) }) {
				words = append(words, before+name)
			}
		}
		w.setSlurm("association", l.association, setting{"QOS", strings.Join(words, ","), l.span})
	}
	if !whole {
		return
	}
	words := "qos"
	for _, s := range w.set {
		if s.name == "AccountingStorageEnforce" {
			words = s.text + ",qos"
		}
	}
	w.say("AccountingStorageEnforce", words)
	if !w.hasRecord("Account", "") {
		w.association(w.usersAccount, "", "", "root", setting{span: lists[order[0]].span})
	}
	w.diags.Infof("convert-approximated", w.policy.Span, "lists of QOS count with AccountingStorageEnforce=qos alone").
		Note("slurmctld then refuses jobs that ask for a QOS which no list gives them, where Maui gives the default, and the jobs of users without an association: load one for each, with sacctmgr")
}

// accountDefaults are the QOS that jobs of accounts get which name none, by the accounts' names in small letters.
func (w *writer) accountDefaults() map[string]string {
	defaults := map[string]string{}
	for _, r := range w.rows("account.qos_default") {
		if r.Name != "DEFAULT" && slurmCanName(r.Value.Str) {
			defaults[strings.ToLower(r.Name)] = r.Value.Str
		}
	}
	return defaults
}

// defaultAbove is the default of an account, or of the nearest above it that has one, if any has.
func (w *writer) defaultAbove(account string, defaults map[string]string) []string {
	above := map[string]string{}
	for i := range w.policy.Fairshare {
		for _, a := range w.policy.Fairshare[i].Associations {
			if a.User == "" {
				above[strings.ToLower(a.Account)] = strings.ToLower(a.Parent)
			}
		}
	}
	for range len(above) + 1 {
		if name := defaults[account]; name != "" {
			return []string{name}
		}
		account = above[account]
	}
	return nil
}

// accessRow is what a credential may use, and Slurm's association in its place.
type accessRow struct {
	ir.TableRow
	object, association string
}

// accessRows are those of what is an association of Slurm.
func (w *writer) accessRows(column string) (list []accessRow) {
	for _, object := range []string{"user", "account", "cluster"} {
		for _, r := range w.rows(schema.ColumnID(object + "." + column)) {
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

// slurmList reports a list that an association can have.
func (w *writer) slurmList(r accessRow) bool {
	text := strings.Join(r.Value.List, ",")
	if strings.HasSuffix(text, "&") {
		w.because(r.Span, "Slurm adds to a list and takes from it, and has no QOS that both lists must have; work out what is left, and set it with qos=")
		return false
	}
	for name := range strings.SplitSeq(strings.TrimRight(text, "^"), ",") {
		if !w.slurmQOSName(name, r.Span) {
			return false
		}
	}
	return r.object != "account" || !w.isRoot(r.Name, r.Span)
}

// slurmQOSName sees that a QOS is there.
func (w *writer) slurmQOSName(name string, at source.Span) bool {
	if !slurmCanName(name) || strings.ContainsAny(name[:1], "+-") {
		w.because(at, "no QOS of Slurm can have such a name; give it another name first")
		return false
	}
	w.slurmRecord("QOS", name, setting{span: at})
	return true
}

// listsElsewhere reports lists of what is no association.
func (w *writer) listsElsewhere() bool {
	return len(w.rows("group.qos_list"))+len(w.rows("partition.qos_list")) > 0
}

// moved says of a user's association where it belongs.
func (w *writer) moved(association string) string {
	if !strings.HasPrefix(association, w.usersAccount+"/") {
		return ""
	}
	return "; which accounts users are in is no part of the policy: move them from the account " + w.usersAccount
}

// called is an association in a sentence.
func called(key string) string {
	if key == "root" {
		return "the account root"
	}
	return "the association " + key
}
