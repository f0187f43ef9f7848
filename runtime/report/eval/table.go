package eval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// tableColumn is one column of the native view; it is left out when no shown
// job has anything in it.
type tableColumn struct {
	title string
	right bool
	cell  func(r *evaluation.Result, job int) string
}

// tableColumns are the columns of the native view from left to right, but for
// the contributions, which take what room is left.
var tableColumns = []tableColumn{
	{"rank", true, func(r *evaluation.Result, job int) string {
		if r.Rank[job] == 0 {
			return ""
		}
		return strconv.Itoa(int(r.Rank[job]))
	}},
	{"job", false, named("job.id")},
	{"user", false, named("job.user")},
	{"account", false, named("job.account")},
	{"class", false, partitionCell},
	{"qos", false, named("job.qos")},
	{"state", false, func(r *evaluation.Result, job int) string { return StateWord(r, job) }},
	{"reason", false, func(r *evaluation.Result, job int) string {
		return source.Plain(ReasonText(r, job))
	}},
	{"priority", true, func(r *evaluation.Result, job int) string {
		if row := int(r.JobRow[job]); !r.Failed.Get(row) {
			return strconv.FormatInt(r.JobPriority(job), 10)
		}
		return "?"
	}},
}

func named(id schema.ColumnID) func(*evaluation.Result, int) string {
	return func(r *evaluation.Result, job int) string { return source.Plain(JobText(r, id, job)) }
}

// partitionCell names the partition whose priority is shown, and the one that ranks the job
// if it is another.
func partitionCell(r *evaluation.Result, job int) string {
	first := source.Plain(JobText(r, "job.partition", job))
	if by, ok := rankEntry(r, job); ok && r.RankRow[job] != r.JobRow[job] {
		return first + " (by " + source.Plain(by) + ")"
	}
	return first
}

// StateWord is the job's state; one that is in the queue without a priority failed, as Counts has it.
func StateWord(r *evaluation.Result, job int) string {
	if state := r.State[job]; (state == evaluation.Eligible || state == evaluation.Blocked) && r.JobFailed(job) {
		return "failed"
	}
	return r.State[job].String()
}

// ReasonText is the real scheduler's word for people. Of a job that slurmctld has not come to that word
// is None, and of one that waits for nodes or others it may be older than a limit that stops it: the
// limit's word comes after it then. CSV and JSON have the two apart, as reason and why.
func ReasonText(r *evaluation.Result, job int) string {
	word := r.Reason[job]
	if word == "None" {
		word = ""
	}
	switch b := r.Why[int32(job)]; {
	case b == nil || b.Slurm == nil || word == b.Text:
		return word
	case word == "":
		return b.Text
	default:
		return word + " (" + b.Text + ")"
	}
}

// Waits reports whether the job is in the queue at all.
func Waits(r *evaluation.Result, job int) bool {
	return r.State[job] != evaluation.Running && r.State[job] != evaluation.Done
}

// WriteTable writes the native view: the waiting jobs with what made their
// priority, and how many there are of each kind.
func WriteTable(w io.Writer, r *evaluation.Result, o Options) error {
	jobs := slices.DeleteFunc(slices.Clone(o.sequence(r)), func(i int) bool { return !Waits(r, i) })
	shown := jobs
	if o.Limit > 0 && o.Limit < len(jobs) {
		shown = jobs[:o.Limit]
	}
	var b strings.Builder
	if len(shown) > 0 {
		b.WriteString(renderTable(r, shown, o))
	}
	b.WriteString(orderNotes(r, shown))
	b.WriteString(tally(r, len(shown), len(jobs), o.Filter))
	_, err := io.WriteString(w, b.String())
	return err
}

// orderNotes explains ranks that the numbers beside them seem to contradict, once for each rule of the order.
func orderNotes(r *evaluation.Result, jobs []int) string {
	var b strings.Builder
	var explained []string
	for i := 1; i < len(jobs); i++ {
		first, second := jobs[i-1], jobs[i]
		if r.Rank[first] == 0 || r.Rank[second] < r.Rank[first] || r.JobPriority(first) >= r.JobPriority(second) {
			continue
		}
		for _, rule := range r.OrderRules() {
			order := rule.Compare(first, second)
			if order < 0 && !slices.Contains(explained, rule.Name) {
				explained = append(explained, rule.Name)
				fmt.Fprintf(&b, "job %s ranks before job %s: %s%s\n", source.Plain(r.JobID(first)),
					source.Plain(r.JobID(second)), source.Plain(rule.Why(first, second)), rankedIn(r, first))
			}
			if order != 0 {
				break
			}
		}
	}
	return b.String()
}

// rankedIn names the partition that ranks a job where its priority is shown of another one.
func rankedIn(r *evaluation.Result, job int) string {
	by, ok := rankEntry(r, job)
	if !ok || r.RankRow[job] == r.JobRow[job] {
		return ""
	}
	return ", by its priority in " + r.Facts.Partitions.Word() + " " + source.Plain(by)
}

func renderTable(r *evaluation.Result, jobs []int, o Options) string {
	g := form.Grid{Rows: len(jobs)}
	for _, c := range tableColumns {
		title := c.title
		if title == "class" {
			title = r.Facts.Partitions.Word()
		}
		g.AddUsed(title, c.right, func(row int) string { return c.cell(r, jobs[row]) })
	}
	if r.Terms != nil && r.Sums != nil {
		room := math.MaxInt
		if o.Width > 0 {
			room = max(o.Width-g.Width(), MinContributions)
		}
		from := contributions(r, jobs, room)
		g.Add("from", false, func(row int) string { return from[row] })
	}
	return g.Text(o.Colour)
}

const (
	MinContributions = 16 // columns, on however narrow a terminal
	maxContributions = 4  // terms named in a row
)

// contributions names the largest parts of each score, "age 8432 · qos 30000".
func contributions(r *evaluation.Result, jobs []int, room int) []string {
	names := make([]string, len(r.Terms))
	for i := range r.Terms {
		names[i] = TermName(r.Program, &r.Terms[i])
		if _, term, ok := strings.Cut(names[i], "."); ok {
			names[i] = term
		}
	}
	out := make([]string, len(jobs))
	for i, job := range jobs {
		out[i] = largest(r, int(r.JobRow[job]), names, room)
	}
	return out
}

func largest(r *evaluation.Result, row int, names []string, room int) string {
	type part struct {
		name  string
		value float64
	}
	var parts []part
	for i := range r.Terms {
		t := &r.Terms[i]
		if v := ContributionAt(r, t, row); v != 0 && !t.FactorFailed.Get(row) {
			parts = append(parts, part{names[i], v})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(math.Abs(b.value), math.Abs(a.value)) })
	var b strings.Builder
	for k, p := range parts {
		word := p.name + " " + form.Brief(p.value)
		if k > 0 {
			word = " · " + word
		}
		last := k == len(parts)-1
		// what is left out is marked, so room for the mark is kept
		need := form.TextWidth(b.String()) + form.TextWidth(word)
		if k == maxContributions || (!last && need+len(" …") > room) || need > room {
			if k > 0 {
				b.WriteString(" …")
			} else {
				b.WriteString(text.Snip(word, room, "…"))
			}
			break
		}
		b.WriteString(word)
	}
	return b.String()
}

// tally counts the jobs: those that run, those that wait, by state, and any that are done.
func tally(r *evaluation.Result, shown, listed int, filter *Filter) string {
	reasons := map[string]map[string]int{}
	for i := range r.State {
		word := StateWord(r, i)
		if reason := reasonWord(r, i); reason != "" {
			if reasons[word] == nil {
				reasons[word] = map[string]int{}
			}
			reasons[word][reason]++
		}
	}
	c := r.Count()
	line := fmt.Sprintf("%d running, %d waiting", c.Running, c.Waiting())
	if c.Waiting() > 0 {
		var words []string
		for _, w := range []struct {
			n    int
			word string
		}{{c.Eligible, "eligible"}, {c.Blocked, "blocked"}, {c.Held, "held"}, {c.Failed, "failed"}} {
			if w.n > 0 {
				words = append(words, fmt.Sprintf("%d %s", w.n, w.word)+because(reasons[w.word]))
			}
		}
		line += ": " + form.Joined(words)
	}
	for _, w := range []struct {
		n    int
		word string
	}{{c.Rejected, "rejected"}, {c.Done, "done"}} {
		if w.n > 0 {
			line += fmt.Sprintf("; %d %s", w.n, w.word)
		}
	}
	if filter.chooses() {
		line += fmt.Sprintf("; %d waiting %s the filter", listed, form.Plural(listed, "job matches", "jobs match"))
	}
	if shown < listed {
		line += fmt.Sprintf("; the first %d of %d are shown", shown, listed)
	}
	return line + "\n"
}

// reasonWord is why a job is blocked or held, in a word or two: the limit's name, else the kind of
// block, else the scheduler's own word.
func reasonWord(r *evaluation.Result, job int) string {
	if r.State[job] != evaluation.Blocked && r.State[job] != evaluation.Held {
		return ""
	}
	b := BlockOf(r, job)
	switch {
	case b == nil:
		return source.Plain(r.Reason[job])
	case b.Limit != nil:
		return r.Program.Limits[b.Limit.Limit].Name
	case b.Slurm != nil:
		return b.Slurm.Limit.Name
	case b.Kind == evaluation.BlockPartition, b.Kind == evaluation.BlockPolicy && b.Refusal != nil:
		return source.Plain(b.Text)
	case b.Cap != nil:
		return "fairshare cap"
	case b.Kind == evaluation.BlockPolicy:
		return r.Program.Holds[b.Hold].Name
	case b.Kind == evaluation.BlockHold, b.Kind == evaluation.BlockFailed:
		return "" // that is what held and failed mean
	}
	return strings.ReplaceAll(b.Kind, "_", " ")
}

// because lists reasons, the commonest first, with their numbers if there are several.
func because(reasons map[string]int) string {
	if len(reasons) == 0 {
		return ""
	}
	words := slices.Sorted(maps.Keys(reasons))
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(reasons[b], reasons[a]) })
	if len(words) == 1 {
		return " (" + words[0] + ")" // all of them
	}
	for i, word := range words {
		words[i] = fmt.Sprintf("%d %s", reasons[word], word)
	}
	return " (" + form.Joined(words) + ")"
}
