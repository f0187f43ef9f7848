package convert_test

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/cmd/vocabulary"
	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/counterexample"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// What the list of a conversion must say of a queue that the two policies treat otherwise. Of two jobs in another
// order the parts of the formula are compared, and without the parts that the list has a finding about, the order must
// be the same. Of a job that may start under one policy alone there must be a finding about what keeps it.

// parts of formulas that stand for each other; a term that is not here is a part of its own.
var parts = map[string]string{
	"service/queuetime": "wait", "age/age": "wait", "order/order": "wait",
	"credential/qos": "qos", "qos/qos": "qos",
	"credential/class": "partition", "partition/partition": "partition",
	"credential/account": "association", "credential/user": "association", "assoc/assoc": "association",
	"resource/proc": "size", "resource/node": "size", "resource/mem": "size", "jobsize/jobsize": "size",
	"tres/tres[cpu]": "size", "tres/tres[node]": "size", "tres/tres[mem]": "size",
	"fairshare/fsuser": "shares", "fairshare/fsaccount": "shares", "fairshare/fairshare": "shares",
}

func partOf(component, term string) string {
	if name := parts[component+"/"+term]; name != "" {
		return name
	}
	return component + "/" + term
}

// wholesale are findings about a part that no setting of the site has: the file's format says it.
var wholesale = []struct {
	part  string
	words *regexp.Regexp
}{
	{"wait", regexp.MustCompile(`points a minute|order of submission`)},
	{"shares", regexp.MustCompile(`points a percent`)},
	{"nice/nice", regexp.MustCompile(`no nice values`)},
	{"end", regexp.MustCompile(`of priorities|(greatest|least) priority|are rounded by|override`)},
	{"bound", regexp.MustCompile(`as their (floor|ceiling)`)},
	{"qos", regexp.MustCompile(`there is no room for`)},
	{"access", regexp.MustCompile(`lists of QOS count with`)},
}

var scaled = regexp.MustCompile(`all weights are multiplied by ([0-9]+)`)

// noReason are findings that are at the place of a setting and say nothing of it: what they are about does not happen
// to the jobs that are compared.
var noReason = regexp.MustCompile(`all weights are multiplied by|limits count with AccountingStorageEnforce|all jobs may have the QOS|which nodes a class has`)

// sides are both policies, and what they make of one queue.
type sides struct {
	all     listed
	list    listed // of it, what can be about the jobs that are compared
	shared  map[int32]bool
	names   [2]*ir.Policy
	results [2]*evaluation.Result
	queue   *counterexample.Queue
	scale   float64
}

// share finds the places at which for_each made several rows: a finding there is about the row that it names.
func (s *sides) share() {
	s.shared = map[int32]bool{}
	row := map[source.Span]string{}
	see := func(name string, at source.Span) {
		if old, ok := row[at]; ok && old != name && !at.IsZero() {
			s.shared[at.Start] = true
		}
		row[at] = name
	}
	p := s.names[0]
	if p.Span.IsZero() {
		return // a scheduler's own file, where a default is at one place for all that have it
	}
	for i := range p.Tables {
		for _, r := range p.Tables[i].Rows {
			see(r.Name, r.Span)
		}
	}
	for i := range p.Limits {
		see(p.Limits[i].Row, p.Limits[i].Span)
	}
}

// about sees that findings at shared places are asked only where they name one of the jobs' credentials.
func (s *sides) about(jobs ...int) {
	names := s.credentials(jobs...)
	s.list = listed{out: s.all.out, text: s.all.text}
	for _, d := range s.all.all {
		keep := d.Span.IsZero() || !s.shared[d.Span.Start] || strings.Contains(d.Message, " DEFAULT ") // which are all others
		for _, list := range names {
			keep = keep || slices.ContainsFunc(list,
				func(name string) bool { return name != "" && strings.Contains(d.Message+" ", " "+name+" ") })
		}
		if keep {
			s.list.all = append(s.list.all, d)
		}
	}
}

// about reports a finding at a place.
func (l listed) about(s source.Span) bool {
	return !s.IsZero() && slices.ContainsFunc(l.all, func(d *diag.Diagnostic) bool {
		return !d.Span.IsZero() && d.Span.File.Name == s.File.Name && d.Span.Start == s.Start &&
			!noReason.MatchString(d.Message)
	})
}

// says reports a finding with a note in these words.
func (l listed) says(words string) bool {
	return slices.ContainsFunc(l.all, func(d *diag.Diagnostic) bool {
		return slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return strings.Contains(n.Text, words) })
	})
}

// refused are the words about jobs that Maui gives another QOS than the one they ask for, whoever they are of.
const refused = "has the default QOS in Maui"

// aboutAny reports a finding at one of the places.
func (l listed) aboutAny(list []source.Span) bool { return slices.ContainsFunc(list, l.about) }

// unexplained is what the list does not say of a queue, "" if it says all.
func (s *sides) unexplained() string {
	jobs := s.queue.Jobs
	for i := range jobs {
		s.about(i)
		if places := s.states(i); places != nil && !s.list.aboutAny(places) {
			return fmt.Sprintf("job %d is %s (%s) in one and %s (%s) in the other", i+1, s.results[0].State[i],
				s.results[0].Reason[i], s.results[1].State[i], s.results[1].Reason[i])
		}
		for k := range jobs {
			if text := s.order(i, k); text != "" {
				return text
			}
		}
	}
	return ""
}

// states lists the places that can explain a different state; one of them must be named. It is nil if the job may
// start under both policies, or under neither.
func (s *sides) states(job int) []source.Span {
	first, second := s.results[0], s.results[1]
	if (first.State[job] == evaluation.Eligible) == (second.State[job] == evaluation.Eligible) ||
		first.Reason[job] == "InvalidAccount" || second.Reason[job] == "InvalidAccount" {
		return nil
	}
	list := []source.Span{{}}
	p, names := s.names[0], s.credentials(job)
	if b := first.Why[int32(job)]; first.State[job] != evaluation.Eligible && b != nil {
		switch {
		case b.Limit != nil:
			l := &p.Limits[b.Limit.Limit]
			if list = append(list, l.Span); l.Object == "qos" && !strings.EqualFold(s.queue.Jobs[job].QOS, l.Row) {
				list = append(list, s.defaults(names, l.Row)...) // a job that counts against a QOS has it, asked or not
			}
			return list
		case b.Slurm != nil && b.Slurm.Limit != nil:
			if list = append(list, b.Slurm.Limit.Span); b.Slurm.Object == "qos" {
				list = append(list, s.lists(names)...)
			}
			for i := range p.Limits { // one in the policy's own words that becomes Slurm's may be nearer
				if l := &p.Limits[i]; b.Slurm.Object == "association" && l.Kind == "" && names.has(l.Object, l.Row) {
					list = append(list, l.Span)
				}
			}
			return list
		case b.Cap != nil:
			for i := range p.Fairshare {
				for _, t := range p.Fairshare[i].Targets {
					if t.Caps() && names.has(t.Object, t.Name) {
						list = append(list, t.Span)
					}
				}
			}
			return list
		case b.Kind == evaluation.BlockPolicy:
			hold := p.Holds[b.Hold]
			return append(list, hold.Span, hold.When.Expr.Span)
		case b.Kind == evaluation.BlockPriority:
			return append(list, s.scored()...)
		}
	}
	for i := range p.Holds { // of a policy without a walk through its queue
		if h := &p.Holds[i]; first.State[job] == evaluation.Held &&
			(h.Reason == first.Reason[job] || h.Name == first.Reason[job]) {
			return append(list, h.Span, h.When.Expr.Span)
		}
	}
	if b := second.Why[int32(job)]; b != nil && b.Kind == evaluation.BlockPriority {
		return append(list, s.scored()...)
	}
	if first.Reason[job] == "InvalidQOS" {
		if second.Rows.Value("job.qos", int(second.JobRow[job])).Str != s.queue.Jobs[job].QOS && !s.listed(names) &&
			s.list.says(refused) {
			return nil
		}
		return append(list, s.lists(names)...)
	}
	if second.Reason[job] == "InvalidQOS" {
		return s.refusing(job, names)
	}
	mayStart := first.State[job] == evaluation.Eligible
	for i := range p.Limits {
		if l := &p.Limits[i]; mayStart && (l.Object == "" || l.Others || names.has(l.Object, l.Row)) {
			list = append(list, l.Span)
		}
	}
	for i := range p.Tables {
		t := &p.Tables[i]
		if strings.HasSuffix(t.Column.Name(), "priority") || strings.HasPrefix(t.Column.Name(), "priority_") {
			continue
		}
		for _, r := range t.Rows {
			if names.has(t.Column.Object(), r.Name) {
				list = append(list, r.Span)
			}
		}
		if t.Others != nil {
			list = append(list, t.Others.Span)
		}
	}
	for i := range p.Facts.Records {
		if r := &p.Facts.Records[i]; r.Kind == "PartitionName" && names.has("partition", r.Name) {
			for _, a := range r.Attrs {
				list = append(list, a.Span)
			}
		}
	}
	for i := range p.Params {
		v := &p.Params[i]
		if !mayStart {
			continue
		}
		if v.Name == "AccountingStorageEnforce" && !enforcesLimits.MatchString(v.Value.Str) || v.Name == "PriorityFlags" ||
			strings.HasPrefix(v.Name, "MAX") || strings.Contains(v.Name, "POLICY") && !strings.HasPrefix(v.Name, "BACKFILL") {
			list = append(list, v.Set)
		}
	}
	return list
}

// refusing lists the places that can explain why the written policy refuses a job for its QOS; one of them must be
// named. If the site does not give the job this QOS either, the reason may be that a list of QOS was written. If the
// site does give it, the reason must be something that such a list cannot hold.
func (s *sides) refusing(job int, names credentials) []source.Span {
	asked, given := s.queue.Jobs[job].QOS, s.results[0].Rows.Value("job.qos", int(s.results[0].JobRow[job])).Str
	list := []source.Span{{}}
	if asked == "" || asked == given {
		s.list.all = slices.DeleteFunc(slices.Clone(s.list.all), func(d *diag.Diagnostic) bool {
			return becomesList.MatchString(d.Message) && !listed{all: diag.List{d}}.says("add that to the list")
		})
		return append(append(list, s.lists(names)...), s.defaults(names, given)...)
	}
	for i := range s.names[0].Tables {
		t := &s.names[0].Tables[i]
		for _, r := range t.Rows {
			if t.Column.Name() == "qos_list" && (t.Column.Object() == "cluster" || names.has(t.Column.Object(), r.Name)) {
				list = append(list, r.Span)
			}
		}
		if t.Others != nil && t.Column.Name() == "qos_list" {
			list = append(list, t.Others.Span)
		}
	}
	if len(list) == 1 && s.named("access", job) {
		return nil
	}
	return list
}

// granted reports that each of the jobs has the QOS that it asks for under the site's own policy, or asks for none and
// has none.
func (s *sides) granted(jobs []int) bool {
	return !slices.ContainsFunc(jobs, func(i int) bool {
		given := s.results[0].Rows.Value("job.qos", int(s.results[0].JobRow[i])).Str
		return given != s.queue.Jobs[i].QOS && (given != "DEFAULT" || s.queue.Jobs[i].QOS != "")
	})
}

var becomesList = regexp.MustCompile(`becomes the list of QOS|becomes DefaultQOS`)

// enforcesLimits matches a list of AccountingStorageEnforce by which limits count, as they do in Maui.
var enforcesLimits = regexp.MustCompile(`(?i)\b(limits|safe|qos|all)\b`)

// scored are the places of all that makes priorities.
func (s *sides) scored() (list []source.Span) {
	for i := range s.names[0].Components {
		c := &s.names[0].Components[i]
		for k := range c.Terms {
			list = append(list, ofTerm(c, &c.Terms[k])...)
		}
	}
	return list
}

// credentials are a job's names by object.
type credentials map[string][]string

func (s *sides) credentials(jobs ...int) credentials {
	c := credentials{}
	for _, i := range jobs {
		j := &s.queue.Jobs[i]
		for object, name := range map[string]string{"user": j.User, "group": j.Group, "account": j.Account, "qos": j.QOS,
			"partition": j.Partition} {
			c[object] = append(c[object], name)
		}
		c["asked"] = append(c["asked"], j.QOS) // whatever QOS the job gets in the end
		c["association"] = append(c["association"], "root", j.Account, j.Account+"/"+j.User,
			j.Account+"/"+j.User+"/"+j.Partition)
		for i := range s.names[0].Fairshare { // and those above
			list := s.names[0].Fairshare[i].Associations
			for at := j.Account; at != ""; {
				k := slices.IndexFunc(list, func(a ir.Association) bool { return a.User == "" && strings.EqualFold(a.Account, at) })
				if k < 0 {
					break
				}
				at = list[k].Parent
				c["association"], c["account"] = append(c["association"], at), append(c["account"], at)
			}
		}
	}
	for i := range s.names[0].Tables { // a partition's and a user's QOS
		t := &s.names[0].Tables[i]
		for _, r := range t.Rows {
			if c.has(t.Column.Object(), r.Name) && (t.Column.Name() == "qos" || t.Column.Name() == "qos_default") {
				c["qos"] = append(c["qos"], r.Value.Str)
			}
		}
	}
	return c
}

func (c credentials) has(object, name string) bool {
	return slices.ContainsFunc(c[object], func(old string) bool { return strings.EqualFold(old, name) })
}

// ofTerm are the places that set a term.
func ofTerm(c *ir.Component, t *ir.Term) []source.Span {
	list := []source.Span{c.Span, t.Span}
	for _, v := range []ir.Scalar{c.Weight, c.Cap, t.Weight, t.Cap, t.Factor} {
		if v.Expr != nil {
			list = append(list, v.Expr.Span)
		}
		for _, from := range v.Sources {
			list = append(list, from.Span)
		}
	}
	return list
}

// listed reports a list of QOS that one of the credentials has: then what becomes of that is asked.
func (s *sides) listed(names credentials) bool {
	return slices.ContainsFunc(s.names[0].Tables, func(t ir.Table) bool {
		return t.Column.Name() == "qos_list" &&
			slices.ContainsFunc(t.Rows, func(r ir.TableRow) bool { return names.has(t.Column.Object(), r.Name) })
	})
}

// defaults are the places that give a QOS to jobs of the credentials that did not ask for it.
func (s *sides) defaults(names credentials, qos string) (list []source.Span) {
	for i := range s.names[0].Tables {
		t := &s.names[0].Tables[i]
		for _, r := range t.Rows {
			if t.Column.Name() == "qos_default" && r.Value.Str == qos && names.has(t.Column.Object(), r.Name) {
				list = append(list, r.Span)
			}
		}
		if t.Others != nil && t.Column.Name() == "qos_default" && t.Others.Value.Str == qos {
			list = append(list, t.Others.Span)
		}
	}
	return list
}

// lists are the places that say which QOS the credentials may have: Maui takes a QOS away from a job that may not have
// it.
func (s *sides) lists(names credentials) (list []source.Span) {
	for i := range s.names[0].Tables {
		t := &s.names[0].Tables[i]
		if !strings.HasPrefix(t.Column.Name(), "qos_") {
			continue
		}
		for _, r := range t.Rows {
			// to somebody, so not to all
			given := slices.ContainsFunc(r.Value.List,
				func(q string) bool { return names.has("asked", strings.Trim(q, "+-&^")) })
			if given || names.has(t.Column.Object(), r.Name) {
				list = append(list, r.Span)
			}
		}
		if t.Others != nil {
			list = append(list, t.Others.Span)
		}
	}
	return list
}

// named reports a finding about a part of the formula, as it is for two jobs.
func (s *sides) named(part string, jobs ...int) bool {
	for _, w := range wholesale {
		if w.part == part && slices.ContainsFunc(s.list.all,
			func(d *diag.Diagnostic) bool { return w.words.MatchString(d.Message) }) {
			return true
		}
	}
	for i := range s.names[1].Components { // what the result has beside what the site says
		c := &s.names[1].Components[i]
		for k := range c.Terms {
			if partOf(c.Name, c.Terms[k].Name) == part && slices.ContainsFunc(s.list.all, func(d *diag.Diagnostic) bool {
				return strings.Contains(d.Message, "also means "+c.Name+":") ||
					strings.Contains(d.Message, "also means "+c.Name+" / "+c.Terms[k].Name+":")
			}) {
				return true
			}
		}
	}
	p, names := s.names[0], s.credentials(jobs...)
	if part == "qos" {
		lists := s.list
		if s.granted(jobs) {
			lists.all = slices.DeleteFunc(slices.Clone(lists.all),
				func(d *diag.Diagnostic) bool { return becomesList.MatchString(d.Message) })
		}
		if lists.aboutAny(s.lists(names)) {
			return true
		}
	}
	columns := map[schema.ColumnID]bool{}
	for i := range p.Components {
		c := &p.Components[i]
		for k := range c.Terms {
			t := &c.Terms[k]
			if partOf(c.Name, t.Name) != part {
				continue
			}
			if s.list.aboutAny(ofTerm(c, t)) {
				return true
			}
			for _, v := range []ir.Scalar{t.Factor, t.Weight} {
				for _, id := range v.Expr.Columns() {
					columns[id] = true
				}
			}
		}
	}
	for i := range p.Tables {
		t := &p.Tables[i]
		if !columns[t.Column] {
			continue
		}
		if t.Others != nil && s.list.about(t.Others.Span) {
			return true
		}
		for _, r := range t.Rows {
			if (t.Column.Object() == "cluster" || names.has(t.Column.Object(), r.Name)) && s.list.about(r.Span) {
				return true
			}
		}
	}
	shares := slices.ContainsFunc(slices.Collect(func(yield func(schema.ColumnID) bool) {
		for id := range columns {
			if !yield(id) {
				return
			}
		}
	}), func(id schema.ColumnID) bool { return strings.HasPrefix(id.Name(), "fairshare_") })
	for i := range p.Fairshare {
		f := &p.Fairshare[i]
		for _, set := range f.Settings {
			if shares && s.list.about(set.Span) {
				return true
			}
		}
		for _, t := range f.Targets {
			if shares && (t.Others || names.has(t.Object, t.Name)) && s.list.about(t.Span) {
				return true
			}
		}
		for _, a := range f.Associations {
			if shares && s.list.about(a.Span) {
				return true
			}
		}
	}
	return false
}

// difference is how much more a job has of each part than another one, and of the priority as it is in the end.
func (s *sides) difference(side, i, k int) (map[string]float64, float64) {
	r := s.results[side]
	by := map[string]float64{}
	a, b := int(r.RankRow[i]), int(r.RankRow[k])
	scale := 1.0
	if side == 1 {
		scale = s.scale
	}
	sum := 0.0
	for n := range r.Sums {
		c := &r.Sums[n]
		capped := c.Cap != nil && (c.Cap[a] > 0 && c.Sum[a] > c.Cap[a] || c.Cap[b] > 0 && c.Sum[b] > c.Cap[b])
		sum += (c.Value[a] - c.Value[b]) / scale
		if capped {
			by[r.Program.Components[c.Component].Name+"/"] += (c.Value[a] - c.Value[b]) / scale
		}
		for m := range r.Terms {
			if t := &r.Terms[m]; t.Component == c.Component && !capped && (c.Weight[a] != 0 || c.Weight[b] != 0) {
				by[partOf(r.Program.Components[t.Component].Name, r.Program.Components[t.Component].Terms[t.Term].Name)] +=
					(weighed(r, t, a) - weighed(r, t, b)) / scale
			}
		}
	}
	end := float64(r.Priority[a]-r.Priority[b]) / scale
	by["end"] = end - sum
	return by, end
}

// weighed is what a term adds; a factor without a value adds nothing where nobody weighs it.
func weighed(r *evaluation.Result, t *evaluation.TermColumn, row int) float64 {
	if t.Weight[row] == 0 {
		return 0
	}
	return r.Contribution(t, row)
}

// order says what the list does not of two jobs that are the other way round.
func (s *sides) order(i, k int) string {
	before := func(r *evaluation.Result, i, k int) bool {
		return r.State[i] == evaluation.Eligible && r.State[k] == evaluation.Eligible && r.Rank[i] > 0 && r.Rank[k] > 0 &&
			r.Rank[i] < r.Rank[k]
	}
	if !before(s.results[0], i, k) || !before(s.results[1], k, i) {
		return ""
	}
	own, ahead := s.difference(0, i, k)
	other, behind := s.difference(1, i, k)
	s.about(i, k)
	left := behind // how far job i is ahead where all that the list names is as it was
	var silent []string
	for _, part := range slices.Sorted(keysOf(own, other)) {
		moved := own[part] - other[part]
		if math.Abs(moved) < 1e-6 {
			continue
		}
		if s.named(part, i, k) || part == "end" && (s.floored(i, k) || s.bounded(i, k) && s.named("bound", i, k)) ||
			strings.HasSuffix(part, "/") && s.namedComponent(strings.TrimSuffix(part, "/"), i, k) {
			left += moved
		} else if moved > 0 {
			silent = append(silent, fmt.Sprintf("%s %v, not %v", part, other[part], own[part]))
		}
	}
	if left > 0.5 || ahead-left <= 2 {
		return "" // ahead all the same, or what rounding makes
	}
	return fmt.Sprintf("job %d is before job %d by %v and behind it by %v (%v with all that the list names as it was); "+
		"unnamed: %s; the parts are %v, and were %v", i+1, k+1, ahead, -behind, left, strings.Join(silent, ", "), other, own)
}

// bounded reports that one of the policies raises or cuts the priority of one of the jobs.
func (s *sides) bounded(jobs ...int) bool {
	return slices.ContainsFunc(s.results[:], func(r *evaluation.Result) bool { return atBound(r, jobs) })
}

func atBound(r *evaluation.Result, jobs []int) bool {
	return slices.ContainsFunc(jobs, func(i int) bool {
		priority := r.Priority[r.RankRow[i]]
		return priority <= 1 || priority >= 1e9
	})
}

// floored reports that the site raises one of the jobs to the least priority, as the result would: what it has fallen
// below that by is no difference.
func (s *sides) floored(jobs ...int) bool {
	first := s.results[0]
	low := slices.ContainsFunc(jobs,
		func(i int) bool { row := first.RankRow[i]; return float64(first.Priority[row]) > first.Score[row] })
	return low && s.names[0].Finish.Floor.String() == s.names[1].Finish.Floor.String()
}

// namedComponent reports a finding about a term of a component.
func (s *sides) namedComponent(name string, jobs ...int) bool {
	for i := range s.names[0].Components {
		c := &s.names[0].Components[i]
		for k := range c.Terms {
			if c.Name == name && s.named(partOf(c.Name, c.Terms[k].Name), jobs...) {
				return true
			}
		}
	}
	return false
}

func keysOf(maps ...map[string]float64) func(func(string) bool) {
	all := map[string]bool{}
	for _, m := range maps {
		for key := range m {
			all[key] = true
		}
	}
	return func(yield func(string) bool) {
		for key := range all {
			if !yield(key) {
				return
			}
		}
	}
}

// tries are the queues in which jobs are looked for that both policies treat otherwise.
const tries = 25

// few is how many of them are tried for each of many alike sites.
func few() int {
	if draws.Long() {
		return tries
	}
	return 10
}

// otherwise: where what was written treats some queue otherwise, the list says so, by what is the reason.
func otherwise(t *testing.T, s site, before *compiler.Output, l listed, tries int) *found {
	t.Helper()
	f := findings(t, before, l)
	f.look(t, counterexample.Search{Seed: 3, Tries: tries})
	if what := f.unexplained(l); what != "" {
		t.Errorf("the list has no reason why %s\n%s\n%s%s\nbecomes\n%s", what, recordedtest.Text(l.all), s.main, s.accounts,
			l.text)
	}
	return f
}

// silent is a difference for which the list has no reason, with its jobs; "" if none is found.
func silent(t *testing.T, before *compiler.Output, l listed) string {
	t.Helper()
	f := findings(t, before, l)
	f.look(t, counterexample.Search{Seed: 3, Tries: few()})
	return f.unexplained(l)
}

// found are the queues that a policy and what was written of it treat otherwise, whatever the list says.
type found struct {
	broken   string // why what was written cannot be read
	policies [2]*ir.Policy
	programs [2]*program.Program
	words    counterexample.Vocabulary
	queues   []treated
}

// treated is one of them, with what each policy makes of it.
type treated struct {
	queue   *counterexample.Queue
	results [2]*evaluation.Result
}

func findings(t *testing.T, before *compiler.Output, l listed) *found {
	t.Helper()
	accounts, completed := peopled(before.Policy, l.out.Accounts)
	var files []*source.File
	for _, part := range []struct {
		name string
		text []byte
	}{{"main", l.out.Text}, {"accounts", accounts}} {
		if len(part.text) > 0 {
			files = append(files, source.NewFile(part.name, part.text))
		}
	}
	after := compiler.Compile(compiler.Input{Files: files, Options: l.out.Read})
	if after.Program == nil {
		return &found{broken: "what was written cannot be read: " + recordedtest.Text(after.Diags)}
	}
	words := vocabulary.Of(before.Policy, after.Policy)
	if len(completed) > 0 {
		words.Members = completed
	}
	for _, class := range namesOf(before.Policy, "partition") { // also those that the result does not have
		if before.Policy.Family != "slurm" &&
			!slices.ContainsFunc(words.Partitions, func(p counterexample.Partition) bool { return p.Name == class }) {
			as := words.Partitions[0]
			as.Name = class
			words.Partitions = append(words.Partitions, as)
		}
	}
	return &found{policies: [2]*ir.Policy{before.Policy, after.Policy},
		programs: [2]*program.Program{before.Program, after.Program}, words: words}
}

// look adds the queues that a search finds.
func (f *found) look(t *testing.T, search counterexample.Search) {
	t.Helper()
	if f.broken != "" {
		return
	}
	search.Programs, search.Vocabulary = f.programs, f.words
	examples, err := search.FindEach()
	if err != nil {
		return
	}
	for _, e := range examples {
		if e == nil {
			continue
		}
		var text bytes.Buffer
		if err := e.Write(&text); err != nil {
			t.Fatal(err)
		}
		read, _, err := snapshot.Read(fstest.MapFS{"q.json": {Data: text.Bytes()}}, []string{"q.json"}, snapshot.Options{})
		if err != nil {
			t.Fatal(err)
		}
		one := treated{queue: e.Queue}
		for k, p := range f.programs {
			if one.results[k], err = engine.Run(p, read, evaluation.Options{Workers: 1}); err != nil {
				t.Fatal(err)
			}
		}
		f.queues = append(f.queues, one)
	}
}

// unexplained is a difference for which the list has no reason, with its jobs.
func (f *found) unexplained(l listed) string {
	if f.broken != "" {
		return f.broken
	}
	both := &sides{all: l, names: f.policies, scale: 1}
	both.share()
	for _, d := range l.all { // of the site's weights
		if m := scaled.FindStringSubmatch(d.Message); m != nil {
			both.scale, _ = strconv.ParseFloat(m[1], 64)
		}
	}
	for _, one := range f.queues {
		both.queue, both.results = one.queue, one.results
		if what := both.unexplained(); what != "" {
			for i := range one.queue.Jobs {
				what += "\n" + one.queue.Jobs[i].String()
			}
			return what
		}
	}
	return ""
}

// namesOf are the credentials of a kind that a policy has something for.
func namesOf(p *ir.Policy, object string) (names []string) {
	add := func(of, name string) {
		if of == object && name != "" && name != "DEFAULT" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := range p.Tables {
		for _, r := range p.Tables[i].Rows {
			add(p.Tables[i].Column.Object(), r.Name)
		}
	}
	for i := range p.Limits {
		add(p.Limits[i].Object, p.Limits[i].Row)
	}
	for i := range p.Fairshare {
		for _, t := range p.Fairshare[i].Targets {
			add(t.Object, t.Name)
		}
	}
	return names
}

// peopled adds users to a dump of accounts that was written for a policy of another scheduler, as the list asks an
// administrator to do. Each account gets every user that either side knows, and one that neither does, with what the
// dump gives them. Without such a dump there is nothing to complete.
func peopled(p *ir.Policy, dump []byte) ([]byte, [][2]string) {
	drawn := slices.ContainsFunc(p.Fairshare, func(f ir.Fairshare) bool { return len(f.Associations) > 0 }) // who is where
	if p.Family == "slurm" || len(dump) == 0 || drawn {
		return dump, nil
	}
	users, accounts := append(namesOf(p, "user"), "other"), namesOf(p, "account")
	own := map[string]string{} // lines of users
	var text, named []string
	for line := range strings.Lines(string(dump)) {
		kind, rest, _ := strings.Cut(line, " - '")
		name, _, _ := strings.Cut(rest, "'")
		switch {
		case kind == "Account":
			named = append(named, name)
			text = append(text, line)
		case kind == "User":
			own[strings.ToLower(name)] = line
		case kind != "Parent" || name == "root":
			text = append(text, line)
		}
	}
	if !slices.ContainsFunc(text, func(line string) bool { return strings.HasPrefix(line, "Parent") }) {
		text = append(text, "Parent - 'root'\n")
	}
	for _, name := range accounts {
		if !slices.ContainsFunc(named, func(old string) bool { return strings.EqualFold(old, name) }) {
			if named = append(named, name); name != "root" { // which every cluster has
				text = append(text, "Account - '"+name+"'\n")
			}
		}
	}
	for _, account := range named {
		text = append(text, "Parent - '"+account+"'\n")
		for i, user := range users {
			same := func(old string) bool { return strings.EqualFold(old, user) }
			if line := own[strings.ToLower(user)]; line != "" && !slices.ContainsFunc(users[:i], same) {
				text = append(text, line)
			} else if line == "" && !slices.ContainsFunc(users[:i], same) {
				text = append(text, "User - '"+user+"'\n")
			}
		}
	}
	var members [][2]string
	for _, account := range append(slices.DeleteFunc(named,
		func(name string) bool { return slices.Contains(accounts, name) }), accounts...) {
		for _, user := range users {
			members = append(members, [2]string{account, user})
		}
	}
	return []byte(strings.Join(text, "")), members
}
