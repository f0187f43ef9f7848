package push

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// WriteTable writes a plan for people: the changes, up to limit of them (0 is all), and why other jobs have none.
func (p *Plan) WriteTable(w io.Writer, limit int) error {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	if len(p.Changes) > 0 {
		fmt.Fprintln(t, "job\tpriority\told\tnew\tchange\t")
	}
	for i, c := range p.Changes {
		if limit > 0 && i == limit {
			break
		}
		priority := fmt.Sprint(c.Priority)
		if p.Undoes != "" {
			priority = "-"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%+d\t\n", source.Plain(c.Job), priority, c.Old, c.New, c.New-c.Old)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if n := len(p.Changes) - limit; limit > 0 && n > 0 {
		fmt.Fprintf(&b, "and %d more\n", n)
	}
	if p.Undoes == "" {
		fmt.Fprintf(&b, "%d of %s %s", len(p.Changes), diag.Count(p.Waiting+p.Held+p.Failed, "waiting job"),
			diag.Agree(len(p.Changes), "changes", "change"))
		for _, part := range []struct {
			n         int
			one, many string
		}{
			{p.Right, "has its value", "have their value"}, {len(p.Skipped), "is skipped", "are skipped"},
			{p.Held, "is held", "are held"},
			{p.Failed, "failed (no priority, as an expression failed)", "failed (no priority, as an expression failed)"},
		} {
			if part.n > 0 {
				fmt.Fprintf(&b, ", %d %s", part.n, diag.Agree(part.n, part.one, part.many))
			}
		}
		b.WriteByte('\n')
	}
	writeReasons(&b, "skipped", p.Skipped)
	_, err := w.Write(b.Bytes())
	return err
}

// WriteOutcome writes for people what became of a run.
func WriteOutcome(w io.Writer, run string, c Counts, refused, missed []Refused) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "run %s: %d changed, %d had their value, %d skipped, %d did not take\n", run, c.Changed, c.Already,
		c.Skipped, c.Missed)
	for _, of := range []struct {
		became string
		list   []Refused
	}{{"refused", refused}, {"did not take", missed}} {
		list := make([]Skipped, len(of.list))
		for i, r := range of.list {
			list[i] = Skipped{r.Job, r.Why}
		}
		writeReasons(&b, of.became, list)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeReasons says why something became of jobs, the most frequent reason first, each with the first job.
func writeReasons(b *bytes.Buffer, became string, list []Skipped) {
	count, first := map[string]int{}, map[string]string{}
	for _, s := range list {
		if count[s.Why]++; count[s.Why] == 1 {
			first[s.Why] = s.Job
		}
	}
	order := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for i, why := range order {
		if i == mostReasons && len(order) > mostReasons+1 {
			fmt.Fprintf(b, "  and %d more reasons\n", len(order)-i)
			return
		}
		fmt.Fprintf(b, "  %d %s: %s (job %s)\n", count[why], became, source.Plain(why), source.Plain(first[why]))
	}
}

const mostReasons = 10

// WriteRuns writes the runs of a journal for people.
func WriteRuns(w io.Writer, runs []Run) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "run\tbegan\tto\tchanged\tdid not take\tended")
	for _, r := range runs {
		to, ended := strings.TrimSpace(r.Target.To+" "+r.Target.By), "yes"
		switch {
		case !r.Ended:
			ended = "no: it was broken off"
		case r.Error != "":
			ended = "yes: " + r.Error
		}
		if r.Undoes != "" {
			ended += ", undoes " + r.Undoes
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%s\n", source.Plain(r.ID), source.Plain(r.Began), source.Plain(to), r.Changed,
			r.Missed, source.Plain(ended))
	}
	return t.Flush()
}
