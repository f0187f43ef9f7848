package policy

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Run is one run block. All of it is constant; running it is not this package's business. What is not
// set is a Scalar or Text that says so.
type Run struct {
	Name, Doc                         Text
	Policies, Snapshots               []Text
	StateDir, State                   Text
	Every                             Scalar // seconds, as all times here
	SlurmVersion, Semantics, TimeZone Text
	Live                              *RunLive // nil: Snapshots are files
	Feed                              RunFeed
	Bounds                            RunBounds
	Prom, JSON                        Text // outputs
	Span                              source.Span
}

// RunLive is how a snapshot is taken.
type RunLive struct {
	Timeout Scalar
	Jobs    Text
	Span    source.Span
}

// RunFeed is who is fed.
type RunFeed struct {
	To, By, Resource, Path Text
	Span                   source.Span
}

// RunBounds are what a run may do at most. Span is zero where there is no such block.
type RunBounds struct {
	MaxChanges, MaxShare, Threshold, Rate, Deadline, MaxAge Scalar
	Span                                                    source.Span
}

// run decodes a run block.
func (e *evaluator) run(n *node) *Run {
	r := &Run{
		Name: n.name, Doc: n.text("doc"), Policies: n.texts("policy"), Snapshots: n.texts("snapshot"),
		StateDir: n.text("state_dir"), State: n.text("state"), Every: n.scalar("every"),
		SlurmVersion: n.text("slurm_version"), Semantics: n.text("semantics"), TimeZone: n.text("timezone"),
		Span: n.span,
	}
	e.needs(n, "policy")
	e.needs(n, "state_dir")
	for _, b := range n.blocks {
		switch b.doc.ID {
		case "run/live":
			r.Live = &RunLive{Timeout: b.scalar("timeout"), Jobs: b.text("jobs"), Span: b.span}
		case "run/feed":
			r.Feed = RunFeed{To: b.text("to"), By: b.text("by"), Resource: b.text("resource"), Path: b.text("path"),
				Span: b.span}
			if e.needs(b, "to") {
				e.feed(r.Feed)
			}
		case "run/bounds":
			r.Bounds = RunBounds{MaxChanges: b.scalar("max_changes"), MaxShare: b.scalar("max_share"),
				Threshold: b.scalar("threshold"), Rate: b.scalar("rate"), Deadline: b.scalar("deadline"),
				MaxAge: b.scalar("max_age"), Span: b.span}
		case "run/outputs":
			r.Prom, r.JSON = b.text("prom"), b.text("json")
		}
	}
	if a := n.attr("policy"); a != nil && len(r.Policies) == 0 && !contains(n.faulty, "policy") {
		e.diags.Errorf("policy-run-contradiction", n.scalar("policy").Span, "%s has no policy", describe(n)).
			Note("name the files whose priorities are handed over")
	}
	e.named(append(append([]Text{r.StateDir, r.State, r.TimeZone, r.SlurmVersion, r.Prom, r.JSON}, r.Policies...),
		r.Snapshots...))
	switch {
	case r.Feed.Span.IsZero():
		e.diags.Errorf("policy-missing-attribute", n.span, "%s does not say who is fed", describe(n)).
			Note(`add a block, such as feed { to = "slurm" }`)
	case r.Live == nil && len(r.Snapshots) == 0 && !contains(n.faulty, "snapshot"):
		e.diags.Errorf("policy-missing-attribute", n.span, "%s has no snapshot", describe(n)).
			Note(`add a block live {}, or name files: snapshot = "queue.tar.zst"`)
	case r.Live != nil && len(r.Snapshots) > 0:
		e.diags.Errorf("policy-run-contradiction", r.Live.Span, "%s has a snapshot and takes one too", describe(n)).
			NoteAt(r.Snapshots[0].Span, "the snapshot").Note("leave one of the two out")
	}
	return r
}

// named finds texts that are set and name nothing.
func (e *evaluator) named(list []Text) {
	for _, t := range list {
		if t.IsSet() && strings.TrimSpace(t.Value) == "" {
			e.diags.Errorf("policy-run-contradiction", t.Span, "the text is empty and names nothing").
				Note("name what is meant, or leave the attribute out")
		}
	}
}

// feed finds what does not go together.
func (e *evaluator) feed(f RunFeed) {
	to, by := f.To.Value, f.By.Value
	contradiction := func(at Text, format string, args ...any) *diag.Diagnostic {
		return e.diags.Errorf("policy-run-contradiction", at.Span, format, args...)
	}
	named := to == "file" || to == "command"
	switch {
	case named && f.Path.Value == "":
		contradiction(f.To, "the feed has no path").Note("path = \"…\" names the %s", to)
	case !named && f.Path.IsSet():
		contradiction(f.Path, "a feed of %s has no path", to).Note(`path is of to = "file" and to = "command"`)
	case f.By.IsSet() && to != "slurm" && to != "pbs":
		contradiction(f.By, "a feed of %s has no by", to).Note("by is of slurm and pbs")
	case to == "slurm" && by == "resource":
		contradiction(f.By, "Slurm is not fed by a resource").Note("it is one of site-factor, nice, priority")
	case to == "pbs" && by != "" && by != "priority" && by != "resource":
		contradiction(f.By, "PBS is not fed by %s", by).Note("it is one of priority, resource")
	case by == "resource" && f.Resource.Value == "":
		contradiction(f.By, "the feed does not name the resource").Note(`resource = "NAME"`)
	case by != "resource" && f.Resource.IsSet():
		contradiction(f.Resource, "nothing is fed by a resource").Note(`add by = "resource"`)
	}
}

// inRange tests a number of an attribute that has bounds.
func inRange(diags *diag.List, a *AttrDoc, v schema.Value, span source.Span) bool {
	if a.Range == nil {
		return true
	}
	f, ok := number(v)
	switch {
	case !ok || f >= a.Range.Least && f <= a.Range.Most:
		return true
	case f < a.Range.Least:
		diags.Errorf("policy-out-of-range", span, "%s is below its least value", a.Name).
			Note("it must be at least %s", a.counted(a.Range.Least))
	default:
		diags.Errorf("policy-out-of-range", span, "%s is above its greatest value", a.Name).
			Note("it must be at most %s", a.counted(a.Range.Most))
	}
	return false
}

// counted prints a number with what it counts.
func (a *AttrDoc) counted(n float64) string {
	return strings.TrimSpace(strconv.FormatFloat(n, 'f', -1, 64) + " " + string(a.Unit))
}
