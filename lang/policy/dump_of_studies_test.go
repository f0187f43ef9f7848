package policy

func dumpStudy(s *Study) string {
	d := &dumper{}
	d.text("study", s.Name)
	d.depth++
	d.text("doc", s.Doc)
	d.scalar("seeds", s.Seeds)
	d.line("keep_jobs %v", s.KeepJobs)
	for _, p := range s.Policies {
		d.text("policy", p.Name)
		d.depth++
		d.texts("files", p.Files)
		for _, h := range p.Hold {
			d.text("hold "+h.Name.Value, h.Value)
		}
		if p.Where != nil {
			d.line("where %q @%s", p.Where.Text, d.at(p.Where.Span))
		}
		d.scalar("draws", p.Draws)
		d.scalar("draw_seed", p.DrawSeed)
		for _, param := range p.Params {
			d.text("param", param.Name)
			d.depth++
			d.texts("values", param.Values)
			d.scalar("from", param.From)
			d.scalar("to", param.To)
			d.scalar("step", param.Step)
			d.scalar("steps", param.Steps)
			if param.Log {
				d.line("log")
			}
			d.depth--
		}
		d.depth--
	}
	for _, o := range s.Sources {
		d.text("source", o.Name)
		d.depth++
		d.line("snapshot %v plan %v", o.Snapshot, o.Plan)
		d.texts("files", o.Files)
		d.texts("nodes", o.Nodes)
		d.scalar("procs", o.Procs)
		d.scalar("from", o.From)
		d.scalar("to", o.To)
		d.scalar("warm_up", o.WarmUp)
		d.scalar("now", o.Now)
		d.text("runtime", o.Runtime)
		d.text("arrivals", o.Arrivals)
		d.text("timezone", o.TimeZone)
		d.depth--
	}
	for _, m := range s.Metrics {
		d.text("metric", m.Name)
		d.depth++
		d.text("of", m.Of)
		d.text(m.Kind, m.Group)
		d.text("prefer", m.Prefer)
		d.scalar("at_most", m.AtMost)
		d.scalar("at_least", m.AtLeast)
		d.depth--
	}
	return d.String()
}
