package backfill

import "slices"

// Nothing real is larger; products of two of them are still numbers.
const (
	mostCount  = int64(1) << 28 // of nodes, tasks, licences
	mostAmount = int64(1) << 32 // of one resource
)

// inRange are requests with which can be computed: numbers beyond all that is real are brought to the end of
// the range, which changes no answer. The caller's are left as they are.
func inRange(requests []Request) []Request {
	out := requests
	for i := range requests {
		r := requests[i]
		for _, v := range [...]*int64{&r.Nodes, &r.NodesMax, &r.Tasks, &r.TasksPerNode, &r.ArrayMax} {
			*v = min(max(*v, 0), mostCount)
		}
		for _, v := range [...]*int64{&r.WalltimeSeconds, &r.WalltimeMinSeconds, &r.Begin, &r.Deadline, &r.Start, &r.End} {
			*v = min(max(*v, 0), Forever)
		}
		o := &requests[i]
		if r.Nodes == o.Nodes && r.NodesMax == o.NodesMax && r.Tasks == o.Tasks && r.TasksPerNode == o.TasksPerNode && r.ArrayMax == o.ArrayMax &&
			r.WalltimeSeconds == o.WalltimeSeconds && r.WalltimeMinSeconds == o.WalltimeMinSeconds && r.Begin == o.Begin && r.Deadline == o.Deadline && r.Start == o.Start && r.End == o.End {
			continue
		}
		if &out[0] == &requests[0] {
			out = slices.Clone(requests)
		}
		out[i] = r
	}
	return out
}
