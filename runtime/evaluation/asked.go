package evaluation

// Asked is the result as the scheduler's clients see it between this iteration and the next: scores and
// terms are computed once more, with the queue times and counts of overtaking that this iteration
// left. Of the jobs that it found eligible only, since the clocks of others are (recorded:
// t32, r01). It is the result itself where nothing moved.
func (r *Result) Asked() (*Result, error) {
	if r.Again == nil {
		return r, nil
	}
	return r.Again()
}
