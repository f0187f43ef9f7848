package policy

func dumpTest(t *Test) string {
	d := &dumper{}
	d.text("test", t.Title)
	d.depth++
	d.texts("policy", t.Policies)
	d.texts("snapshot", t.Snapshots)
	if t.Now.Known() {
		d.line("now %s", t.Now.String())
	}
	d.text("semantics", t.Semantics)
	d.text("slurm_version", t.SlurmVersion)
	d.texts("deviation", t.Deviations)
	for _, p := range t.Params {
		d.line("set %s = %s", p.Name.Value, p.Value.String())
	}
	d.texts("without", t.Without)
	for _, f := range t.Files {
		d.line("file %s %q @%s", f.Name.Value, f.Body, d.at(f.Span))
	}
	d.text("cite", t.Cite)
	d.scalar("tolerance", t.Tolerance)
	for _, w := range t.Usage {
		d.line("usage from %s @%s", w.Start.String(), d.at(w.Span))
		d.depth++
		d.scalar("total", w.Total)
		for _, object := range usageObjects {
			d.settings(object+" ", w.Usage[object])
		}
		d.depth--
	}
	for _, rows := range [][]Row{t.Jobs, t.Nodes, t.Credentials} {
		d.rows(rows)
	}
	d.iteration(&t.Iteration)
	for i := range t.Later {
		d.line("step %s @%s", t.Later[i].Now.String(), d.at(t.Later[i].Span))
		d.depth++
		d.rows(t.Later[i].Jobs)
		d.iteration(&t.Later[i])
		d.depth--
	}
	for _, x := range t.Findings {
		d.line("expect finding %s line %s", x.Code.Value, x.Line.String())
	}
	for _, x := range t.Errors {
		d.line("expect error %s line %s", x.Code.Value, x.Line.String())
	}
	return d.String()
}

func (d *dumper) rows(list []Row) {
	for _, r := range list {
		d.open(r.Object, r.Block)
		d.settings("", r.Columns)
		d.depth--
	}
}

func (d *dumper) iteration(it *Iteration) {
	d.texts("started", it.Started)
	for _, x := range it.ExpectJobs {
		d.expectJob(x)
	}
	for _, x := range it.ExpectOrder {
		d.texts("expect order", x.Jobs)
	}
	for _, x := range it.ExpectCounts {
		d.line("expect counts @%s", d.at(x.Span))
		d.depth++
		d.scalar("running", x.Running)
		d.scalar("eligible", x.Eligible)
		d.scalar("blocked", x.Blocked)
		d.scalar("held", x.Held)
		d.depth--
	}
	for _, x := range it.ExpectObjects {
		d.line("expect %s %q @%s", x.Object.Value, x.Name.Value, d.at(x.Span))
		d.depth++
		d.scalar("usage_percent", x.UsagePercent)
		d.scalar("target", x.Target)
		d.text("target_kind", x.TargetKind)
		d.scalar("target_missed", x.TargetMissed)
		d.scalar("delta", x.Delta)
		d.scalar("tolerance", x.Tolerance)
		d.depth--
	}
	for _, x := range it.ExpectShares {
		d.line("expect association %q @%s", x.Name.Value, d.at(x.Span))
		d.depth++
		d.scalar("fairshare", x.Fairshare)
		d.scalar("level_fs", x.Level)
		d.scalar("norm_shares", x.NormShares)
		d.scalar("usage", x.Usage)
		d.scalar("norm_usage", x.NormUsage)
		d.scalar("effective_usage", x.EffectiveUsage)
		d.scalar("tolerance", x.Tolerance)
		d.depth--
	}
	for _, a := range it.Asserts {
		d.scalar("assert", a.Condition)
		d.text("message", a.Message)
	}
}

func (d *dumper) expectJob(x ExpectJob) {
	d.line("expect job %q @%s", x.ID.Value, d.at(x.Span))
	d.depth++
	d.scalar("priority", x.Priority)
	d.scalar("stored", x.Stored)
	d.scalar("score", x.Score)
	d.scalar("rank", x.Rank)
	d.text("state", x.State)
	d.text("reason", x.Reason)
	d.scalar("tolerance", x.Tolerance)
	for _, term := range x.Terms {
		d.line("term %q", term.Name.Value)
		d.depth++
		d.scalar("factor", term.Factor)
		d.scalar("weight", term.Weight)
		d.scalar("contribution", term.Contribution)
		d.depth--
	}
	if w := x.Why; w != nil {
		d.line("why @%s", d.at(w.Span))
		d.depth++
		d.text("kind", w.Kind)
		d.text("object", w.Object)
		d.text("name", w.Name)
		d.text("limit", w.Limit)
		d.text("bound", w.Bound)
		d.scalar("value", w.Value)
		d.scalar("in_use", w.InUse)
		d.scalar("request", w.Request)
		d.depth--
	}
	d.depth--
}
