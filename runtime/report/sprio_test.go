package report_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/slurm"
)

// sprioNumbers are one row's recorded numbers, weighted or normalised.
type sprioNumbers struct {
	Age, Assoc, Fairshare, JobSize, Partition, QOS float64
	TRES                                           map[string]float64
}

type slurmJob struct {
	ID                         int `json:"job_id"`
	User, Account, QOS, State  string
	Eligible, Submit, Priority *int64
	ByPartition                []struct {
		Partition            string
		Priority             float64
		Weighted, Normalized sprioNumbers
		Site, Nice           float64
	} `json:"priority_by_partition"`
}

type slurmCase struct {
	Snapshots []struct {
		Tag        string
		CapturedAt float64 `json:"captured_at"`
		Jobs       []slurmJob
	}
}

// notJSON are the numbers that the recorded cases have and JSON has not; no
// column of sprio comes from them.
var notJSON = regexp.MustCompile(`:\s*-?(Infinity|NaN)\b`)

// TestSprioEqualsRecorded compares all three forms with what sprio printed, byte for
// byte, from the recorded numbers, so that evaluation has no part in it.
func TestSprioEqualsRecorded(t *testing.T) {
	root := oracle(t, "slurm")
	files, err := filepath.Glob(filepath.Join(root, "*", "expected.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded cases under %s: %v", root, err)
	}
	compared := 0
	for _, file := range files {
		dir := filepath.Dir(file)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c slurmCase
		if err := json.Unmarshal(notJSON.ReplaceAll(data, []byte(": null")), &c); err != nil {
			t.Fatal(err)
		}
		conf, err := os.ReadFile(filepath.Join(dir, "inputs", "slurm.conf"))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.Snapshots {
			if later, err := os.ReadFile(filepath.Join(dir, "inputs", "slurm.conf."+s.Tag)); err == nil {
				conf = later
			}
			r := slurmResult(filepath.Base(dir), string(conf), int64(s.CapturedAt), s.Jobs)
			raw := filepath.Join(dir, "raw", s.Tag)
			if _, ok := recorded(t, filepath.Join(raw, "sprio_l.txt")); !ok {
				raw = filepath.Join(dir, "raw")
			}
			for name, o := range map[string]eval.Options{
				"sprio_l.txt":    {Long: true},
				"sprio_norm.txt": {Long: true, Norm: true},
				"sprio_w.txt":    {Weights: true},
			} {
				want, ok := recorded(t, filepath.Join(raw, name))
				if !ok {
					continue
				}
				compared++
				// -l records the sum cut to an integer, and -n shows digits of what was cut
				// off: the sum lies between that integer and the next
				low := text(t, slurm.WriteSprio, r, o)
				high := text(t, slurm.WriteSprio, almostNext(r), o)
				if diff := firstDifference(want, low, high); diff != "" {
					t.Errorf("%s %s %s: %s", filepath.Base(dir), s.Tag, name, diff)
				}
			}
		}
	}
	if compared < 900 {
		t.Errorf("compared only %d recorded reports", compared)
	}
}

// almostNext is r with each score just below the next integer.
func almostNext(r *evaluation.Result) *evaluation.Result {
	high := *r
	high.Score = make([]float64, len(r.Score))
	for i, score := range r.Score {
		high.Score[i] = math.Nextafter(score+1, 0)
	}
	return &high
}

// firstDifference is the first line of want that none of the candidates has.
func firstDifference(want string, candidates ...string) string {
	w := strings.Split(want, "\n")
	for i, line := range w {
		found := false
		for _, c := range candidates {
			lines := strings.Split(c, "\n")
			found = found || len(lines) == len(w) && lines[i] == line
		}
		if !found {
			got := "(no such line, or another number of lines)"
			if lines := strings.Split(candidates[0], "\n"); i < len(lines) {
				got = lines[i]
			}
			return "line " + strconv.Itoa(i+1) + "\n got  " + strconv.Quote(got) + "\n want " + strconv.Quote(line)
		}
	}
	return ""
}

// confValue is the last value of a parameter in a slurm.conf.
func confValue(conf, name string) string {
	found := regexp.MustCompile(`(?mi)^\s*`+name+`\s*=\s*(\S+)`).FindAllStringSubmatch(conf, -1)
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1][1]
}

func slurmResult(name, conf string, now int64, recordedJobs []slurmJob) *evaluation.Result {
	version := "22.05"
	if strings.HasSuffix(name, "-v25.11") {
		version = "25.11"
	}
	flags := program.Source{Name: "PriorityFlags", Value: schema.StringValue(confValue(conf, "PriorityFlags"))}
	tresText := confValue(conf, "PriorityWeightTRES")

	jobs, rows := column.NewBuilder("job"), column.NewBuilder("job")
	jobs.Declare("job.eligible_time", schema.Timestamp)
	var rowJob []int32
	var states []evaluation.State
	components := []string{"age", "assoc", "fairshare", "jobsize", "partition", "qos", "site", "nice"}
	weighted, factors := map[string][]float64{}, map[string][]float64{}
	var resources []string
	for _, entry := range strings.FieldsFunc(tresText, func(c rune) bool { return c == ',' }) {
		resource, _, _ := strings.Cut(entry, "=")
		resources = append(resources, strings.ToLower(resource))
	}
	for _, j := range recordedJobs {
		parts := j.ByPartition
		job := jobs.Row()
		jobs.String("job.id", strconv.Itoa(j.ID))
		jobs.String("job.user", j.User)
		jobs.String("job.account", j.Account)
		jobs.String("job.qos", j.QOS)
		if j.Eligible != nil {
			jobs.Time("job.eligible_time", *j.Eligible)
		}
		if j.Submit != nil {
			jobs.Time("job.submit_time", *j.Submit)
		}
		states = append(states, slurmState(j))
		direct := false
		for k := range max(1, len(parts)) {
			rows.Row()
			rowJob = append(rowJob, int32(job))
			var w, f sprioNumbers
			var site, nice, priority float64
			partition := ""
			if len(parts) > 0 {
				p := parts[k]
				partition, w, f, site, nice, priority = p.Partition, p.Weighted, p.Normalized, p.Site, p.Nice, p.Priority
			}
			rows.String("job.partition", partition)
			add := func(component string, contribution, factor float64) {
				weighted[component] = append(weighted[component], contribution)
				factors[component] = append(factors[component], factor)
			}
			add("age", w.Age, f.Age)
			add("assoc", w.Assoc, f.Assoc)
			add("fairshare", w.Fairshare, f.Fairshare)
			add("jobsize", w.JobSize, f.JobSize)
			add("partition", w.Partition, f.Partition)
			add("qos", w.QOS, f.QOS)
			add("site", site, site)
			add("nice", -nice, nice)
			add("score", priority, priority)
			for _, resource := range resources {
				contribution, listed := w.TRES[resource]
				if listed && contribution == 0 {
					contribution = 0.001 // was printed, so it was not zero before rounding
				}
				add("tres/"+resource, contribution, f.TRES[resource])
			}
			direct = direct || len(parts) > 0 && priority > 1 && w.sum()+site+nice == 0
		}
		jobs.Bool("job.direct_priority", direct) // shows in a recorded row as factors of zero
	}
	var parts []part
	for _, c := range components {
		weight, _ := strconv.ParseFloat(confValue(conf, "PriorityWeight"+c), 64)
		term := piece{Term: program.Term{Name: c, Factor: program.Number{Sources: []program.Source{flags}}}, weight: 1,
			factors: factors[c]}
		switch c {
		case "site":
			weight = 1
		case "nice":
			weight = -1
		}
		parts = append(parts, part{Component: program.Component{Name: c,
			Weight: program.Number{Sources: []program.Source{{Name: "PriorityWeight" + c, Value: schema.DoubleValue(weight)}}}},
			weight: weight, terms: []piece{term}})
	}
	tres := part{Component: program.Component{Name: "tres"}, weight: 1}
	for _, resource := range resources {
		tres.terms = append(tres.terms, piece{
			Term: program.Term{Name: "x" + resource, Reads: []schema.ColumnID{schema.TRES("job", resource)},
				Weight: program.Number{Sources: []program.Source{{Name: "PriorityWeightTRES",
					Value: schema.StringValue(tresText)}}}},
			weight: 1, factors: factors["tres/"+resource], values: weighted["tres/"+resource]})
	}
	parts = append(parts, tres)
	jt := jobs.Table()
	r := resultOfRows(&program.Program{Family: "slurm", Version: version}, jt, rows.Table(), rowJob, parts)
	r.Now, r.State = now, states
	for c, name := range components {
		r.Sums[c].Value = weighted[name] // rounded as recorded
	}
	r.Score = weighted["score"]
	for row, score := range r.Score {
		r.Priority[row] = int64(score)
	}
	return r
}

func (n sprioNumbers) sum() float64 {
	total := n.Age + n.Assoc + n.Fairshare + n.JobSize + n.Partition + n.QOS
	for _, v := range n.TRES {
		total += v
	}
	return total
}

func slurmState(j slurmJob) evaluation.State {
	switch {
	case j.State == "RUNNING" || j.State == "COMPLETING":
		return evaluation.Running
	case j.State != "PENDING":
		return evaluation.Done
	case j.Priority != nil && *j.Priority == 0:
		return evaluation.Held
	}
	return evaluation.Eligible
}
