package planning

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// licensesOf reads a request such as matlab:2,ansys@server; without a number one is meant. bad is the first part
// that is none.
func licensesOf(text string) (out map[string]int64, bad string) {
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == ';' }) {
		name, count, counted := strings.Cut(strings.TrimSpace(part), ":")
		n := int64(1)
		if counted {
			v, err := strconv.ParseInt(count, 10, 64)
			if err != nil || v < 0 {
				bad = cmp.Or(bad, strings.TrimSpace(part))
				continue
			}
			n = v
		}
		if name == "" || name == "(null)" {
			continue
		}
		if out == nil {
			out = map[string]int64{}
		}
		out[name] += n
	}
	return out, bad
}

// Licenses makes the cluster's licences: those of the snapshot, else those that the policy configures. What is used of
// one beyond the running jobs that are known, or outside of the cluster, is elsewhere.
func (q *Queue) Licenses() {
	t := q.Result.Snapshot.Licenses
	if t == nil {
		if p := q.Result.Program.Plan; p != nil {
			q.Cluster.Licenses = p.Licenses
		}
		return
	}
	known := map[string]int64{}
	for i := range q.Requests {
		if r := &q.Requests[i]; r.Running {
			for name, n := range r.Licenses {
				known[name] += n
			}
		}
	}
	q.Cluster.Licenses, q.Cluster.Elsewhere = map[string]int64{}, map[string]int64{}
	for row := range t.Rows {
		name := t.Text("license.name", row)
		total, used := t.Value("license.total", row), t.Value("license.used", row)
		if !total.Known() {
			continue
		}
		if total.Int < used.Int {
			// A job cannot have what there is not, so who else has any is unknown.
			q.Result.Findings.Warnf("plan-licenses-contradict", source.Span{},
				"%d of licence %s are in use, but there are only %d", used.Int, name, total.Int).
				Note("they are planned as if only the running jobs of the snapshot had any; record licences and jobs together")
			used.Int = 0
		}
		q.Cluster.Licenses[name] = max(0, total.Int)
		if n := max(0, used.Int-known[name]) + t.Int("license.deficit", row); n > 0 {
			q.Cluster.Elsewhere[name] = min(n, max(0, total.Int))
		}
	}
}

// unlicensed says which licence of a job there is none of; "" where no input says which there are.
func unlicensed(c *backfill.Cluster, r *backfill.Request) string {
	if c.Licenses == nil {
		return ""
	}
	missing := ""
	for name := range r.Licenses {
		if _, ok := c.Licenses[name]; !ok && (missing == "" || name < missing) {
			missing = name
		}
	}
	return missing
}
