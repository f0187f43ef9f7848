package verify

import (
	"math/rand"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// everyRecording of so many is enough for faults that follow no rule.
const everyRecording = 6

// randomFaults change what was printed without any rule.
var randomFaults = map[string]func(*rand.Rand, *snapshot.Snapshot){
	"priorities are off by a few points": func(random *rand.Rand, s *snapshot.Snapshot) {
		priorities := s.Jobs.Column("job.recorded_priority").Ints
		for job := range priorities {
			if priorities[job] > 1 && random.Intn(3) == 0 {
				priorities[job] += 1 + random.Int63n(20)
			}
		}
	},
	"two associations have each other's factor": func(random *rand.Rand, s *snapshot.Snapshot) {
		if c := s.Credentials["association"].Column("association.fairshare_factor"); c != nil {
			a, b := random.Intn(len(c.Doubles)), random.Intn(len(c.Doubles))
			c.Doubles[a], c.Doubles[b] = c.Doubles[b], c.Doubles[a]
		}
	},
	// That a job waits for nodes may be from the second in which it was tried and others started after it.
	"reasons are any": func(random *rand.Rand, s *snapshot.Snapshot) {
		words := []string{"AssocMaxJobsLimit", "QOSGrpCpuLimit", "BeginTime", "Dependency", "None",
			"AssocGrpCPURunMinutesLimit", "JobArrayTaskLimit", "PartitionTimeLimit"}
		for job := range s.Jobs.Rows {
			if s.Jobs.Value("job.state", job).Str == "pending" && random.Intn(2) == 0 {
				setText(s.Jobs.Column("job.state_reason"), job, words[random.Intn(len(words))])
			}
		}
	},
}

// TestRandomFaults: nor is anything an excuse for numbers and words that follow no rule at all.
func TestRandomFaults(t *testing.T) {
	copies, err := recorded.Copies("slurm")
	if err != nil {
		t.Fatal(err)
	}
	for fault, change := range randomFaults {
		t.Run(fault, func(t *testing.T) {
			random, found := rand.New(rand.NewSource(1)), 0
			for i := 0; i < len(copies); i += everyRecording {
				r, err := slurmrun.Open(copies[i])
				if err != nil {
					t.Fatal(err)
				}
				s := &r.Snapshots[len(r.Snapshots)-1]
				files, err := r.Outputs(s)
				if err != nil {
					t.Fatal(err)
				}
				text, err := r.Conf(s)
				if err != nil {
					t.Fatal(err)
				}
				files[conf] = &fstest.MapFile{Data: text.Text}
				c := controllerOf(t, files, r.Branch(), "")
				known := map[string]bool{}
				for _, d := range c.compare(t).Differences {
					known[d.of()] = true
				}
				change(random, c.snapshot)
				for _, d := range c.compare(t).Differences {
					switch {
					case known[d.of()]:
					case d.Benign():
						t.Errorf("%s: %s", r.Name, d.String())
					default:
						found++
					}
				}
			}
			if found < 10 {
				t.Errorf("only %d differences are found", found)
			}
		})
	}
}
