package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
)

// findMembers adds where the queue has its users: the account of most jobs first. Slurm takes names of accounts in
// any case.
func (w *writer) findMembers() {
	jobs := map[string]int{}
	key := func(m draft.Member) string { return strings.ToLower(m.Account) + "/" + m.User }
	for _, m := range w.Members {
		jobs[key(m)] += m.Jobs
	}
	list := slices.Clone(w.Members)
	slices.SortStableFunc(list, func(a, b draft.Member) int {
		return cmp.Or(cmp.Compare(jobs[key(b)], jobs[key(a)]), strings.Compare(key(a), key(b)))
	})
	for _, m := range list {
		home := m.Account + "/" + m.User
		known := func(old string) bool { return strings.EqualFold(old, home) }
		if canBeMember(m.Account) && canBeMember(m.User) && !slices.ContainsFunc(w.drawnHomes[m.User], known) {
			w.drawnHomes[m.User] = append(w.drawnHomes[m.User], home)
		}
	}
}

// canBeMember reports a name that an account or a user of Slurm can have.
func canBeMember(name string) bool {
	hidden := func(r rune) bool { return r == '/' || !unicode.IsPrint(r) }
	return canName(name) && utf8.ValidString(name) && !strings.ContainsFunc(name, hidden) &&
		!strings.EqualFold(name, "DEFAULT")
}

// memberNames are the users of the queue, each once.
func (w *writer) memberNames() (names []string) {
	for _, m := range w.Members {
		names = append(names, m.User)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// placeMembers gives each user of the queue an association in each of the user's accounts, and reports who has
// several accounts, who has none, and what no association can be called.
func (w *writer) placeMembers() {
	var several, none, odd []string
	var places [][2]string // associations, with the usual account of users that have several
	for _, user := range w.memberNames() {
		keys, known := w.homes(user)
		switch {
		case !canBeMember(user):
			odd = append(odd, user)
			continue
		case !known:
			none = append(none, user)
		case len(keys) > 1:
			several = append(several, user)
		}
		usual := ""
		if len(keys) > 1 {
			usual, _, _ = strings.Cut(keys[0], "/")
		}
		for _, key := range keys {
			places = append(places, [2]string{key, usual})
		}
	}
	slices.SortFunc(places, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	for _, p := range places {
		r := w.recordOf("association", p[0], draft.Setting{Span: w.Policy.Span})
		if p[1] != "" {
			r.Change(draft.Set("DefaultAccount", p[1], w.Policy.Span))
		}
	}
	for _, m := range w.Members {
		if m.Account != "" && !canBeMember(m.Account) {
			odd = append(odd, m.Account)
		}
	}
	slices.Sort(odd)
	odd = slices.Compact(odd)
	w.remark(several, "has jobs in several accounts", "have jobs in several accounts",
		"DefaultAccount is the one with most jobs; what the policy gives to a user counts in each of them")
	w.remark(none, "has no account", "have no account", "a user without an account is in the account "+w.usersAccount+
		": move the user to another one, such as that of the group")
	w.remark(odd, "cannot be written", "cannot be written", noName)
}

// remark reports users or accounts of the queue that need a look.
func (w *writer) remark(names []string, one, many, how string) {
	if len(names) == 0 {
		return
	}
	verb, shown := one, make([]string, len(names))
	if len(names) > 1 {
		verb = many
	}
	for i, name := range names {
		if shown[i] = name; !canBeMember(name) {
			shown[i] = fmt.Sprintf("%q", name)
		}
	}
	w.Diags.Infof("convert-incomplete", w.Policy.Span, "in the queue %s %s", draft.Few(shown), verb).Note("%s", how)
}

// membersByDefault adds what each user has who is not named to what the account has, for users of the queue: in
// Slurm the account's priority would count alone.
func (w *writer) membersByDefault(r ir.TableRow, users draft.Part, given map[string]float64) {
	named := map[string]bool{}
	for _, other := range w.Rows("user.priority") {
		named[other.Name] = true
	}
	for _, user := range w.memberNames() {
		keys, known := w.homes(user)
		for _, key := range keys {
			account, _, _ := strings.Cut(key, "/")
			points := given[strings.ToLower(account)]
			if !known || named[user] || points == 0 {
				continue
			}
			own := r
			own.Name = user
			w.prioritised("association", "Priority", key, own, users, users.Counted(r)*users.Weight+points, draft.MaxWeight)
		}
	}
	if len(given) > 0 {
		w.Near(r.Span, "a user who is not in the queue has the priority of the account instead, where "+w.From.Called+
			" adds the two", "%s becomes the priority of an association", cmp.Or(r.Source, r.Name))
	}
}
