package view

import (
	"math"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/limit"
)

// stored writes what Maui keeps of a job besides its first priority.
func (j *jsonWriter) stored(r *engine.Result, job int) {
	if r.Stored != nil {
		if r.JobFailed(job) {
			j.key("stored_priority").null()
		} else {
			j.key("stored_priority").int(r.Stored[job])
		}
	}
	if r.RunPriority != nil && !math.IsNaN(r.RunPriority[job]) {
		j.key("run_priority").num(r.RunPriority[job])
	}
}

// why writes what keeps a job from starting, null if nothing does.
func (j *jsonWriter) why(r *engine.Result, b *engine.Block) {
	if b == nil {
		j.null()
		return
	}
	j.open('{')
	j.key("kind").str(b.Kind)
	j.key("text").orNull(b.Text)
	switch {
	case b.Limit != nil:
		v, l := b.Limit, &r.Program.Limits[b.Limit.Limit]
		j.key("object").orNull(v.Object)
		j.key("name").orNull(v.Name)
		j.key("per").open('[')
		for i, object := range v.Per {
			j.open('{').key("object").str(object).key("name").str(v.Names[i]).shut('}')
		}
		j.shut(']')
		j.key("limit").str(l.Name)
		j.key("counts").str(v.Counts)
		j.key("phase").str(v.Phase)
		j.key("bound").str(v.Bound.String())
		j.key("value").int(v.Value)
		j.key("in_use").int(v.InUse)
		j.key("request").int(v.Request)
		j.key("source").setBy(l.Source, l.Span)
	case b.Slurm != nil:
		j.slurmStop(b.Slurm)
		j.key("test").str(b.Slurm.Test.String())
		j.key("request").int(b.Slurm.Asks)
	case b.Refusal != nil:
		j.key(refuser(b)).orNull(b.Refusal.Name)
		j.key("detail").str(b.Refusal.Text)
		j.key("source").setBy(settingOf(r, b.Refusal))
	case b.Cap != nil:
		v, t := b.Cap, &r.Program.Windows.Targets[b.Cap.Target]
		j.key("object").str(v.Object)
		j.key("name").str(v.Name)
		j.key("limit").str(t.Kind)
		j.key("value").num(v.Value)
		j.key("in_use").num(v.Usage)
		j.key("request").num(v.Request)
		if t.Kind == "relative_cap" {
			j.key("percent").num(v.Percent)
		}
		j.key("source").setBy(t.Source, t.Span)
	case b.Kind == engine.BlockPolicy:
		hold := &r.Program.Holds[b.Hold]
		j.key("limit").str(hold.Name)
		j.key("source").setBy("hold "+hold.Name, hold.Span)
	}
	if len(b.Also) > 0 {
		j.key("also").open('[')
		for _, other := range b.Also {
			j.why(r, other)
		}
		j.shut(']')
	}
	j.shut('}')
}

// setBy writes what set a number, as the site knows it, and where.
func (j *jsonWriter) setBy(name string, s source.Span) *jsonWriter {
	j.open('{').key("name").orNull(name)
	j.position(s)
	return j.shut('}')
}

// slurmStop writes a limit of an association or a QOS with what is in use of it.
func (j *jsonWriter) slurmStop(s *limit.SlurmStop) {
	j.key("object").str(s.Object)
	j.key("name").str(s.Name)
	j.key("level").orNull(s.Level)
	j.key("for").orNull(s.Who)
	j.key("limit").str(s.Limit.Name)
	j.key("counts").str(slurmCounts(s))
	j.key("value").int(s.Value)
	j.key("in_use").int(s.InUse)
	j.key("reserved").int(s.Runs)
	j.key("source").setBy(s.Limit.Source, s.Limit.Span)
}

// refuser is what a refusal names: a partition, or an association that may not use the job's QOS.
func refuser(b *engine.Block) string {
	if b.Kind == engine.BlockAccess || b.Refusal.Column.Object() == "association" {
		return "association"
	}
	return "partition"
}

// settingOf finds what keeps a job out: a setting of the policy, or what else said so.
func settingOf(r *engine.Result, p *engine.Refusal) (name string, span source.Span) {
	if p.From != "" {
		return p.From, source.Span{}
	}
	for i := range r.Program.Settings {
		if set := &r.Program.Settings[i]; set.Column == p.Column {
			row := set.Rows[p.Name]
			return row.Source, row.Span
		}
	}
	return "", source.Span{}
}
