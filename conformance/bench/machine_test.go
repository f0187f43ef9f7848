package bench

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/synth"
)

// elsewhere are lines of the example's slurm.conf that another machine does not have: nodes that are gone, and limits,
// which would leave nearly all jobs of so large a queue waiting.
var elsewhere = regexp.MustCompile(`(?m)^(.*gone.*|AccountingStorageEnforce=.*)\n`)

// machinePolicy is the example's policy for a machine of so many nodes.
func machinePolicy(b testing.TB, nodes int) *compiler.Output {
	conf, err := os.ReadFile(site + "/slurm.conf")
	if err != nil {
		b.Fatal(err)
	}
	users, err := os.ReadFile(site + "/assoc.cfg")
	if err != nil {
		b.Fatal(err)
	}
	text := elsewhere.ReplaceAllString(string(conf), "")
	text = strings.NewReplacer("=n1 ", fmt.Sprintf("=n[1-%d] ", nodes)).Replace(text)
	out := compiler.Compile(compiler.Input{Files: []*source.File{
		source.NewFile("slurm.conf", []byte(text)), source.NewFile("assoc.cfg", users)}})
	if out.Program == nil {
		b.Fatal(out.Diags[0].Message)
	}
	return out
}

// machineQueue is a queue like the example's on a machine of so many nodes, all of them up.
func machineQueue(b testing.TB, jobs, nodes int) *snapshot.Snapshot {
	s, _, err := snapshot.Read(os.DirFS(site), []string{"snapshot"}, snapshot.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var up, whole []int
	for row := range s.Nodes.Rows {
		if s.Nodes.Value("node.up", row).Int == 1 {
			up = append(up, row)
		}
	}
	for row := range s.Jobs.Rows {
		if list := s.Jobs.Value("job.partitions", row).List; len(list) > 0 && list[0] != "shut" {
			whole = append(whole, row)
		}
	}
	s.Nodes, s.Jobs = s.Nodes.Pick(up), s.Jobs.Pick(whole)
	if s, err = synth.Queue(s, synth.Options{Jobs: jobs, Nodes: nodes, Seed: 1}); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkMachine is a queue planned as slurmctld does it, with ten jobs for each node.
func BenchmarkMachine(b *testing.B) {
	for _, jobs := range sizes {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			out, s := machinePolicy(b, jobs/10), machineQueue(b, jobs, jobs/10)
			begun := cpu()
			for b.Loop() {
				planned(b, out, s)
			}
			perJob(b, jobs, begun)
		})
	}
}

// TestMachineGrows: eight times as many jobs on eight times as many nodes take less than twice eight times as long.
// A look at all nodes for each job takes it further.
func TestMachineGrows(t *testing.T) {
	const few, times = 4000, 8
	least := func(jobs int) time.Duration {
		out, s, least := machinePolicy(t, jobs/10), machineQueue(t, jobs, jobs/10), time.Duration(1<<62)
		for range 2 {
			begun := cpu()
			planned(t, out, s)
			least = min(least, cpu()-begun)
		}
		return least
	}
	if a, b := least(few), least(few*times); b > 2*times*a {
		t.Errorf("%d jobs take %v, %d jobs %v", few, a, few*times, b)
	}
}
