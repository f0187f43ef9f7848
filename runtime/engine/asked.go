package engine

// Asked is the result as the scheduler's clients see it between this iteration and the next: scores and
// terms are computed once more, with the queue times and counts of overtaking that this iteration
// left. Of the jobs that it found eligible only, since the clocks of others stand (recorded:
// t32, r01). It is the result itself where nothing moved.
func (r *Result) Asked() (*Result, error) {
	s := r.scorer
	if s == nil || s.unmoved {
		return r, nil
	}
	out, err := s.machine.Run(s.binding, r.Program.Scored(), s.workers)
	if err != nil {
		return nil, err
	}
	after := *r
	after.scorer, after.Terms, after.Sums = nil, nil, nil
	after.scores(out)
	if !r.Program.Fused {
		after.terms(out)
	}
	return &after, nil
}
