package limit

// slot is one kind of limit with its counters: what is counted, per which credentials, in
// which phase. All limits that may replace each other are in one slot.
type slot struct {
	object string // credential the limits are written on; "" for the whole policy
	per    []string
	counts string
	phase  string
	when   int // limit whose condition chooses the jobs; -1: all

	keys    []uint32 // per job: its counter; noKey for a job that lacks one of the credentials
	amounts []int64  // per job: what it adds
	use     []int64  // per counter

	own       []int32  // per entry of the object's dictionary: its limit, the others', or noLimit
	codes     []uint32 // per job: entry of the object's dictionary; nil for the whole policy
	overrides []override

	dict     []string   // names of counters kept for one credential
	combined [][]string // names of counters kept for several
}

// override replaces the limits of a slot for the jobs of one kind of credential.
type override struct {
	own   []int32  // per entry of its dictionary: limit or noLimit
	codes []uint32 // per job: entry of its dictionary
}

const (
	noKey   = ^uint32(0)
	noLimit = int32(-1)
)

// limitOf is the limit in force for a job: an override, else the credential's own, else that
// of all others. It may be one without a bound.
func (s *slot) limitOf(job int) int32 {
	for i := range s.overrides {
		o := &s.overrides[i]
		if l := o.own[o.codes[job]]; l != noLimit {
			return l
		}
	}
	if s.codes == nil {
		return s.own[0]
	}
	return s.own[s.codes[job]]
}

func (s *slot) names(key uint32) []string {
	switch {
	case len(s.per) == 0:
		return nil
	case s.combined != nil:
		return s.combined[key]
	}
	return s.dict[key : key+1]
}
