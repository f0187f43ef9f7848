package maui

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema/mauitext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// mauiPolicies are FSPOLICY's words for what windows count.
var mauiPolicies = map[string]string{
	fairshare.DedicatedProcSeconds: "DEDICATEDPS", fairshare.DedicatedPESeconds: "DEDICATEDPES",
	fairshare.UtilizedProcSeconds: "UTILIZEDPS", "": "[NONE]",
}

// mauiSections are the kinds of credentials in the order of diagnose -f.
var mauiSections = []struct {
	title  string
	object int
}{{"USER", fairshare.User}, {"GROUP", fairshare.Group}, {"ACCT", fairshare.Account}, {"QOS", fairshare.QOS},
	{"CLASS", fairshare.Partition}}

// targetSuffix is how FSTARGET is written for each kind of target.
var targetSuffix = map[string]string{"target": " ", "floor": "+", "ceiling": "-", "cap": "^", "relative_cap": "%"}

const noNumber = "-------"

// WriteDiagnoseF writes what Maui's diagnose -f prints: each credential's share of all usage,
// its target, and its share of each window in which anything was used. A star marks who misses the target.
// Names are sorted; Maui has them in the order of a hash table, and knows some of its own, such
// as its administrators.
func WriteDiagnoseF(w io.Writer, r *evaluation.Result, _ eval.Options) error {
	s, model := eval.WindowsOf(r)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "FairShare Information\n\nDepth: %d intervals   Interval Length: %s   Decay Rate: %.2f\n\n",
		model.Depth, mauitext.Span(model.IntervalSeconds), model.Decay)
	fmt.Fprintf(out, "FS Policy: %s\nSystem FS Settings:  Target Usage: 0.00    Flags: 0\n\n", mauiPolicies[model.Usage])

	var shown []int // windows
	for k := range s.Windows {
		if s.Windows[k].Total > 0 {
			shown = append(shown, k)
		}
	}
	line := func(head string, field func(k int) string) {
		out.WriteString(head)
		for _, k := range shown {
			out.WriteString(field(k))
		}
		out.WriteByte('\n')
	}
	line("FSInterval        %     Target", func(k int) string { return fmt.Sprintf("%8d", k) })
	line("FSWeight       ------- -------", func(k int) string { return fmt.Sprintf(" %7.4f", s.Windows[k].Weight) })
	line("TotalUsage      100.00 -------", func(k int) string { return fmt.Sprintf(" %7.1f", s.Windows[k].Total/3600) })
	out.WriteByte('\n')

	for _, section := range mauiSections {
		rows := slices.DeleteFunc(eval.ShareRows(r, s, section.object), func(row eval.ShareRow) bool {
			// Of the QOS of jobs that have none, the report shows no usage (recorded: f15, r03).
			return row.Object == fairshare.QOS && row.Name == "DEFAULT" && row.Target == nil
		})
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(out, "%s\n-------------\n", section.title)
		for _, row := range rows {
			name, target := source.Plain(row.Name), noNumber
			if row.Target != nil {
				target = targetText(row.Target)
				if s.Active() && fairshare.Missed(row.Target, row.Share.Percent) {
					name += "*"
				}
			}
			line(fmt.Sprintf("%-14s %7.2f %s", name, row.Share.Percent, target), func(k int) string {
				used := s.InWindow(section.object, row.Name, k)
				if used == 0 {
					return " " + noNumber
				}
				return fmt.Sprintf(" %7.2f", percent(used, s.Windows[k].Total))
			})
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// targetText cuts a target to the width of its column, as the report does with caps.
func targetText(t *program.Target) string {
	return fmt.Sprintf("%6.2f%s", t.Value, targetSuffix[t.Kind])[:len(noNumber)]
}
