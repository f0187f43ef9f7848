package policy

func dumpRun(r *Run) string {
	d := &dumper{}
	d.text("run", r.Name)
	d.depth++
	d.text("doc", r.Doc)
	d.texts("policy", r.Policies)
	d.texts("snapshot", r.Snapshots)
	if r.Live != nil {
		d.line("live @%s", d.at(r.Live.Span))
		d.scalar("timeout", r.Live.Timeout)
		d.text("jobs", r.Live.Jobs)
	}
	d.text("to", r.Feed.To)
	d.text("by", r.Feed.By)
	d.text("resource", r.Feed.Resource)
	d.text("path", r.Feed.Path)
	for _, s := range []struct {
		name string
		Scalar
	}{
		{"max_changes", r.Bounds.MaxChanges}, {"max_share", r.Bounds.MaxShare}, {"threshold", r.Bounds.Threshold},
		{"rate", r.Bounds.Rate},
		{"deadline", r.Bounds.Deadline}, {"max_age", r.Bounds.MaxAge}, {"every", r.Every},
	} {
		d.scalar(s.name, s.Scalar)
	}
	d.text("state_dir", r.StateDir)
	d.text("state", r.State)
	d.text("slurm_version", r.SlurmVersion)
	d.text("semantics", r.Semantics)
	d.text("timezone", r.TimeZone)
	d.text("prom", r.Prom)
	d.text("json", r.JSON)
	return d.String()
}
