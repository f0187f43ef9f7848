package convert_test

import (
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/counterexample"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/stdlib"
)

// The list law of converting: a setting that changes what becomes of some queue changes what is written, or the list
// names it; and where what was written treats some queue otherwise, the list has a reason.

// site is a policy in the files of a scheduler, one setting a line.
type site struct {
	main, accounts string
	opt            lower.Options
	beside         convert.Beside
}

func (s site) files() (list []*source.File) {
	name := "maui.cfg"
	switch {
	case strings.HasPrefix(s.main, "policy"):
		name = "site.fairway.hcl"
	case strings.Contains(s.main, "ClusterName"):
		name = "slurm.conf"
	}
	list = append(list, source.NewFile(name, []byte(s.main)))
	if s.accounts != "" {
		list = append(list, source.NewFile("assoc.cfg", []byte(s.accounts)))
	}
	return list
}

// judged is what becomes of generated queues, "" where the files are refused.
func (s site) judged(t *testing.T) (string, *compiler.Output) {
	t.Helper()
	out := compiler.Compile(compiler.Input{Files: s.files(), Options: s.opt})
	if out.Program == nil {
		return "", nil
	}
	var b strings.Builder
	for seed := range uint64(2) {
		result, err := engine.Run(out.Program, lawQueue(seed),
			evaluation.Options{Workers: 1, Plan: out.Program.Family == "maui"})
		if err != nil {
			return "", nil
		}
		if result.Failed.Any() || len(result.Priority) == 0 {
			return "", nil
		}
		fmt.Fprintln(&b, result.Priority, result.State, result.Reason, result.Rank, result.Started)
	}
	return b.String(), out
}

// listed is what a site becomes, and the lines that the list names.
type listed struct {
	out  convert.Result
	text string
	all  diag.List
}

func (s site) convert(t *testing.T, to lower.Lang) listed {
	t.Helper()
	var units []lower.Unit
	for _, f := range s.files() {
		u, _ := lower.Parse(f, "", lower.Files{})
		units = append(units, u)
	}
	if s.beside.Rest = ""; to == lower.Slurm {
		s.beside.Rest = "rest.fairway.hcl" // what it has is in the list too
	}
	out, found := convert.With(to, units, s.opt, s.beside)
	l := listed{out: out, text: string(out.Text) + string(out.Accounts)}
	for _, d := range found {
		if d.Severity == diag.Error {
			t.Fatalf("%s\n%s", d.Message, s.main)
		}
		uncounted := d.Code == "convert-incomplete" && strings.Contains(d.Message, " counts for no job here")
		if d.Code != "convert-not-said" && d.Code != "convert-rest" && d.Code != "convert-approximated" && !uncounted {
			continue
		}
		l.all = append(l.all, d)
	}
	return l
}

// names reports a finding about a line, or about a setting of it.
func (l listed) names(line, setting string) bool {
	return line != "" && slices.ContainsFunc(l.all, func(d *diag.Diagnostic) bool {
		if strings.Contains(line, "rounding = ") && strings.Contains(d.Message, "round") {
			return true // which has no place of its own
		}
		return !d.Span.IsZero() && strings.Contains("\n"+line+"\n", "\n"+d.Span.File.Line(d.Span.Position().Line)+"\n") &&
			strings.Contains(d.Message, setting)
	})
}

var lawNames = counterexample.Vocabulary{Users: []string{"amy", "bo"}, Groups: []string{"staff", "guests"},
	Accounts: []string{"bio", "phys"}, QOS: []string{"high", "low"},
	Members: [][2]string{{"phys", "amy"}, {"bio", "bo"}, {"bio", "amy"}},
	Partitions: []counterexample.Partition{{Name: "long", Nodes: 16, NodeProcs: 16, NodeMemMB: 65536},
		{Name: "short", Nodes: 16, NodeProcs: 16, NodeMemMB: 65536}},
	Procs: []int64{1, 2, 8, 40}, Nodes: []int64{1, 2, 4}, WalltimesSeconds: []int64{60, 3600, 86400},
	WaitsSeconds: []int64{60, 3600, 864000}, MemMB: []int64{100, 4000}, GPUs: []int64{0, 1},
	ProcSeconds: []int64{3600}, Counts: []int64{1, 3}, ListNodes: true, Associations: true, Shares: true,
	RecordedQOS: []string{"high", "low"}}

// lawQueue is a queue in which all columns that formulas read differ from job to job.
func lawQueue(seed uint64) *snapshot.Snapshot {
	r := rand.New(rand.NewPCG(seed, 7))
	word := func(list []string) string { return list[r.IntN(len(list))] }
	const now = 1_800_000_000
	jobs := column.NewBuilder("jobs")
	for id := range 16 {
		jobs.Row()
		m := lawNames.Members[r.IntN(len(lawNames.Members))]
		nodes := int64(1) << r.IntN(4)
		waited := int64(r.IntN(20 * 86400))
		for _, c := range []struct{ id, value string }{{"job.id", fmt.Sprint(id + 1)}, {"job.user", m[1]},
			{"job.account", m[0]}, {"job.group", word(lawNames.Groups)},
			{"job.qos", word(lawNames.QOS)}, {"job.partition", word([]string{"long", "short"})}} {
			jobs.String(schema.ColumnID(c.id), c.value)
		}
		running := id%4 == 0
		jobs.String("job.state", map[bool]string{true: "running", false: "pending"}[running])
		procs := nodes << r.IntN(5)
		for _, c := range []struct {
			id    string
			value int64
		}{{"job.procs", procs}, {"job.size_procs", procs}, {"job.tasks", procs}, {"job.procs_per_task", 1},
			{"job.nodes", nodes}, {"job.walltime_seconds", 300 << r.IntN(11)},
			{"job.mem_mb", 100 * procs}, {"job.swap_mb", int64(r.IntN(500))}, {"job.disk_mb", int64(r.IntN(500))},
			{"job.gpus", int64(r.IntN(3))}, {"job.nice", int64(r.IntN(50))},
			{"job.queue_seconds", waited}, {"job.bypass_count", int64(r.IntN(5))}} {
			jobs.Int(schema.ColumnID(c.id), c.value)
		}
		jobs.Double("job.processor_equivalents", float64(procs)*1.5)
		for _, id := range []schema.ColumnID{"job.submit_time", "job.queue_start_time", "job.eligible_time",
			"job.accrue_time"} {
			jobs.Value(id, schema.TimestampValue(now-waited))
		}
		jobs.Declare("job.start_time", schema.Timestamp)
		if running {
			jobs.Value("job.start_time", schema.TimestampValue(now-60))
		}
	}
	nodes := column.NewBuilder("nodes")
	for i := range 16 {
		nodes.Row()
		nodes.String("node.name", fmt.Sprintf("n%d", i+1))
		nodes.Int("node.procs", 16)
		nodes.Int("node.mem_mb", 65536)
	}
	shares := column.NewBuilder("association")
	for i, m := range lawNames.Members {
		shares.Row()
		shares.String("association.name", m[0]+"/"+m[1])
		shares.Double("association.fairshare_factor", 0.2*float64(i+1))
	}
	return &snapshot.Snapshot{Now: now, Jobs: jobs.Table(), Nodes: nodes.Table(),
		Credentials: map[string]*column.Table{"association": shares.Table()}}
}

// change is one line that replaces those with the same beginning, or is added.
type change struct {
	key, line string
	accounts  bool
	name      string // of the setting, where the line has others too
}

// replaces reports the line in whose place the change is.
func (c change) replaces(line string) bool {
	return c.key != "" && line == c.key || c.key != "" &&
		(strings.HasPrefix(line, c.key+" ") || strings.HasPrefix(line, c.key+"="))
}

// with is the site with the change.
func (s site) with(c change) site {
	if body, ok := strings.CutSuffix(s.main, "}\n"); ok {
		s.main = body + c.line + "\n}\n"
		return s
	}
	text := &s.main
	if c.accounts {
		text = &s.accounts
	}
	lines := strings.Split(strings.TrimSuffix(*text, "\n"), "\n")
	at := slices.IndexFunc(lines, c.replaces)
	switch {
	case at >= 0:
		lines[at] = c.line
	case strings.HasPrefix(c.line, "PartitionName=DEFAULT"):
		at = slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "PartitionName=") })
		lines = slices.Insert(lines, at, c.line)
	default:
		lines = append(lines, c.line)
	}
	*text = strings.Join(lines, "\n") + "\n"
	return s
}

// holdsFor checks the law for the changes to a site.
func holdsFor(t *testing.T, base site, to lower.Lang, changes []change) {
	t.Helper()
	was, _ := base.judged(t)
	if was == "" {
		t.Fatalf("the site is refused:\n%s", base.main)
	}
	before := base.convert(t, to)
	effective := 0
	for i, c := range changes {
		if !inSample(i) {
			continue
		}
		s := base.with(c)
		is, out := s.judged(t)
		if is == "" || is == was {
			continue
		}
		effective++
		after := s.convert(t, to)
		old := ""
		if i := slices.IndexFunc(strings.Split(base.main+base.accounts, "\n"), c.replaces); i >= 0 {
			old = strings.Split(base.main+base.accounts, "\n")[i]
		}
		// it is named no more
		removed := (strings.Contains(c.line, "remove = true") || strings.Contains(c.line, "weight = 0")) &&
			len(after.all) != len(before.all)
		if after.text == before.text && !removed && !after.names(c.line, c.name) && !before.names(old, "") {
			t.Errorf("%q instead of %q changes results, but neither what is written in %s nor the list", c.line, old, to)
		}
		if value := after.another(out.Policy, c.line); value != "" && !after.names(c.line, c.name) {
			t.Errorf("%q is %s, which what is written in %s does not have, and the list does not name it\n%s", c.line, value, to,
				after.text)
		}
		if found := after.unread(); found != "" {
			t.Errorf("%q becomes what has findings: %s\n%s", c.line, found, after.text)
		}
		otherwise(t, s, out, after, few())
	}
	t.Logf("%d of %d changes have an effect", effective, len(changes))
}

// another is a value of a line of the site that what was written has nowhere: a limit with its bound, in Slurm's
// minutes or Maui's seconds, or a list of names. Points are compared where they make an order.
func (l listed) another(p *ir.Policy, line string) string {
	written := l.policy()
	if written == nil {
		return ""
	}
	here := func(at source.Span) bool { return !at.IsZero() && at.File.Line(at.Position().Line) == line }
	numbers, words := map[float64]bool{}, map[string]bool{}
	for i := range written.Limits {
		if hard := written.Limits[i].Hard; hard != nil {
			numbers[*hard] = true
		}
	}
	eachRow := func(p *ir.Policy, visit func(ir.TableRow)) {
		for i := range p.Tables {
			for _, r := range p.Tables[i].Rows {
				visit(r)
			}
			if o := p.Tables[i].Others; o != nil {
				visit(*o)
			}
		}
	}
	eachRow(written, func(r ir.TableRow) {
		numbers[r.Value.Number()] = true
		for _, name := range r.Value.List {
			words[strings.Trim(name, "+-&^")] = true
		}
	})
	for i := range p.Limits {
		limit := &p.Limits[i]
		if hard := limit.Hard; hard != nil && here(limit.Span) && !numbers[*hard] && !numbers[*hard*60] &&
			!numbers[math.Ceil(*hard/60)] {
			return fmt.Sprintf("%s %v", limit.Source, *hard)
		}
	}
	missing := ""
	eachRow(p, func(r ir.TableRow) {
		for _, name := range r.Value.List {
			if name = strings.Trim(name, "+-&^"); here(r.Span) && !words[name] {
				missing = r.Source + " " + name
			}
		}
	})
	return missing
}

// policy is what was written, read again.
func (l listed) policy() *ir.Policy { return l.compiled().Policy }

func (l listed) compiled() *compiler.Output {
	var files []*source.File
	for _, text := range [][]byte{l.out.Text, l.out.Accounts} {
		if len(text) > 0 {
			files = append(files, source.NewFile("written", text))
		}
	}
	return compiler.Compile(compiler.Input{Files: files, Options: l.out.Read})
}

// lawValues are values to try for a parameter of a type.
func lawValues(p *stdlib.Param) []string {
	if len(p.Enum) > 0 {
		return p.Enum
	}
	switch p.Type {
	case "bool":
		return []string{"TRUE", "FALSE"}
	case "float":
		return []string{"0.9", "2"}
	case "time", "limit", "memory":
		return []string{"2"}
	case "list", "string", "path":
		return []string{"high"}
	}
	return []string{"0", "-2"}
}

const lawMaui = `SERVERHOST head
QUEUETIMEWEIGHT 2
QUEUETIMECAP 9000
XFACTORWEIGHT 10
XFMINWCLIMIT 0:10:00
BYPASSWEIGHT 4
TARGETXFACTORWEIGHT 3
TARGETQUEUETIMEWEIGHT 3
CREDWEIGHT 10
USERWEIGHT 2
GROUPWEIGHT 3
ACCOUNTWEIGHT 4
QOSWEIGHT 5
CLASSWEIGHT 6
USERCFG[amy] PRIORITY=7
GROUPCFG[staff] PRIORITY=8
ACCOUNTCFG[phys] PRIORITY=9
QOSCFG[high] PRIORITY=10
CLASSCFG[short] PRIORITY=11
RESWEIGHT 2
NODEWEIGHT 3
PROCWEIGHT 4
MEMWEIGHT 1
SWAPWEIGHT 1
DISKWEIGHT 1
PSWEIGHT 1
PEWEIGHT 1
WALLTIMEWEIGHT 1
FSPOLICY DEDICATEDPS
FSINTERVAL 12:00:00
FSDEPTH 4
FSDECAY 0.5
FSUSERWEIGHT 10
FSGROUPWEIGHT 5
USERCFG[bo] FSTARGET=20
GROUPCFG[guests] FSTARGET=30
BACKFILLPOLICY FIRSTFIT
RESERVATIONDEPTH 2
`

func mauiChanges() (list []change) {
	rows := stdlib.MauiParams.Params()
	for i := range rows {
		p := &rows[i]
		if p.Type == "attrs" {
			continue
		}
		for _, v := range lawValues(p) {
			list = append(list, change{key: p.Name, line: p.Name + " " + v})
		}
	}
	rows = stdlib.MauiAttributes.Params()
	names := map[string][]string{"USERCFG": {"amy", "DEFAULT"}, "GROUPCFG": {"staff", "DEFAULT"},
		"ACCOUNTCFG": {"phys", "DEFAULT"}, "QOSCFG": {"high", "DEFAULT"}, "CLASSCFG": {"short", "DEFAULT"}}
	for i := range rows {
		p := &rows[i]
		if len(names[p.Record]) == 0 {
			continue
		}
		for _, name := range names[p.Record][i%2 : i%2+1] {
			values := lawValues(p)
			if p.Name == "FSTARGET" {
				values = []string{"10", "20+", "5-", "3^"}
			}
			for _, v := range values {
				key := fmt.Sprintf("%s[%s]", p.Record, name)
				list = append(list, change{key: key + " " + p.Name, line: fmt.Sprintf("%s %s=%s", key, p.Name, v)})
			}
		}
	}
	return list
}

// TestConvertLawMaui: every parameter and attribute of Maui.
func TestConvertLawMaui(t *testing.T) {
	holdsFor(t, site{main: lawMaui}, lower.Slurm, mauiChanges())
}

const lawSlurm = `ClusterName=c
SlurmctldHost=head
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=limits
PriorityType=priority/multifactor
PriorityMaxAge=14-0
PriorityWeightAge=20160
PriorityWeightAssoc=100
PriorityWeightJobSize=3200
PriorityWeightPartition=300
PriorityWeightQOS=400
PriorityWeightTRES=cpu=640
PriorityWeightFairshare=1000
NodeName=n[1-16] CPUs=16 RealMemory=65536
PartitionName=long Nodes=ALL PriorityJobFactor=3 Default=YES
PartitionName=short Nodes=ALL PriorityJobFactor=5
`

const lawAccounts = `Cluster - 'c':Fairshare=1
Parent - 'root'
Account - 'phys':Fairshare=3:Priority=4
Account - 'bio':Fairshare=1:Priority=2
Parent - 'phys'
User - 'amy':Fairshare=1:Priority=9
Parent - 'bio'
User - 'bo':Fairshare=2
User - 'amy':Fairshare=1
QOS - 'high':Priority=10
QOS - 'low':Priority=2
`

func slurmChanges() (list []change) {
	rows := stdlib.SlurmParams.Params()
	for i := range rows {
		p := &rows[i]
		if p.Record != "global" {
			continue
		}
		for _, v := range append(lawValues(p), slurmWords[p.Name]...) {
			list = append(list, change{key: p.Name, line: p.Name + "=" + v})
		}
	}
	rows = stdlib.SlurmPartition.Params()
	for i := range rows {
		p := &rows[i]
		for _, v := range append(lawValues(p), slurmWords[p.Name]...) {
			for _, name := range []string{"short", "DEFAULT"} {
				line := fmt.Sprintf("PartitionName=%s %s=%s", name, p.Name, v)
				key := "PartitionName=" + name
				if name == "short" {
					line = fmt.Sprintf("PartitionName=%s Nodes=ALL PriorityJobFactor=5 %s=%s", name, p.Name, v)
				}
				list = append(list, change{key: key, line: line, name: p.Name})
			}
		}
	}
	for _, l := range []string{"GrpJobs", "GrpSubmitJobs", "GrpWall", "MaxJobs", "MaxSubmitJobs", "MaxWallDurationPerJob",
		"MaxJobsPU", "MaxJobsPA", "MaxSubmitJobsPU", "Priority", "UsageFactor", "Fairshare"} {
		list = append(list, account(l, "2")...)
	}
	for _, l := range []string{"GrpTRES", "GrpTRESMins", "GrpTRESRunMins", "MaxTRESPerJob", "MaxTRESPerUser",
		"MaxTRESPerNode", "MinTRESPerJob", "MaxTRESMinsPerJob"} {
		for _, tres := range []string{"cpu=4", "node=2", "mem=50"} {
			list = append(list, account(l, tres)...)
		}
	}
	return list
}

// account sets a limit of an account, of a user in two of them, of a user in one and of a QOS.
func account(name, value string) (list []change) {
	for _, c := range []change{{key: "Account - 'bio':Fairshare=1:Priority=2"}, {key: "User - 'bo':Fairshare=2"},
		{key: "User - 'amy':Fairshare=1"}, {key: "QOS - 'high':Priority=10"}} {
		c.accounts, c.name, c.line = true, name, c.key+":"+name+"="+value
		if name == "Priority" || name == "Fairshare" {
			before, _, _ := strings.Cut(c.key, ":")
			c.line = before + ":" + name + "=" + value
		}
		list = append(list, c)
	}
	return list
}

// slurmWords are values of keys whose table does not list them.
var slurmWords = map[string][]string{
	"PriorityFlags": {"ACCRUE_ALWAYS", "SMALL_RELATIVE_TO_TIME", "NO_NORMAL_ALL", "NO_NORMAL_QOS",
		"NO_NORMAL_PART", "NO_NORMAL_ASSOC", "NO_NORMAL_TRES", "DEPTH_OBLIVIOUS", "NO_FAIR_TREE", "CALCULATE_RUNNING"},
	"PriorityWeightTRES":       {"cpu=0", "mem=1000", "node=50,cpu=10"},
	"PriorityType":             {"priority/basic"},
	"SchedulerType":            {"sched/builtin"},
	"SchedulerParameters":      {"bf_max_job_user=1", "assoc_limit_stop"},
	"AccountingStorageEnforce": {"none", "associations", "qos", "safe"},
	"AccountingStorageType":    {"accounting_storage/none"},
	"PriorityMaxAge":           {"1-0"},
	"PriorityFavorSmall":       {"YES"},
	"State":                    {"DOWN", "DRAIN", "INACTIVE"},
	"AllowAccounts":            {"phys"}, "DenyAccounts": {"phys"}, "AllowQos": {"low"}, "DenyQos": {"low"},
	"MaxTime": {"10"}, "DefaultTime": {"10"}, "MaxNodes": {"2"}, "MinNodes": {"2"}, "QOS": {"high"}, "PriorityTier": {"5"},
}

// TestConvertLawSlurm: every key of slurm.conf and of its partitions, and what a dump has of accounts, users and QOS.
func TestConvertLawSlurm(t *testing.T) {
	holdsFor(t, site{main: lawSlurm, accounts: lawAccounts}, lower.Maui, slurmChanges())
}

// overrides change each weight, cap and factor of a policy's terms, and the end of the sum.
func overrides(p *ir.Policy) (list []change) {
	add := func(text string, args ...any) { list = append(list, change{line: fmt.Sprintf(text, args...)}) }
	for _, c := range p.Components {
		for _, set := range []string{"weight = 7", "weight = 2.5", "weight = 0", "cap = 40", "remove = true"} {
			add("  component %q {\n    %s\n  }", c.Name, set)
		}
		for _, term := range c.Terms {
			if strings.Contains(term.Name, "[") {
				continue // made by for_each
			}
			for _, set := range []string{"weight = 7", "weight = -1.5", "cap = 3", `factor = "double(job.procs) + 1.0"`,
				"remove = true"} {
				add("  component %q {\n    term %q {\n      %s\n    }\n  }", c.Name, term.Name, set)
			}
		}
	}
	for _, set := range []string{"floor = 9000", "ceiling = 5000", `rounding = "nearest"`,
		"override \"mine\" {\n      when = \"job.procs > 8\"\n      value = \"score + 5.0\"\n    }"} {
		add("  finish {\n    %s\n  }", set)
	}
	add("  hold \"mine\" {\n    when = \"job.procs > 8\"\n  }")
	add("  component \"mine\" {\n    weight = 2\n    term \"gpus\" {\n      factor = \"double(job.gpus) * 1000.0\"\n   " +
		" }\n  }")
	add("  component \"mine\" {\n    term \"each\" {\n      for_each = [\"a\", \"b\"]\n      weight = 100\n      " +
		"factor = \"job.procs\"\n    }\n  }")
	add("  limit \"active_procs\" {\n    hard = 3\n  }")
	add("  account \"phys\" {\n    limit \"idle_jobs\" {\n      hard = 1\n    }\n  }")
	return list
}

// TestConvertLawOverrides: blocks of policy files, written for the scheduler of their policy and for the other one.
func TestConvertLawOverrides(t *testing.T) {
	for _, c := range []struct{ use, params string }{
		{"maui", "SERVERHOST = \"head\"\nQUEUETIMEWEIGHT = 2\nXFACTORWEIGHT = 10\nQOSWEIGHT = 5\nUSERWEIGHT = " +
			"3\nPROCWEIGHT = 4\nNODEWEIGHT = 3"},
		{"slurm", "ClusterName = \"c\"\nSlurmctldHost = \"head\"\nPriorityType = " +
			"\"priority/multifactor\"\nAccountingStorageType = \"accounting_storage/slurmdbd\"\nPriorityWeightAge = " +
			"20160\nPriorityWeightQOS = 400\nPriorityWeightJobSize = 3000\nPriorityWeightTRES = \"cpu=640\""},
		{"", ""},
	} {
		body := "  use = \"" + c.use + "\"\n  params = {\n" + c.params +
			"\n  }\n  qos \"high\" {\n    priority = 7\n  }\n  user \"amy\" {\n    priority = 3\n  }\n"
		switch c.use {
		case "":
			body = "  component \"wait\" {\n    weight = 3\n    cap = 9000\n    term \"queue\" {\n      weight = 2\n      " +
				"cap = 8000\n      factor = \"job.queue_minutes\"\n    }\n  }\n"
		case "slurm":
			body = strings.Replace(body, "  user \"amy\" {\n    priority = 3\n  }\n", "  qos \"low\" {\n    priority = 1\n  }\n",
				1)
			for _, name := range []string{"NodeName\" \"n[1-16]", "PartitionName\" \"long", "PartitionName\" \"short"} {
				value := map[bool]string{true: "CPUs = 16", false: "Nodes = \"ALL\""}[strings.HasPrefix(name, "Node")]
				body += "  record \"" + name + "\" {\n    settings = {\n      " + value + "\n    }\n  }\n"
			}
		}
		base := site{main: "policy \"p\" {\n" + body + "}\n"}
		out := compiler.Compile(compiler.Input{Files: base.files()})
		if out.Policy == nil {
			t.Fatal(recordedtest.Text(out.Diags))
		}
		for _, to := range []lower.Lang{lower.Maui, lower.Slurm} {
			t.Run(c.use+" to "+string(to), func(t *testing.T) { holdsFor(t, base, to, overrides(out.Policy)) })
		}
	}
}

// TestConvertLawRecorded: where what a recorded site becomes treats some queue otherwise, the list has a reason.
func TestConvertLawRecorded(t *testing.T) {
	check := func(t *testing.T, s site, to lower.Lang) {
		out := compiler.Compile(compiler.Input{Files: s.files(), Options: s.opt})
		if out.Program == nil {
			t.Fatal(recordedtest.Text(out.Diags))
		}
		otherwise(t, s, out, s.convert(t, to), few())
	}
	var sample []recordedtest.Case
	for i, r := range recordedtest.Copies(t, "slurm") {
		if inSample(i) {
			sample = append(sample, r)
		}
	}
	recordedtest.EachSlurm(t, sample, func(t *testing.T, r *slurmrun.Run) {
		conf, err := r.Conf(&r.Snapshots[0])
		if err != nil {
			t.Fatal(err)
		}
		accounts, err := r.Dump()
		if err != nil {
			t.Fatal(err)
		}
		check(t, site{main: string(conf.Text), accounts: string(accounts.Text), opt: lower.Options{Version: r.Branch()}},
			lower.Maui)
	})
	for i, r := range recordedtest.Copies(t, "maui") {
		if !inSample(i) {
			continue
		}
		t.Run("maui/"+r.Name, func(t *testing.T) {
			conf, err := fs.ReadFile(r.Files, "maui.cfg")
			if err != nil {
				t.Fatal(err)
			}
			check(t, site{main: string(conf)}, lower.Slurm)
		})
	}
}
