package main

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/counterexample"
	"github.com/fairway-sched/fairway/runtime/program"
)

// example looks for jobs that the policy and what it became treat differently, and makes a finding of them.
func (f *convertFlags) example(in compiler.Input, out convert.Result) *diag.Diagnostic {
	before := compiler.Compile(in)
	after := compiler.Input{Options: lower.Options{Version: in.Version}}
	for _, part := range []struct {
		name string
		text []byte
	}{{"the " + f.to + " policy", out.Text}, {"its accounts", out.Accounts}} {
		if len(part.text) > 0 {
			after.Files = append(after.Files, source.NewFile(part.name, part.text))
		}
	}
	result := compiler.Compile(after)
	if before.Program == nil || result.Program == nil {
		return nil // findings say why
	}
	s := counterexample.Search{Programs: [2]*program.Program{before.Program, result.Program}, Names: namesOf(before.Policy, result.Policy), Seed: f.seed, Tries: f.tries}
	found, err := s.Find()
	var list diag.List
	switch {
	case err != nil:
		return list.Infof("convert-no-example", before.Policy.Span, "no counter-example was looked for: %v", err)
	case found == nil:
		return list.Infof("convert-no-example", before.Policy.Span, "%s showed no difference, which proves nothing", count(f.tries, "generated queue")).
			Note("--tries looks longer, --seed elsewhere")
	}
	d := list.Warnf("convert-counter-example", before.Policy.Span, "%s", found.What)
	for i := range found.Jobs {
		d.Note("%s", found.Jobs[i].String())
		d.Note("job %d under the first: %s; under the second: %s", found.Jobs[i].ID, found.Places[0][i], found.Places[1][i])
	}
	return d
}

// namesOf are the names that policies know.
func namesOf(policies ...*ir.Policy) (n counterexample.Names) {
	lists := map[string]*[]string{"user": &n.Users, "group": &n.Groups, "account": &n.Accounts, "qos": &n.QOS, "partition": &n.Partitions}
	add := func(object, name string) {
		if list := lists[object]; list != nil && name != "" && name != "DEFAULT" && name != "root" && !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, p := range policies {
		for i := range p.Tables {
			for _, r := range p.Tables[i].Rows {
				add(p.Tables[i].Column.Object(), r.Name)
			}
		}
		for i := range p.Limits {
			add(p.Limits[i].Object, p.Limits[i].Row)
		}
		for i := range p.Fairshare {
			for _, t := range p.Fairshare[i].Targets {
				add(t.Object, t.Name)
			}
			for _, a := range p.Fairshare[i].Associations {
				add("account", a.Account)
				add("user", a.User)
				if a.User != "" && a.User != "root" {
					n.Members = append(n.Members, [2]string{a.Account, a.User})
				}
			}
		}
	}
	for _, list := range lists {
		slices.Sort(*list)
	}
	return n
}
