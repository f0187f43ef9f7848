package limit

// Refusal is what cannot be found out again of a violation: a few words of memory for each of the
// jobs that a walk through a long queue does not take. The rest follows from the job.
type Refusal struct {
	slot  *slot
	inUse int64
	limit int32
	bound Bound
}

// Refusal is the part of a violation to keep.
func (v *Violation) Refusal() Refusal { return Refusal{v.slot, v.InUse, int32(v.Limit), v.Bound} }

// Violation is the violation of a job that a refusal was kept of.
func (g *Gate) Violation(job int, r Refusal) Violation {
	v := g.violation(r.slot, job, r.limit, r.bound)
	v.InUse = r.inUse
	return v
}
