package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/impact"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// diffFlags are the flags of diff besides those about policies.
type diffFlags struct {
	pol  policyFlags
	snap snapshotFlags
	iter iterationFlags

	oldFiles     []string
	newFiles     []string
	with         []string
	newVersion   string
	newSemantics string
	newParams    []string
	outputs      []string
	exitCode     bool
	noPlan       bool
	procsText    string
	procs        int64 // 0: the snapshot's nodes
	failIf       []string

	filter       jobFilter
	given        func(flag string) bool
	shown, short *impact.Comparison
	planned      [2]*plan.Plan // of the two policies; nil where nothing is planned
}

func newDiff() *cobra.Command {
	f := &diffFlags{iter: iterationFlags{readOnly: true}}
	cmd := &cobra.Command{
		Use:  "diff OLD NEW",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if cmd.Flags().Changed("procs") {
				if f.procs, err = parseProcs(f.procsText); err != nil {
					return err
				}
			}
			f.given = cmd.Flags().Changed
			return f.run(args[0], args[1])
		},
	}
	f.pol.add(cmd)
	f.snap.add(cmd, false)
	f.snap.addPass(cmd)
	_ = cmd.Flags().MarkHidden("dump") // of eval
	flags := cmd.Flags()
	flags.StringArrayVar(&f.with, "with", nil, "a further policy file of both sides; may repeat")
	flags.StringVar(&f.newVersion, "new-slurm-version", "", "Slurm version of NEW (default: as of OLD)")
	flags.StringVar(&f.newSemantics, "new-semantics", "", "semantics of NEW: observed or documented (default: as of OLD)")
	flags.StringArrayVar(&f.newParams, "new-param", nil,
		"set a parameter of NEW alone: NAME=VALUE, as --param; may repeat")
	flags.StringArrayVarP(&f.outputs, "output", "o", nil,
		"FORMAT or FORMAT=PATH, may repeat: text, json, html, markdown (default text)")
	flags.BoolVar(&f.exitCode, "exit-code", false, "exit with 2 if a difference can change a result, or the queue changes")
	flags.StringArrayVar(&f.failIf, "fail-if", nil,
		"exit with 1 if this CEL condition on the summary's numbers holds, such as 'moved > 0.05'; may repeat")
	flags.StringVar(&f.iter.state, "state", "",
		"what the last evaluation with this --state left, for both policies; it is read only")
	flags.StringVar(&f.iter.dir, "state-dir", "", "the same of a folder that eval, push and usage keep")
	flags.StringVar(&f.iter.fairshare, "fairshare", "computed",
		"Slurm: computed from shares and usage where these are known, or as recorded by sshare: computed or recorded")
	flags.BoolVar(&f.noPlan, "no-plan", false, "do not compare when jobs start")
	flags.StringVar(&f.procsText, "procs", "",
		"compare when jobs start on a machine of `N` processors instead of the snapshot's nodes, as plan --procs does")
	f.filter.add(cmd, 20, "show only the first N rows of each table of text and markdown, and, if it is given, of each "+
		"list of jobs "+
		"in other formats; 0 shows all")
	completeWords(cmd, "fairshare", "computed", "recorded")
	completeWords(cmd, "output", "text", "json", "html", "markdown")
	return cmd
}

// check finds what flags do not go together.
func (f *diffFlags) check() error {
	if f.pol.dump != "" {
		return failf(exitUsage, "--dump is of eval: fairway eval POLICY --dump=%s", f.pol.dump)
	}
	if len(f.snap.paths) == 0 && (f.filter.chooses() || f.filter.sort != "") {
		return failf(exitUsage, "which jobs to show is asked of a queue, which --snapshot gives")
	}
	if f.iter.fairshare != "computed" && f.iter.fairshare != "recorded" {
		return failf(exitUsage, "--fairshare is computed or recorded, not %q", f.iter.fairshare)
	}
	if f.procs > 0 && (f.noPlan || len(f.snap.paths) == 0) {
		return failf(exitUsage, "--procs is for comparing when the jobs of --snapshot start, which --no-plan leaves out")
	}
	if f.iter.keeps() && len(f.snap.paths) == 0 {
		return failf(exitUsage, "--state is for evaluations of a queue, which --snapshot gives")
	}
	return nil
}

func (f *diffFlags) run(before, after string) error {
	var err error
	if f.oldFiles, err = f.snap.withCaptures(filesOf(before)); err != nil {
		return err
	}
	if f.newFiles, err = f.snap.withCaptures(filesOf(after)); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	if err := f.filter.check(f.given); err != nil {
		return err
	}
	targets, err := targetsOf(f.outputs, "text", func(name string) (func(io.Writer, *diffed) error, error) {
		if write := diffFormats[name]; write != nil {
			return write, nil
		}
		return nil, failf(exitUsage, "-o is text, json, html or markdown, not %q", name)
	})
	if err != nil {
		return err
	}
	limits, err := f.thresholds()
	if err != nil {
		return err
	}
	d := &disk{}
	var policies reads
	f.pol.note, f.pol.filter = policies.note, &f.filter
	var s *snapshot.Snapshot
	var read diag.List
	if len(f.snap.paths) > 0 {
		if f.snap.usage, err = f.iter.enter("diff"); err != nil {
			return err
		}
		if s, read, err = f.snap.read(d); err != nil {
			return err
		}
	}
	x, y, err := f.compile(d, s)
	if err != nil {
		return err
	}
	r := &diffed{policies: diff.Policies(diff.Weights(x.Policy, x.Policy, y.Policy),
		diff.Weights(y.Policy, x.Policy, y.Policy)), limit: f.filter.limit, old: before, new: after}
	if s != nil {
		if r.queue, err = f.onQueue(d, s, read, x, y); err != nil {
			return err
		}
		r.shown, r.short, r.before, r.after = f.shown, f.short, f.planned[0], f.planned[1]
	}
	if err := nothingWritten(writtenTo(targets), slices.Concat(policies.uses(), f.snap.uses(), f.iter.uses())); err != nil {
		return err
	}
	for _, t := range targets {
		r.width = terminalWidth(t.path)
		if err := writeOutput(t.path, func(w io.Writer) error { return t.format(w, r) }); err != nil {
			return err
		}
	}
	if err := r.exceeded(limits); err != nil {
		return err
	}
	if f.exitCode && (r.policies.Effective() > 0 || r.queue != nil && !r.queue.Same()) {
		return &exitError{code: exitDifferences}
	}
	return nil
}

// compile makes both policies. The new one is read as the old one is, but for what its own flags say.
func (f *diffFlags) compile(d *disk, s *snapshot.Snapshot) (x, y *compiler.Output, err error) {
	old := side{&f.pol, append(f.oldFiles, f.with...)}
	if x, err = old.compile(d, s); err != nil {
		return nil, nil, err
	}
	pol := f.pol
	if f.newVersion != "" {
		pol.slurmVersion = f.newVersion
	}
	if f.newSemantics != "" {
		pol.semantics = f.newSemantics
	}
	pol.params = slices.Concat(pol.params, f.newParams)
	changed := side{&pol, append(f.newFiles, f.with...)}
	if y, err = changed.compile(d, s); err != nil || f.newVersion != "" {
		return x, y, err
	}
	// Where the releases had to be found out, one is taken that both accept: an upgrade is no change of the files.
	switch {
	case slurmconf.Older(x.Policy.Version, y.Policy.Version):
		y = changed.likely(d, s, x, y)
	case slurmconf.Older(y.Policy.Version, x.Policy.Version):
		x = old.likely(d, s, y, x)
	}
	return x, y, nil
}

// side is one of the two policies.
type side struct {
	pol   *policyFlags
	files []string
}

func (p side) compile(d *disk, s *snapshot.Snapshot) (*compiler.Output, error) {
	return p.pol.compile(d, p.files, s)
}

// likely reads a policy that states no release as that of the other; it stays as it is where that is wrong.
func (p side) likely(d *disk, s *snapshot.Snapshot, other, own *compiler.Output) *compiler.Output {
	if other.Policy.Family != "slurm" || own.Policy.Family != "slurm" {
		return own
	}
	pol := *p.pol
	pol.likely, pol.quiet = other.Policy.Version, true
	if out, err := pol.compile(d, p.files, s); err == nil {
		return out
	}
	return own
}

// filesOf are the files of one side: a list with commas, or one file that has a comma in its name.
func filesOf(side string) []string {
	if side == "-" || exists(side) {
		return []string{side}
	}
	return strings.Split(side, ",")
}

// diffFormats are how a difference is written.
var diffFormats = map[string]func(io.Writer, *diffed) error{
	"text": writeDiffText, "json": writeDiffJSON, "html": writeDiffHTML, "markdown": writeDiffMarkdown,
}

// threshold is a --fail-if.
type threshold struct {
	text string
	*celexpr.Threshold
}

// numbers are what conditions may ask for: how many settings differ, and with a snapshot its summary.
func (r *diffed) numbers() map[string]schema.Value {
	out := map[string]schema.Value{}
	if r.queue != nil {
		out = r.queue.Summary.Values()
	}
	differences := 0
	if r.policies != nil {
		differences = r.policies.Effective()
	}
	out["differences"] = schema.IntValue(int64(differences))
	return out
}

// thresholds compiles the conditions, before anything is evaluated.
func (f *diffFlags) thresholds() ([]threshold, error) {
	var scope diffed
	if len(f.snap.paths) > 0 {
		scope.queue = &impact.Comparison{}
	}
	kinds := map[string]schema.Type{}
	for name, v := range scope.numbers() {
		kinds[name] = v.Type
	}
	var out []threshold
	var wrong diag.List
	for _, text := range f.failIf {
		file := source.NewFile("--fail-if", []byte(text))
		t, list := celexpr.NewThreshold(celexpr.Source{Span: file.Span(0, len(text))}, kinds)
		wrong = append(wrong, list...)
		out = append(out, threshold{text, t})
	}
	if len(wrong) == 0 {
		return out, nil
	}
	if scope.queue == nil {
		wrong[0].Note("with --snapshot there are also the numbers of what happens to its queue, such as moved and blocked")
	}
	printDiags(wrong)
	return nil, &exitError{code: exitUsage}
}

// exceeded says which conditions hold, and for what numbers.
func (r *diffed) exceeded(list []threshold) error {
	values := r.numbers()
	failed := false
	for _, t := range list {
		holds, wrong := t.Holds(values)
		if len(wrong) > 0 {
			printDiags(wrong)
			return &exitError{code: exitUsage}
		}
		if !holds {
			continue
		}
		failed = true
		var words []string
		for _, name := range t.Names {
			words = append(words, fmt.Sprintf("%s is %s", name, values[name]))
		}
		fmt.Fprintf(stderr, "fairway: --fail-if %s: %s\n", t.text, strings.Join(words, ", "))
	}
	if failed {
		return &exitError{code: exitFindings}
	}
	return nil
}
