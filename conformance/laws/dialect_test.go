package laws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// mauiNumbers are the parameters of Maui's formula, by kind of value.
var mauiNumbers = map[string]string{
	"weight": "SERVICEWEIGHT TARGETWEIGHT CREDWEIGHT FSWEIGHT RESWEIGHT QUEUETIMEWEIGHT XFACTORWEIGHT " +
		"SPVIOLATIONWEIGHT BYPASSWEIGHT TARGETQUEUETIMEWEIGHT " +
		"TARGETXFACTORWEIGHT USERWEIGHT GROUPWEIGHT ACCOUNTWEIGHT QOSWEIGHT CLASSWEIGHT NODEWEIGHT PROCWEIGHT MEMWEIGHT " +
		"SWAPWEIGHT DISKWEIGHT PSWEIGHT PEWEIGHT WALLTIMEWEIGHT FSUSERWEIGHT",
	"cap": "SERVICEWCAP TARGETCAP CREDCAP RESCAP QUEUETIMECAP XFACTORCAP TARGETQUEUETIMECAP USERCAP QOSCAP NODECAP " +
		"PROCCAP MEMCAP PSCAP PECAP WALLTIMECAP",
}

func drawMaui(t *rapid.T) string {
	b := &strings.Builder{}
	b.WriteString("SERVERHOST here\n")
	for _, kind := range []string{"weight", "cap"} {
		values := map[string][]string{"weight": {"0", "1", "2", "10", "-5", "100000"},
			"cap": {"0", "1", "50", "100000"}}[kind]
		for _, name := range strings.Fields(mauiNumbers[kind]) {
			if rapid.IntRange(0, 2).Draw(t, name) == 0 {
				fmt.Fprintf(b, "%s %s\n", name, rapid.SampledFrom(values).Draw(t, "value"))
			}
		}
	}
	for _, line := range []string{"XFMINWCLIMIT 0:10:00", "ENABLENEGJOBPRIORITY TRUE", "REJECTNEGPRIOJOBS TRUE",
		"REJECTNEGPRIOJOBS FALSE", "QOSQTWEIGHT[amy] 3",
		"SYSCFG QDEF=normal", "SYSCFG QLIST=amy,gpu", "SYSCFG PRIORITY=5",
		"UPROCWEIGHT 3", "UJOBWEIGHT -20", "QUEUETIMECAP 2.5", "SYSTEMDEFAULTJOBWALLTIME 2:00:00", "userweight 4",
		"QUEUETIMEWEIGHT[gpu] 7", "RESWEIGHT[gpu] 0", "RESWEIGHT[amy] -2", "PROCCAP[amy] 3", "USERWEIGHT[DEFAULT] 5"} {
		if rapid.IntRange(0, 3).Draw(t, line) == 0 {
			b.WriteString(line + "\n")
		}
	}
	for _, family := range []struct {
		name       string
		attributes []string
	}{
		{"USERCFG", []string{"PRIORITY=7", "PRIORITY=-100", "PRIORITY=0", "QDEF=amy", "QLIST=gpu,amy", "QLIST=amy&",
			"QLIST=bob^"}},
		{"GROUPCFG", []string{"PRIORITY=3", "QDEF=bob", "QLIST=normal"}},
		{"ACCOUNTCFG", []string{"PRIORITY=1000", "QLIST=gpu&"}},
		{"QOSCFG", []string{"PRIORITY=50", "QTWEIGHT=2", "XFWEIGHT=-1", "QTTARGET=1:00:00", "XFTARGET=2.5"}},
		{"CLASSCFG", []string{"PRIORITY=9", "DEFAULT.WCLIMIT=2:00:00", "QDEF=gpu"}},
	} {
		for _, name := range []string{"DEFAULT", "amy", "bob", "gpu"} {
			if rapid.IntRange(0, 3).Draw(t, family.name) == 0 {
				fmt.Fprintf(b, "%s[%s] %s\n", family.name, name,
					strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom(family.attributes), 1, 3, attributeName).
						Draw(t, "attributes"), " "))
			}
		}
	}
	return b.String()
}

// drawDeviations takes any of the points in which a library policy can follow the manual.
func drawDeviations(t *rapid.T, name string) []string {
	var list []string
	for _, p := range lower.Library() {
		for _, d := range p.DeviationDecls {
			if p.Name.Value == name && rapid.IntRange(0, 3).Draw(t, d.Name) == 0 {
				list = append(list, d.Name)
			}
		}
	}
	return list
}

func attributeName(a string) string {
	name, _, _ := strings.Cut(a, "=")
	return name
}

func drawSlurm(t *rapid.T) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "ClusterName=c\nControlMachine=head\nPriorityType=priority/%s\n",
		rapid.SampledFrom([]string{"multifactor", "multifactor", "multifactor", "basic"}).Draw(t, "type"))
	for _, name := range []string{"Age", "Assoc", "Fairshare", "JobSize", "Partition", "QOS"} {
		if rapid.Bool().Draw(t, name) {
			fmt.Fprintf(b, "PriorityWeight%s=%s\n", name, rapid.SampledFrom([]string{"0", "1", "1000", "4294967295"}).
				Draw(t, "weight"))
		}
	}
	for _, lines := range [][]string{
		{"", "PriorityWeightTRES=cpu=1000,gres/gpu=2.5", "PriorityWeightTRES=CPU=10,Node=0"},
		{"", "AccountingStorageType=accounting_storage/slurmdbd"},
		{"", "PriorityMaxAge=1-0", "PriorityMaxAge=0", "PriorityMaxAge=30"},
		{"", "PriorityFavorSmall=YES"},
		{"", "PriorityFlags=ACCRUE_ALWAYS", "PriorityFlags=SMALL_RELATIVE_TO_TIME", "PriorityFlags=NO_NORMAL_ALL",
			"PriorityFlags=NO_NORMAL_PART,NO_NORMAL_TRES,ACCRUE_ALWAYS"},
		{"", "AccountingStorageTRES=gres/gpu"},
		{"", "NodeName=n[1-4] CPUs=16 RealMemory=64000\n"},
	} {
		b.WriteString(rapid.SampledFrom(lines).Draw(t, "line") + "\n")
	}
	if strings.Contains(b.String(), "NodeName") {
		for _, name := range []string{"gpu", "amy", "DEFAULT"} {
			if rapid.Bool().Draw(t, "partition "+name) {
				fmt.Fprintf(b, "PartitionName=%s %s%s\n", name,
					map[bool]string{true: "", false: "Nodes=n[1-2] "}[name == "DEFAULT"],
					rapid.SampledFrom([]string{"PriorityJobFactor=10", "PriorityTier=4", "MaxTime=60", "Priority=3", ""}).
						Draw(t, "settings"))
			}
		}
	}
	return b.String()
}

// TestGeneratedMaui: the same law for policies that maui.cfg makes of the library.
func TestGeneratedMaui(t *testing.T) {
	compared := 0
	draws.Check(t, func(t *rapid.T) {
		in := compiler.Input{Lang: lower.Maui}
		in.Semantics = rapid.SampledFrom([]string{"observed", "documented"}).Draw(t, "semantics")
		in.Deviations = drawDeviations(t, "maui")
		compared += agreeWithLibrary(t, in, drawMaui(t), rapid.IntRange(0, 3).Draw(t, "wild") == 0)
	})
	enough(t, compared)
}

// TestGeneratedSlurm: the same for slurm.conf, of every version.
func TestGeneratedSlurm(t *testing.T) {
	compared := 0
	draws.Check(t, func(t *rapid.T) {
		in, text := compiler.Input{Lang: lower.Slurm}, drawSlurm(t)
		in.Version = rapid.SampledFrom(slurmconf.Versions).Draw(t, "version")
		in.Semantics = rapid.SampledFrom([]string{"observed", "documented"}).Draw(t, "semantics")
		if strings.Contains(text, "multifactor") {
			in.Deviations = drawDeviations(t, "slurm")
		}
		compared += agreeWithLibrary(t, in, text, rapid.IntRange(0, 3).Draw(t, "wild") == 0)
	})
	enough(t, compared)
}

// TestGeneratedOverlays: the same for several files of one policy: a dialect's, an account
// dump, and a policy that adds to and overrides what the library says.
func TestGeneratedOverlays(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		texts := []string{drawMaui(t), drawPolicy(t).text}
		if rapid.Bool().Draw(t, "slurm") {
			texts[0] = acceptable(compiler.Input{Lang: lower.Slurm}, drawSlurm(t))
			if rapid.Bool().Draw(t, "dump") {
				texts = slices.Insert(texts, 1, drawDump(t))
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "no policy") == 0 {
			texts = texts[:len(texts)-1]
		}
		out := compile(t, compiler.Input{}, texts...)
		if out == nil {
			return
		}
		agree(t, out, drawSnapshot(t, wild(rapid.IntRange(0, 3).Draw(t, "wild") == 0), rapid.IntRange(0, 10).Draw(t, "rows")),
			strings.Join(texts, "\n"))
	})
}

// drawDump writes what sacctmgr dump would: QOS, accounts, users, some by partition.
func drawDump(t *rapid.T) string {
	b := &strings.Builder{}
	b.WriteString("Cluster - 'c':Fairshare=1:QOS='normal'\n")
	for _, qos := range words[1:4] {
		if rapid.Bool().Draw(t, qos) {
			fmt.Fprintf(b, "QOS - '%s':Priority=%d\n", qos, rapid.IntRange(0, 3).Draw(t, "priority"))
		}
	}
	b.WriteString("Parent - 'root'\n")
	for _, account := range []string{"bob", "gpu"} {
		fmt.Fprintf(b, "Account - '%s':Fairshare=%d%s\n", account, rapid.IntRange(1, 9).Draw(t, "shares"), drawPriority(t))
	}
	for _, account := range []string{"bob", "gpu"} {
		fmt.Fprintf(b, "Parent - '%s'\n", account)
		fmt.Fprintf(b, "User - 'amy':Fairshare=parent%s\n", drawPriority(t))
		if rapid.Bool().Draw(t, "by partition") {
			fmt.Fprintf(b, "User - 'amy':Partition='gpu':Fairshare=2%s\n", drawPriority(t))
		}
	}
	return b.String()
}

func drawPriority(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", ":Priority=5", ":Priority=100"}).Draw(t, "priority")
}

func enough(t *testing.T, compared int) {
	if compared < 500 && !t.Failed() {
		t.Errorf("cel-go was asked only %d times: the generator has gone blind", compared)
	}
}

// acceptable leaves out the lines that a version of Slurm refuses: keys, flags and
// options newer or older than it.
func acceptable(in compiler.Input, text string) string {
	for {
		in.Files = []*source.File{source.NewFile("slurm.conf", []byte(text))}
		lines, refused := strings.SplitAfter(text, "\n"), false
		for _, d := range compiler.Compile(in).Diags {
			if d.Severity == diag.Error && strings.HasPrefix(d.Code, "slurm-") {
				lines[in.Files[0].Position(int(d.Span.Start)).Line-1], refused = "", true
			}
		}
		if !refused {
			return text
		}
		text = strings.Join(lines, "")
	}
}

func agreeWithLibrary(t *rapid.T, in compiler.Input, text string, w bool) int {
	text = acceptable(in, text)
	out := compile(t, in, text)
	if out == nil {
		return 0
	}
	answer := agree(t, out, drawSnapshot(t, wild(w), rapid.IntRange(0, 10).Draw(t, "rows")), text)
	if answer == nil {
		return 0
	}
	p := out.Policy
	scope := policy.Scope{Params: map[string]schema.Value{}, Documented: map[string]bool{},
		Version: int(versionNumber(p.Version))}
	for _, v := range p.Params {
		scope.Params[v.Name] = v.Value
	}
	for _, d := range p.Deviations {
		scope.Documented[d.Name] = d.Documented
	}
	for _, lib := range lower.Library() {
		if lib.Name.Value == p.Name {
			doc, diags := lib.Evaluate(scope)
			if diags.HasErrors() {
				t.Fatalf("%s: %v", p.Name, diags[0].Message)
			}
			return celAgreesWithLibrary(t, p, doc, answer)
		}
	}
	t.Fatalf("the library has no policy %s", p.Name)
	return 0
}
