package sacctmgr

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
)

// Options say how the database treats names.
type Options struct {
	// PreserveCaseUser keeps the case of user names, as slurmdbd's Parameters
	// option of that name does. All other names are always lower case.
	PreserveCaseUser bool
}

// Evaluate reads the tree as `sacctmgr load` does. It reads on after a mistake.
func Evaluate(f *File, opt Options) (*Dump, diag.List) {
	e := &evaluator{
		opt: opt, dump: &Dump{}, ds: bounds.Findings(), parent: "root",
		accounts: map[string]int{}, users: map[[3]string]int{}, qosNames: map[string]int{},
	}
	if f.refused || IsScript(f.Source.Text) || IsTemplate(f.Source.Text) || IsTable(f.Source.Text) {
		return e.dump, nil // reported by Parse
	}
	e.ds.Resume(f.Source, f.kept)
	for _, l := range f.Lines {
		if l.Name.Text != "" {
			e.line(l)
		}
	}
	if e.dump.Cluster == "" {
		e.ds.Errorf("sacctmgr-cluster", f.Source.Span(0, 0), "the file names no cluster").
			Note("the first object after any QOS is: Cluster - 'name'")
	}
	e.dump.Associations = inTreeOrder(e.found)
	return e.dump, e.ds.List()
}

type evaluator struct {
	opt      Options
	dump     *Dump
	ds       *diag.Bounded
	found    []Association     // in file order
	accounts map[string]int    // account → index in found
	users    map[[3]string]int // account, user, partition → index in found
	qosNames map[string]int    // QOS → index in dump.QOS
	parent   string            // set by the last Parent line
}

// line reads one object. Names go into the database in lower case (sacctmgr
// manual), so that is how they are compared.
func (e *evaluator) line(l *Line) {
	object, name := ObjectOf(l), strings.ToLower(l.Name.Text)
	if e.dump.Cluster == "" && (object == "Parent" || object == "Account" || object == "User") {
		e.ds.Errorf("sacctmgr-cluster", l.Object.Span, "%s comes before the cluster", object).
			Note("the first object after any QOS is: Cluster - 'name'")
		e.dump.Cluster = "?" // say it once
	}
	switch object {
	case "Cluster":
		e.cluster(l, name)
	case "QOS":
		e.qos(l, name)
	case "Parent":
		if _, ok := e.accounts[name]; !ok && name != "root" {
			d := e.ds.Errorf("sacctmgr-unknown-parent", l.Name.Span, "the parent account %s has not been defined",
				name).
				Note("sacctmgr load reads from top to bottom; put the Account line of %s before this one", name)
			if d != nil && len(e.found) <= 4096 { // more take too long to compare
				d.DidYouMean(l.Name.Span, name, e.accountNames())
			}
		}
		e.parent = name
	case "Account":
		e.account(l, name)
	case "User":
		e.user(l, name)
	}
}

// cluster makes the root association: the options of the Cluster line are those
// of the account root, which every other account descends from.
func (e *evaluator) cluster(l *Line, name string) {
	if !e.dump.Span.IsZero() {
		e.ds.Errorf("sacctmgr-cluster", l.Object.Span, "a second cluster begins here").
			NoteAt(e.dump.Span, "a flat file describes one cluster; split the file")
		return
	}
	e.dump.Cluster, e.dump.Span = name, l.Name.Span
	a := Association{Account: "root", Span: l.Span, Settings: e.settings(l)}
	e.shares(&a)
	e.accounts["root"] = len(e.found)
	e.found = append(e.found, a)
}

func (e *evaluator) qos(l *Line, name string) {
	if i, ok := e.qosNames[name]; ok {
		e.ds.Warnf("sacctmgr-duplicate", l.Name.Span, "the QOS %s is defined twice", name).
			NoteAt(e.dump.QOS[i].Span, "it is defined here already; this line is ignored")
		return
	}
	e.qosNames[name] = len(e.dump.QOS)
	e.dump.QOS = append(e.dump.QOS, QOS{Name: name, Span: l.Name.Span, Settings: e.settings(l)})
}

// account adds an account below the last Parent, or below root when there was
// none. The flat-file loader creates accounts as it meets them, so a second line
// for the same name cannot move it.
func (e *evaluator) account(l *Line, name string) {
	a := Association{Account: name, Parent: e.parent, Span: l.Name.Span, Settings: e.settings(l)}
	if i, ok := e.accounts[name]; ok {
		e.ds.Errorf("sacctmgr-duplicate", l.Name.Span, "the account %s is defined twice", name).
			NoteAt(e.found[i].Span, "it is defined here already, below %s; an account has one place in the tree",
				e.found[i].Parent)
		return
	}
	e.shares(&a)
	e.accounts[name] = len(e.found)
	e.found = append(e.found, a)
}

// user adds a user's association with the account of the last Parent line. One
// user may have many: in several accounts, and for single partitions.
func (e *evaluator) user(l *Line, name string) {
	if e.opt.PreserveCaseUser {
		name = l.Name.Text
	}
	a := Association{Account: e.parent, User: name, Span: l.Name.Span, Settings: e.settings(l)}
	a.Partition = a.Text("Partition")
	e.shares(&a)
	key := [3]string{a.Account, a.User, a.Partition}
	if i, ok := e.users[key]; ok {
		e.ds.Warnf("sacctmgr-duplicate", l.Name.Span, "the user %s is defined twice below %s", name, e.parent).
			NoteAt(e.found[i].Span, "it is defined here already; this line is ignored")
		return
	}
	e.users[key] = len(e.found)
	e.found = append(e.found, a)
}

// useParentShares is how the database stores Fairshare=parent.
const useParentShares = 0x7fffffff

// shares takes the association's share of its parent; the loader's default is 1.
func (e *evaluator) shares(a *Association) {
	a.Shares = 1
	s, ok := a.Get("Fairshare")
	if !ok {
		return
	}
	a.Shares = s.Number
	if s.Number == useParentShares {
		a.Shares, a.ParentShares = 1, true
	}
}

func (e *evaluator) accountNames() (list []string) {
	for _, a := range e.found {
		if a.User == "" {
			list = append(list, a.Account)
		}
	}
	return list
}
