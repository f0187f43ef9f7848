package view

import (
	"io"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// WritePlanJSON writes the whole plan as one JSON document: running jobs, then the waiting ones in the order considered.
func WritePlanJSON(w io.Writer, p *Plan) error {
	j := &jsonWriter{w: w}
	r := p.Result
	j.open('{')
	j.head(r)
	j.key("planner").str(p.Planner)
	j.key("jobs").open('[')
	offers := p.fewShown()
	for _, i := range p.shown() {
		j.separateLine()
		j.planned(p, i, offers)
	}
	j.line()
	j.shut(']')
	j.reservations(p)
	j.planMetrics(p)
	j.key("findings")
	j.findings(r.Findings)
	j.shut('}').line()
	return j.close()
}

// WritePlanJSONLines writes one job object on each line, in the order of WritePlanJSON.
func WritePlanJSONLines(w io.Writer, p *Plan) error {
	j := &jsonWriter{w: w}
	offers := p.fewShown()
	for _, i := range p.shown() {
		j.planned(p, i, offers)
		j.endRecord()
	}
	return j.close()
}

// fewShown reports that smaller requests are looked for.
func (p *Plan) fewShown() bool { return len(p.waiting()) <= p.mostOffers() }

// planned writes one job.
func (j *jsonWriter) planned(p *Plan, i int, offers bool) {
	r, at := p.request(i), p.detail(i)
	j.open('{')
	j.key("id").str(r.ID)
	j.key("user").str(r.User)
	j.key("account").str(r.Account)
	j.key("qos").str(r.QOS)
	j.key("partition").str(r.Class)
	j.key("state").str(p.state(i).String())
	if p.Result.JobFailed(int(r.Row)) {
		j.key("priority").null()
	} else {
		j.key("priority").int(r.Priority)
	}
	j.key("procs").int(r.Tasks * r.PerTask.Procs)
	j.key("walltime_seconds").int(r.WalltimeSeconds)
	j.key("submit_time").moment(r.SubmitTime, r.SubmitTime > 0)
	j.key("start").moment(at.Start, at.By != backfill.ByNone)
	j.key("end").moment(at.End, at.By != backfill.ByNone && at.End < backfill.Forever)
	j.key("nodes").open('[')
	for _, s := range at.Nodes {
		j.str(p.Schedule.Cluster.Nodes[s.Node].Name)
	}
	j.shut(']')
	j.key("tasks").open('[')
	for _, s := range at.Nodes {
		j.int(s.Tasks)
	}
	j.shut(']')
	j.key("placed_in").orNull(at.Partition)
	j.key("by").orNull(string(at.By))
	j.key("reason").orNull(at.Reason)
	j.key("never").orNull(at.Never)
	j.key("waits_for").open('[')
	for k := range at.WaitsFor {
		j.wait(p, &at.WaitsFor[k])
	}
	j.shut(']')
	j.key("sooner")
	if offers {
		j.offers(p, i)
	} else {
		j.null()
	}
	j.shut('}')
}

// offers writes smaller requests of a job that would start sooner.
func (j *jsonWriter) offers(p *Plan, i int) {
	r := p.request(i)
	j.open('[')
	for _, o := range p.offers(i) {
		j.open('{')
		j.key("nodes").moment(o.Nodes, o.Nodes > 0)
		j.key("procs").int(o.Tasks * r.PerTask.Procs)
		j.key("walltime_seconds").int(o.WalltimeSeconds)
		j.key("start").int(o.Start)
		j.shut('}')
	}
	j.shut(']')
}

// wait writes one thing that a job waits for.
func (j *jsonWriter) wait(p *Plan, w *backfill.Wait) {
	j.open('{')
	j.key("kind").str(string(w.Kind))
	if w.Job >= 0 {
		j.key("job").str(p.jobID(w.Job))
	} else {
		j.key("job").null()
	}
	j.key("name").orNull(w.Name)
	j.key("nodes").open('[')
	for _, node := range w.Nodes {
		j.str(p.Schedule.Cluster.Nodes[node].Name)
	}
	j.shut(']')
	if w.Kind == backfill.WaitLimit {
		j.key("limit").orNull(w.Limit)
	}
	if w.Kind == backfill.WaitOverrun {
		j.key("from").moment(w.From, w.From < backfill.Forever)
	}
	j.key("until").moment(w.Until, w.Until > 0 && w.Until < backfill.Forever)
	j.shut('}')
}

func (j *jsonWriter) moment(epoch int64, known bool) {
	if !known {
		j.null()
		return
	}
	j.int(epoch)
}

// reservations lists the cluster's, each at each of its times until the last planned job has ended.
func (j *jsonWriter) reservations(p *Plan) {
	last := p.Schedule.Now + p.metrics().Makespan
	j.key("reservations").open('[')
	for i := range p.Schedule.Cluster.Reservations {
		r := &p.Schedule.Cluster.Reservations[i]
		if r.Start > last && i > 0 && p.Schedule.Cluster.Reservations[i-1].Name == r.Name {
			continue
		}
		j.separateLine()
		j.open('{')
		j.key("name").str(r.Name)
		j.key("start").moment(r.Start, r.Start > 0)
		j.key("end").moment(r.End, r.End < backfill.Forever)
		j.key("nodes").open('[')
		for _, node := range r.Nodes {
			j.str(p.Schedule.Cluster.Nodes[node].Name)
		}
		j.shut(']')
		j.key("procs_per_node").moment(r.Amounts.Procs, r.Amounts.Procs > 0)
		j.key("maintenance").bool(r.Maintenance)
		j.shut('}')
	}
	j.line()
	j.shut(']')
}

func (j *jsonWriter) planMetrics(p *Plan) {
	m := p.metrics()
	j.key("metrics").open('{')
	for _, n := range []struct {
		name  string
		value int
	}{{"running", m.Running}, {"waiting", m.WaitingJobs}, {"waiting_tasks", m.Waiting},
		{"held", m.Held}, {"failed", m.Failed},
		{"started", m.Main + m.Backfilled}, {"backfilled", m.Backfilled}, {"reserved", m.Reserved},
		{"estimated", m.Estimated}, {"without_time", m.Without}, {"never", m.Never}, {"tried", p.Schedule.Tried}} {
		j.key(n.name).int(int64(n.value))
	}
	j.key("stopped").orNull(p.Schedule.Stopped)
	j.key("makespan_seconds").int(m.Makespan)
	j.key("last_start").moment(m.LastStart, m.LastStart > 0)
	j.key("mean_wait_seconds").known(m.MeanWait, m.MeanWait == m.MeanWait)
	j.key("mean_delay_seconds").known(m.MeanDelay, m.MeanDelay == m.MeanDelay)
	j.key("procs_up").int(m.ProcsUp)
	j.key("utilisation_now").known(m.UseNow, m.UseNow == m.UseNow)
	j.key("utilisation").known(m.Utilisation, m.Utilisation == m.Utilisation)
	j.shut('}')
}
