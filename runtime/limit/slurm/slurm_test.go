package slurm

import (
	"encoding/csv"
	"fmt"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// TestSlurmReasons: every word for a limit is one that Slurm of the version has, by the library's
// list.
func TestSlurmReasons(t *testing.T) {
	file, err := os.Open("../../../stdlib/slurm/reasons.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	since, until := slices.Index(rows[0], "since"), slices.Index(rows[0], "until")
	branch := func(text string) int {
		year, month, _ := strings.Cut(text, ".")
		y, _ := strconv.Atoi(year)
		m, _ := strconv.Atoi(month)
		return 100*y + m
	}
	known := func(word string, version int) bool {
		return slices.ContainsFunc(rows[1:], func(r []string) bool {
			return r[1] == word && branch(r[since]) <= version && (r[until] == "" || version < branch(r[until]))
		})
	}
	for _, version := range []int{206, 1411, 1508, 1711, 2205, 2405, 2511} {
		for key := range reasons {
			resources := []string{""}
			if kindDocs[key.kind].tres {
				resources = []string{"cpu", "mem", "node"}
				if version >= 1711 {
					resources = append(resources, "billing", "energy", "gres/gpu", "license/x", "bb/y", "vmem")
				}
			}
			if (key.kind == maxRunMinsPA || key.kind == maxRunMinsPU) && version < 2405 ||
				slices.Contains([]limitKind{maxJobsPA, maxTRESPA, maxSubmitPA}, key.kind) && version < 1605 {
				continue // not asked by these versions
			}
			for _, tres := range resources {
				word := reason(key.kind, key.object, tres, version)
				if key.kind == maxTRESPerNode && (tres == "node" || tres == "license/x") || version < 1508 && version >= 1411 &&
					tres == "mem" && key.kind != grpTRES ||
					version < 1508 && (key.kind == maxTRESPerNode || key.kind == minTRESPerJob && tres != "cpu" || tres == "node" &&
						key.kind.minutes()) {
					continue // limits that Slurm does not have
				}
				if !known(word, version) {
					t.Errorf("%d: %s of %s on %q gives %q, which is no reason then", version, key.kind, key.object, tres, word)
				}
			}
		}
	}
}

// testCase is a gate over jobs of one line each: id account user qos cpus nodes minutes.
func testCase(t *testing.T, limits, jobs string, change func(*Options)) (*Limits, diag.List) {
	t.Helper()
	o := Options{Now: 1000, Version: 2205, TRES: []string{"cpu", "mem", "node"},
		Parents: map[string]string{"root": "", "a": "root", "b": "a", "a/u": "a", "a/v": "a", "b/w": "b"}}
	for line := range strings.Lines(strings.TrimSpace(limits)) {
		words := strings.Fields(line) // object row kind[=tres] value
		kind, tres, ofTRES := strings.Cut(words[2], "=")
		if !ofTRES {
			tres = "jobs"
		}
		n, err := strconv.ParseInt(words[3], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		o.Limits = append(o.Limits, program.Limit{Name: words[2], Kind: kind, Object: words[0], Row: words[1], Counts: tres,
			Hard: n})
	}
	b := column.NewBuilder("jobs")
	for line := range strings.Lines(strings.TrimSpace(jobs)) {
		words := strings.Fields(line)
		number := func(at int) int64 {
			n, err := strconv.ParseInt(words[at], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		i := b.Row()
		b.String("job.association", words[0]+"/"+words[1])
		b.String("job.account", words[0])
		b.String("job.user", words[1])
		b.String("job.qos", words[2])
		if words[3] != "-" {
			b.Int("job.procs", number(3))
		}
		b.Int("job.nodes", number(4))
		b.Int("job.walltime_seconds", 60*number(5))
		o.RowJob, o.JobRow, o.Partition = append(o.RowJob, int32(i)), append(o.JobRow, int32(i)), append(o.Partition, "")
		o.Minutes = append(o.Minutes, number(5))
	}
	o.Jobs = b.Table()
	if change != nil {
		change(&o)
	}
	return New(o)
}

// TestSlurmRelative: percents of a QOS with the flag Relative, cut to whole counts; minutes are
// as they stand.
func TestSlurmRelative(t *testing.T) {
	s, _ := testCase(t, "qos q GrpTRES=cpu 25\nqos q GrpTRESRunMins=cpu 250",
		"a u q 16 1 10\na u q 17 1 10\na u q 16 1 20", func(o *Options) {
			o.QOS = map[string]*QOS{"q": {UsageFactor: 1, RelativeTRES: func(string) float64 { return 67 }}}
		})
	for job, want := range []string{"passes", "qos q GrpTRES cpu", "qos q GrpTRESRunMins cpu"} {
		if got := stopText(s.Check(job)); got != want {
			t.Errorf("job %d: %s, want %s", job, got, want)
		}
	}
	if stop := s.Check(1); stop.Value != 16 {
		t.Errorf("25 %% of 67 are %d", stop.Value)
	}
}

// TestSlurmAccrue: the tightest limit of a QOS decides; without one the nearest association that
// has one (recorded: limit-accrue).
func TestSlurmAccrue(t *testing.T) {
	s, _ := testCase(t, "qos q MaxJobsAccruePU 1\nassociation a/u MaxJobsAccrue 2\nassociation a GrpJobsAccrue 5",
		"a u - 1 1 1\na u - 1 1 1\na u - 1 1 1\na v - 1 1 1\na v - 1 1 1\na v - 1 1 1\nb w - 1 1 1\nb w q 1 1 1\nb w q 1 1 1",
		nil)
	if !s.LimitsAccrual() {
		t.Error("the limits on accrual are not seen")
	}
	var accrue []int
	for job := range 9 {
		if s.CheckAccrue(job) == nil {
			s.AddAccruing(job)
			accrue = append(accrue, job)
		}
	}
	if want := []int{0, 1, 3, 4, 5, 7}; !slices.Equal(accrue, want) {
		t.Errorf("the ages of %v grow, want %v", accrue, want)
	}
	if stop := s.CheckAccrue(2); stop == nil || stop.Kind != "MaxJobsAccrue" || stop.InUse != 2 {
		t.Errorf("job 2 is stopped by %+v", stop)
	}
}

// TestSlurmAccrueArrays: each task of an array counts, and an array for which there is no room as a whole
// has no age.
func TestSlurmAccrueArrays(t *testing.T) {
	s, _ := testCase(t, "association a GrpJobsAccrue 5\nassociation root GrpJobsAccrue 1",
		"a u - 1 1 1\na v - 1 1 1\na v - 1 1 1", nil)
	s.jobs[0].tasks, s.jobs[1].tasks = 3, 3
	if stop := s.CheckAccrue(0); stop != nil {
		t.Errorf("an empty limit stops an array: %+v", stop)
	}
	s.AddAccruing(0)
	for job, want := range []int64{2, 2, 1} {
		if room := s.AccrueRoom(job); room != want {
			t.Errorf("there is room for the ages of %d tasks of job %d, want %d", room, job, want)
		}
	}
	if stop := s.CheckAccrue(1); stop == nil || stop.Test != Over || stop.InUse != 3 || stop.Asks != 3 || stop.Value != 5 {
		t.Errorf("three tasks besides three of five: %+v", stop)
	}
	if stop := s.CheckAccrue(2); stop != nil {
		t.Errorf("one task besides three of five: %+v", stop)
	}
	list := s.AccrueStandings(2, false)
	if len(list) != 2 || list[0].Hidden || list[0].InUse != 3 || list[0].Asks != 1 || !list[1].Hidden ||
		list[1].Name != "root" {
		t.Errorf("the limits on ages are %+v", list)
	}
	s.AddAccruingTasks(1, s.AccrueRoom(1)) // two are split off and fill the limit
	if room, stop := s.AccrueRoom(2), s.CheckAccrue(2); room != 0 || stop == nil || stop.Test != Full || stop.InUse != 5 {
		t.Errorf("beside a split array there is room for %d, stopped by %+v", room, stop)
	}
}

// TestSlurmUses: who fills a counter, of an account with what is below it.
func TestSlurmUses(t *testing.T) {
	s, _ := testCase(t, "association a GrpTRES=cpu 10\nqos q MaxJobsPU 1",
		"a u - 4 1 10\nb w - 5 1 10\na v q 3 1 10\na v q 1 1 1", nil)
	for job := range 3 {
		s.Add(job)
	}
	stop := s.Check(0)
	if text := fmt.Sprint(s.Uses(stop, []int32{0, 1, 2})); stop.InUse != 12 || text != "[{0 4 0} {1 5 0} {2 3 0}]" {
		t.Errorf("%d in use by %s", stop.InUse, text)
	}
	stop = s.Check(3)
	if text := fmt.Sprint(s.Uses(stop, []int32{0, 1, 2})); stop.Who != "user v" || text != "[{2 1 0}]" {
		t.Errorf("%+v by %s", stop, text)
	}
	counters := s.Counters(false)
	if len(counters) != 2 || counters[0].InUse != 12 || counters[1].Who != "user v" || counters[1].InUse != 1 {
		t.Errorf("counters %+v", counters)
	}
}

// TestSlurmCountersInOrder: counters are listed in the same order each time.
func TestSlurmCountersInOrder(t *testing.T) {
	for range 20 {
		s, _ := testCase(t, "association root GrpJobs 9\nassociation b GrpJobs 9\nassociation a GrpJobs 9", "b w - 1 1 1",
			nil)
		s.Add(0)
		var names []string
		for _, c := range s.Counters(false) {
			names = append(names, c.Name)
		}
		if !slices.Equal(names, []string{"a", "root", "b"}) { // each after what is below it that was named before
			t.Fatal(names)
		}
	}
}

// TestSlurmFindings: what of limits cannot be counted is reported.
func TestSlurmFindings(t *testing.T) {
	for code, make := range map[string]func() diag.List{
		"limit-amount-unknown": func() diag.List {
			_, diags := testCase(t, "association a GrpTRES=cpu 10", "a u - - 1 10", nil)
			return diags
		},
		"limit-usage-unknown": func() diag.List {
			_, diags := testCase(t, "association a GrpTRESMins=cpu 10\nqos q GrpWall 5", "a u - 1 1 10", nil)
			return diags
		},
		"limit-account-circle": func() diag.List {
			s, diags := testCase(t, "association a GrpJobs 1", "a u - 1 1 10",
				func(o *Options) { o.Parents["root"] = "a" })
			s.Add(0)
			if s.Check(0) == nil {
				t.Error("the limit of a circle's account does not count")
			}
			return diags
		},
	} {
		if diags := make(); len(diags) != 1 || diags[0].Code != code {
			t.Errorf("%s: %v", code, diags)
		}
	}
}

// BenchmarkSlurm asks 100,000 waiting jobs of 5,000 users in 1,000 accounts, five levels deep, with
// limits on every account and QOS, beside 10,000 that run.
func BenchmarkSlurm(b *testing.B) {
	const jobs, running = 110_000, 10_000
	random := rand.New(rand.NewPCG(1, 2))
	o := Options{Now: 100_000, Version: 2511, Safe: true, RunMinutes: true,
		TRES: []string{"cpu", "mem", "node", "gres/gpu"}, Parents: map[string]string{"root": ""},
		QOS: map[string]*QOS{}}
	limit := func(object, row, name string, hard int64) {
		kind, tres, _ := strings.Cut(name, "=")
		o.Limits = append(o.Limits, program.Limit{Name: name, Kind: kind, Object: object, Row: row, Counts: tres, Hard: hard})
	}
	accounts := []string{"root"}
	for i := range 1000 {
		name := fmt.Sprintf("a%d", i)
		o.Parents[name] = accounts[i/5]
		accounts = append(accounts, name)
		wide := int64(1)
		if i < 250 {
			wide = 1000 // all of what is below it
		}
		limit("association", name, "GrpTRES=cpu", wide*(600+int64(random.IntN(1500))))
		limit("association", name, "GrpTRESRunMins=cpu", wide*4_000_000)
		limit("association", name, "GrpJobs", wide*(10+int64(random.IntN(50))))
	}
	limit("association", "root", "MaxTRESPerJob=node", 6)
	for i := range 5 {
		q := fmt.Sprintf("q%d", i)
		o.QOS[q] = &QOS{UsageFactor: 1}
		limit("qos", q, "MaxTRESPerUser=cpu", int64(200*(i+1)))
		limit("qos", q, "MaxJobsPU", int64(20*(i+1)))
	}
	build := column.NewBuilder("jobs")
	for i := range jobs {
		build.Row()
		user := random.IntN(5000)
		account := accounts[1+user%1000]
		association := fmt.Sprintf("%s/u%d", account, user)
		o.Parents[association] = account
		build.String("job.association", association)
		build.String("job.account", account)
		build.String("job.user", fmt.Sprintf("u%d", user))
		build.String("job.qos", fmt.Sprintf("q%d", random.IntN(5)))
		nodes := 1 + random.Int64N(8)
		build.Int("job.procs", nodes*(1+random.Int64N(16)))
		build.Int("job.nodes", nodes)
		build.Int("job.walltime_seconds", 3600*(1+random.Int64N(48)))
		o.RowJob, o.JobRow, o.Partition = append(o.RowJob, int32(i)), append(o.JobRow, int32(i)), append(o.Partition, "")
		o.Minutes = append(o.Minutes, 60*(1+random.Int64N(48)))
	}
	o.Jobs = build.Table()
	b.Run("make", func(b *testing.B) {
		for b.Loop() {
			New(o)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/jobs, "ns/job")
	})
	s, _ := New(o)
	for job := range running {
		s.Add(job)
	}
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stopped := 0
			for row := running; row < jobs; row++ {
				if s.Check(row) != nil {
					stopped++
				}
			}
			b.ReportMetric(float64(stopped), "stopped")
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(jobs-running), "ns/job")
	})
}

// TestWholeNodesAreCounted: a plan that does not say what a job gets counts the whole nodes that the limit asks about.
func TestWholeNodesAreCounted(t *testing.T) {
	s, _ := testCase(t, "association a GrpTRES=cpu 40", "a u normal 2 1 30\na u normal 2 1 30\na v normal 2 1 30",
		func(o *Options) {
			o.WholeProcs = []int64{16, 16, 16}
		})
	for row := range 2 {
		if stop := s.Check(row); stop != nil {
			t.Fatalf("row %d: %s", row, stop.Reason)
		}
		s.Start(row, timeline.Got{})
	}
	if stop := s.Check(2); stop == nil || stop.InUse != 32 || stop.Asks != 16 {
		t.Errorf("the third of three whole nodes under a limit of 40 is stopped by %+v", stop)
	}
	s.Start(2, timeline.Got{Procs: 2})
	if stop := s.Check(2); stop == nil || stop.InUse != 34 {
		t.Errorf("what a job is known to get is what it has: %+v", stop)
	}
}
