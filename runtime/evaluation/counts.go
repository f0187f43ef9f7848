package evaluation

// Counts are the jobs of a queue by what they do. Every summary counts by them, so that all give the same numbers.
type Counts struct {
	Running  int
	Eligible int // may start
	Blocked  int
	Held     int // whether they have a priority or not
	Failed   int // others that wait without a priority, as an expression failed
	Rejected int // would be refused at submission
	Done     int
}

// Waiting are the jobs that are in the queue and do not run: what the resource manager calls pending.
func (c Counts) Waiting() int { return c.Eligible + c.Blocked + c.Held + c.Failed }

// Count counts all jobs.
func (r *Result) Count() (c Counts) {
	for job, state := range r.State {
		switch {
		case state == Running:
			c.Running++
		case state == Done:
			c.Done++
		case state == Held:
			c.Held++
		case state == Rejected:
			c.Rejected++
		case r.JobFailed(job):
			c.Failed++
		case state == Eligible:
			c.Eligible++
		default:
			c.Blocked++
		}
	}
	return c
}
