package backfill

import "slices"

// Nothing real is larger; products of two of them are still numbers.
const (
	mostCount  = int64(1) << 28 // of nodes, tasks, licences
	mostAmount = int64(1) << 32 // of one resource
)

// InRange are requests with which can be computed: numbers beyond all that is real are brought to the end of
// the range, which changes no answer. The caller's are left as they are.
func InRange(requests []Request) []Request {
	for i := range requests {
		if requests[i].inRange() {
			continue
		}
		requests = slices.Clone(requests)
		for k := i; k < len(requests); k++ {
			counts, times := requests[k].numbers()
			for _, v := range counts {
				*v = min(max(*v, 0), mostCount)
			}
			for _, v := range times {
				*v = min(max(*v, 0), Forever)
			}
		}
		break
	}
	return requests
}

func (r *Request) inRange() bool {
	counts, times := r.numbers()
	for _, v := range counts {
		if uint64(*v) > uint64(mostCount) {
			return false
		}
	}
	for _, v := range times {
		if uint64(*v) > uint64(Forever) {
			return false
		}
	}
	return true
}

func (r *Request) numbers() (counts [5]*int64, times [6]*int64) {
	return [...]*int64{&r.Nodes, &r.NodesMax, &r.Tasks, &r.TasksPerNode, &r.ArrayMax},
		[...]*int64{&r.WalltimeSeconds, &r.WalltimeMinSeconds, &r.Begin, &r.Deadline, &r.Start, &r.End}
}
