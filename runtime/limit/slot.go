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
	plain   bool // nothing but the counters' own bounds decides: no overrides, no conditions

	keyAt     int // where a job's row has the number of its counter
	amountAt  int // where it has what the job adds
	counters  []counter
	overrides []override

	dict     []string   // names of counters kept for one credential
	combined [][]string // names of counters kept for several
}

// counter is what is in use, beside the limit on it so that one look finds both.
type counter struct {
	use   int64
	bound [2]int64 // of the limit, soft and hard
	own   int32    // the credential's limit, that of all others, or noLimit
}

// override replaces the limits of a slot for the jobs of one kind of credential.
type override struct {
	limit    []int32 // per entry of the credential's dictionary: limit or noLimit
	keyAt    int     // where a job's row has the entry
	existing bool    // only where there is a limit
}

const (
	noKey   = ^uint32(0)
	noLimit = int32(-1)
)

// limitOf is the limit in force for a job: an override, else the credential's own, else that
// of all others. It may be one without a bound.
func (s *slot) limitOf(keys []uint32) int32 {
	own := s.counters[keys[s.keyAt]].own
	for i := range s.overrides {
		o := &s.overrides[i]
		key := keys[o.keyAt]
		if key == noKey || o.existing && own == noLimit {
			continue
		}
		if l := o.limit[key]; l != noLimit {
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
