package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// FuzzAcross: whatever two files hold, what lint says of them together has a message and points within one of them.
func FuzzAcross(f *testing.F) {
	f.Add("ClusterName=c\nAccountingStorageEnforce=qos\nPreemptType=preempt/qos\nNodeName=n[1-4] CPUs=4 "+
		"CoreSpecCount=4 Gres=gpu:2\nPartitionName=a Nodes=n1 QOS=x AllowQos=y,'z AllowAccounts=b,,c MinNodes=3 "+
		"MaxCPUsPerNode=9\n",
		"QOS - 'x':Preempt='y,x':GrpTRES='cpu=1':MaxTRESPerJob=cpu=2,gres/gpu:a=4:MinTRESPerJob=cpu=3\nQOS - "+
			"'y':Preempt='x'\nCluster - 'd'\nParent - 'root'\nAccount - 'a':GrpJobs=1:DefaultQOS=x:QOS='+y'\nParent - "+
			"'a'\nUser - 'u':Partition='p':DefaultAccount=b:GrpJobs=2:MaxJobs=5:MaxSubmitJobs=4\n")
	f.Add("SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=9\nMaxMemPerCPU=8\nNodeName=n[1-4] CPUs=4 RealMemory=20 "+
		"MemSpecLimit=5\nNodeSet=s Feature=f\nPartitionName=a Nodes=ALL "+
		"Alternate=b\nSuspendExcParts=x,a\nSuspendExcNodes=n[1-9]:3\nSlurmdParameters=config_overides\n"+
		"StateSaveLocation=/tmp/../tmp\n",
		"Cluster - 'c'\nParent - 'a'\nAccount - 'a'\nParent - 'b'\nAccount - 'a'\n")
	f.Add("SchedulerType=sched/builtin\nSchedulerParameters=bf_window=,bf_window\nSuspendTime=1\nNodeName=c1 "+
		"State=CLOUD\nHealthCheckProgram=x\nSlurmdPort=6817\nMaxNodeCount=4\n", "")
	f.Fuzz(func(t *testing.T, conf, dump string) {
		files := []*source.File{source.NewFile("slurm.conf", []byte(conf)), source.NewFile("dump.cfg", []byte(dump))}
		in := compiler.Input{Files: files[:1], Lang: lower.Slurm}
		if dump != "" {
			in = compiler.Input{Files: files}
		}
		for _, d := range compiler.Lint(in, lint.Options{All: true}).Diags {
			switch {
			case d.Code == "" || d.Message == "" || strings.HasSuffix(d.Message, "."):
				t.Errorf("%s: %q", d.Code, d.Message)
			case !d.Span.IsZero() && !slices.Contains(files, d.Span.File):
				t.Errorf("%s points elsewhere: %s", d.Code, d.Span)
			case d.Span.Start > d.Span.End:
				t.Errorf("%s points to nothing: %d to %d", d.Code, d.Span.Start, d.Span.End)
			}
		}
	})
}
