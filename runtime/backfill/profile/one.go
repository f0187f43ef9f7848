package profile

// Shares answers for nodes that jobs share.
type Shares interface {
	FirstFit(d *Demand, after, before, seconds int64) (start int64, shares []Share, ok bool)
	FreeUntil(d *Demand, shares []Share, from int64) int64
	Add(node int32, s Span)
	Remove(node int32, s Span) bool
}

var (
	_ Shares = (*Nodes)(nil)
	_ Shares = (*One)(nil)
)

// One is the only node of a machine, such as the processors of a trace: what is free of it is a
// count for each dimension, however many jobs it has. Who its users are it does not know.
type One struct{ dimensions []*Steps }

// NewOne has all of the node's capacity free from origin on.
func NewOne(origin int64, capacity []int64) *One {
	o := &One{}
	for _, c := range capacity {
		o.dimensions = append(o.dimensions, NewSteps(origin, c))
	}
	return o
}

// FirstFit asks the dimensions in turn until they agree.
func (o *One) FirstFit(d *Demand, after, before, seconds int64) (int64, []Share, bool) {
	tasks := d.Most
	if !d.Fixed {
		tasks = max(d.Tasks, 1)
	}
	if d.Nodes > 1 || tasks > d.Most || d.Eligible[0]&1 == 0 {
		return 0, nil, false
	}
	if d.Accept != nil {
		if _, ok := d.Accept([]int32{0}); !ok {
			return 0, nil, false
		}
	}
	start := max(after, o.dimensions[0].begin[0])
	for again := true; again; {
		again = false
		for i, p := range o.dimensions {
			count := d.Base[i] + tasks*d.Task[i]
			if count == 0 {
				continue
			}
			next, ok := p.FirstFit(start, before, max(seconds, 1), count)
			if !ok {
				return 0, nil, false
			}
			again = again || next > start
			start = next
		}
	}
	return start, []Share{{Node: 0, Tasks: tasks}}, start < before
}

// FreeUntil is until when a share stays free from a time on.
func (o *One) FreeUntil(d *Demand, shares []Share, from int64) int64 {
	until := Forever
	for _, s := range shares {
		for i, p := range o.dimensions {
			if count := d.Base[i] + s.Tasks*d.Task[i]; count > 0 {
				until = min(until, p.FreeUntil(from, count))
			}
		}
	}
	return until
}

// Add takes what the span says.
func (o *One) Add(_ int32, s Span) {
	for i, a := range s.Amounts {
		o.dimensions[i].Add(s.From, s.To, a)
	}
}

// Remove gives back what an Add of the same span took.
func (o *One) Remove(_ int32, s Span) bool {
	for i, a := range s.Amounts {
		o.dimensions[i].Remove(s.From, s.To, a)
	}
	return true
}
