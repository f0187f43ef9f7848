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
	for _, rows := range [][]Row{t.Jobs, t.Nodes, t.Credentials} {
		for _, r := range rows {
			d.open(r.Object, r.Block)
			d.settings("", r.Columns)
			d.depth--
		}
	}
	for _, x := range t.ExpectJobs {
		d.line("expect job %q @%s", x.ID.Value, d.at(x.Span))
		d.depth++
		d.scalar("priority", x.Priority)
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
		d.depth--
	}
	for _, x := range t.ExpectOrder {
		d.texts("expect order", x.Jobs)
	}
	for _, x := range t.Findings {
		d.line("expect finding %s line %s", x.Code.Value, x.Line.String())
	}
	for _, x := range t.Errors {
		d.line("expect error %s line %s", x.Code.Value, x.Line.String())
	}
	for _, a := range t.Asserts {
		d.scalar("assert", a.Condition)
		d.text("message", a.Message)
	}
	return d.String()
}
