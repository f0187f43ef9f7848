package limit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// keys number the counters of one way of counting: the combinations of credentials' names
// that occur among the jobs.
type keys struct {
	of       []uint32 // per job; noKey for a job that lacks one of the credentials
	n        int
	dict     []string            // names, for one credential
	combined [][]string          // names, for several
	first    map[string][]uint32 // counters by the name of the first credential
}

// keysOf finds or makes the numbering for a list of credentials.
func (b *builder) keysOf(per []string) int {
	id := strings.Join(per, " ")
	if i, ok := b.keyed[id]; ok {
		return i
	}
	var k keys
	switch len(per) {
	case 0:
		k = keys{of: make([]uint32, b.rows.Rows), n: 1}
	case 1:
		k = single(b.credential(per[0]))
	default:
		k = b.combinations(per)
	}
	k.first = map[string][]uint32{}
	for key, name := range k.dict {
		k.first[name] = append(k.first[name], uint32(key))
	}
	for key, names := range k.combined {
		k.first[names[0]] = append(k.first[names[0]], uint32(key))
	}
	b.keys = append(b.keys, k)
	b.keyed[id] = len(b.keys) - 1
	return len(b.keys) - 1
}

// credential is the job column of a kind of credential; every job lacks one that no input has.
func (b *builder) credential(object string) *column.Column {
	if c := b.amounts.read(schema.ColumnID("job." + object)); c != nil {
		return c
	}
	return b.absent
}

// single counts by the codes of the column itself.
func single(col *column.Column) keys {
	k := keys{of: col.Codes, n: len(col.Dict), dict: col.Dict}
	none := slices.Index(col.Dict, "")
	if none < 0 {
		return k
	}
	k.of = slices.Clone(col.Codes)
	for job, code := range k.of {
		if int(code) == none {
			k.of[job] = noKey
		}
	}
	return k
}

// combinations numbers the tuples of names in the order in which jobs have them, by
// pairing one credential after the other.
func (b *builder) combinations(per []string) keys {
	k := single(b.credential(per[0]))
	of := slices.Clone(k.of)
	names := make([][]string, k.n)
	for i := range names {
		names[i] = []string{k.dict[i]}
	}
	for _, object := range per[1:] {
		next := single(b.credential(object))
		pairs := map[[2]uint32]uint32{}
		var tuples [][]string
		for job, key := range of {
			code := next.of[job]
			if key == noKey || code == noKey {
				of[job] = noKey
				continue
			}
			n, ok := pairs[[2]uint32{key, code}]
			if !ok {
				n = uint32(len(tuples))
				pairs[[2]uint32{key, code}] = n
				tuples = append(tuples, append(slices.Clone(names[key]), next.dict[code]))
			}
			of[job] = n
		}
		names = tuples
	}
	return keys{of: of, n: len(names), combined: names}
}

// The order in which Maui looks at a job's credentials and at their limits
// (seen in its messages); what Maui does not know comes last, as written.
var (
	mauiObjects = []string{"user", "group", "account", "partition", "qos", ""}
	mauiCounts  = []string{"jobs", "procs", "nodes", "proc_seconds", "processor_equivalents", "walltime"}
)

func inMauiOrder(a, b slot) int {
	place := func(list []string, x string) int {
		if i := slices.Index(list, x); i >= 0 {
			return i
		}
		return len(list)
	}
	return cmp.Or(
		cmp.Compare(place(mauiObjects, a.object), place(mauiObjects, b.object)),
		cmp.Compare(len(a.per), len(b.per)),
		cmp.Compare(place(mauiCounts, a.counts), place(mauiCounts, b.counts)))
}

// reached are the credentials whose limits an override replaces: all of the job's, class and
// account as well (recorded for active limits: t12). So it is with limits of idle jobs, also where a
// credential has none and DEFAULT's would not reach it; this is inferred, as no recording has OMAXI… One on
// the size of a job replaces the system's limit.
func reached(l *program.Limit) []string {
	switch {
	case l.Reach != nil:
		return l.Reach
	case l.Phase == Job:
		return []string{""}
	}
	return mauiObjects[:5]
}
