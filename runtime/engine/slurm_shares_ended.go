package engine

// EndedSince is, by node, what jobs that ended after a moment were charged from then to their ends, in seconds as
// usage counts them, and the jobs. slurmctld charges a job at its end (slurm.md §4.1), while the factors of Fair Tree are
// of the last pass. now is when usage was printed. A job is requeued once it has given back its nodes, so it may have
// ended late seconds before.
func (t *TreeShares) EndedSince(pass, now, late int64) (charged []float64, jobs []int) {
	charged = make([]float64, t.Tree.Len())
	for i := range t.charges.list {
		x := &t.charges.list[i]
		end := x.end
		if x.again {
			end -= late
		}
		if end <= pass || end > now || x.Node < 0 {
			continue
		}
		amount := t.clock.Added(pass, end, &x.Charge)
		for node := int32(x.Node); node >= 0; node = t.Tree.Parent[node] {
			charged[node] += amount
		}
		jobs = append(jobs, int(x.job))
	}
	return charged, jobs
}
