package view

import (
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// blocks writes what explanations say of blocks, limits and queue time.
func (j *jsonWriter) blocks(r *engine.Result, job int) {
	j.key("blocks").open('[')
	list := explainBlocks(r, job)
	for i := range list {
		j.explainedBlock(r, &list[i])
	}
	j.shut(']')
	j.key("limits").open('[')
	for _, h := range headrooms(r, job) {
		j.open('{')
		j.limitOf(r, &h.Standing)
		j.key("in_use").int(h.InUse)
		j.key("request").int(h.Request)
		j.key("left").int(h.left())
		j.shut('}')
	}
	j.shut(']')
	j.key("age")
	j.ageClock(r, job)
	j.key("queue_time")
	q, ok := queueTimeOf(r, job)
	if !ok {
		j.null()
		return
	}
	j.open('{')
	j.key("seconds").int(q.seconds)
	j.key("since").int(q.since)
	j.key("accrual").str(q.accrual)
	j.key("from_state").bool(q.carried)
	j.key("restarts").bool(q.restarts)
	j.key("stands_still").bool(q.frozen)
	j.key("eligible_seconds").int(q.eligible)
	j.shut('}')
}

func (j *jsonWriter) explainedBlock(r *engine.Result, x *explainedBlock) {
	j.open('{')
	j.key("why")
	alone := *x.Block
	alone.Also = nil // each stands for itself here
	j.why(r, &alone)
	j.key("text").str(x.what)
	j.key("details").strings(x.details)
	j.key("passes").strings(x.unblock)
	if x.release.known {
		j.key("passes_by").int(x.release.time)
	} else {
		j.key("passes_by").null()
	}
	if x.Slurm != nil {
		j.key("users").open('[')
		for _, use := range x.uses {
			j.open('{').key("job").str(jobText(r, "job.id", use.Job)).key("amount").int(use.Amount).shut('}')
		}
		j.shut(']')
	}
	if l := x.limit; l != nil {
		j.key("replaces")
		j.replaced(x.replace)
		j.key("users").open('[')
		for _, use := range l.uses {
			j.open('{')
			j.key("job").str(jobText(r, "job.id", use.Job))
			j.key("amount").int(use.Amount)
			j.shut('}')
		}
		j.shut(']')
		j.optional("least_limit", l.least, !l.set.AtLeast)
		j.optional("most_request", l.most, !l.set.AtLeast && l.most >= 1 && l.Counts != "jobs")
		if l.before >= 0 {
			j.key("comes_before").str(jobText(r, "job.id", l.before))
		} else {
			j.key("comes_before").null()
		}
	}
	if c := x.cap; c != nil {
		j.key("least_cap").num(c.least)
		j.optional("most_request", int64(c.most), c.most >= 1)
	}
	j.shut('}')
}

// optional writes a number, null where it says nothing.
func (j *jsonWriter) optional(name string, n int64, ok bool) {
	j.key(name)
	if ok {
		j.int(n)
	} else {
		j.null()
	}
}

func (j *jsonWriter) replaced(l *program.Limit) {
	if l == nil {
		j.null()
		return
	}
	j.open('{')
	j.key("limit").str(l.Name)
	j.bounds(l.Soft, l.Hard)
	j.key("source").setBy(l.Source, l.Span)
	j.shut('}')
}

// limitOf writes what a limit is and whose counter it bounds.
func (j *jsonWriter) limitOf(r *engine.Result, st *limit.Standing) {
	l := &r.Program.Limits[st.Limit]
	j.key("limit").str(l.Name)
	j.key("object").orNull(l.Object)
	j.key("per").open('[')
	for i, object := range st.Per {
		j.open('{').key("object").str(object)
		if i < len(st.Names) {
			j.key("name").str(st.Names[i])
		} else {
			j.key("name").null()
		}
		j.shut('}')
	}
	j.shut(']')
	j.key("counts").str(st.Counts)
	j.key("phase").str(st.Phase)
	j.bounds(st.Soft, st.Hard)
	j.key("at_least").bool(st.AtLeast)
	j.key("source").setBy(l.Source, l.Span)
}

// bounds writes soft and hard, null for none.
func (j *jsonWriter) bounds(soft, hard int64) {
	for _, b := range []struct {
		name  string
		value int64
	}{{"soft", soft}, {"hard", hard}} {
		if b.value == program.NoLimit {
			j.key(b.name).null()
		} else {
			j.key(b.name).int(b.value)
		}
	}
}
