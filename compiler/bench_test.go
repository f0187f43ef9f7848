package compiler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// lines joins a head and n generated lines.
func lines(head string, n int, line func(i int) string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		b.WriteString(line(i))
		b.WriteByte('\n')
	}
	return b.String()
}

// thousand lines of each language, as large sites have them.
var thousand = map[lower.Lang]string{
	lower.Maui: lines("SERVERHOST head\nQUEUETIMEWEIGHT 10\nUSERWEIGHT 2\n", 997, func(i int) string {
		return fmt.Sprintf("USERCFG[user%03d] PRIORITY=%d QLIST=high,low QDEF=low", i, i%50)
	}),
	lower.Slurm: lines("ClusterName=c\nSlurmctldHost=head\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightPartition=10\n", 900, func(i int) string {
		return fmt.Sprintf("NodeName=rack%03d-n[01-48] CPUs=64 RealMemory=%d Feature=ib,r%d", i, 192000+i, i%9)
	}) + lines("", 95, func(i int) string {
		return fmt.Sprintf("PartitionName=p%02d Nodes=rack%03d-n[01-48] PriorityJobFactor=%d MaxTime=%d-0", i, i*9, i, 1+i%7)
	}),
	lower.Dump: lines("Cluster - 'c':Fairshare=1:QOS='normal'\nParent - 'root'\nAccount - 'a':Fairshare=10\nParent - 'a'\n", 996, func(i int) string {
		return fmt.Sprintf("User - 'user%03d':DefaultAccount='a':Fairshare=%d:MaxJobs=%d", i, 1+i%9, 10+i)
	}),
	lower.HCL: rules(160),
}

// rules is a policy of n terms with a CEL factor each, and a quarter as many rows
// of users; five lines a term, four a user.
func rules(n int) string {
	var b strings.Builder
	b.WriteString("policy \"site\" {\n  param \"P\" {\n    type    = \"number\"\n    default = 2\n  }\n")
	forms := []string{
		`job.walltime_seconds < %d * 3600 && job.gpus > 0 ? 1.0 : 0.0`,
		`math.least(job.queue_minutes, %d.0) * param.P`,
		`job.user.startsWith("u%d") || job.partition in ["gpu", "long"]`,
		`double(job.procs) / double(cluster.procs + %d)`,
		`has(job.begin_time) ? 0.0 : clamp(job.queue_minutes / %d.5, 0.0, 1.0)`,
	}
	for i := range n {
		if i%10 == 0 {
			fmt.Fprintf(&b, "  component \"c%d\" {\n    weight = %d\n", i/10, 1+i%3)
		}
		fmt.Fprintf(&b, "    term \"t%d\" {\n      weight = %d\n      factor = <<-CEL\n        %s\n      CEL\n    }\n", i,
			1+i, fmt.Sprintf(forms[i%len(forms)], i+1))
		if i%10 == 9 || i == n-1 {
			b.WriteString("  }\n")
		}
	}
	for i := range n / 4 {
		fmt.Fprintf(&b, "  user \"user%d\" {\n    priority = %d\n  }\n", i, i)
	}
	b.WriteString("}\n")
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	for _, lang := range []lower.Lang{lower.HCL, lower.Maui, lower.Slurm, lower.Dump} {
		text := thousand[lang]
		b.Run(string(lang), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, diags := lower.Parse(source.NewFile("x", []byte(text)), lang, lower.Files{}); diags.HasErrors() {
					b.Fatal(diags[0].Message)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*strings.Count(text, "\n")), "ns/line")
		})
	}
}

// BenchmarkCompile: text to both programs. The goal for 250 rules with 200 expressions is
// 35 ms.
func BenchmarkCompile(b *testing.B) {
	for _, c := range []struct {
		name  string
		lang  lower.Lang
		texts []string
	}{
		{"maui", lower.Maui, []string{"SERVERHOST head\nQUEUETIMEWEIGHT 10\nUSERWEIGHT 2\nUSERCFG[amy] PRIORITY=5\n"}},
		{"maui_1000_lines", lower.Maui, []string{thousand[lower.Maui]}},
		{"slurm", lower.Slurm, []string{"ClusterName=c\nSlurmctldHost=head\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\nNodeName=n[1-100] CPUs=64\nPartitionName=p Nodes=n[1-100]\n"}},
		{"slurm_1000_lines", lower.Slurm, []string{thousand[lower.Slurm]}},
		{"hcl_250_rules", lower.HCL, []string{rules(200)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in := compiler.Input{Lang: c.lang}
				for i, text := range c.texts {
					in.Files = append(in.Files, source.NewFile(fmt.Sprint("file", i), []byte(text)))
				}
				if out := compiler.Compile(in); out.Program == nil {
					b.Fatal(out.Diags[0].Message)
				}
			}
		})
	}
}
