package limit

import "slices"

// Refusals remember, for each of the two walks, for which limit it did not take a job: the counts
// that a limit was asked with are gone when the reasons are written.
type Refusals struct {
	jobs int
	of   [2][]int32 // by bound and job: 1 + its place among those kept; 0 for a job not refused for a limit
	kept []Refusal
}

// Begin forgets what a walk refused before; the queue has so many jobs.
func (r *Refusals) Begin(b Bound, jobs int) { r.jobs, r.of[b] = jobs, nil }

// Add remembers the limit of a job.
func (r *Refusals) Add(b Bound, job int32, v *Violation) {
	if r.of[b] == nil { // most walks refuse none, or many
		r.of[b] = make([]int32, r.jobs)
		r.kept = slices.Grow(r.kept, r.jobs)
	}
	r.kept = append(r.kept, v.Refusal())
	r.of[b][job] = int32(len(r.kept))
}

// Limit is the limit that a walk did not take a job for; nil if there is none.
func (r *Refusals) Limit(g *Gate, b Bound, job int32) *Violation {
	if r.of[b] == nil || r.of[b][job] == 0 {
		return nil
	}
	at := r.of[b][job]
	v := g.Violation(int(job), r.kept[at-1])
	return &v
}
