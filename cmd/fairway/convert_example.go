package main

import (
	"bytes"

	"github.com/fairway-sched/fairway/cmd/vocabulary"
	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/counterexample"
	"github.com/fairway-sched/fairway/runtime/program"
)

// example is a queue that two policies treat differently, and how to see it.
type example struct {
	what     string
	snapshot []byte // in the native form
	file     string // where it is, or is to be saved
	saved    bool
	commands []string
	policy   string // what a policy that was printed is to be saved as; "" if it went to a file
}

// search looks for jobs that the policy and what it became treat differently, and adds a finding on them.
func (f *convertFlags) search(in compiler.Input, out convert.Result, list *conversion) error {
	before := compiler.Compile(in)
	var given []string
	for _, file := range in.Files {
		given = append(given, file.Name)
	}
	first := given[0]
	if first == "-" {
		first = "the policy on standard input"
	}
	after, names := f.converted(out)
	result := compiler.Compile(after)
	if before.Program == nil || result.Program == nil {
		list.looked = false
		d := list.info("convert-no-example", before.Policy.Span,
			"no counter-example was looked for: one of the policies cannot be evaluated")
		for _, x := range append(before.Diags, result.Diags...) {
			if x.Severity == diag.Error {
				d.Note("%s", x.Message)
			}
		}
		return nil
	}
	s := counterexample.Search{Programs: [2]*program.Program{before.Program, result.Program},
		Vocabulary: vocabulary.Of(before.Policy, result.Policy), Seed: f.seed, Tries: f.tries}
	found, looked, err := s.Find()
	if err != nil || found == nil {
		list.noExample(before.Policy.Span, [2]string{first, names[0]}, looked, err)
		return nil
	}
	var text bytes.Buffer
	if err := found.Write(&text); err != nil {
		return err
	}
	e := &example{file: orElse(f.example, "counter-example.json"), saved: f.example != "", snapshot: text.Bytes(),
		what: found.What(first, names[0])}
	if f.out == "" || f.out == "-" {
		e.policy = names[0]
	}
	for _, c := range []struct {
		in    compiler.Input
		names []string
	}{{in, given}, {after, names}} {
		argv := append([]string{"fairway", "eval"}, c.names...)
		e.commands = append(e.commands, shellText(append(append(argv, again(&c.in)...), "--snapshot", e.file)))
	}
	describe(list.warn("convert-counter-example", before.Policy.Span, "%s", e.what), found, first, names[0])
	list.example = e
	return nil
}

// converted is what the policy became, as it will be read, and the names under which it is or may be saved.
func (f *convertFlags) converted(out convert.Result) (in compiler.Input, names []string) {
	in = compiler.Input{Options: out.Read, Lang: ""}
	file := map[string]string{"maui": "maui.cfg", "slurm": "slurm.conf"}[f.to]
	for _, part := range []struct {
		name string
		lang lower.Lang
		text []byte
	}{{orElse(f.out, file), lower.Lang(f.to), out.Text}, {orElse(f.accounts, "assoc.cfg"), lower.Dump, out.Accounts},
		{f.rest, lower.HCL, out.Rest}} {
		if len(part.text) > 0 {
			in.Files = append(in.Files, source.NewFile(part.name, part.text))
			names = append(names, part.name)
		}
	}
	if len(names) == 1 && len(out.Text) == 0 && f.accounts == "" {
		names[0] = orElse(f.out, "assoc.cfg")
	}
	return in, names
}

// noExample says how far the search for a counter-example came that found none.
func (c *conversion) noExample(at source.Span, names [2]string, looked counterexample.Looked, err error) {
	const code = "convert-no-example"
	switch {
	case err != nil:
		c.looked = false
		c.info(code, at, "no counter-example was looked for: %v", err)
	case looked.Compared == 0:
		c.info(code, at, "nothing was compared: of %s in %s none belongs to a user that both policies know",
			count(looked.Jobs, "waiting job"), count(looked.Queues, "generated queue")).
			Note("%s refuses %d of the jobs and %s %d; give the accounts with their users, "+
				"or look at your own queue: fairway diff OLD NEW --snapshot S", names[0], looked.Refused[0], names[1],
				looked.Refused[1])
	default:
		c.info(code, at, "%s showed no difference in the %s that could be compared, which proves nothing",
			count(looked.Queues, "generated queue"), count(looked.Compared, "waiting job")).
			Note("--tries looks longer, --seed elsewhere; fairway diff OLD NEW --snapshot S looks at your own queue")
	}
}

// describe notes the jobs of a counter-example, the two that differ among them.
func describe(d *diag.Diagnostic, found *counterexample.Example, first, second string) {
	shown := 0
	for i := range found.Queue.Jobs {
		if i != found.Pair[0] && i != found.Pair[1] && shown >= 3 {
			continue
		}
		shown++
		j := &found.Queue.Jobs[i]
		d.Note("%s", j.String())
		d.Note("job %d under %s: %s; under %s: %s", j.ID, first, found.Places[0][i], second, found.Places[1][i])
	}
	if n := len(found.Queue.Jobs) - shown; n > 0 {
		d.Note("%s besides, as the snapshot shows", count(n, "job"))
	}
	for i := range found.Queue.Used {
		d.Note("%s", found.Queue.Used[i].String())
	}
}
