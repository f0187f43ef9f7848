package slurmconf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/cases"
	"github.com/fairway-sched/fairway/lang/diag"
)

// TestIgnoredText: what Slurm ignores or takes for something else, as
// "code word", the word above the caret; " → fix" where one is offered.
func TestIgnoredText(t *testing.T) {
	cases.Run(t, "testdata/words.txt", func(t *testing.T, c cases.Case) string {
		first := head
		if c.Option != "" && before(c.Option, "18.08") {
			first = "ClusterName=C1\nControlMachine=h\n"
		}
		_, ds := evaluateText(t, first+c.In, Options{Version: cmp.Or(c.Option, Newest())})
		var found []string
		for _, d := range sorted(ds) {
			text := d.Code + " " + strings.ReplaceAll(d.Span.Text(), "\\\n", "")
			if d.Fix != nil {
				text += " → " + d.Fix.NewText
			}
			found = append(found, text)
		}
		return strings.Join(found, "\n")
	})
}

// TestFixesMend: typing what a finding of these lists suggests leaves no finding.
func TestFixesMend(t *testing.T) {
	for _, text := range []string{
		"PriorityFlags=MAX_TRES,\\\n  \"ACRUE_ALWAYS\n", "PriorityFlags=\"ACRUE_ALWAYS, MAX_TRESS\"\n",
		"PriorityFlags=INCR_ONLY,\\\nACRUE_ALWAYS,\\\nMAX_TRES\n",
		"SchedulerParameters==bf_window=10\n", "SchedulerParameters=defer,bf_windw=10\n",
		"AccountingStorageEnforce=\"qos, limit\"\n", "SelectType=cons_tres\n",
	} {
		text = head + text
		for range 5 {
			_, ds := evaluateText(t, text, Options{Version: Newest()})
			i := slices.IndexFunc(ds, func(d *diag.Diagnostic) bool { return d.Fix != nil })
			if i < 0 {
				if len(ds) > 0 && !strings.Contains(text, "\\\n  \"") { // the quote is a finding without a fix
					t.Errorf("%q leaves %v", text, codes(ds))
				}
				break
			}
			fix := ds[i].Fix
			text = text[:fix.Span.Start] + fix.NewText + text[fix.Span.End:]
		}
	}
}

// Names and numbers agree.
func TestPlurals(t *testing.T) {
	for text, want := range map[string]string{
		"PartitionName=a MaxTime=1:00\n":      "MaxTime=1:00 means 1 minute",
		"PartitionName=a MaxTime=1:30\n":      "MaxTime=1:30 means 2 minutes",
		"NodeName=n1\nDownNodes=n2\n":         "DownNodes names a node that is not defined: n2",
		"NodeName=n1\nDownNodes=n[2-3]\n":     "DownNodes names 2 nodes that are not defined, the first is n2",
		"NodeName=n[1-4] NodeAddr=a[1-3]\n":   "NodeAddr has 3 names for 4 nodes",
		"NodeName=n1 NodeHostname=a[1-3]\n":   "NodeHostname has 3 names for 1 node",
		"SchedulerParameters=bf_window=x\n":   "bf_window=x counts as 0",
		"SchedulerParameters=bf_max_time=0\n": "bf_max_time=0 counts as bf_interval, the default",
	} {
		_, ds := evaluateText(t, head+text, Options{Version: Newest()})
		if len(ds) != 1 || ds[0].Message != want {
			t.Errorf("%s: %s", text, fmt.Sprint(codes(ds)))
		}
	}
}

// Of several default partitions the last one has the mark.
func TestLastDefaultCounts(t *testing.T) {
	cfg, _ := evaluateText(t, head+"PartitionName=a Default=YES\nPartitionName=b Default=YES\nPartitionName=c\n",
		Options{})
	if p := cfg.Partitions; p[0].Default || !p[1].Default || p[2].Default {
		t.Errorf("%v %v %v", p[0].Default, p[1].Default, p[2].Default)
	}
}
