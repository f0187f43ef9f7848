package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/lang/study"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

func newSweepPlan() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:  "plan STUDY.hcl -o DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return planSweep(args[0], out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "`DIR` for the manifest, the inputs and the results")
	_ = cmd.MarkFlagRequired("output")
	return cmd
}

// planSweep writes the folder of a study.
func planSweep(name, out string) error {
	file, parsed, err := readStudy(name)
	if err != nil {
		return err
	}
	if err := vacantSweep(out); err != nil {
		return err
	}
	p := &sweepPlan{file: file, study: parsed}
	if err := p.make(); err != nil {
		return err
	}
	dir := &sweepDir{path: out, Manifest: p.manifest}
	if err := os.MkdirAll(dir.file(sweepCells), 0o755); err != nil {
		return ioError(out, err)
	}
	if err := dir.hold(sweepLock); err != nil {
		return err
	}
	defer dir.release()
	if err := p.copyInputs(dir); err != nil {
		return err
	}
	if err := dir.save(); err != nil {
		return err
	}
	missing := len(dir.missing())
	text := count(dir.count(), "cell") + " in " + source.Plain(out)
	if there := dir.count() - missing; there > 0 {
		text += fmt.Sprintf(", %d of them there already", there)
	}
	return writeOutput("", func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %s × %s\n", text, count(len(p.manifest.Points), "choice"),
			count(len(p.manifest.Sources), "source"))
		return err
	})
}

// plannedFirst is what a plan makes before the manifest, and leaves if it is broken off.
var plannedFirst = []string{sweepCells, sweepInputs, sweepLock}

// vacantSweep refuses a folder that is none of a sweep.
func vacantSweep(path string) error {
	if !isFolder(path) {
		if exists(path) {
			return failf(exitUsage, "%s is a file; -o names a folder", path)
		}
		return nil
	}
	if exists(filepath.Join(path, sweepManifest)) {
		_, err := openSweep(path)
		return err
	}
	entries, err := (&disk{}).ReadDir(path)
	if err != nil {
		return &exitError{code: exitIO, err: plainPathError(path, err)}
	}
	for _, e := range entries {
		if slices.Contains(plannedFirst, e.Name()) {
			continue
		}
		return failf(exitUsage, "%s has other files: name a new folder, or an empty one", path)
	}
	return nil
}

func readStudy(name string) (*source.File, *policy.Study, error) {
	file, err := (&disk{}).readRegular(name)
	if err != nil {
		return nil, nil, err
	}
	parsed, diags := policy.Parse(file)
	if diags.HasErrors() {
		return nil, nil, complain(diags)
	}
	printDiags(notable(diags))
	if parsed.Study == nil {
		return nil, nil, failf(exitUnreadable, "%s has no study: write study \"NAME\" { … }; `fairway help sweep` "+
			"shows one", name)
	}
	return file, parsed.Study, nil
}

// sweepPlan makes a manifest of a study.
type sweepPlan struct {
	file     *source.File
	study    *policy.Study
	points   []study.Point
	manifest *sweep.Manifest
	recorder *recorder
}

func (p *sweepPlan) make() error {
	points, diags := study.Points(p.study)
	p.points = points
	folder, err := filepath.Abs(filepath.Dir(p.file.Name))
	if err != nil {
		return ioError(p.file.Name, err)
	}
	p.recorder = newRecorder(folder)
	m := &sweep.Manifest{FormatVersion: sweep.FormatVersion, Program: programVersion(), Study: p.study.Name.Value,
		Folder: folder, KeepJobs: p.study.KeepJobs}
	p.manifest = m
	for i := range p.study.Metrics {
		m.Metrics = append(m.Metrics, metricOf(&p.study.Metrics[i], &diags))
	}
	if len(m.Metrics) == 0 {
		m.Metrics = usualMetrics()
	}
	for i := range p.study.Sources {
		m.Sources = append(m.Sources, sourceOf(&p.study.Sources[i], int(p.study.Seeds.Value.Int), &diags))
	}
	if diags.HasErrors() {
		return complain(diags)
	}
	for _, point := range points {
		one := sweep.Point{Policy: point.Policy}
		for _, param := range point.Params {
			one.Params = append(one.Params, sweep.Param{Name: param.Name, Value: param.Value, Held: param.Held})
		}
		m.Points = append(m.Points, one)
	}
	work, err := p.readSources(&diags)
	if err != nil {
		return err
	}
	if err := p.readPolicies(work, &diags); err != nil {
		return err
	}
	if diags.HasErrors() {
		return complain(diags)
	}
	printDiags(notable(diags))
	for _, name := range slices.Sorted(maps.Keys(p.recorder.kept.Texts)) {
		text := p.recorder.kept.Texts[name]
		m.Files = append(m.Files, sweep.File{Name: name, SHA256: sweep.Sum(text), Bytes: int64(len(text))})
	}
	for _, name := range slices.Sorted(maps.Keys(p.recorder.kept.Folders)) {
		m.Folders = append(m.Folders, sweep.Folder{Name: name, Names: p.recorder.kept.Folders[name]})
	}
	m.Fill()
	return nil
}

// readSources reads every workload and snapshot, so that what is wrong with them is known before anything is computed.
func (p *sweepPlan) readSources(diags *diag.List) (*sweep.Work, error) {
	work := sweep.NewWork(p.manifest, p.recorder, nil)
	for i := range p.manifest.Sources {
		findings, err := work.Read(i)
		if err != nil {
			return nil, sweepFailed(err)
		}
		*diags = append(*diags, findings...)
		p.manifest.Sources[i].Reads = p.recorder.taken()
	}
	return work, nil
}

// readPolicies compiles each policy with every value that it tries, the others being as in its first choice, over
// every source.
func (p *sweepPlan) readPolicies(work *sweep.Work, diags *diag.List) error {
	p.recorder.hidden = true
	for i := range p.study.Policies {
		s := &p.study.Policies[i]
		m := sweep.Policy{Name: s.Name.Value, Version: s.SlurmVersion.Value, Semantics: s.Semantics.Value}
		for _, t := range s.Files {
			m.Files = append(m.Files, t.Value)
		}
		if s.Where != nil {
			m.Where = s.Where.Text
		}
		for k := range s.Params {
			m.Params = append(m.Params, rangeOf(&s.Params[k]))
		}
		if err := p.siteVersion(&m); err != nil {
			return err
		}
		for source := range p.manifest.Sources {
			snap, err := work.Snapshot(source)
			if err != nil {
				return sweepFailed(err)
			}
			for _, params := range p.probes(i) {
				out, err := p.compile(&m, params, snap)
				if err != nil {
					return err
				}
				if out.Diags.HasErrors() {
					return complain(out.Diags)
				}
				if !work.HasMachine(source, out.Program) {
					at := &p.study.Sources[source]
					diags.Errorf("study-no-machine", at.Span, "workload %q has no machine for policy %q", at.Name.Value, m.Name).
						Note("name a file with nodes, such as the output of `scontrol show node`, or write procs = 128; a " +
							"slurm.conf with NodeName lines describes one itself")
					break
				}
				m.Family, m.Language = out.Program.Family, out.language
			}
		}
		m.Reads = p.recorder.taken()
		p.manifest.Policies = append(p.manifest.Policies, m)
	}
	return nil
}

// siteVersion takes the release from the project file of a policy's first file.
func (p *sweepPlan) siteVersion(m *sweep.Policy) error {
	flags := policyFlags{slurmVersion: m.Version}
	var names []string
	for _, name := range m.Files {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.recorder.kept.Folder, name)
		}
		names = append(names, name)
	}
	var o lower.Options
	err := flags.stateRelease(&disk{}, names, &o, func(string, []byte) {})
	m.Site = o.SiteVersion.Text
	return err
}

// probes are choices in which every value of every parameter is.
func (p *sweepPlan) probes(at int) (list [][]study.Param) {
	seen := map[string]bool{}
	for _, point := range p.points {
		if point.Policy != at {
			continue
		}
		fresh := len(point.Params) == 0
		for _, param := range point.Params {
			key := param.Name + "\x00" + param.Value
			fresh = fresh || !seen[key]
			seen[key] = true
		}
		if fresh {
			list = append(list, point.Params)
		}
	}
	return list
}

// compiledPolicy is a compiled policy and what language its files are.
type compiledPolicy struct {
	*compiler.Output
	language string
}

func (p *sweepPlan) compile(m *sweep.Policy, params []study.Param, s *snapshot.Snapshot) (*compiledPolicy, error) {
	in := sweepInput(m, s)
	in.Include = lower.Files{FS: rootedRecorder{p.recorder}, Dir: strings.TrimPrefix(p.recorder.kept.Folder, "/")}
	for _, param := range params {
		in.Params = append(in.Params, lower.ParamOverride{Name: param.Name, Value: param.Value, Span: param.Span})
	}
	for _, name := range m.Files {
		f, err := p.recorder.policy(name)
		if err != nil {
			return nil, err
		}
		in.Files = append(in.Files, f)
	}
	out := compiler.Compile(in)
	for _, d := range out.Diags {
		for _, param := range params {
			if d.Code == "unknown-param" && d.Span == param.Span {
				d.Span, d.Fix = param.At, nil // what is unknown is the name
			}
		}
	}
	return &compiledPolicy{out, string(lower.Detect(in.Files[0].Text))}, nil
}

// policy reads a file of a policy.
func (r *recorder) policy(name string) (*source.File, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
	}
	return source.NewFile(name, text), nil
}

func sweepInput(m *sweep.Policy, s *snapshot.Snapshot) compiler.Input {
	in := compiler.Input{Options: lower.Options{Version: m.Version, Semantics: m.Semantics}}
	in.SiteVersion.Text = m.Site
	if s != nil {
		in.SnapshotVersion = s.Version
	}
	return in
}

// sweepCompiler compiles policies of a sweep from its inputs.
func sweepCompiler(inputs *sweep.Inputs) sweep.Compiler {
	return func(m *sweep.Policy, params []sweep.Param, s *snapshot.Snapshot) (full, fused *program.Program, err error) {
		in := sweepInput(m, s)
		in.Include = lower.Files{FS: inputs.Rooted(), Dir: strings.TrimPrefix(inputs.Folder, "/")}
		for _, param := range params {
			f := source.NewFile("param "+param.Name, []byte(param.Value))
			in.Params = append(in.Params, lower.ParamOverride{Name: param.Name, Value: param.Value,
				Span: f.Span(0, len(param.Value))})
		}
		for _, name := range m.Files {
			text, err := inputs.ReadFile(name)
			if err != nil {
				return nil, nil, err
			}
			in.Files = append(in.Files, source.NewFile(name, text))
		}
		out := compiler.Compile(in)
		if out.Diags.HasErrors() {
			return nil, nil, &sweep.RefusedError{Findings: out.Diags}
		}
		return out.Program, out.Fused, nil
	}
}

// rangeOf is what a parameter may be, for reports and for `suggest`.
func rangeOf(p *policy.StudyParam) sweep.Range {
	r := sweep.Range{Name: p.Name.Value, From: p.From.Value.Double, To: p.To.Value.Double, Log: p.Log,
		Whole: study.WholeBounds(p)}
	for _, v := range study.Values(p) {
		r.Values = append(r.Values, v.Value)
	}
	return r
}

// sourceOf is a workload or a snapshot as the manifest has it.
func sourceOf(s *policy.StudySource, seeds int, diags *diag.List) sweep.Source {
	out := sweep.Source{Name: s.Name.Value, Kind: sweep.Workload, Procs: s.Procs.Value.Int, From: s.From.Value.Int,
		To: s.To.Value.Int, WarmUp: s.WarmUp.Value.Int, Runtime: "recorded", Arrivals: "recorded",
		Plan: s.Plan, Zone: "UTC"}
	if s.Snapshot {
		out.Kind, out.Runtime, out.Arrivals = sweep.Snapshot, "", ""
	}
	if s.Arrivals.IsSet() {
		out.Arrivals = s.Arrivals.Value
		arrivals, err := replay.ParseArrivals(out.Arrivals)
		if err != nil {
			diags.Errorf("study-arrivals", s.Arrivals.Span, "%v", err).Note("write arrivals = \"bootstrap\"")
		}
		if arrivals.Bootstrap {
			out.Seeds = max(1, seeds)
		}
	}
	for _, t := range s.Files {
		out.Files = append(out.Files, t.Value)
	}
	for _, t := range s.Nodes {
		out.Nodes = append(out.Nodes, t.Value)
	}
	if s.Runtime.IsSet() {
		out.Runtime = s.Runtime.Value
	}
	if s.Now.IsSet() {
		out.Now = &s.Now.Value.Int
	}
	if s.TimeZone.IsSet() {
		out.Zone = s.TimeZone.Value
		if _, err := time.LoadLocation(out.Zone); err != nil {
			diags.Errorf("study-timezone", s.TimeZone.Span, "%v", err).
				Note("write a name of the time zone database, such as \"Europe/Stockholm\"")
		}
	}
	return out
}

// metricOf is a metric as the manifest has it.
func metricOf(s *policy.StudyMetric, diags *diag.List) sweep.Metric {
	m := sweep.Metric{Name: s.Name.Value, Of: s.Of.Value, Kind: s.Kind, Group: s.Group.Value}
	f := sweep.Find(m.Of)
	if f == nil {
		unknownMetric(s, diags)
		return m
	}
	if m.Kind != "" && f.Whole {
		diags.Errorf("study-metric", s.Group.Span, "%s is of the machine as a whole, not of a %s", m.Of, m.Kind).
			Note("leave %s out", m.Kind)
	}
	switch {
	case s.Prefer.IsSet():
		m.High = s.Prefer.Value == "high"
	case f.Goal == replay.Neither && !s.AtMost.IsSet() && !s.AtLeast.IsSet():
		diags.Errorf("study-metric", s.Of.Span, "more %s is neither better nor worse", m.Of).
			Note("say which you want: prefer = \"low\" or \"high\", or a bound")
	default:
		m.High = f.Goal == replay.More || f.Goal == replay.Neither && s.AtLeast.IsSet()
	}
	if s.AtMost.IsSet() {
		m.AtMost = &s.AtMost.Value.Double
	}
	if s.AtLeast.IsSet() {
		m.AtLeast = &s.AtLeast.Value.Double
	}
	return m
}

func unknownMetric(s *policy.StudyMetric, diags *diag.List) {
	var names []string
	for _, m := range sweep.Metrics() {
		names = append(names, m.Name)
	}
	d := diags.Errorf("study-metric", s.Of.Span, "there is no figure %q", s.Of.Value)
	if near := diag.Nearest(s.Of.Value, names); near != "" {
		d.Note("did you mean %q?", near)
		return
	}
	d.Note("`fairway doc metrics` lists those of a replay; a snapshot also has %s",
		strings.Join(names[len(replay.Metrics):], ", "))
}

// usualMetrics decide where the study has none.
func usualMetrics() (list []sweep.Metric) {
	for _, name := range []string{"wait_seconds.mean", "utilisation"} {
		list = append(list, sweep.Metric{Name: name, Of: name, High: sweep.Find(name).Goal == replay.More})
	}
	return list
}

// copyInputs keeps the texts. They are for their owner alone: what was in a file that others may not read still is not
// for them.
func (p *sweepPlan) copyInputs(dir *sweepDir) error {
	if err := os.MkdirAll(dir.file(sweepInputs), 0o700); err != nil {
		return ioError(dir.path, err)
	}
	for i := range dir.Files {
		f := &dir.Files[i]
		name := dir.file(sweepInputs, f.SHA256)
		if exists(name) {
			continue
		}
		text := p.recorder.kept.Texts[f.Name]
		if err := writeOutput(name, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
			return err
		}
	}
	return nil
}
