package slurmconf

import (
	"bytes"
	"testing"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

var seeds = []string{
	"ClusterName=c\nSlurmctldHost=h\nNodeName=DEFAULT CPUs=4\nNodeName=n[1-3] Gres=gpu:a:2\nPartitionName=a Nodes=ALL " +
		"Priority=5\n",
	"A=\"x\"y \\\n# c\nInclude %c/x.conf\r\n  Include y",
	"SchedulerParameters=bf_continue,\\ # c \\\nbf_window=2880\\#\\\\\n",
	"NodeName=n1 Features= Weight=5 CPUs=0x10\nPriorityMaxAge=1:30\n\x00",
	"PriorityWeightTRES=CPU=1,GRES/gpu=2\nTRESBillingWeights=x\n{{ a }}",
	"PriorityFlags=\"MAX_TRESS, " +
		"xACCRUE_ALWAYS\"\nSchedulerParameters=bf_continue=no,bf_window=7-0,\\\nbf_windw=1,bf_window=99999 # " +
		"x\nSelectType=cons_res\nAccountingStorageEnforce=limit\n",
	"NodeName=n[1-2 State=DRIAN\nPartitionName=DEFAULT Default=YES " +
		"TRESBillingWeights=billing=1,gres/x=2\nPartitionName=a\nPartitionName=b " +
		"Nodes=n1\nPriorityWeightAge=4294967295\nPriorityWeightFairshare=1\nPriorityWeightTRES=Billing=2",
	"NodeSet=s Feature=x Nodes=n[1-2]\nDownNodes=n1 State=DOWN\nPartitionName=a Nodes=s " +
		"TRESBillingWeights=CPU=1.5,Mem=0.25G",
}

// FuzzParse: whatever the text, printing gives it back, formatting keeps its
// meaning and nothing panics.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tree, _ := Parse(source.NewFile("slurm.conf", text))
		if !bytes.Equal(tree.Print(), text) {
			t.Fatalf("%q prints as %q", text, tree.Print())
		}
		for _, l := range tree.Lines {
			for _, p := range l.Pairs {
				if p.Key.Text == "" || p.Value.Span.Start < p.Op.Span.End || p.Op.Span.Start < p.Key.Span.End {
					t.Fatalf("%q: pair %+v", text, p)
				}
			}
		}
		checkGrammar(t, string(text))
		checkFormat(t, text)
		IsTemplate(text)
		if n := Sniff(text); n < 0 || n > 100 {
			t.Fatalf("Sniff gives %d", n)
		}
	})
}

// FuzzEvaluate reads the text for an old and a new version.
func FuzzEvaluate(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, version := range []string{"2.6", "22.05", ""} {
			cfg, ds := evaluateText(t, text, Options{Version: version})
			if len(ds) > 2*(dialect.MaxFindings+2) {
				t.Fatalf("%d findings", len(ds))
			}
			for _, d := range ds {
				if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
					t.Fatalf("%s covers %d to %d of %d bytes", d.Code, d.Span.Start, d.Span.End, len(text))
				}
			}
			for _, p := range cfg.Partitions {
				for _, i := range p.Nodes {
					if i < 0 || i >= len(cfg.Nodes) {
						t.Fatalf("partition %s has node %d of %d", p.Name, i, len(cfg.Nodes))
					}
				}
			}
		}
	})
}
