package verify_test

import (
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/verify"
)

// busy is the example's cluster with a queue of its own making: what its commands would print after a pass
// that the example's policy computed.
func busy(t testing.TB, jobs int, withSprio bool) fstest.MapFS {
	t.Helper()
	folder := os.DirFS(filepath.Join("..", "..", "examples", "slurm-verify", "snapshot"))
	files := fstest.MapFS{}
	names, err := fs.Glob(folder, "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "scontrol_job.txt" && name != "sprio.psv" {
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	q := &queue{t: t, program: exampleProgram(t)}
	queueOf(files, jobs, nil)
	q.read(files)
	r := q.as(lastPass)
	queueOf(files, jobs, r)
	if withSprio {
		var b strings.Builder
		b.WriteString("JOBID|PARTITION|PRIORITY|AGE|AGE|FAIRSHARE|FAIRSHARE|JOBSIZE|JOBSIZE\n")
		for row := range r.Rows.Rows {
			job := r.Jobs.Value("job.id", int(r.RowJob[row])).Str
			fmt.Fprintf(&b, "%s|%s|%d", job, r.Rows.Value("job.partition", row).Str, r.Priority[row])
			for _, name := range []string{"age", "fairshare", "jobsize"} {
				for i, s := range r.Sums {
					if r.Program.Components[s.Component].Name == name {
						fmt.Fprintf(&b, "|%.0f|%.7f", s.Value[row], r.Terms[i].Factor[row])
					}
				}
			}
			b.WriteByte('\n')
		}
		files["sprio.psv"] = &fstest.MapFile{Data: []byte(b.String())}
	}
	return files
}

// queueOf writes what scontrol show job prints of a queue, with the priorities of a result.
func queueOf(files fstest.MapFS, jobs int, r *evaluation.Result) {
	random := rand.New(rand.NewSource(1))
	users := []string{"biology eli", "biology fay", "guests gus", "guests hal", "physics ana", "physics bo", "optics cy",
		"optics dee"}
	var b strings.Builder
	for job := range jobs {
		account, user, _ := strings.Cut(users[random.Intn(len(users))], " ")
		since := time.Unix(lastPass-random.Int63n(5000)+30, 0).UTC().Format("2006-01-02T15:04:05")
		priority := int64(1)
		if r != nil {
			priority = r.Priority[r.JobRow[job]]
		}
		procs := 1 + random.Intn(16)
		fmt.Fprintf(&b, "JobId=%d JobName=j UserId=%s(1) GroupId=g(1) Priority=%d Nice=0 Account=%s QOS=normal "+
			"JobState=PENDING Reason=Priority TimeLimit=01:00:00 SubmitTime=%s EligibleTime=%s AccrueTime=%s "+
			"StartTime=Unknown Partition=main NumNodes=1 NumCPUs=%d TRES=cpu=%d,mem=%dM,node=1,billing=%d\n",
			1000+job, user, priority, account, since, since, since, procs, procs, 100*procs, procs)
	}
	files["scontrol_job.txt"] = &fstest.MapFile{Data: []byte(b.String())}
}

// spoil makes the priorities of all jobs wrong, each by some points.
func (q *queue) spoil() {
	random := rand.New(rand.NewSource(2))
	for _, list := range [][]int64{q.Jobs.Column("job.recorded_priority").Ints} {
		for job := range list {
			list[job] += 1 + random.Int63n(4000)
		}
	}
	if c := q.Sprio.Column(snapshot.SprioColumn("priority")); c != nil {
		for row := range c.Doubles {
			c.Doubles[row] += 1 + float64(random.Int63n(4000))
		}
	}
}

// TestWorkOfLargeQueues: however wrong the numbers are, and however many seconds their search leads to, the
// work grows with the jobs: it is so many evaluations of each.
func TestWorkOfLargeQueues(t *testing.T) {
	for jobs, perJob := range map[int]int{500: whenSearched, 12_000: whenLarge} {
		for _, withSprio := range []bool{true, false} {
			if withSprio && jobs > 1000 && !draws.Long() {
				continue // as much is searched, and a little more without sprio
			}
			q := &queue{t: t, program: exampleProgram(t)}
			q.read(busy(t, jobs, withSprio))
			q.spoil()
			for job := range q.Jobs.Rows {
				q.setReasonOf(job, "BeginTime")
			}
			rows := 0
			r, err := verify.Compare(q.Snapshot, func(s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
				rows += s.Jobs.Rows
				return q.run(s, o)
			}, verify.Options{})
			if err != nil || r.Clean() {
				t.Fatal(err)
			}
			if rows > perJob*jobs {
				t.Errorf("%d jobs: %d evaluations of each, want at most %d", jobs, rows/jobs, perJob)
			}
		}
	}
}

// How often each job is evaluated at most: evenly, where ages begin, and about the best seconds to find the pass, in a
// large queue by a third of its jobs; again where it is wrong; when reasons were right; and at the seconds that are
// tried.
const (
	toFindPass   = 3 + 17 + 64 + 5*5 + 1
	ofTheWrong   = 3 + 17 + 16
	ofReasons    = 6 + 16 + 1
	tried        = 8
	whenSearched = toFindPass + ofReasons + tried
	whenLarge    = toFindPass/3 + 1 + ofTheWrong + ofReasons + tried
)

// BenchmarkWrong compares large queues of which no priority is right.
func BenchmarkWrong(b *testing.B) {
	for _, jobs := range []int{10_000, 100_000} {
		for _, c := range []struct {
			name      string
			withSprio bool
			edits     []string
			spoilt    bool
		}{
			{"right", true, nil, false},
			{"spoilt", true, nil, true},
			{"spoilt-queue-only", false, nil, true},
			{"weight", true, []string{"PriorityWeightAge=100000", "PriorityWeightAge=150000"}, false},
			{"weight-queue-only", false, []string{"PriorityWeightAge=100000", "PriorityWeightAge=150000"}, false},
			{"shares", true, []string{"User - 'fay':DefaultAccount='biology':Fairshare=7",
				"User - 'fay':DefaultAccount='biology':Fairshare=9"}, false},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, jobs), func(b *testing.B) {
				q := &queue{t: b, program: exampleProgram(b, c.edits...)}
				q.read(busy(b, jobs, c.withSprio))
				if c.spoilt {
					q.spoil()
				}
				evaluations := 0
				for b.Loop() {
					evaluations = 0
					r, err := verify.Compare(q.Snapshot, func(s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
						evaluations++
						return q.run(s, o)
					}, verify.Options{})
					if err != nil {
						b.Fatal(err)
					}
					if r.Clean() != (c.name == "right") {
						b.Fatal(tableText(r))
					}
				}
				b.ReportMetric(float64(evaluations), "evaluations")
			})
		}
	}
}
