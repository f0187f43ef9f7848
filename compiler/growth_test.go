package compiler_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestLintOfDeepTrees: lint's work grows with a chain of accounts as the chain does, and not with its square. What it
// allocates is the measure: eight times the chain may take up to sixteen times as much, where the square is sixty-four.
func TestLintOfDeepTrees(t *testing.T) {
	work := func(depth int) float64 {
		var b strings.Builder
		b.WriteString("Cluster - 'c':Fairshare=1\nParent - 'root'\nAccount - 'a0':Fairshare=1:GrpJobs=1\n")
		for i := 1; i < depth; i++ {
			fmt.Fprintf(&b, "Parent - 'a%d'\nAccount - 'a%d':Fairshare=1\n", i-1, i)
		}
		fmt.Fprintf(&b, "Parent - 'a%d'\nAccount - 'last':Fairshare=1:GrpJobs=2\n", depth-1)
		in := compiler.Input{Files: []*source.File{
			source.NewFile("slurm.conf", []byte("ClusterName=c\nSlurmctldHost=h\nPriorityType=priority/multifactor\nNodeName=n CPUs=4\nPartitionName=p Nodes=n\n")),
			source.NewFile("assoc.cfg", []byte(b.String())),
		}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found := compiler.Lint(in, lint.Options{All: true})
		runtime.ReadMemStats(&after)
		over := 0
		for _, d := range found.Diags {
			if strings.Contains(d.Message, "GrpJobs of last is more than that of a0") {
				over++
			}
		}
		if over != 1 {
			t.Fatalf("a limit above that of the top account is found %d times in %d", over, len(found.Diags))
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	work(300) // what is made once
	if small, large := work(500), work(4000); large > 16*small {
		t.Errorf("a chain of 500 takes %.0f bytes, one of 4000 %.0f", small, large)
	}
}
