package limit

// Refusals remember, for each of the two walks, for which limit it did not take a job: the counts
// that a limit was asked with are gone when the reasons are written.
type Refusals struct {
	jobs int
	of   [2][]Refusal // by bound and job; empty for a job that was not refused for a limit
}

// Begin forgets what a walk refused before; the queue has so many jobs.
func (r *Refusals) Begin(b Bound, jobs int) { r.jobs, r.of[b] = jobs, nil }

// Add remembers the limit of a job.
func (r *Refusals) Add(b Bound, job int32, v *Violation) {
	if r.of[b] == nil { // most walks refuse none, or many
		r.of[b] = make([]Refusal, r.jobs)
	}
	r.of[b][job] = v.Refusal()
}

// Of is the limit that a walk did not take a job for; false if there is none.
func (r *Refusals) Of(g *Gate, b Bound, job int32) (Violation, bool) {
	if r.of[b] == nil || r.of[b][job].slot == nil {
		return Violation{}, false
	}
	return g.Violation(int(job), r.of[b][job]), true
}

// Limit is Of, kept.
func (r *Refusals) Limit(g *Gate, b Bound, job int32) *Violation {
	if v, ok := r.Of(g, b, job); ok {
		return v.Kept()
	}
	return nil
}
