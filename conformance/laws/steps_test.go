package laws

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// stepped is a policy, a queue, and how the policy is compiled again with another number in its text.
type stepped struct {
	in      compiler.Input
	texts   []string // by file; the first is the one whose numbers change
	queue   *snapshot.Snapshot
	options evaluation.Options
	often   []string // steps that are taken more often than others
}

func (s *stepped) compile(first string) *compiler.Output {
	in := s.in
	in.Files = nil
	for i, text := range s.texts {
		if i == 0 {
			text = first
		}
		in.Files = append(in.Files, source.NewFile(fmt.Sprint("file", i), []byte(text)))
	}
	out := compiler.Compile(in)
	if out.Program == nil || out.Diags.HasErrors() {
		return nil
	}
	return out
}

// TestSteps: eval(step(S)) = eval(S'), where S' is the snapshot that the steps have made of S: a state that is moved
// step by step gives what an evaluation from scratch gives, to the bit.
func TestSteps(t *testing.T) {
	for _, family := range []struct {
		name string
		draw func(*rapid.T) *stepped
	}{
		{"any policy", drawAnySteps}, {"maui limits", drawMauiSteps},
		{"maui without limits", drawUnlimitedSteps}, {"slurm tree", drawSlurmSteps},
		{"limits from scratch", drawLimitedSteps},
		{"slurm admission", drawAdmissionSteps},
	} {
		t.Run(family.name, func(t *testing.T) {
			counts := map[string]int{}
			all := func() bool {
				return !slices.ContainsFunc(stepKinds, func(kind string) bool { return counts[kind] == 0 })
			}
			draws.UntilSeen(t, all, func(t *rapid.T) { stepAll(t, family.draw(t), counts) })
			for _, kind := range stepKinds {
				if counts[kind] == 0 {
					t.Errorf("no step of kind %s was taken: %v", kind, counts)
				}
			}
		})
	}
}

var stepKinds = []string{"submit", "start", "end", "hold", "release", "change", "set", "move", "options", "time",
	"nothing"}

func stepAll(t *rapid.T, c *stepped, counts map[string]int) {
	out := c.compile(c.texts[0])
	if out == nil || c.queue.Jobs.Rows == 0 {
		return
	}
	programs := func(out *compiler.Output) *program.Program {
		if rapid.Bool().Draw(t, "fused") {
			return out.Fused
		}
		return out.Program
	}
	if rapid.IntRange(0, 39).Draw(t, "many") == 0 {
		c.queue = tiled(c.queue, 1100)
	}
	state := engine.New(programs(out), c.queue, c.options)
	kinds := append(slices.Clone(stepKinds), c.often...)
	first, text := c.queue, c.texts[0]
	var taken []string
	var given [2]*evaluation.Result // the first result, and that from scratch
	for n := range rapid.IntRange(2, 8).Draw(t, "steps") {
		for range rapid.IntRange(0, 2).Draw(t, "at a time") {
			kind := rapid.SampledFrom(kinds).Draw(t, "step")
			if kind == "set" || kind == "move" {
				other := otherNumber
				if kind == "move" {
					other = otherLines
				}
				if changed := other(t, text); changed != text {
					if out := c.compile(changed); out != nil {
						state.Set(programs(out))
						text = changed
						counts[kind]++
						taken = append(taken, kind)
					}
				}
				continue
			}
			if step := drawStep(t, kind, state, fmt.Sprint(1000+n, ".", len(taken))); step == nil {
				counts[kind]++
				taken = append(taken, kind)
			}
		}
		got, err := state.Evaluate()
		want, wantErr := engine.Run(state.Program(), state.Snapshot(), state.Options())
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("after %v: error %v, from scratch %v\n%s", taken, err, wantErr, text)
		}
		if err != nil {
			return
		}
		if given[0] == nil {
			given = [2]*evaluation.Result{want, got}
		}
		if diff := unlike(want, got); diff != "" {
			t.Fatalf("after %v: %s\n%s\nthe queue began as\n%s\nand is now\n%s", taken, diff, text, jobsText(first),
				jobsText(state.Snapshot()))
		}
	}
	if given[0] != nil {
		if diff := unlike(given[0], given[1]); diff != "" {
			t.Fatalf("%v changed the first result: %s\n%s", taken, diff, text)
		}
	}
}

// drawStep takes a step of a kind; the error is for one that the queue does not allow.
func drawStep(t *rapid.T, kind string, state *engine.State, id string) error {
	s := state.Snapshot()
	if s.Jobs.Rows == 0 && kind != "submit" && kind != "time" {
		return &snapshot.StepError{}
	}
	if kind == "options" {
		o := drawOptions(t)
		o.Previous, o.PrintedUsage, o.RecordedFairshare = state.Options().Previous, rapid.Bool().
			Draw(t, "printed"), rapid.Bool().Draw(t, "recorded")
		state.Choose(o)
		return nil
	}
	job, name := -1, ""
	if s.Jobs.Rows > 0 {
		job = rapid.IntRange(0, s.Jobs.Rows-1).Draw(t, "job")
		name = s.Jobs.Value("job.id", job).Str
	}
	switch kind {
	case "submit":
		cells := snapshot.Cells{}
		if job >= 0 {
			for _, c := range s.Jobs.Columns() {
				cells[c.ID] = c.Value(job)
			}
			for _, c := range s.Jobs.Columns() { // parts of another one
				if rapid.IntRange(0, 3).Draw(t, "other") == 0 {
					cells[c.ID] = c.Value(rapid.IntRange(0, s.Jobs.Rows-1).Draw(t, "of"))
				}
			}
		}
		if rapid.Bool().Draw(t, "user") {
			cells["job.user"] = schema.StringValue("new" + id)
		}
		drawFurther(t, cells)
		cells["job.id"] = schema.StringValue(id)
		return state.Submit(cells)
	case "change":
		of, cells := rapid.IntRange(0, s.Jobs.Rows-1).Draw(t, "as"), snapshot.Cells{}
		for _, c := range s.Jobs.Columns() {
			if c.ID != "job.id" && rapid.IntRange(0, 5).Draw(t, "changed") == 0 {
				cells[c.ID] = c.Value(of)
			}
		}
		drawFurther(t, cells)
		return state.Change(name, cells)
	case "start":
		var hosts []string
		if rapid.Bool().Draw(t, "hosts") {
			hosts = []string{"n1", "n1", "n2"}
		}
		return state.Start(name, hosts...)
	case "end":
		return state.End(name)
	case "hold":
		return state.Hold(name)
	case "release":
		return state.Release(name)
	case "time":
		state.Advance(s.Now + int64(rapid.SampledFrom([]int{0, 1, 60, 4000}).Draw(t, "seconds")))
	}
	return nil
}

// tiled is a queue with so many copies of its jobs that they fill more than a block of the machine.
func tiled(s *snapshot.Snapshot, rows int) *snapshot.Snapshot {
	n := s.Jobs.Rows
	var spans []column.Span
	for at := 0; at < rows; at += n {
		spans = append(spans, column.Span{At: at, N: min(n, rows-at)})
	}
	out := *s
	out.Jobs = s.Jobs.Rearranged(spans, rows)
	ids := out.Jobs.Column("job.id").Copy()
	for row := n; row < rows; row++ {
		ids.Set(row, schema.StringValue(fmt.Sprint(10_000+row)))
	}
	out.Jobs.Put(ids)
	return &out
}

// drawFurther may give a job a cell of a column that the queue may not have yet.
func drawFurther(t *rapid.T, cells snapshot.Cells) {
	if rapid.IntRange(0, 3).Draw(t, "further") == 0 {
		c := rapid.SampledFrom(randomColumns).Draw(t, "column")
		cells[c.id] = wild(false).cell(t, c.id, c.typ)
	}
}

// otherLines is a text in which lines have moved down.
func otherLines(t *rapid.T, text string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(slices.Insert(lines, rapid.IntRange(0, len(lines)-1).Draw(t, "line"), "# moved\n"), "")
}

var number = regexp.MustCompile(`(?m)([ =])(\d+)$`)

// otherNumber is a text with another number at the end of one of its lines.
func otherNumber(t *rapid.T, text string) string {
	places := number.FindAllStringSubmatchIndex(text, -1)
	if len(places) == 0 {
		return text
	}
	if own := slices.DeleteFunc(slices.Clone(places),
		func(at []int) bool { return !strings.HasSuffix(text[:at[4]], "default = ") }); len(own) > 0 && rapid.Bool().
		Draw(t, "own") {
		places = own // a parameter of the policy's own, which expressions alone read
	}
	at := rapid.SampledFrom(places).Draw(t, "number")
	return text[:at[4]] + fmt.Sprint(rapid.SampledFrom([]int{0, 1, 3, 250}).Draw(t, "value")) + text[at[5]:]
}

func drawAnySteps(t *rapid.T) *stepped {
	in, text := drawText(t)
	rows := rapid.SampledFrom([]int{1, 3, 8}).Draw(t, "rows")
	return &stepped{in: in, texts: []string{text}, queue: drawSnapshot(t, wild(rapid.Bool().Draw(t, "wild")), rows),
		options: drawOptions(t)}
}

func drawMauiSteps(t *rapid.T) *stepped {
	return &stepped{in: compiler.Input{Lang: lower.Maui}, texts: []string{drawThrottled(t)}, queue: drawQueue(t),
		options: drawOptions(t)}
}

// drawUnlimitedSteps draws jobs of which each is decided alone, so that those that are not touched are taken over.
func drawUnlimitedSteps(t *rapid.T) *stepped {
	b := &strings.Builder{}
	b.WriteString("SERVERHOST here\nQUEUETIMEWEIGHT 1\nUSERWEIGHT 10\n")
	for _, line := range []string{"JOBPRIOACCRUALPOLICY FULLPOLICY", "REJECTNEGPRIOJOBS TRUE",
		"ENABLENEGJOBPRIORITY TRUE", "PSWEIGHT -1", "XFACTORWEIGHT 3", "SPVIOLATIONWEIGHT 50", "USESYSTEMQUEUETIME FALSE",
		"USERCFG[amy] PRIORITY=20", "USERCFG[bob] PRIORITY=-300", "GROUPCFG[gpu] PRIORITY=7\nGROUPWEIGHT 3"} {
		if rapid.IntRange(0, 3).Draw(t, line) == 0 {
			b.WriteString(line + "\n")
		}
	}
	return &stepped{in: compiler.Input{Lang: lower.Maui}, texts: []string{b.String()}, queue: drawQueue(t),
		options: drawOptions(t), often: []string{"set", "set", "hold", "release", "change", "submit"}}
}

func drawLimitedSteps(t *rapid.T) *stepped {
	q := drawLimited(t)
	s, diags, err := snapshot.Read(fstest.MapFS{"q.json": {Data: []byte(q.snapshot())}}, []string{"q.json"},
		snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return &stepped{texts: []string{q.policy()}, queue: s, options: drawOptions(t)}
}

func drawSlurmSteps(t *rapid.T) *stepped {
	c, conf := drawLimitedCluster(t)
	conf += rapid.SampledFrom([]string{"", "", "PriorityType=priority/multifactor\nPriorityFlags=NO_FAIR_TREE\n",
		"PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"}).Draw(t, "kind") +
		"PartitionName=q Nodes=n[1-3] PriorityJobFactor=3 MaxTime=60\nPartitionName=r Nodes=n4 PriorityTier=7 AllowQos=q\n"
	texts := []string{"SlurmctldHost=here\nClusterName=c\nAccountingStorageType=accounting_storage/slurmdbd\nPriorityType=priority/multifactor\n" +
		"PriorityWeightFairshare=1000\nPriorityWeightAge=10\nPriorityWeightQOS=5\n" + conf, sacctmgrDump(c)}
	s := readCluster(t, c, queueJSON(t, c), sacctmgrQOS(c.QOS))
	if rapid.Bool().Draw(t, "several partitions") {
		lists := &column.Column{ID: "job.partitions", Type: schema.StringList}
		lists = lists.Rearranged(nil, s.Jobs.Rows)
		for job := range s.Jobs.Rows {
			lists.Set(job, schema.ListValue(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"p", "q", "r"}), 0, 3, rapid.ID).
				Draw(t, "partitions")))
		}
		s.Jobs.Put(lists)
	}
	return &stepped{in: compiler.Input{Options: lower.Options{Version: "25.11"}}, texts: texts, queue: s,
		options: drawOptions(t)}
}

// drawAdmissionSteps draws jobs that partitions, and holds of the site's own, refuse. Nothing is limited, so that
// answers of unchanged jobs are kept.
func drawAdmissionSteps(t *rapid.T) *stepped {
	text, queue := drawPartitions(t)
	s, diags, err := snapshot.Read(fstest.MapFS{"q.json": {Data: queue}}, []string{"q.json"}, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags, string(queue))
	}
	states := s.Jobs.Column("job.state").Copy()
	for job := range s.Jobs.Rows {
		if rapid.Bool().Draw(t, "submitting") {
			states.Set(job, schema.StringValue("submitting"))
		} else if rapid.IntRange(0, 3).Draw(t, "running") == 0 {
			states.Set(job, schema.StringValue("running"))
			start := s.Jobs.Column("job.start_time")
			if start == nil {
				start = (&column.Column{ID: "job.start_time", Type: schema.Timestamp}).Rearranged(nil, s.Jobs.Rows)
				s.Jobs.Put(start)
			}
			start.Set(job, schema.TimestampValue(s.Now-90))
		}
	}
	s.Jobs.Put(states)
	if rapid.IntRange(0, 3).Draw(t, "arrays") == 0 {
		for _, id := range []schema.ColumnID{"job.array_job_id", "job.array_running_max"} {
			c := (&column.Column{ID: id, Type: schema.Int}).Rearranged(nil, s.Jobs.Rows)
			for job := range s.Jobs.Rows {
				c.Set(job, schema.IntValue(int64(rapid.IntRange(0, 2).Draw(t, string(id)))))
			}
			s.Jobs.Put(c)
		}
	}
	var b strings.Builder
	if rapid.Bool().Draw(t, "threshold") {
		fmt.Fprintf(&b, "  params = {\n    PriorityWeightFairshare = %d\n  }\n", rapid.SampledFrom([]int{0, 1, 250}).
			Draw(t, "fairshare"))
		fmt.Fprintf(&b, "  qos \"guarded\" {\n    flags = [\"EnforceUsageThreshold\"]\n    usage_threshold = %s\n  }\n",
			rapid.SampledFrom([]string{"0.4", "0.9", "200"}).Draw(t, "least"))
		qos := s.Jobs.Column("job.qos")
		if qos == nil {
			qos = (&column.Column{ID: "job.qos", Type: schema.String}).Rearranged(nil, s.Jobs.Rows)
		}
		qos = qos.Copy()
		for job := range s.Jobs.Rows {
			if rapid.IntRange(0, 2).Draw(t, "guarded") == 0 {
				qos.Set(job, schema.StringValue("guarded"))
			}
		}
		s.Jobs.Put(qos)
	}
	b.WriteString("  param \"most\" {\n    type = \"integer\"\n    default = 3\n  }\n")
	for i, phase := range []string{"", "submit", "queue", "start"} {
		if phase == "submit" || rapid.Bool().Draw(t, "hold "+phase) {
			fmt.Fprintf(&b, "  hold \"h%d\" {\n", i)
			if phase != "" {
				fmt.Fprintf(&b, "    phase = %q\n    text = \"it asks for {job.procs}\"\n", phase)
			}
			fmt.Fprintf(&b, "    reason = \"H%d\"\n    when = %q\n  }\n", i,
				rapid.SampledFrom([]string{"job.procs > param.most", "job.procs > param.most",
					"size(job.user) + job.procs > param.most", "job.user.startsWith('new')",
					"now > job.submit_time + duration('150s')", "job.nodes > param.most",
					"user.name == 'amy' && job.procs % 2 == 1 && job.mem_mb / job.nodes > 9", "job.submit_rank > param.most"}).
					Draw(t, "when"))
		}
	}
	b.WriteString("  component \"own\" {\n    weight = 7\n    term \"t\" {\n      weight = \"param.most\"\n      factor = " +
		rapid.SampledFrom([]string{`"double(job.procs)"`, `"double(now.getSeconds())"`, `"double(size(user.name))"`,
			`"double(job.procs / job.nodes)"`,
			`"job.account.matches('c.*m') ? 1.0 : 0.0"`, `"double(job.submit_rank)"`}).Draw(t, "factor") + "\n    }\n  }\n")
	own := "policy \"site\" {\n  use = \"slurm\"\n" + b.String() + "}\n" // a file of its own, so that nothing else moves
	text = strings.Replace(text, "  use = \"slurm\"\n",
		"  params = {\n    PriorityWeightAge = 10\n    PriorityMaxAge = 600\n  }\n", 1)
	return &stepped{in: compiler.Input{Options: lower.Options{Version: "25.11"}}, texts: []string{own, text}, queue: s,
		options: drawOptions(t),
		often:   []string{"set", "set", "set", "set", "set"}}
}

func drawOptions(t *rapid.T) evaluation.Options {
	return evaluation.Options{Workers: rapid.SampledFrom([]int{1, 1, 3}).Draw(t, "workers"), KeepState: rapid.Bool().
		Draw(t, "keep state"), ScoresOnly: rapid.IntRange(0, 9).Draw(t, "scores only") == 0}
}

// unlike says in what two results of the same queue differ; "" if in nothing.
func unlike(want, got *evaluation.Result) string {
	for _, f := range []struct {
		name      string
		want, got any
	}{
		{"findings", eval.FindingsOf(want.Findings), eval.FindingsOf(got.Findings)},
		{"rows", want.RowJob, got.RowJob}, {"first rows", want.JobRow, got.JobRow},
		{"priorities", want.Priority, got.Priority}, {"failed", marks(want.Failed), marks(got.Failed)},
		{"stored", want.Stored, got.Stored}, {"states", want.State, got.State}, {"reasons", want.Reason, got.Reason},
		{"idle", maui.Of(want).Idle, maui.Of(got).Idle}, {"started", want.Started, got.Started},
		{"taken", want.Taken, got.Taken},
		{"order", want.Order, got.Order}, {"ranks", want.Rank, got.Rank}, {"ranked rows", want.RankRow, got.RankRow},
		{"queued", marks(want.Queued), marks(got.Queued)},
	} {
		if a, b := fmt.Sprintf("%+v", f.want), fmt.Sprintf("%+v", f.got); a != b {
			return fmt.Sprintf("%s are\n%s\nand from scratch\n%s", f.name, b, a)
		}
	}
	doubles := func(r *evaluation.Result) (list [][]float64) {
		list = append(list, r.Score, r.RunPriority)
		for i := range r.Sums {
			list = append(list, r.Sums[i].Weight, r.Sums[i].Sum, r.Sums[i].Value, r.Sums[i].Cap)
		}
		for i := range r.Terms {
			list = append(list, r.Terms[i].Factor, r.Terms[i].Weight, r.Terms[i].Value, r.Terms[i].Cap)
		}
		return list
	}
	for i, list := range doubles(want) {
		same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }
		if !slices.EqualFunc(list, doubles(got)[i], same) {
			return fmt.Sprintf("numbers %d are %v and from scratch %v", i, doubles(got)[i], list)
		}
	}
	if text := unlikeTables("jobs", want.Jobs, got.Jobs) + unlikeTables("rows", want.Rows, got.Rows); text != "" {
		return text
	}
	if a, b := reported(want), reported(got); a != b {
		return fmt.Sprintf("the report is\n%s\nand from scratch\n%s", b, a)
	}
	return ""
}

func marks(b column.Bitmap) string {
	var list []string
	for i := range 64 * len(b) {
		if b.Get(i) {
			list = append(list, fmt.Sprint(i))
		}
	}
	return strings.Join(list, " ")
}

// reported is all that eval reports, and what the next evaluation is left.
func reported(r *evaluation.Result) string {
	var b bytes.Buffer
	if r.State != nil && !(r.Order == nil && r.Next() == nil) {
		if err := eval.WriteJSON(&b, r, eval.Options{}); err != nil {
			return err.Error()
		}
	}
	if next := r.Next(); next != nil {
		if err := next.Write(&b); err != nil {
			return err.Error()
		}
	}
	return b.String()
}

// unlikeTables compares cells; dictionaries may be in any order.
func unlikeTables(what string, want, got *column.Table) string {
	names := func(t *column.Table) []schema.ColumnID {
		ids := map[schema.ColumnID]bool{}
		for _, c := range t.Columns() {
			ids[c.ID] = true
		}
		return slices.Sorted(maps.Keys(ids))
	}
	if a, b := names(want), names(got); !slices.Equal(a, b) || want.Rows != got.Rows {
		return fmt.Sprintf("%s have %d rows of %v and from scratch %d of %v", what, got.Rows, b, want.Rows, a)
	}
	for _, c := range want.Columns() {
		for i := range want.Rows {
			if a, b := fmt.Sprintf("%+v", c.Value(i)), fmt.Sprintf("%+v", got.Value(c.ID, i)); a != b {
				return fmt.Sprintf("%s: %s of row %d is %s and from scratch %s", what, c.ID, i, b, a)
			}
		}
	}
	return ""
}

func jobsText(s *snapshot.Snapshot) string {
	var b bytes.Buffer
	if err := snapshot.WriteLines(&b, s); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("now %d\n%s", s.Now, b.String())
}
