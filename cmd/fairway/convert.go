package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	pol  policyFlags
	snap snapshotFlags

	to, out, accounts, rest, example string
	seed                             uint64
	tries                            int
	outputs                          []string
	strict, all                      bool
}

func newConvert() *cobra.Command {
	f := &convertFlags{}
	cmd := &cobra.Command{
		Use:  "convert POLICY... --to LANGUAGE",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error { return f.run(files) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "", "language to write: "+strings.Join(targets(), ", "))
	flags.StringVar(&f.out, "out", "", "file to write to (default: standard output)")
	flags.StringVar(&f.accounts, "accounts", "", "file for the accounts that go with a slurm.conf")
	flags.StringVar(&f.rest, "rest", "", "file for a policy of what slurm.conf cannot say, which push hands to Slurm")
	flags.StringVar(&f.example, "example", "",
		"file for the snapshot of a queue that both policies treat differently; if none is found, an old one is removed")
	flags.IntVar(&f.tries, "tries", 500,
		"where results can differ, generate so many queues, of a policy with thousands of limits fewer, to find jobs for "+
			"which they do; 0 does not look")
	flags.Uint64Var(&f.seed, "seed", 1, "where that search begins")
	flags.BoolVar(&f.strict, "strict", false,
		"exit code 1 also if something is only approximated, is left out, or needs completing")
	flags.BoolVar(&f.all, "all", false, "show each finding, also where many differ only in names or numbers")
	flags.StringArrayVarP(&f.outputs, "output", "o", nil,
		"how the list is written: text or json, or json=PATH for a file beside the text (default text)")
	flags.StringVar(&f.pol.lang, "lang", "",
		"language of the policy files: hcl, maui, slurm or sacctmgr (default: by content)")
	flags.StringVar(&f.pol.semantics, "semantics", "",
		"observed: as the real scheduler behaves; documented: as its manual says (default observed)")
	flags.StringVar(&f.pol.slurmVersion, "slurm-version", "", versionUsage)
	flags.StringSliceVar(&f.pol.deviations, "deviation", nil,
		"follow the manual in one point, by name or number; see fairway doc deviations")
	f.pol.addParam(flags)
	f.snap.add(cmd, false)
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

func (f *convertFlags) run(files []string) error {
	lists, err := convertLists(f.outputs)
	if err != nil {
		return err
	}
	if !slices.Contains(targets(), f.to) {
		return failf(exitUsage, "--to is one of %s, not %q", strings.Join(targets(), ", "), f.to)
	}
	if f.tries < 0 {
		return failf(exitUsage, "--tries is a number of queues, not %d", f.tries)
	}
	if f.rest == "-" {
		return failf(exitUsage, "--rest wants the name of a file: the slurm.conf says where the policy is")
	}
	if f.rest != "" && lower.Lang(f.to) == lower.Maui {
		return failf(exitUsage, "--rest goes with --to slurm: setspri adds nothing to the priority that Maui computes, and "+
			"so push hands Maui the order of a whole policy; push the policy itself: fairway push %s --live --to maui",
			strings.Join(files, " "))
	}
	if f.rest != "" && lower.Lang(f.to) != lower.Slurm {
		return failf(exitUsage, "--rest goes with --to slurm: it is what slurm.conf cannot say")
	}
	if len(f.snap.paths) > 0 && lower.Lang(f.to) != lower.Slurm {
		return failf(exitUsage, "--snapshot goes with --to slurm: it places the users of the queue in accounts")
	}
	d, read := &disk{}, reads{} // the files, and those that they include
	f.pol.note = read.note
	if files, err = policyFiles(files, read.note); err != nil {
		return err
	}
	in, err := f.pol.input(d, files, nil)
	if err != nil {
		return err
	}
	members, err := f.members(d)
	if err != nil {
		return err
	}
	var units []lower.Unit
	var diags diag.List
	for _, file := range in.Files {
		u, found := lower.Parse(file, in.Lang, in.Include)
		units, diags = append(units, u), append(diags, found...)
	}
	if err := f.separate(lists, read); err != nil {
		return err
	}
	if diags.HasErrors() {
		return complain(diags)
	}
	result, found := convert.With(lower.Lang(f.to), units, in.Options, convert.Beside{Members: members, Rest: f.rest})
	f.pol.sayRelease(found)
	list := newConversion(append(found, emptyFiles(diags)...))
	list.all = f.all
	if list.refused() {
		reports, err := list.files(lists)
		if err == nil {
			err = writeTogether(reports)
		}
		if err != nil {
			return err
		}
		return list.report(lists, f.strict)
	}
	if len(result.Accounts) > 0 && f.accounts == "" && len(result.Text) > 0 {
		return failf(exitUsage, "the accounts and QOS of this policy go into a file of their own: say where with "+
			"--accounts FILE")
	}
	list.looked = f.tries > 0 // where nothing differs there is none
	if f.tries > 0 && list.differs() {
		if err := f.search(in, result, list); err != nil {
			return err
		}
	}
	if err := f.write(result, list, lists); err != nil {
		return err
	}
	return list.report(lists, f.strict)
}

// separate sees that no file is written over one that is read, or over another that is written.
func (f *convertFlags) separate(lists []convertList, read reads) error {
	outputs := []use{{what: "--out", path: f.out}, {what: "--accounts", path: f.accounts},
		{what: "--rest", path: f.rest},
		{what: "--example", path: f.example}}
	for _, l := range lists {
		outputs = append(outputs, use{what: "-o " + l.form, path: l.path})
	}
	return nothingWritten(outputs, slices.Concat(read.uses(), f.snap.uses()))
}

// members are the users of the queue in their accounts.
func (f *convertFlags) members(d *disk) (list []convert.Member, err error) {
	if len(f.snap.paths) == 0 {
		return nil, nil
	}
	snap, _, err := f.snap.read(d)
	if err != nil {
		return nil, err
	}
	if snap.Jobs == nil {
		return nil, failf(exitUnreadable, "the snapshot has no jobs, so no users to place in accounts")
	}
	users, accounts := snap.Jobs.Column("job.user"), snap.Jobs.Column("job.account")
	at := map[[2]string]int{}
	for row := range snap.Jobs.Rows {
		m := convert.Member{User: wordAt(users, row), Account: wordAt(accounts, row), Jobs: 1}
		if m.User == "" {
			continue
		}
		key := [2]string{m.Account, m.User}
		if i, known := at[key]; known {
			list[i].Jobs++
			continue
		}
		at[key] = len(list)
		list = append(list, m)
	}
	return list, nil
}

// wordAt is a text of a job, "" if the snapshot has none.
func wordAt(c *column.Column, row int) string {
	if c == nil {
		return ""
	}
	return c.Value(row).Str
}

// write writes all files or none.
func (f *convertFlags) write(out convert.Result, list *conversion, lists []convertList) error {
	var files []written
	if len(out.Accounts) > 0 && len(out.Text) > 0 {
		files = append(files, written{path: f.accounts, text: out.Accounts})
	} else if f.accounts != "" && len(out.Accounts) > 0 {
		files, out.Accounts = append(files, written{path: f.accounts, text: out.Accounts}), nil
	} else if f.accounts != "" {
		list.say("the policy has no accounts, so %s was not written", f.accounts)
	}
	switch {
	case len(out.Text) > 0:
		files = append(files, written{path: f.out, text: out.Text})
	case len(out.Accounts) > 0: // of accounts alone
		files = append(files, written{path: f.out, text: out.Accounts})
	case f.out != "":
		list.say("the policy has nothing but accounts, so %s was not written", f.out)
	}
	if len(out.Rest) > 0 {
		files = append(files, written{path: f.rest, text: out.Rest})
	} else if f.rest != "" {
		list.say("there is nothing to push, so %s was not written", f.rest)
		if isRegular(f.rest) {
			list.say("the %s that is there is of another run: remove it before the next push", f.rest)
		}
	}
	if f.example != "" && list.example != nil {
		files = append(files, written{path: f.example, text: list.example.snapshot})
	}
	missing := f.example != "" && list.example == nil
	if missing && list.looked && !isSnapshot(f.example) {
		return failf(exitUsage, "--example %s is there and is no snapshot; no counter-example was found, and nothing was "+
			"written: remove the file, or give another name", f.example)
	}
	reports, err := list.files(lists)
	if err != nil {
		return err
	}
	if err := writeTogether(append(files, reports...)); err != nil || !missing {
		return err
	}
	if !list.looked {
		list.say("no counter-example was looked for, so %s is as it was", f.example)
		return nil
	}
	// A queue of another run would pass for one that these two policies treat differently.
	removed, err := remove(f.example)
	if removed {
		list.say("no counter-example was found, so %s was not written, and the one that was there is removed", f.example)
	} else if err == nil {
		list.say("no counter-example was found, so %s was not written", f.example)
	}
	return err
}

// isSnapshot reports a file that can be of an earlier run: a queue, or none at all.
func isSnapshot(path string) bool {
	if !isRegular(path) {
		return true
	}
	text, err := readRegular(path, mostSourceBytes)
	if err != nil || len(text) == 0 {
		return err == nil
	}
	_, found, err := snapshot.Read(snapshot.Texts{path: text}, []string{path}, snapshot.Options{})
	return err == nil && !found.HasErrors()
}

func targets() (names []string) {
	for _, t := range convert.Targets {
		names = append(names, string(t))
	}
	return names
}

// again are the flags with which a policy is read as it was.
func again(in *compiler.Input) (flags []string) {
	if in.Lang != "" {
		flags = append(flags, "--lang", string(in.Lang))
	}
	if in.Semantics != "" {
		flags = append(flags, "--semantics", in.Semantics)
	}
	if in.Version != "" {
		flags = append(flags, "--slurm-version", in.Version)
	}
	for _, d := range in.Deviations {
		flags = append(flags, "--deviation", d)
	}
	for _, p := range in.Params {
		flags = append(flags, "--param", p.Name+"="+p.Value)
	}
	return flags
}

// orElse is a name, or another where there is none.
func orElse(name, other string) string {
	if name == "" || name == "-" {
		return other
	}
	return name
}

// printed says that a file is to be made of what went to standard output.
func printed(name string) string { return fmt.Sprintf("with what was printed saved as %s", name) }
