package backfill

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/runtime/program"
)

// pastJob is a job of a trace.
type pastJob struct {
	name                               string
	arrival, estimate, procs, duration int64
}

// replay lets a trace run on so many processors, planning anew whenever a job arrives or
// ends, and returns when each job ends.
func replay(t *testing.T, jobs []pastJob, procs int64, settings *program.NativePlan) []int64 {
	c := &Cluster{}
	for i := range procs {
		c.Nodes = append(c.Nodes, Node{Name: fmt.Sprintf("p%d", i), Capacity: Amounts{Procs: 1}, Up: true})
	}
	const epoch = 1_000_000 // a job that runs has a start
	end := make([]int64, len(jobs))
	running := map[int]Request{}
	done := make([]bool, len(jobs))
	for at := int64(epoch); ; {
		next := Forever
		for i, j := range jobs {
			if r, ok := running[i]; ok && r.Start+j.duration <= at {
				delete(running, i)
				done[i] = true
			}
		}
		var requests []Request
		for i := range jobs {
			if r, ok := running[i]; ok {
				requests = append(requests, r)
			}
		}
		for i, j := range jobs {
			if _, ok := running[i]; !ok && !done[i] && j.arrival+epoch <= at {
				requests = append(requests, Request{Job: int32(i), ID: j.name, Tasks: j.procs, PerTask: Amounts{Procs: 1},
					WalltimeSeconds: j.estimate})
			}
		}
		schedule, err := Plan(c, requests, settings, nil, at)
		if err != nil {
			t.Fatal(err)
		}
		for i, pl := range schedule.Placements {
			if pl.By == ByMain || pl.By == ByBackfill {
				r := schedule.Requests[i]
				r.Start, r.End, r.Allocated = at, at+r.WalltimeSeconds, pl.Nodes
				running[int(r.Job)] = r
				end[r.Job] = at + jobs[r.Job].duration - epoch
			}
		}
		for i, j := range jobs {
			if r, ok := running[i]; ok {
				next = min(next, r.Start+j.duration)
			} else if !done[i] && j.arrival+epoch > at {
				next = min(next, j.arrival+epoch)
			}
		}
		if next == Forever {
			return end
		}
		at = next
	}
}

// The cases of pyss (a simulator of parallel job schedulers by the group of Dror Feitelson): 100 processors,
// and the whole part of a job's id is when it ends. The name of a file says for which of its
// schedulers: fcfs, easy, cons, or basic and extreme for all three.
func TestMicroCasesOfPyssEndWhenTheyShould(t *testing.T) {
	folder := beside.Folder(t, "corpus", "swf", "pyss-micro")
	files, _ := filepath.Glob(filepath.Join(folder, "*_input.*"))
	if len(files) == 0 {
		t.Skip("the corpus is not there")
	}
	schedulers := map[string]*program.NativePlan{
		"fcfs": {Algorithm: "none"},
		"easy": {Algorithm: "firstfit", ReservationDepth: 1},
		"cons": {Algorithm: "firstfit", ReservationDepth: program.Unlimited},
	}
	for _, file := range files {
		kind, _, _ := strings.Cut(filepath.Base(file), "_")
		jobs := readPyss(t, file)
		for name, settings := range schedulers {
			if kind != name && kind != "basic" && kind != "extreme" {
				continue
			}
			ends := replay(t, jobs, 100, settings)
			for i, j := range jobs {
				whole, _, _ := strings.Cut(j.name, ".")
				if want, _ := strconv.ParseInt(whole, 10, 64); ends[i] != want {
					t.Errorf("%s, %s: job %s ends at %d", filepath.Base(file), name, j.name, ends[i])
				}
			}
		}
	}
}

// readPyss reads lines of arrival, id, estimate, processors, duration.
func readPyss(t *testing.T, file string) (jobs []pastJob) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 5 || strings.HasPrefix(words[0], "#") {
			continue
		}
		j := pastJob{name: words[1]}
		for i, to := range map[int]*int64{0: &j.arrival, 2: &j.estimate, 3: &j.procs, 4: &j.duration} {
			if *to, err = strconv.ParseInt(words[i], 10, 64); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
		jobs = append(jobs, j)
	}
	return jobs
}
