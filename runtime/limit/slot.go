package limit

// slot is one kind of limit with its counters: what is counted, per which credentials, in
// which phase. All limits that may replace each other are in one slot.
type slot struct {
	object  string // credential the limits are written on; "" for the whole policy
	per     []string
	counts  string
	phase   string
	atLeast bool
	byName  bool // of limits of one name, which overrides do not know

	keys      []uint32 // per job: its counter; noKey for a job that lacks one of the credentials
	amounts   []int64  // per job: what it adds
	use       []int64  // per counter
	own       []int32  // per counter: the credential's limit, that of all others, or noLimit
	overrides []override

	dict     []string   // names of counters kept for one credential
	combined [][]string // names of counters kept for several
}

// override replaces the limits of a slot for the jobs of one kind of credential.
type override struct {
	limit    []int32  // per entry of the credential's dictionary: limit or noLimit
	codes    []uint32 // per job: entry of the dictionary
	existing bool     // only where there is a limit
}

const (
	noKey   = ^uint32(0)
	noLimit = int32(-1)
)

// limitOf is the limit in force for a job: an override, else the credential's own, else that
// of all others. It may be one without a bound.
func (s *slot) limitOf(job int) int32 {
	own := s.own[s.keys[job]]
	for i := range s.overrides {
		o := &s.overrides[i]
		if l := o.limit[o.codes[job]]; l != noLimit && (!o.existing || own != noLimit) {
			return l
		}
	}
	return own
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

// named: the entry of a dictionary for "none" is no counter.
func (s *slot) named(key uint32) bool { return len(s.per) != 1 || s.dict[key] != "" }
