package verify

import (
	"io/fs"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// planted is a rule that a scheduler gets wrong: it goes by inputs in which a pattern is replaced, or does
// something else with what it has computed. What it prints then takes the place of what was recorded.
type planted struct {
	rule, recording            string // the recording with the tag of a snapshot, if it has several
	file, pattern, replacement string
	result                     func(*evaluation.Result)
	without                    schema.ColumnID // a column of jobs that the snapshot does not have
}

const (
	conf, dump, jobs, use = "slurm.conf", slurmrun.Accounts, "raw/scontrol_job.txt", "raw/assoc_mgr.txt"
)

var plantedRules = []planted{
	// Weights and the sum.
	{rule: "age has another weight", recording: "age-7d", file: conf, pattern: `(PriorityWeightAge)=\d+`,
		replacement: "$1=1100"},
	{rule: "the weights of age and size are swapped", recording: "prio-mix-fairtree", file: conf,
		pattern: `(?s)(PriorityWeightAge)=(\d+)(.*PriorityWeightJobSize)=(\d+)`, replacement: "$1=$4$3=$2"},
	{rule: "the partition has no weight", recording: "partition-factor", file: conf,
		pattern: `PriorityWeightPartition=\d+`, replacement: "PriorityWeightPartition=0"},
	{rule: "the weight of processors is that of memory", recording: "prio-mix-fairtree", file: conf,
		pattern: `CPU=1000,Mem=2000`, replacement: "CPU=2000,Mem=1000"},
	{rule: "a trackable resource is left out", recording: "tres-weights", file: conf, pattern: `,license/abaqus=700`,
		replacement: ""},
	{rule: "the sum is rounded", recording: "prio-mix-fairtree",
		result: eachRow(func(r *evaluation.Result, row int) float64 { return math.Round(r.Score[row]) })},
	{rule: "the sum wraps at 32 bits", recording: "nice-site-overflow",
		result: eachRow(func(r *evaluation.Result, row int) float64 { return math.Mod(r.Score[row], 1<<32) })},
	{rule: "nice raises priority", recording: "nice-site-held", file: jobs, pattern: `Nice=(\d)`, replacement: "Nice=-$1"},
	{rule: "nice counts twice", recording: "nice-site-held", file: jobs, pattern: `Nice=(-?\d{1,5})\b`,
		replacement: "Nice=${1}0"},

	// Age.
	{rule: "age is cut at half of PriorityMaxAge", recording: "age-7d", file: conf, pattern: `PriorityMaxAge=7-0`,
		replacement: "PriorityMaxAge=3-12"},
	{rule: "age goes on after PriorityMaxAge", recording: "age-7d", file: conf, pattern: `PriorityMaxAge=7-0`,
		replacement: "PriorityMaxAge=14-0"},
	{rule: "age counts from submission", recording: "eligible-age", file: jobs,
		pattern: `(SubmitTime=)(\S+)(.*AccrueTime=)\S+`, replacement: "$1$2$3$2"},
	{rule: "age does not count", recording: "age-7d", file: jobs, pattern: `AccrueTime=\S+`,
		replacement: "AccrueTime=Unknown"},
	{rule: "age counts in whole hours", recording: "age-7d", file: jobs, pattern: `(AccrueTime=\S+T\d\d):\d\d:\d\d`,
		replacement: "$1:59:59"},

	// Size and resources.
	{rule: "small jobs are favoured", recording: "jobsize-favor-large", file: conf, pattern: `$`,
		replacement: "\nPriorityFavorSmall=YES\n"},
	{rule: "large jobs are favoured", recording: "jobsize-favor-small", file: conf, pattern: `PriorityFavorSmall=YES`,
		replacement: "PriorityFavorSmall=NO"},
	{rule: "size is relative to time", recording: "jobsize-favor-large", file: conf, pattern: `$`,
		replacement: "\nPriorityFlags=SMALL_RELATIVE_TO_TIME\n"},
	{rule: "size counts processors twice", recording: "prio-mix-fairtree", file: jobs, pattern: `NumCPUs=(\d)\b`,
		replacement: "NumCPUs=${1}0"},
	{rule: "resources are not normalised", recording: "tres-weights", file: conf, pattern: `$`,
		replacement: "\nPriorityFlags=NO_NORMAL_TRES\n"},
	{rule: "gpus are not counted", recording: "prio-mix-fairtree", file: jobs, pattern: `gres/gpu=\d+`,
		replacement: "gres/gpu=1"},

	// Factors of credentials.
	{rule: "partitions are not normalised", recording: "partition-factor", file: conf, pattern: `$`,
		replacement: "\nPriorityFlags=NO_NORMAL_PART\n"},
	{rule: "the best partition is not in the maximum", recording: "partition-factor", file: conf,
		pattern: `PriorityJobFactor=100`, replacement: "PriorityJobFactor=10"},
	{rule: "QOS are not normalised", recording: "qos-factor", file: conf, pattern: `$`,
		replacement: "\nPriorityFlags=NO_NORMAL_QOS\n"},
	{rule: "QOS are normalised by another maximum", recording: "qos-factor", file: use,
		pattern: `(QOS=q1000.*Priority)=1000`, replacement: "$1=1500"},
	{rule: "associations are not normalised", recording: "assoc-factor", file: conf, pattern: `$`,
		replacement: "\nPriorityFlags=NO_NORMAL_ASSOC\n"},

	// Fairshare.
	{rule: "tied accounts are merged", recording: "fs-ties-accounts", file: "semantics", replacement: "documented"},
	{rule: "unused users are ranked in their order", recording: "fs-ties-unused", result: func(r *evaluation.Result) {
		f, n := r.Tree.FairTree, 0
		for node, factor := range f.Factor {
			if factor == 1 {
				f.Factor[node] = 1 - float64(n)/float64(f.Tree.Users)
				n++
			}
		}
	}},
	{rule: "the classic formula takes the place of Fair Tree", recording: "fs-fairtree-1", file: conf, pattern: `$`,
		replacement: "\nPriorityFlags=NO_FAIR_TREE\n"},
	{rule: "Fair Tree takes the place of the classic formula", recording: "fs-classic-1", file: conf,
		pattern: `NO_FAIR_TREE`, replacement: "FAIR_TREE"},
	{rule: "classic levels are depth-oblivious", recording: "fs-classic-2-deep", file: conf, pattern: `NO_FAIR_TREE`,
		replacement: "NO_FAIR_TREE,DEPTH_OBLIVIOUS"},
	{rule: "the dampening factor is left out", recording: "fs-classic-damp5", file: conf,
		pattern: `FairShareDampeningFactor=5`, replacement: "FairShareDampeningFactor=1"},
	{rule: "FairShare=parent is one share", recording: "fs-parent-fairtree", file: dump, pattern: `Fairshare=2147483647`,
		replacement: "Fairshare=1"},
	{rule: "no shares are one share", recording: "fs-zero-shares-fairtree", file: dump, pattern: `Fairshare=0\b`,
		replacement: "Fairshare=1"},
	{rule: "the shares of one user are other ones", recording: "prio-mix-fairtree", file: dump,
		pattern: `(User - 'u0[1-4]'.*Fairshare)=(\d+)`, replacement: "$1=${2}0"},
	{rule: "users are of the level of their account", recording: "fs-fairtree-1", result: func(r *evaluation.Result) {
		f := r.Tree.FairTree
		for node := range f.LevelFS {
			if f.Tree.IsUser(node) {
				f.LevelFS[node] = f.LevelFS[f.Tree.FairshareParent[node]]
			}
		}
	}},
	{rule: "usage of one user does not decay", recording: "prio-mix-classic", file: use,
		pattern: `(UserName=u0[1-3]\(.*UsageRaw/Norm/Efctv=)(\d+)`, replacement: "${1}1$2"},

	// Reasons.
	{rule: "MaxJobs allows one more", recording: "limit-maxjobs-submit", file: dump, pattern: `MaxJobs=2`,
		replacement: "MaxJobs=3"},
	{rule: "GrpJobs allows one more", recording: "limit-grpjobs", file: dump, pattern: `GrpJobs=3`,
		replacement: "GrpJobs=4"},
	{rule: "MaxJobs of the account is not handed down", recording: "limit-grpjobs", file: dump, pattern: `:MaxJobs=1\b`,
		replacement: ""},
	{rule: "GrpJobs of the account is asked after MaxJobs", recording: "limit-hierarchy", file: dump,
		pattern: `GrpJobs=4:MaxJobs=3`, replacement: "GrpJobs=9:MaxJobs=1"},
	{rule: "limits of associations come before those of QOS", recording: "limit-hierarchy", file: "reason",
		pattern: `^QOSMaxJobsPerUserLimit$`, replacement: "AssocGrpJobsLimit"},
	{rule: "jobs of a user are those of the account", recording: "limit-qos-per-user", file: "reason",
		pattern: `^QOSMaxJobsPerUserLimit$`, replacement: "MaxJobsPerAccount"},
	{rule: "QOS have no limits of jobs", recording: "limit-qos-grp", file: "reason", pattern: `^QOSGrpJobsLimit$`,
		replacement: "Priority"},
	{rule: "the word of another resource is given", recording: "limit-grptres", file: "reason",
		pattern: `^AssocGrpMemLimit$`, replacement: "AssocGrpCpuLimit"},
	{rule: "GrpTRES lets jobs wait for resources", recording: "limit-grptres", file: "reason", pattern: `^AssocGrp.*`,
		replacement: "Resources"},
	{rule: "GrpTRES lets jobs wait for priority", recording: "limit-grptres", file: "reason", pattern: `^AssocGrp.*`,
		replacement: "Priority"},
	{rule: "GrpTRES lets jobs wait for licenses", recording: "limit-grptres", file: "reason", pattern: `^AssocGrp.*`,
		replacement: "Licenses"},
	{rule: "a limit of others stops a job", recording: "age-7d", file: "reason of 2", pattern: `^ReqNodeNotAvail`,
		replacement: "AssocGrpCpuLimit"},
	{rule: "partitions have no limit of time", recording: "limit-partition", file: "reason",
		pattern: `^PartitionTimeLimit$`, replacement: "Resources"},
	{rule: "time is asked before nodes", recording: "limit-partition", file: "reason", pattern: `^PartitionNodeLimit$`,
		replacement: "PartitionTimeLimit"},
	{rule: "tasks of an array are not counted", recording: "limit-array-throttle", file: "reason",
		pattern: `^JobArrayTaskLimit$`, replacement: "Resources"},
	{rule: "one who waits for a time waits for a job", recording: "eligible-age", file: "reason", pattern: `^BeginTime$`,
		replacement: "Dependency"},
	{rule: "a limit gives no reason", recording: "limit-maxjobs-submit", file: "reason", pattern: `^AssocMaxJobsLimit$`,
		replacement: "None"},
	{rule: "a limit gives no reason, and nothing tells when jobs were looked at", recording: "limit-maxjobs-submit",
		without: "job.last_evaluation_time", file: "reason", pattern: `^AssocMaxJobsLimit$`, replacement: "None"},
}

// eachRow replaces the priority of each row.
func eachRow(priority func(*evaluation.Result, int) float64) func(*evaluation.Result) {
	return func(r *evaluation.Result) {
		for row := range r.Score {
			r.Score[row] = priority(r, row)
		}
	}
}

// TestPlantedRules: whatever rule a scheduler gets wrong, verify finds differences, and puts none of them down to
// a cause that is nobody's fault.
func TestPlantedRules(t *testing.T) {
	copies, err := recorded.Copies("slurm")
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for _, p := range plantedRules {
		rules[p.rule] = true
		t.Run(p.rule, func(t *testing.T) {
			name, tag, _ := strings.Cut(p.recording, " ")
			at := slices.IndexFunc(copies, func(c recorded.Case) bool { return c.Name == name })
			if at < 0 {
				t.Fatalf("there is no recording %s", name)
			}
			r, err := slurmrun.Open(copies[at])
			if err != nil {
				t.Fatal(err)
			}
			at = len(r.Snapshots) - 1
			if tag != "" {
				at = slices.IndexFunc(r.Snapshots, func(s slurmrun.Snapshot) bool { return s.Tag == tag })
			}
			p.check(t, r, &r.Snapshots[at])
		})
	}
	if len(rules) < 40 {
		t.Errorf("only %d rules are planted", len(rules))
	}
}

func (p *planted) check(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot) {
	files, err := r.Outputs(s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Conf(s)
	if err != nil {
		t.Fatal(err)
	}
	files[conf] = &fstest.MapFile{Data: text.Text}
	right := controllerOf(t, files, r.Branch(), "")
	if p.without != "" {
		jobs := right.snapshot.Jobs
		right.snapshot.Jobs = column.NewTable(jobs.Name, jobs.Rows)
		for _, c := range jobs.Columns() {
			if c.ID != p.without {
				right.snapshot.Jobs.Put(c)
			}
		}
	}
	before := right.compare(t)
	if !before.Clean() {
		t.Fatal("the recording itself is not clean")
	}
	if word, ofReason := strings.CutPrefix(p.file, "reason"); ofReason {
		p.found(t, before, right, p.replaceReasons(right.snapshot, strings.TrimPrefix(word, " of ")))
		return
	}
	wrong := p.controller(t, files, r.Branch())
	if p.file == conf || p.file == dump || p.file == "semantics" { // we are wrong, and the scheduler is right
		p.found(t, before, &controller{wrong.program, right.snapshot}, 1)
	}
	p.found(t, before, right, overwrite(right, right.at(t, s.Now), p.computed(t, wrong, s.Now)))
}

// found reports a fault that is not found as one.
func (p *planted) found(t *testing.T, before *Report, c *controller, changed int) {
	t.Helper()
	if changed == 0 {
		t.Fatal("the rule changes nothing that is printed")
	}
	after := c.compare(t)
	if after.Clean() {
		t.Errorf("nothing differs:\n%s", reportText(after))
	}
	excuses := func(r *Report) map[string]bool {
		found := map[string]bool{}
		for i := range r.Differences {
			if d := &r.Differences[i]; d.Benign() {
				found[d.Cause.Name+" of "+d.of()] = true
			}
		}
		return found
	}
	for excuse := range excuses(after) {
		if !excuses(before)[excuse] {
			t.Errorf("a planted fault is explained away: %s", excuse)
		}
	}
	if t.Failed() {
		t.Log(reportText(after))
	}
}

func reportText(r *Report) string {
	var b strings.Builder
	_ = WriteTable(&b, r, TableOptions{Limit: 20, All: true})
	return b.String()
}

// controller is a policy with a snapshot of what its commands print.
type controller struct {
	program  *program.Program
	snapshot *snapshot.Snapshot
}

func controllerOf(t *testing.T, files fs.FS, version, semantics string) *controller {
	t.Helper()
	in := compiler.Input{Options: lower.Options{Version: version, Semantics: semantics}}
	in.Include.FS = files
	for _, name := range []string{conf, dump} {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	out := compiler.Compile(in)
	if out.Program == nil {
		t.Fatal(out.Diags)
	}
	s, diags, err := snapshot.Read(files, []string{"raw"}, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return &controller{out.Program, s}
}

func (c *controller) evaluate(s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
	o.Workers = 1
	return engine.Run(c.program, s, o)
}

func (c *controller) compare(t *testing.T) *Report {
	t.Helper()
	r, err := Compare(c.snapshot, c.evaluate, Options{})
	if err != nil || r.Result.Findings.HasErrors() {
		t.Fatal(err)
	}
	return r
}

// at evaluates as of a moment.
func (c *controller) at(t *testing.T, epochSeconds int64) *evaluation.Result {
	t.Helper()
	s := *c.snapshot
	s.Now = epochSeconds
	r, err := c.evaluate(&s, evaluation.Options{})
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, r.Findings)
	}
	return r
}

// controller goes by the wrong inputs.
func (p *planted) controller(t *testing.T, files fstest.MapFS, version string) *controller {
	t.Helper()
	edited, semantics := maps.Clone(files), ""
	switch p.file {
	case "":
	case "semantics":
		semantics = p.replacement
	default:
		if files[p.file] == nil {
			t.Fatalf("there is no %s", p.file)
		}
		pattern := regexp.MustCompile(p.pattern)
		if !pattern.Match(files[p.file].Data) {
			t.Fatalf("%s has nothing like %s", p.file, p.pattern)
		}
		edited[p.file] = &fstest.MapFile{Data: pattern.ReplaceAll(files[p.file].Data, []byte(p.replacement))}
	}
	return controllerOf(t, edited, version, semantics)
}

// computed is what the wrong rule gives.
func (p *planted) computed(t *testing.T, c *controller, now int64) *evaluation.Result {
	t.Helper()
	c.snapshot.Jobs.Put(&column.Column{ID: "job.state_reason", Type: schema.String,
		Codes: make([]uint32, c.snapshot.Jobs.Rows), Dict: []string{""}})
	r := c.at(t, now)
	if p.result != nil {
		p.result(r)
	}
	return r
}

// replaceReasons replaces the reasons of waiting jobs, or of one, and counts them.
func (p *planted) replaceReasons(s *snapshot.Snapshot, id string) (changed int) {
	pattern, c := regexp.MustCompile(p.pattern), s.Jobs.Column("job.state_reason")
	for job := range s.Jobs.Rows {
		if word := c.Value(job).Str; s.Jobs.Value("job.state", job).Str == "pending" && pattern.MatchString(word) &&
			(id == "" || s.Jobs.Value("job.id", job).Str == id) {
			setText(c, job, p.replacement)
			changed++
		}
	}
	return changed
}

func setText(c *column.Column, row int, text string) {
	if c.Value(row).Str != text {
		c.Dict = append(c.Dict, text)
		c.Codes[row] = uint32(len(c.Dict) - 1)
	}
}

// overwrite writes what the other result would print over what was printed as the right one, and counts what
// is printed otherwise.
func overwrite(c *controller, right, wrong *evaluation.Result) (changed int) {
	set := func(cell *float64, x *reading, row, decimals int) {
		if !x.fits(x.value(right, row)) {
			return
		}
		value := x.value(wrong, row)
		if x.field == "priority" {
			value = math.Trunc(max(1, value))
		} else if !math.IsInf(value, 0) {
			value = math.Round(value*math.Pow10(decimals)) / math.Pow10(decimals)
		}
		if x.low, x.high = rounded(value, decimals); !x.fits(*cell) {
			*cell = value
			changed++
		}
	}
	unit := usageUnit(c.snapshot.Credentials["association"])
	recorded := c.snapshot.Jobs.Column("job.recorded_priority")
	for _, x := range queue(right).readings {
		value := float64(recorded.Ints[x.job])
		set(&value, x, x.row, 0)
		recorded.Ints[x.job] = int64(min(value, math.MaxUint32))
	}
	if t := c.snapshot.Sprio; t != nil {
		index := jobIndex(right)
		for at := range t.Rows {
			job, ok := index[t.Value(snapshot.SprioColumn("id"), at).Str]
			if !ok {
				continue
			}
			row, ok := sprioRow(right, t, at, job)
			if !ok || keptRow(right, row) != "" {
				continue
			}
			for _, x := range printedBySprio(right, t, at, job, row, unit) {
				decimals := 0
				switch {
				case strings.HasPrefix(x.field, "tres_norm("):
					decimals = 2
				case strings.HasSuffix(x.field, "_norm"):
					decimals = 7
				}
				set(&t.Column(snapshot.SprioColumn(x.field)).Doubles[at], x, row, decimals)
			}
		}
	}
	if t := c.snapshot.Credentials["association"]; right.Tree != nil && t.Column("association.fairshare_factor") != nil {
		columns := map[string]schema.ColumnID{"norm_shares": "association.norm_shares",
			"level_fs": "association.level_fairshare", "fairshare": "association.fairshare_factor"}
		for row := range t.Rows {
			node, ok := right.Tree.Node(t.Value("association.name", row).Str)
			if !ok {
				continue
			}
			for _, x := range printedBySshare(right, t, row, node, unit) {
				if x.field == "level_fs" && wrong.Tree.FairTree == nil {
					continue
				}
				set(&t.Column(columns[x.field]).Doubles[row], x, node, 6)
			}
		}
	}
	reasons := c.snapshot.Jobs.Column("job.state_reason")
	for job := range right.State {
		was := reasons.Value(job).Str
		now := was
		switch {
		case right.State[job] == evaluation.Running || right.State[job] == evaluation.Done ||
			right.State[job] == evaluation.Held:
		case wrong.State[job] == evaluation.Blocked:
			now = snapshot.OneWord(wrong.Reason[job])
		case right.State[job] == evaluation.Blocked:
			now = "Priority"
		}
		if now != snapshot.OneWord(was) {
			setText(reasons, job, now)
			changed++
		}
	}
	return changed
}
