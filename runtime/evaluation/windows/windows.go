package windows

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/mauitext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Share brings the usage windows up to now and computes fairshare from them: what the last
// evaluation left and what its jobs used since then, or what the snapshot has.
func Share(r *evaluation.Result, c *evaluation.Clock) {
	w, previous := r.Program.Windows, r.Options.Previous
	if w == nil {
		return
	}
	recorded := r.Snapshot.Usage
	if r.Program.Documented("usage_file_words") {
		var counted int
		if recorded, counted = fairshare.WithPassed(recorded); counted > 0 {
			r.Findings.Infof("fairshare-lines-counted", w.Span, "%s of usage files %s counted, although Maui ignores %s",
				diag.Count(counted, "line"), diag.Agree(counted, "is", "are"), diag.Agree(counted, "it", "them")).
				Note("the manual's sample file has such lines, and the policy follows the manual in the point usage_file_words")
		}
	}
	if previous != nil && previous.IntervalSeconds == w.IntervalSeconds && len(previous.Usage) > 0 {
		continueUsage(r, previous, recorded, c)
	} else {
		if previous != nil && previous.IntervalSeconds != 0 && previous.IntervalSeconds != w.IntervalSeconds {
			r.Findings.Warnf("fairshare-other-interval", w.Span,
				"the windows of the state are of %d seconds, those of the policy of %d", previous.IntervalSeconds,
				w.IntervalSeconds).
				Note("the state's usage is left out; what counts is the usage files of the snapshot")
		}
		r.Usage = fairshare.Roll(w, recorded, r.Now)
	}
	r.Windows = fairshare.EvaluateWindows(w, r.Usage, r.Usage[0].StartTime)
	reportUsage(r)
}

// continueUsage goes on with the windows of the state. Of files it takes those of windows that the state
// lacks, such as those that `fairway usage` wrote for a time without evaluations; where they
// begin, what running jobs use is in them.
func continueUsage(r *evaluation.Result, previous *checkpoint.Checkpoint, recorded []snapshot.UsageWindow,
	c *evaluation.Clock) {
	w := r.Program.Windows
	kept := fairshare.Clone(previous.Usage)
	newest, until := kept[0].StartTime, r.Now
	for _, u := range recorded {
		if u.StartTime > newest && u.StartTime%w.IntervalSeconds == 0 {
			until = min(until, u.StartTime)
		}
	}
	fairshare.Accrue(w, &kept[0], accruing(r, c), previous.Time, until)
	var known int
	if r.Usage, known = fairshare.Extend(w, kept, recorded, r.Now); known > 0 {
		r.Findings.Infof("fairshare-state-wins", w.Span, "usage files ignored, as the state has their windows: %d", known).
			Note("Maui too reads the files only when it starts")
	}
	if gap := fairshare.CurrentStart(w, r.Now) - r.Usage[0].StartTime; gap >= int64(w.Depth)*w.IntervalSeconds {
		r.Findings.Warnf("fairshare-gap", w.Span,
			"the last evaluation was %s ago, and no window that it knew counts from now on", mauitext.Span(r.Now-previous.Time)).
			Note("fairshare remembers %d windows of %s; what jobs used since then is unknown", w.Depth,
				mauitext.Span(w.IntervalSeconds)).
			Note("`fairway usage` makes usage files of job records; add them to the snapshot")
	}
}

// accruing lists the running jobs that the last evaluation knew already.
func accruing(r *evaluation.Result, c *evaluation.Clock) []fairshare.RunningJob {
	var list []fairshare.RunningJob
	unknown, counted := 0, schema.ColumnID("job.procs")
	if r.Program.Windows.Usage == fairshare.DedicatedPESeconds {
		counted = "job.processor_equivalents"
	}
	for job := range r.Jobs.Rows {
		switch r.Jobs.Text("job.state", job) {
		case "running", "completing":
		default:
			continue
		}
		if c.FirstSeen[job] >= r.Now {
			continue
		}
		j := fairshare.RunningJob{Procs: r.Jobs.Int("job.procs", job),
			StartTime:            r.Jobs.Int("job.start_time", job),
			ProcessorEquivalents: r.Jobs.Value("job.processor_equivalents", job).Double}
		for o, object := range fairshare.Objects {
			j.Names[o] = r.Jobs.Value(schema.ColumnID("job."+object), job).Str
		}
		list = append(list, j)
		if !r.Jobs.Value(counted, job).Known() {
			unknown++
		}
	}
	if unknown > 0 {
		r.Findings.Warnf("fairshare-amount-unknown", r.Program.Windows.Span,
			"%s %s not state %s, by which usage accrues", diag.Count(unknown, "running job"),
			diag.Agree(unknown, "does", "do"), counted).
			Note("they count as 0, so those who have them running seem to use less than they do")
	}
	return list
}

// Keep leaves the windows to the next evaluation. One that ends is closed only now: what
// it is about was computed while it was open.
func Keep(r *evaluation.Result, next *checkpoint.Checkpoint) {
	if w := r.Program.Windows; w != nil {
		next.IntervalSeconds, next.Usage = w.IntervalSeconds, fairshare.Roll(w, r.Usage, r.Now)
	}
}

// reportUsage says what of the usage does not count although it looks as if it should.
func reportUsage(r *evaluation.Result) {
	w, s := r.Program.Windows, r.Windows
	oldest := s.Windows[len(s.Windows)-1].StartTime
	misfits := 0
	first := int64(0)
	for _, u := range r.Snapshot.Usage {
		if u.StartTime > oldest && u.StartTime%w.IntervalSeconds != 0 {
			misfits++
			first = u.StartTime
		}
	}
	if misfits > 0 {
		r.Findings.Warnf("fairshare-window-misfit", w.Span, "%s %s where no window does, the first at %d",
			diag.Count(misfits, "usage file"), diag.Agree(misfits, "begins", "begin"), first).
			Note("windows begin at multiples of %d seconds since 1970; Maui looks for FS.%d and those before", w.IntervalSeconds,
				s.Windows[0].StartTime).
			Note("is the length of a window (FSINTERVAL) that of the files?")
	}
	if s.Active() || !needsUsage(r) {
		return
	}
	d := r.Findings.Warnf("fairshare-no-usage", w.Span, "no usage is recorded, so every fairshare factor is 0")
	if r.Program.Family == "" {
		d.Note("count it from job records, such as accounting logs or the output of sacct: --usage-from FILE").
			Note("or state it in the policy: usage \"before\" { at = \"2026-01-31T00:00:00Z\", account = { physics = 3600 } }")
		return
	}
	switch {
	case len(r.Snapshot.Usage) == 0:
		d.Note("add Maui's usage files, FS.<epoch>, to the snapshot: a folder fs in its directory, or --snapshot FILE for " +
			"each").
			Note("or count usage from job records, such as accounting logs or the output of sacct: --usage-from FILE")
	case misfits == 0 && slices.ContainsFunc(r.Snapshot.Usage,
		func(u snapshot.UsageWindow) bool { return u.Passed.Total != 0 }):
		d.Note("Maui ignores the usage files' total, which has no name; it reads such as: TOTAL NONE 1000.0").
			Note("to count the words of its manual's sample: deviations = [\"usage_file_words\"]")
	case misfits == 0:
		d.Note("the usage files have no total in the windows that count; Maui needs a line such as: TOTAL NONE 1000.0")
	}
	d.Note("a Maui that starts without usage files computes the same")
}

// needsUsage reports whether the policy's outcome depends on usage: something that it
// weighs reads it, or a cap.
func needsUsage(r *evaluation.Result) bool {
	if slices.ContainsFunc(r.Program.Windows.Targets,
		func(t program.Target) bool { return t.Kind == "cap" || t.Kind == "relative_cap" }) {
		return true
	}
	return slices.ContainsFunc(r.Program.Inputs(), isShare)
}

// isShare reports a column that fairshare windows give.
func isShare(id schema.ColumnID) bool {
	doc := schema.Lookup(id)
	return doc != nil && id.Object() != "association" && (doc.Origin == schema.Model || id.Name() == "fairshare_target")
}

// Columns lay columns of the windows over the dictionary of its key. Maui's factors are 0
// without FSPOLICY; a policy from scratch that reads one has windows, or check refuses it.
func Columns(windows *fairshare.WindowShares) score.Model {
	return func(b *score.Binder, id, key schema.ColumnID) *column.Column {
		if !isShare(id) {
			return nil
		}
		return shares(b, windows, id, key)
	}
}

func shares(b *score.Binder, windows *fairshare.WindowShares, id, key schema.ColumnID) *column.Column {
	k := b.Key(key)
	n := k.DictLen()
	j := &evaluation.Joined{Key: key, Source: make([]string, n), Span: make([]source.Span, n),
		Column: &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, n)}}
	b.Joined[id] = j
	object := slices.Index(fairshare.Objects[:], id.Object())
	for i, name := range k.Dict {
		if windows == nil {
			if id.Name() == "fairshare_target" {
				j.Column.Missing.Set(i)
			}
			continue
		}
		share := windows.Of(object, name)
		var target *program.Target
		if share.Target != fairshare.NoTarget {
			target = &windows.Model.Targets[share.Target]
			j.Source[i], j.Span[i] = target.Source, target.Span
		}
		switch {
		case id.Name() == "fairshare_percent":
			j.Column.Doubles[i] = share.Percent
			j.Source[i], j.Span[i] = "", source.Span{}
		case id.Name() == "fairshare_delta":
			j.Column.Doubles[i] = share.Delta
		case target == nil:
			j.Column.Missing.Set(i)
		default:
			j.Column.Doubles[i] = target.Value
		}
	}
	return j.Column
}
