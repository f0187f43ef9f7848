package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func newExpr() *cobra.Command {
	x := &expression{}
	cmd := &cobra.Command{
		Use:  "expr [EXPR] --snapshot SNAPSHOT",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return x.interactive(cmd.Flags().Changed)
			}
			x.text = args[0]
			return x.run(cmd.Flags().Changed)
		},
	}
	x.pol.add(cmd)
	_ = cmd.Flags().MarkHidden("dump") // of eval
	x.snap.add(cmd, false)
	cmd.Flags().StringArrayVar(&x.files, "policy", nil,
		"file of a policy whose parameters, defines and credentials the expression reads; may repeat")
	cmd.Flags().StringVarP(&x.output, "output", "o", "table", "table or json")
	completeWords(cmd, "output", "table", "json")
	x.filter.add(cmd, 0, "show only the first N jobs, by rank or as --sort has them; 0 shows all")
	return cmd
}

// expression is what is asked of each job.
type expression struct {
	pol    policyFlags
	snap   snapshotFlags
	filter jobFilter
	files  []string
	output string
	text   string

	query ir.Query
	r     *evaluation.Result // of the policy
	boxed []boxedPart
}

// boxedPart is a part that is computed job by job.
type boxedPart struct {
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// exprValue is the value for one row: of a job of several partitions there are several.
type exprValue struct {
	ID        string `json:"id"`
	Partition string `json:"partition"`
	Value     any    `json:"value"` // null where it failed
	Failed    string `json:"failed" form:"ornull"`
}

// exprFile is what diagnostics call the expression.
const exprFile = "EXPR"

func (x *expression) run(given func(flag string) bool) error {
	if err := x.check(given); err != nil {
		return err
	}
	return x.answer(&disk{}, func(write func(io.Writer) error) error { return writeOutput("", write) })
}

// check finds what is wrong before an expression is looked at.
func (x *expression) check(given func(flag string) bool) error {
	if x.output != "table" && x.output != "json" {
		return failf(exitUsage, "-o is table or json, not %q", x.output)
	}
	if x.pol.dump != "" {
		return failf(exitUsage, "--dump is of eval: fairway eval POLICY --dump=%s", x.pol.dump)
	}
	if err := x.filter.check(given); err != nil {
		return err
	}
	var err error
	if x.files, err = x.snap.withCaptures(x.files); err != nil {
		return err
	}
	if len(x.snap.paths) == 0 {
		return failf(exitUsage, "no snapshot: add --snapshot FILE, for instance the output of `squeue --json`")
	}
	return nil
}

// answer evaluates the expression for the chosen jobs and shows it.
func (x *expression) answer(d *disk, show func(write func(io.Writer) error) error) error {
	s, read, err := x.snap.read(d)
	if err != nil {
		return err
	}
	printDiags(notable(read))
	return x.answerOn(d, s, show)
}

// answerOn is answer for a queue that was read.
func (x *expression) answerOn(d *disk, s *snapshot.Snapshot, show func(write func(io.Writer) error) error) error {
	if err := x.evaluate(d, s); err != nil {
		return err
	}
	jobs, report, err := x.filter.jobs(x.r)
	if err != nil {
		return err
	}
	if jobs == nil {
		jobs = eval.Sequence(x.r)
	}
	if x.filter.limit > 0 {
		jobs = jobs[:min(len(jobs), x.filter.limit)]
	}
	var values []exprValue
	failed := 0
	for _, job := range jobs {
		for row, end := x.filter.asked.Entries(job); row < end; row++ {
			v := x.value(job, row)
			if values = append(values, v); v.Failed != "" {
				failed++
			}
		}
	}
	if err := show(func(w io.Writer) error { return x.write(w, values, report) }); err != nil {
		return err
	}
	if failed > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

// noPolicy gives every job priority 0: the order of the queue is that of the snapshot.
const noPolicy = `policy "none" {
  component "none" {
    weight = 0
    term "none" {
      factor = "0.0"
    }
  }
}
`

// evaluate asks the expression beside the policy, as --where is asked.
func (x *expression) evaluate(d *disk, s *snapshot.Snapshot) error {
	x.boxed, x.filter.asked, x.filter.match = nil, nil, nil
	x.filter.first = []lower.Query{{Text: source.NewFile(exprFile, []byte(x.text))}}
	x.pol.filter = &x.filter
	if len(x.files) == 0 {
		x.pol.inline = source.NewFile("none.fairway.hcl", []byte(noPolicy))
	}
	out, err := x.pol.compile(d, x.files, s)
	if err != nil {
		return err
	}
	x.query = out.Policy.Queries[0]
	var o evaluation.Options
	if o.Place, err = x.snap.place(); err != nil {
		return err
	}
	if err := x.filter.ask(out, s, o); err != nil {
		return err
	}
	if x.r, err = engine.Run(out.Program, s, o); err != nil {
		return &exitError{code: runExit(err), err: err}
	}
	if x.r.Findings.HasErrors() {
		return complain(x.r.Findings)
	}
	for _, f := range x.filter.asked.Findings {
		if f.Code == "not-vectorized" && f.Span.File != nil && f.Span.File.Name == exprFile {
			x.boxed = append(x.boxed, boxedPart{f.Span.Text(), strings.TrimPrefix(f.Message, "not-vectorized: ")})
		}
	}
	return nil
}

// value is what the expression gives for a row.
func (x *expression) value(job, row int) exprValue {
	of := x.filter.asked
	t := &of.Terms[0]
	v := exprValue{ID: eval.JobText(x.r, "job.id", job), Partition: of.Rows.Value("job.partition", row).Str}
	if t.FactorFailed.Get(row) {
		v.Failed = "it has no value"
		for _, loss := range of.Losses {
			if loss.Rows.Get(row) && loss.Span.File != nil && loss.Span.File.Name == exprFile {
				v.Failed = loss.Message
			}
		}
		return v
	}
	switch f := t.Factor[row]; x.query.Type {
	case schema.Bool:
		v.Value = f != 0
	case schema.Int:
		v.Value = int64(f)
	case schema.Double:
		v.Value = f
	default:
		v.Value = plainValue(x.query.Text(int(f)))
	}
	return v
}

// plainValue is a value that is no number, as JSON has it: times in epoch seconds, durations in seconds.
func plainValue(v schema.Value) any {
	switch v.Type {
	case schema.String:
		return v.Str
	case schema.StringList:
		return append([]string{}, v.List...)
	case schema.Timestamp:
		return v.Int
	case schema.Duration:
		return float64(v.Int) / 1e9
	}
	return v.String()
}

func (x *expression) write(w io.Writer, values []exprValue, report *eval.Filter) error {
	if x.output == "json" {
		return encode.Write(w, struct {
			eval.Head
			Filter        *eval.Filter `json:"filter,omitempty"`
			Expression    string       `json:"expression"`
			Type          string       `json:"type"`
			NotVectorized []boxedPart  `json:"not_vectorized"`
			Jobs          []exprValue  `json:"jobs" form:"lines"`
		}{eval.HeadOf(x.r), report, x.text, x.query.Type.String(), x.boxed, values})
	}
	g := form.Grid{Rows: len(values)}
	g.Add("job", false, func(row int) string { return source.Plain(values[row].ID) })
	g.AddUsed(x.r.Facts.Partitions.Word(), false, func(row int) string { return source.Plain(values[row].Partition) })
	title, number := x.query.Type.String(), true
	switch x.query.Type {
	case schema.Timestamp, schema.Duration:
		title += " (s)"
	case schema.Bool, schema.String, schema.StringList:
		number = false
	}
	g.Add(title, number, func(row int) string { return valueText(values[row].Value) })
	g.AddUsed("failed", false, func(row int) string { return source.Plain(values[row].Failed) })
	var b strings.Builder
	if len(values) > 0 {
		g.Fit(terminalWidth(""))
		b.WriteString(g.Text(colourful(os.Stdout)))
	}
	for _, p := range x.boxed {
		fmt.Fprintf(&b, "computed job by job: %s: %s\n", source.Plain(p.Text), source.Plain(p.Reason))
	}
	if len(values) == 0 {
		fmt.Fprintf(&b, "no jobs; the expression is of type %s\n", x.query.Type)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// valueText is a value in a table.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', 1, 64)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return source.Plain(v)
	}
	return source.Plain(fmt.Sprint(v))
}
