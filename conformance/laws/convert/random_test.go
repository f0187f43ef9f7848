package convert_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// The laws of converting on made-up sites. A grammar with fixed seeds draws their settings, in combinations that no
// recorded site has.

// drawn makes choices.
type drawn struct{ *rand.Rand }

func (d drawn) of(list ...string) string { return list[d.IntN(len(list))] }

// sometimes reports true once in so many times.
func (d drawn) sometimes(times int) bool { return d.IntN(times) == 0 }

// number is a small one, a round one or one of no kind.
func (d drawn) number() string {
	return d.of("1", "2", "3", "5", "10", "100", fmt.Sprint(1+d.IntN(40)), fmt.Sprint(1+d.IntN(5000)))
}

var mauiWeights = strings.Fields(`QUEUETIMEWEIGHT XFACTORWEIGHT BYPASSWEIGHT USERWEIGHT GROUPWEIGHT ACCOUNTWEIGHT QOSWEIGHT CLASSWEIGHT
	NODEWEIGHT PROCWEIGHT MEMWEIGHT PSWEIGHT PEWEIGHT WALLTIMEWEIGHT TARGETQUEUETIMEWEIGHT FSUSERWEIGHT FSACCOUNTWEIGHT
	CREDWEIGHT RESWEIGHT FSWEIGHT SERVICEWEIGHT QUEUETIMECAP XFACTORCAP CREDCAP PROCCAP`)

var mauiNames = map[string][]string{"USERCFG": {"amy", "bo", "DEFAULT"}, "GROUPCFG": {"staff", "DEFAULT"},
	"ACCOUNTCFG": {"phys", "bio", "DEFAULT"}, "QOSCFG": {"high", "low"}, "CLASSCFG": {"short", "long", "Long"}}

// randomMaui is a maui.cfg.
func randomMaui(d drawn) site {
	lines := []string{"SERVERHOST head"}
	for _, name := range mauiWeights {
		if d.sometimes(3) {
			lines = append(lines, name+" "+d.number())
		}
	}
	if d.sometimes(3) {
		lines = append(lines, "FSPOLICY "+d.of("DEDICATEDPS", "UTILIZEDPS"), "FSDEPTH "+d.of("1", "4", "7"),
			"FSDECAY "+d.of("0.5", "0.9", "1.0"), "FSINTERVAL "+d.of("12:00:00", "24:00:00"))
	}
	for _, family := range []string{"USERCFG", "GROUPCFG", "ACCOUNTCFG", "QOSCFG", "CLASSCFG"} {
		for _, name := range mauiNames[family] {
			var attributes []string
			for _, a := range []struct {
				name  string
				value func() string
			}{{"PRIORITY", d.number}, {"MAXJOB", d.number}, {"MAXPROC", d.number}, {"MAXNODE", d.number},
				{"MAXPS", func() string { return d.number() + "000" }}, {"MAXIJOB", d.number},
				{"MAX.WCLIMIT", func() string { return d.of("3600", "1:30:00", "3570", "86400") }}, {"MAXPROC[USER]", d.number},
				{"FSTARGET", func() string { return d.of("10", "25", "40", "20+", "5-") }},
				{"QLIST", func() string { return d.of("high", "high,low", "low&", "high^") }},
				{"QDEF", func() string { return d.of("high", "low") }}} {
				of := map[string]string{"MAX.WCLIMIT": "CLASSCFG QOSCFG", "MAXPROC[USER]": "CLASSCFG",
					"FSTARGET": "USERCFG ACCOUNTCFG GROUPCFG", "QLIST": "USERCFG ACCOUNTCFG", "QDEF": "USERCFG ACCOUNTCFG"}[a.name]
				if d.sometimes(5) && (of == "" || strings.Contains(of, family)) {
					attributes = append(attributes, a.name+"="+a.value())
				}
			}
			if len(attributes) > 0 {
				lines = append(lines, fmt.Sprintf("%s[%s] %s", family, name, strings.Join(attributes, " ")))
			}
		}
	}
	if d.sometimes(3) {
		lines = append(lines, "SYSCFG QLIST="+d.of("high", "high,low"))
	}
	s := site{main: strings.Join(lines, "\n") + "\n"}
	return s.changed(d, mauiChanges())
}

var slurmLimits = []func(drawn) string{
	func(d drawn) string {
		return d.of("GrpJobs", "MaxJobs", "GrpSubmitJobs", "MaxSubmitJobs") + "=" + d.number()
	},
	func(d drawn) string {
		return d.of("GrpTRES", "MaxTRESPerJob") + "=" + d.of("cpu", "node") + "=" + d.number()
	},
	func(d drawn) string { return d.of("MaxWallDurationPerJob", "GrpWall") + "=" + d.of("60", "90", "1440") },
	func(d drawn) string { return "GrpTRESRunMins=cpu=" + d.number() + "00" },
}

// randomSlurm is a slurm.conf with a dump of accounts.
func randomSlurm(d drawn) site {
	conf := []string{"ClusterName=c", "SlurmctldHost=head", "AccountingStorageType=accounting_storage/slurmdbd",
		"AccountingStorageEnforce=" + d.of("limits", "limits", "limits,qos", "none", "safe"),
		"PriorityType=priority/multifactor"}
	for _, p := range strings.Fields("Age Assoc Fairshare JobSize Partition QOS") {
		if d.sometimes(2) {
			conf = append(conf, "PriorityWeight"+p+"="+d.of("1000", "10000", d.number(), "20160"))
		}
	}
	for _, line := range []string{"PriorityFlags=" +
		d.of("NO_NORMAL_ALL", "NO_NORMAL_QOS", "NO_NORMAL_PART,NO_NORMAL_TRES", "ACCRUE_ALWAYS", "SMALL_RELATIVE_TO_TIME"),
		"PriorityMaxAge=" + d.of("1-0", "7-0", "14-0"),
		"PriorityWeightTRES=" + d.of("cpu=1000", "cpu=640,node=16", "mem=200"), "PriorityFavorSmall=YES",
		"PriorityDecayHalfLife=" + d.of("7-0", "1-0", "0"), "PriorityUsageResetPeriod=MONTHLY",
		"SchedulerType=sched/builtin"} {
		if d.sometimes(3) {
			conf = append(conf, line)
		}
	}
	conf = append(conf, "NodeName=n[1-16] CPUs=16 RealMemory=65536")
	qos := []string{"normal", "high", "low"}
	for i, name := range []string{"long", "short", "Short"}[:1+d.IntN(3)] {
		line := "PartitionName=" + name + " Nodes=" + d.of("ALL", "ALL", "n[1-4]")
		if i == 0 {
			line += " Default=YES"
		}
		for _, set := range []string{"PriorityJobFactor=" + d.number(), "PriorityTier=" + d.of("1", "2"),
			"MaxTime=" + d.of("60", "1-0", "UNLIMITED"), "DefaultTime=30", "MaxNodes=" + d.of("2", "8", "UNLIMITED"),
			"QOS=" + d.of("high", "low"), "AllowAccounts=phys", "AllowQos=" + d.of("high", "normal,high"), "State=DOWN"} {
			if d.sometimes(6) {
				line += " " + set
			}
		}
		conf = append(conf, line)
	}
	attributes := func(more ...string) (text string) {
		for _, set := range append(more, slurmLimits[d.IntN(len(slurmLimits))](d), slurmLimits[d.IntN(len(slurmLimits))](d)) {
			if name, _, _ := strings.Cut(set, "="); d.sometimes(4) && !strings.Contains(text, ":"+name+"=") {
				text += ":" + set
			}
		}
		return text
	}
	of := func() []string {
		return []string{"Fairshare=" + d.of("1", "3", "parent"), "Priority=" + d.number(),
			"QOS=" + d.of("high", "normal,low", "+high"), "DefaultQOS=" + d.of(qos...)}
	}
	dump := []string{"Cluster - 'c':Fairshare=1" + attributes(), "Parent - 'root'",
		"Account - 'phys'" + attributes(of()...), "Account - 'bio'" + attributes(of()...)}
	users := map[string][]string{"phys": {"amy"}, "bio": {"bo"}}
	if d.sometimes(2) {
		users["bio"] = append(users["bio"], "amy")
	}
	if d.sometimes(3) {
		dump = append(dump, "Parent - 'bio'", "Account - 'cells'"+attributes(of()...))
		users["cells"] = []string{"cy"}
	}
	for _, account := range []string{"phys", "bio", "cells"} {
		if len(users[account]) > 0 {
			dump = append(dump, "Parent - '"+account+"'")
		}
		for _, user := range users[account] {
			dump = append(dump, "User - '"+user+"'"+attributes(of()...))
		}
	}
	for _, name := range qos {
		dump = append(dump, "QOS - '"+name+"'"+attributes("Priority="+d.number(), "Priority="+d.number()))
	}
	s := site{main: strings.Join(conf, "\n") + "\n", accounts: strings.Join(dump, "\n") + "\n"}
	return s.changed(d, slices.DeleteFunc(slurmChanges(),
		func(c change) bool { return c.accounts || strings.HasPrefix(c.line, "PartitionName=") }))
}

// randomPolicy is a policy file from scratch, or for a scheduler: limits of everybody and of each, of what for_each
// names, of users in accounts, and holds.
func randomPolicy(d drawn) site {
	phase := func() string { return d.of("", "", "phase = \"job\"") }
	counted := func() string { return d.of("jobs", "jobs", "procs", "procs", "nodes", "proc_seconds") }
	limit := func(per ...string) string {
		counts, in := counted(), phase()
		bound := d.of("1", "2", "3", "4", "8", "16")
		if counts == "proc_seconds" {
			bound = d.of("3600", "36000")
		}
		lines := []string{"limit \"" + counts + "\" {", "hard = " + bound}
		switch {
		case in != "" && d.sometimes(2):
			lines[0], lines[1] = "limit \"walltime\" {", "hard = "+d.of("3600", "7200", "86400")
			lines = append(lines, in)
		case in != "" && (counts == "procs" || counts == "nodes"):
			lines = append(lines, in)
		case len(per) > 0:
			if p := d.of(per...); p != "" {
				lines = append(lines, "per = "+p)
			}
		}
		return strings.Join(append(lines, "}"), "\n") + "\n"
	}
	var blocks []string
	limits := func(start string, per ...string) {
		text, had := start+" {\n", map[string]bool{}
		for range 1 + d.IntN(2) {
			l := limit(per...)
			if name, _, _ := strings.Cut(l, "\n"); !had[name] {
				had[name] = true
				text += l
			}
		}
		blocks = append(blocks, text+"}\n")
	}
	use := d.of("", "", "slurm", "maui")
	everybody := map[string]bool{}
	for range 1 + d.IntN(3) {
		l := limit("", `"user"`, `"user"`, `"account"`, `"class"`, `"qos"`, `["user", "account"]`)
		if name, _, _ := strings.Cut(l, "\n"); !everybody[name] {
			everybody[name] = true
			blocks = append(blocks, l)
		}
	}
	for _, object := range []string{"user", "account", "qos", "class"} {
		if !d.sometimes(2) {
			continue
		}
		names := map[string]string{"user": d.of(`"bo", "DEFAULT"`, `"bo"`),
			"account": d.of(`"bio", "DEFAULT"`, `"bio", "root"`, `"bio"`), "qos": d.of(`"high", "DEFAULT"`, `"high", "low"`),
			"class": d.of(`"long", "DEFAULT"`, `"long"`)}[object]
		limits(object + " \"some\" {\nfor_each = [" + names + "]\nname = each.value\n")
		blocks[len(blocks)-1] = strings.Replace(blocks[len(blocks)-1], "\n {\n", "\n", 1)
	}
	if d.sometimes(2) {
		inside := len(blocks)
		limits(`user "amy"`)
		user := blocks[inside]
		blocks = blocks[:inside]
		limits(`account "phys"`, "", `["account", "user"]`)
		blocks[inside] = strings.TrimSuffix(blocks[inside], "}\n") + user + "}\n"
	}
	if use != "maui" && d.sometimes(2) {
		blocks = append(blocks, "hold \"big\" {\nwhen = \"job."+
			d.of("procs > 8", "procs >= 4", "walltime_seconds > 3600", "nodes > 2")+"\"\n}\n")
	}
	switch use {
	case "slurm":
		return policyOf(use, "ClusterName = \"c\"\nAccountingStorageType = \"accounting_storage/slurmdbd\"\nPriorityType "+
			"= \"priority/multifactor\"\nPriorityWeightAge = 1000", strings.Join(blocks, "\n"))
	case "maui":
		return policyOf(use, "SERVERHOST = \"head\"\nQUEUETIMEWEIGHT = 1", strings.Join(blocks, "\n"))
	}
	return ownCase("component \"size\" {\nterm \"procs\" {\nfactor = \"job.procs\"\n}\n}\n\n" +
		strings.Join(blocks, "\n") + "\n")
}

// changed is the site with a few settings out of all that there are, as long as it is one.
func (s site) changed(d drawn, all []change) site {
	for range d.IntN(4) {
		if next := s.with(all[d.IntN(len(all))]); compiler.Compile(compiler.Input{Files: next.files()}).Program != nil {
			s = next
		}
	}
	return s
}

var placesOf = regexp.MustCompile(`(?m) *; [^;\n]*$`)

// wrong is what breaks a law of converting, "" if nothing does: in Fairway's language a site computes what it did, and
// back in its own no difference has an effect; in the other scheduler's the list has a reason for what differs.
func (s site) wrong(t *testing.T, to lower.Lang) string {
	out := compiler.Compile(compiler.Input{Files: s.files()})
	if out.Program == nil {
		return ""
	}
	var units []lower.Unit
	for _, f := range s.files() {
		u, _ := lower.Parse(f, "", lower.Files{})
		units = append(units, u)
	}
	if strings.HasPrefix(s.main, "policy") { // it is in Fairway's language
		return silent(t, out, s.convert(t, to))
	}
	text, found := convert.HCL(units, s.opt)
	if found.HasErrors() {
		return "to HCL: " + recordedtest.Text(found)
	}
	hcl := source.NewFile("site.fairway.hcl", text)
	same := compiler.Compile(compiler.Input{Files: []*source.File{hcl}})
	if same.Program == nil {
		return "HCL: " + recordedtest.Text(same.Diags) + string(text)
	}
	if a, b := placesOf.ReplaceAllString(out.Program.String(), ""),
		placesOf.ReplaceAllString(same.Program.String(), ""); a != b {
		return "the program of the HCL differs: " + firstLine(a, b)
	}
	unit, _ := lower.Parse(hcl, "", lower.Files{})
	back, found := convert.To(lower.Lang(out.Policy.Family), []lower.Unit{unit}, lower.Options{})
	for _, d := range found {
		if d.Severity == diag.Error || d.Code == "convert-not-said" {
			return "and back: " + d.Message
		}
	}
	files := []*source.File{source.NewFile("back", back.Text)}
	if len(back.Accounts) > 0 {
		files = append(files, source.NewFile("accounts", back.Accounts))
	}
	again := compiler.Compile(compiler.Input{Files: files, Options: back.Read})
	if again.Program == nil {
		return "back: " + recordedtest.Text(again.Diags) + string(back.Text)
	}
	for _, d := range diff.Policies(out.Policy, again.Policy).Differences {
		if d.Effective() {
			return fmt.Sprintf("back is another policy: %s %s %v %v", d.Kind, d.Name, d.Old, d.New)
		}
	}
	l := s.convert(t, to)
	if found := l.unread(); found != "" {
		return "what was written has findings: " + found
	}
	return silent(t, out, l)
}

// unread is the first fault that reading what was written finds.
func (l listed) unread() string {
	for _, d := range l.compiled().Diags {
		if d.Severity == diag.Error || d.Severity == diag.Warning {
			return string(d.Code) + ": " + d.Message
		}
	}
	return ""
}

// firstLine is where two texts begin to differ.
func firstLine(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	i := 0
	for i < min(len(left), len(right))-1 && left[i] == right[i] {
		i++
	}
	return left[i] + " / " + right[i]
}

// kept are parts without which a site is none.
var kept = regexp.MustCompile(`^(NodeName|CPUs|Nodes=|PartitionName=\S+ $|Parent|Account - [^:]*:$|User - [^:]*:$)`)

// smaller leaves out lines and settings as long as the same kind of thing is wrong.
func (s site) smaller(t *testing.T, to lower.Lang) site {
	kind := func(what string) string {
		what = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, what)
		return what[:min(len(what), 30)]
	}
	wrong := kind(s.wrong(t, to))
	for again := true; again; {
		again = false
		for _, text := range []*string{&s.main, &s.accounts} {
			for _, cut := range []string{"\n\n", "\n", " ", ":"} {
				for i := 0; ; i++ {
					parts := strings.SplitAfter(*text, cut)
					if i >= len(parts) {
						break
					}
					if kept.MatchString(parts[i]) {
						continue
					}
					was := *text
					*text = strings.Join(slices.Delete(slices.Clone(parts), i, i+1), "")
					if *text != was && kind(s.wrong(t, to)) == wrong {
						again = true
						i--
					} else {
						*text = was
					}
				}
			}
		}
	}
	return s
}

func TestConvertRandom(t *testing.T) {
	for _, c := range []struct {
		name  string
		to    lower.Lang
		draw  func(drawn) site
		sites int
	}{{"maui", lower.Slurm, randomMaui, 40}, {"slurm", lower.Maui, randomSlurm, 40},
		{"policy", lower.Slurm, randomPolicy, 100}} {
		for seed := range c.sites {
			if !inSample(seed) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", c.name, seed), func(t *testing.T) {
				s := c.draw(drawn{rand.New(rand.NewPCG(uint64(seed), 11))})
				if out := compiler.Compile(compiler.Input{Files: s.files()}); out.Program == nil {
					t.Fatalf("a site of the grammar is refused: %s\n%s%s", recordedtest.Text(out.Diags), s.main, s.accounts)
				}
				if s.wrong(t, c.to) == "" {
					return
				}
				s = s.smaller(t, c.to)
				t.Errorf("%s\n%s%s", s.wrong(t, c.to), s.main, s.accounts)
			})
		}
	}
}
