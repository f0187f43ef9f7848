package slurm

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// sshareColumn is one column of sshare. Names are cut to their column, as sshare does with a +;
// numbers are not.
type sshareColumn struct {
	title     string
	width     int
	left      bool
	long      bool // only with -l
	fairTree  bool // Fair Tree alone has it
	partition bool // only with -m
	text      func(s *sshareReport, node int) string
}

// sshareColumns are those of sshare's default and -l formats (sshare manual page; observed in 22.05
// and 25.11).
var sshareColumns = []sshareColumn{
	{title: "Account", width: 20, left: true, text: func(s *sshareReport, node int) string {
		return strings.Repeat(" ", int(s.t.Tree.Depth[node])) + s.t.Tree.Associations[node].Account
	}},
	{title: "User", width: 10, text: func(s *sshareReport, node int) string { return s.t.Tree.Associations[node].User }},
	{title: "Partition", width: 12, partition: true,
		text: func(s *sshareReport, node int) string { return s.t.Tree.Associations[node].Partition }},
	{title: "RawShares", width: 10, text: (*sshareReport).rawShares},
	{title: "NormShares", width: 11,
		text: func(s *sshareReport, node int) string { return sixDecimals(s.t.Factors().NormShares[node]) }},
	{title: "RawUsage", width: 11, text: func(s *sshareReport, node int) string {
		return strconv.FormatFloat(math.Trunc(s.t.Ledger.Associations.Billing[node]), 'f', 0, 64)
	}},
	{title: "NormUsage", width: 11, long: true, text: func(s *sshareReport, node int) string {
		if node == 0 {
			return ""
		}
		return sixDecimals(s.t.Factors().NormUsage(node))
	}},
	{title: "EffectvUsage", width: 13,
		text: func(s *sshareReport, node int) string { return sixDecimals(s.t.EffectiveUsage(node)) }},
	{title: "FairShare", width: 10, text: (*sshareReport).fairShare},
	{title: "LevelFS", width: 10, long: true, fairTree: true, text: func(s *sshareReport, node int) string {
		level, ok := s.t.Level(node)
		if !ok {
			return ""
		}
		return sixDecimals(level)
	}},
	{title: "GrpTRESMins", width: 30, long: true, text: (*sshareReport).limits},
	{title: "TRESRunMins", width: 30, long: true, text: (*sshareReport).running},
}

// sixDecimals writes a number as sshare does: infinity is a word.
func sixDecimals(x float64) string {
	if math.IsInf(x, 1) {
		return "inf"
	}
	return strconv.FormatFloat(x, 'f', 6, 64)
}

// WriteSshare writes what sshare -a prints: a line for each association, in tree order.
func WriteSshare(w io.Writer, r *evaluation.Result, o eval.Options) error {
	s := &sshareReport{r: r, t: r.Tree}
	var nodes []int
	if s.t != nil {
		nodes = s.t.Listed()
	}
	var columns []*sshareColumn
	for i := range sshareColumns {
		c := &sshareColumns[i]
		if (!c.long || o.Long) && (!c.partition || o.Partitions) && (!c.fairTree || s.t == nil || s.t.FairTree != nil) {
			columns = append(columns, c)
		}
	}
	if o.Long && s.t != nil {
		s.runSeconds = s.t.RunSeconds(r)
	}
	out := bufio.NewWriter(w)
	line := func(cell func(c *sshareColumn) string) {
		for i, c := range columns {
			switch text := cell(c); {
			case o.Parsable && i > 0:
				fmt.Fprint(out, "|", text)
			case o.Parsable:
				fmt.Fprint(out, text)
			case c.left:
				fmt.Fprintf(out, "%-*s ", c.width, cutWith(text, c.width))
			default:
				fmt.Fprintf(out, "%*s ", c.width, cutWith(text, c.width))
			}
		}
		fmt.Fprintln(out)
	}
	line(func(c *sshareColumn) string { return c.title })
	if !o.Parsable {
		line(func(c *sshareColumn) string { return strings.Repeat("-", c.width) })
	}
	for _, node := range nodes {
		line(func(c *sshareColumn) string { return c.text(s, node) })
	}
	return out.Flush()
}

// cutWith marks what does not fit with a + in the last place, as Slurm's print functions do.
func cutWith(text string, width int) string {
	if len(text) <= width {
		return text
	}
	return text[:width-1] + "+"
}

// sshareReport is one print of sshare.
type sshareReport struct {
	r          *evaluation.Result
	t          *evaluation.TreeShares
	runSeconds [][]float64
}

func (s *sshareReport) rawShares(node int) string {
	switch shares := s.t.Tree.Associations[node].Shares; {
	case node == 0:
		return ""
	case shares == program.ParentShares:
		return "parent"
	default:
		return strconv.FormatInt(shares, 10)
	}
}

// fairShare: before 25.11 the classic formula is shown for accounts too.
func (s *sshareReport) fairShare(node int) string {
	c := s.t.Classic
	switch old := s.r.Program.Version != "" && s.r.Program.Version < "25.11"; {
	case c != nil && old:
		return sixDecimals(c.Shown(node))
	case !s.t.Tree.IsUser(node):
		return ""
	}
	return sixDecimals(s.t.Factors().Factor[node])
}

// limits are GrpTRESMins as the policy sets them.
func (s *sshareReport) limits(node int) string {
	var list []string
	for i := range s.r.Program.Limits {
		l := &s.r.Program.Limits[i]
		if name, ok := strings.CutPrefix(l.Name, "GrpTRESMins="); ok && l.Object == "association" && l.Row == s.t.Key(node) {
			list = append(list, fmt.Sprintf("%s=%d", name, l.Hard))
		}
	}
	return strings.Join(list, ",")
}

// running are the minutes that running jobs have yet to use.
func (s *sshareReport) running(node int) string {
	list := make([]string, len(s.t.TRES))
	for i, name := range s.t.TRES {
		list[i] = name + "=" + strconv.FormatInt(int64(s.runSeconds[i][node]/60), 10)
	}
	return strings.Join(list, ",")
}
