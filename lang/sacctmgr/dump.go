package sacctmgr

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// Dump is what a flat file says about one cluster.
type Dump struct {
	Cluster string
	Span    source.Span // of the cluster's name
	QOS     []QOS
	// in the order of sshare: the root first, below each account its users, then its accounts, both by name
	Associations []Association
}

// Setting is one option with the place that set it. Which field holds the
// value depends on the option: Number for counts and minutes (seconds for
// GraceTime and PreemptExemptTime), Decimal for factors, Names for lists, TRES
// for TRES limits; Text is always there.
type Setting struct {
	Name    string // the option's full name as dumps have it today
	Text    string
	Span    source.Span
	Number  int64 // slurmtext.Infinite for UNLIMITED; -1 clears a limit
	Decimal float64
	Names   []string
	TRES    slurmtext.TRESList
	Add     bool // written with +=: added to what the parent or database has
	Remove  bool // written with -=
}

// Settings are the options of one line, each once.
type Settings []Setting

// Get finds an option by its full name.
func (s Settings) Get(name string) (Setting, bool) {
	for _, x := range s {
		if x.Name == name {
			return x, true
		}
	}
	return Setting{}, false
}

// Text is an option's text, or "".
func (s Settings) Text(name string) string {
	x, _ := s.Get(name)
	return x.Text
}

// QOS is one quality of service. Its options keep their dump names:
// Priority, UsageFactor, Flags, GrpTRES, MaxJobsPU …
type QOS struct {
	Name string
	Span source.Span
	Settings
}

// Association is one node of the account tree: an account when User is "",
// else a user's association. Limits, Priority, QOS and DefaultQOS are in its
// Settings; what it lacks it inherits from its parent in Slurm.
type Association struct {
	Account   string
	User      string
	Partition string // "" is every partition
	Parent    string // the parent account of an account; "" for the root and for users
	Depth     int    // 0 for the root
	Span      source.Span
	Settings

	Shares       int64 // 1 when nothing is written
	ParentShares bool  // Fairshare=parent: uses the parent's share
}

// limitNames are the options that limit something.
func isLimit(name string) bool {
	return slices.ContainsFunc([]string{"Grp", "Max", "Min"}, func(prefix string) bool {
		return len(name) > len(prefix) && name[:len(prefix)] == prefix
	})
}

// Limits are the settings that limit something: Grp…, Max… and Min….
func (s Settings) Limits() (limits Settings) {
	for _, x := range s {
		if isLimit(x.Name) {
			limits = append(limits, x)
		}
	}
	return limits
}

// inTreeOrder sorts associations as sshare and the scheduler walk them: each
// account before what is below it, users before accounts, both by name; one
// user's partitions keep the order of the file. The order decides ties in Fair
// Tree. Associations whose account is not in the
// file come last, in file order.
func inTreeOrder(found []Association) []Association {
	children := map[string][]int{}
	for i, a := range found {
		switch {
		case a.User != "":
			children[a.Account] = append(children[a.Account], i)
		case a.Parent != "":
			children[a.Parent] = append(children[a.Parent], i)
		}
	}
	for _, list := range children {
		slices.SortStableFunc(list, func(i, j int) int {
			a, b := found[i], found[j]
			if (a.User != "") != (b.User != "") {
				return cmp.Compare(b.User, a.User) // a user's name is not empty
			}
			return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Account, b.Account))
		})
	}
	var out []Association
	taken := make([]bool, len(found))
	var walk func(i, depth int)
	walk = func(i, depth int) {
		if taken[i] {
			return
		}
		taken[i] = true
		a := found[i]
		a.Depth = depth
		out = append(out, a)
		if a.User == "" {
			for _, child := range children[a.Account] {
				walk(child, depth+1)
			}
		}
	}
	for i, a := range found {
		if a.User == "" && a.Parent == "" {
			walk(i, 0)
		}
	}
	for i := range found {
		walk(i, 1)
	}
	return out
}
