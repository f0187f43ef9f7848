package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// jobFilter are the flags that choose jobs, the same for every verb that shows them and named as squeue's. They narrow
// what is shown and never what is evaluated.
type jobFilter struct {
	lists [len(filterLists)][]string
	where []string
	sort  string
	limit int

	keys  []sortKey
	match *column.Bitmap // jobs for which each --where holds; nil without

	first []lower.Query      // what is asked beside the conditions, before them
	asked *evaluation.Result // with a term for each query
}

// jobList is a flag that takes a list: a job must have one of its values.
type jobList struct {
	flag, short, what string
	values            func(r *evaluation.Result, job int) []string
}

var filterLists = [...]jobList{
	{"user", "u", "jobs of these users: USER,USER…", oneColumn("job.user")},
	{"account", "A", "jobs of these accounts: ACCOUNT,ACCOUNT…", oneColumn("job.account")},
	{"partition", "p", "jobs submitted to one of these partitions, classes or queues: NAME,NAME…", partitionsOf},
	{"qos", "q", "jobs of these QOS: QOS,QOS…", oneColumn("job.qos")},
	{"states", "t", "jobs in these states: running, pending, or of the pending eligible, blocked, held, failed; done; " +
		"also R, PD",
		statesOf},
	{"job", "j", "these jobs: ID,ID…; the id of an array is all its tasks", idsOf},
}

func oneColumn(id schema.ColumnID) func(r *evaluation.Result, job int) []string {
	return func(r *evaluation.Result, job int) []string { return []string{eval.JobText(r, id, job)} }
}

func partitionsOf(r *evaluation.Result, job int) []string {
	if list := r.Jobs.Value("job.partitions", job); list.Known() && len(list.List) > 0 {
		return list.List
	}
	return []string{eval.JobText(r, "job.partition", job)}
}

// states are the words of --states, with squeue's short forms.
var states = []string{"running", "pending", "eligible", "blocked", "held", "failed", "done", "rejected", "R", "PD"}

func statesOf(r *evaluation.Result, job int) []string { return wordsOf(eval.StateWord(r, job)) }

// wordsOf are all words by which a state is chosen.
func wordsOf(state string) []string {
	switch state {
	case "running":
		return []string{state, "R"}
	case "done":
		return []string{state}
	}
	return []string{state, "pending", "PD"}
}

func idsOf(r *evaluation.Result, job int) []string {
	ids := []string{eval.JobText(r, "job.id", job)}
	if array := r.Jobs.Value("job.array_job_id", job); array.Known() {
		ids = append(ids, fmt.Sprint(array.Int))
	}
	return ids
}

func (f *jobFilter) add(cmd *cobra.Command, limit int, limited string) {
	flags := cmd.Flags()
	for i := range filterLists {
		l := &filterLists[i]
		flags.StringSliceVarP(&f.lists[i], l.flag, l.short, nil, "show only "+l.what)
	}
	flags.StringArrayVar(&f.where, "where", nil,
		"show only jobs for which this CEL condition holds, such as 'job.gpus > 0'; may repeat, and all must hold")
	flags.StringVar(&f.sort, "sort", "", "show jobs in the order of these keys: KEY,-KEY…, - for the largest first: "+
		strings.Join(sortNames(), ", ")+" or a column such as job.procs")
	flags.IntVar(&f.limit, "limit", limit, limited)
	completeWords(cmd, "states", states...)
	completeWords(cmd, "sort", sortNames()...)
}

// check finds mistakes before anything is read.
func (f *jobFilter) check(given func(flag string) bool) error {
	for i := range filterLists {
		l := &filterLists[i]
		if given(l.flag) && len(f.lists[i]) == 0 {
			f.lists[i] = []string{""}
		}
		for k, v := range f.lists[i] {
			f.lists[i][k] = strings.TrimSpace(v)
			if f.lists[i][k] == "" {
				return failf(exitUsage, "--%s is a list such as a,b; one of %q is empty", l.flag, strings.Join(f.lists[i], ","))
			}
			if l.flag == "states" && !slices.ContainsFunc(states, func(s string) bool { return strings.EqualFold(s, v) }) {
				return failf(exitUsage, "%s", unknownWord("state", v, states))
			}
		}
	}
	if f.limit < 0 {
		return failf(exitUsage, "--limit is a number of jobs, not %d", f.limit)
	}
	f.keys = nil
	for word := range strings.SplitSeq(f.sort, ",") {
		if f.sort == "" {
			break
		}
		key, err := sortKeyOf(word)
		if err != nil {
			return err
		}
		f.keys = append(f.keys, key)
	}
	return nil
}

// chooses reports whether some jobs are left out whatever the limit.
func (f *jobFilter) chooses() bool {
	return len(f.where) > 0 || slices.ContainsFunc(f.lists[:], func(l []string) bool { return len(l) > 0 })
}

// queries are what is asked of each job: the conditions of --where come last.
func (f *jobFilter) queries() []lower.Query {
	list := slices.Clone(f.first)
	for _, text := range f.where {
		list = append(list, lower.Query{Text: source.NewFile("--where", []byte(text)), Condition: true})
	}
	return list
}

// ask evaluates --where over the queue, apart from the evaluation that is shown.
func (f *jobFilter) ask(out *compiler.Output, s *snapshot.Snapshot, o evaluation.Options) error {
	if len(f.queries()) == 0 || f.asked != nil {
		return nil
	}
	r, err := asked(out, s, o)
	if err != nil {
		return err
	}
	if f.asked = r; len(f.where) == 0 {
		return nil
	}
	if failed := f.take(r); failed > 0 {
		fmt.Fprintf(stderr, "fairway: --where fails for %s, which %s left out%s\n", count(failed, "job"),
			map[bool]string{true: "is", false: "are"}[failed == 1], lossOf(r))
	}
	return nil
}

// take notes the jobs for which each condition holds, and counts those for which one fails.
func (f *jobFilter) take(r *evaluation.Result) (failing int) {
	failed := map[int]bool{}
	f.match = &column.Bitmap{}
	for job := range r.Jobs.Rows {
		for row, end := r.Entries(job); row < end; row++ {
			holds := true
			for i := len(f.first); i < len(r.Terms); i++ {
				if r.Terms[i].FactorFailed.Get(row) {
					failed[job] = true
				}
				holds = holds && !r.Terms[i].FactorFailed.Get(row) && r.Terms[i].Factor[row] != 0
			}
			if holds {
				f.match.Set(job)
				delete(failed, job)
				break
			}
		}
	}
	return len(failed)
}

// lossOf is the first reason for which an expression failed.
func lossOf(r *evaluation.Result) string {
	for _, loss := range r.Losses {
		return ": " + source.Plain(loss.Message)
	}
	return ""
}

// asked evaluates the queries of a policy alone.
func asked(out *compiler.Output, s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
	p, diags := compiler.Queries(out.Policy)
	if diags.HasErrors() {
		return nil, complain(diags)
	}
	r, err := scores(p, s, o)
	if err != nil {
		return nil, &exitError{code: runExit(err), err: err}
	}
	if r.Findings.HasErrors() {
		return nil, complain(r.Findings)
	}
	return r, nil
}

// scores evaluates the scores of a program alone.
func scores(p *program.Program, s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
	o.ScoresOnly, o.Started, o.KeepState, o.Workers = true, nil, false, runtime.GOMAXPROCS(0)
	return engine.Run(p, s, o)
}

// jobs are those that are shown, in their order, without regard to the limit; nil where nothing chooses or sorts them.
func (f *jobFilter) jobs(r *evaluation.Result) ([]int, *eval.Filter, error) {
	if !f.chooses() && len(f.keys) == 0 && f.limit == 0 {
		return nil, nil, nil
	}
	if err := f.unknown(r); err != nil {
		return nil, nil, err
	}
	list := slices.DeleteFunc(eval.Sequence(r), func(job int) bool { return !f.keeps(r, job) })
	slices.SortStableFunc(list, func(a, b int) int { return f.compare(r, a, b) })
	return list, f.report(len(list), r.Jobs.Rows), nil
}

// compare is the order of two jobs by --sort.
func (f *jobFilter) compare(r *evaluation.Result, a, b int) int {
	for _, k := range f.keys {
		if c := k.compare(r, a, b); c != 0 {
			return c
		}
	}
	return 0
}

// split takes one list out.
func (f *jobFilter) split(flag string) (values []string, others *jobFilter) {
	rest := *f
	i := slices.IndexFunc(filterLists[:], func(l jobList) bool { return l.flag == flag })
	rest.lists[i] = nil
	return f.lists[i], &rest
}

// keeps reports whether a job is among those that are shown.
func (f *jobFilter) keeps(r *evaluation.Result, job int) bool {
	for i, list := range f.lists {
		if len(list) == 0 {
			continue
		}
		has := filterLists[i].values(r, job)
		if !slices.ContainsFunc(list, func(v string) bool { return f.has(i, has, v) }) {
			return false
		}
	}
	return f.match == nil || f.match.Get(job)
}

func (f *jobFilter) has(i int, values []string, v string) bool {
	if filterLists[i].flag == "states" {
		return slices.ContainsFunc(values, func(s string) bool { return strings.EqualFold(s, v) })
	}
	return slices.Contains(values, v)
}

// unknown reports values that no job has: of ids as an error, since a job is meant, of others with what is near.
func (f *jobFilter) unknown(r *evaluation.Result) error {
	for i, list := range f.lists {
		if len(list) == 0 || filterLists[i].flag == "states" {
			continue
		}
		known := map[string]bool{}
		for job := range r.Jobs.Rows {
			for _, v := range filterLists[i].values(r, job) {
				known[v] = true
			}
		}
		for _, v := range list {
			switch {
			case known[v]:
			case filterLists[i].flag == "job":
				_, err := findJobs(r, []string{v})
				return err
			default:
				text := fmt.Sprintf("fairway: no job has %s %s", filterLists[i].flag, source.Plain(v))
				var names []string
				for name := range known {
					names = append(names, name)
				}
				slices.Sort(names)
				if near := diag.Nearest(v, names); near != "" {
					text += fmt.Sprintf("; did you mean %s?", source.Plain(near))
				}
				fmt.Fprintln(stderr, text)
			}
		}
	}
	return nil
}

// report is the filter as JSON has it.
func (f *jobFilter) report(match, of int) *eval.Filter {
	out := &eval.Filter{By: []eval.FilterBy{}, Where: append([]string{}, f.where...), Sort: []string{}, Limit: f.limit,
		Match: match, Of: of}
	for i, list := range f.lists {
		if len(list) > 0 {
			out.By = append(out.By, eval.FilterBy{Name: filterLists[i].flag, Values: list})
		}
	}
	if f.sort != "" {
		out.Sort = strings.Split(f.sort, ",")
	}
	return out
}

// whole refuses to choose jobs of what is about the whole queue.
func (f *jobFilter) whole(what string) error {
	for i, list := range f.lists {
		if len(list) > 0 {
			return failf(exitUsage, "%s is about the whole queue: leave out --%s", what, filterLists[i].flag)
		}
	}
	if len(f.where) > 0 {
		return failf(exitUsage, "%s is about the whole queue: leave out --where", what)
	}
	return nil
}

// sortKey is one key of --sort.
type sortKey struct {
	name    string
	largest bool // first
	value   func(r *evaluation.Result, job int) schema.Value
}

// sortKeys are the keys beside the columns of a job.
var sortKeys = []sortKey{
	{name: "rank", value: func(r *evaluation.Result, job int) schema.Value {
		if r.Rank[job] == 0 {
			return schema.Value{}
		}
		return schema.IntValue(int64(r.Rank[job]))
	}},
	{name: "priority", value: func(r *evaluation.Result, job int) schema.Value {
		if r.JobFailed(job) {
			return schema.Value{}
		}
		return schema.IntValue(r.JobPriority(job))
	}},
	{name: "user", value: jobColumn("job.user")}, {name: "account", value: jobColumn("job.account")},
	{name: "partition", value: jobColumn("job.partition")}, {name: "qos", value: jobColumn("job.qos")},
	{name: "state", value: func(r *evaluation.Result, job int) schema.Value {
		return schema.StringValue(eval.StateWord(r, job))
	}},
	{name: "job", value: jobColumn("job.id")},
}

func sortNames() (list []string) {
	for _, k := range sortKeys {
		list = append(list, k.name)
	}
	return list
}

func jobColumn(id schema.ColumnID) func(r *evaluation.Result, job int) schema.Value {
	return func(r *evaluation.Result, job int) schema.Value { return r.Jobs.Value(id, job) }
}

func sortKeyOf(word string) (sortKey, error) {
	name, largest := strings.CutPrefix(strings.TrimSpace(word), "-")
	name = strings.TrimPrefix(name, "+")
	if i := slices.IndexFunc(sortKeys, func(k sortKey) bool { return k.name == name }); i >= 0 {
		k := sortKeys[i]
		k.largest = largest
		return k, nil
	}
	object := schema.ObjectByName("job")
	if c := object.Column(strings.TrimPrefix(name, "job.")); c != nil && !schema.Keyed(c.ID.Name()) {
		return sortKey{name, largest, jobColumn(c.ID)}, nil
	}
	names := sortNames()
	for _, c := range object.Columns {
		names = append(names, string(c.ID))
	}
	there := fmt.Sprintf("there are: %s, and the columns of `fairway doc columns job`", strings.Join(sortNames(), ", "))
	if near := diag.Nearest(name, names); near != "" {
		there = fmt.Sprintf("did you mean %s? T%s", near, there[1:])
	}
	return sortKey{}, failf(exitUsage, "there is no key %q to sort by; %s", name, there)
}

// compare puts what is unknown last, whichever comes first of the others.
func (k *sortKey) compare(r *evaluation.Result, a, b int) int {
	x, y := k.value(r, a), k.value(r, b)
	if x.Known() != y.Known() {
		return map[bool]int{true: -1, false: 1}[x.Known()]
	}
	c := cmp.Or(cmp.Compare(x.Int, y.Int), cmp.Compare(x.Double, y.Double), naturally(x.Str, y.Str),
		slices.Compare(x.List, y.List))
	if k.largest {
		return -c
	}
	return c
}

// naturally compares texts so that job 9 comes before job 10.
func naturally(a, b string) int {
	if len(a) != len(b) && strings.Trim(a+b, "0123456789") == "" {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Compare(a, b)
}
