package convert_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/lang/diag"
)

const caseSlurm = `ClusterName=c
SlurmctldHost=head
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=limits
PriorityType=priority/multifactor
PriorityFlags=NO_NORMAL_ALL
PriorityWeightAssoc=1
PriorityWeightQOS=1
PriorityWeightPartition=1
NodeName=n[1-16] CPUs=16
`

const caseMaui = `SERVERHOST head
QUEUETIMEWEIGHT 0
USERWEIGHT 1
ACCOUNTWEIGHT 1
CLASSWEIGHT 1
QOSWEIGHT 1
`

const oneBatch = "PartitionName=batch Nodes=ALL Default=YES\n"

// lawCases are sites in which two settings become one, a loop makes rows and not all can be expressed, or a name means
// something to the other scheduler or to Fairway. Needs matches the findings without which the law must fail; "" where
// all is reported, or where no generated job has the name.
var lawCases = []struct {
	name string
	site
	to    lower.Lang
	needs string
}{
	{"two limits of a user", site{main: caseSlurm + oneBatch,
		accounts: "Cluster - 'c'\nParent - 'root'\nAccount - 'bio'\nParent - 'bio'\nUser - 'bo':GrpJobs=5:MaxJobs=2\n"},
		lower.Maui, ""},
	{"two limits of a user, the other one lower", site{main: caseSlurm + oneBatch,
		accounts: "Cluster - 'c'\nParent - 'root'\nAccount - 'bio'\nParent - 'bio'\nUser - 'bo':GrpJobs=2:MaxJobs=5\n"},
		lower.Maui, ""},
	{"a QOS with the name of a class's",
		site{main: caseMaui + "CLASSCFG[batch] MAXPROC=10\nQOSCFG[part_batch] MAXPROC=99\nSYSCFG QLIST=part_batch\n"},
		lower.Slurm, ""},
	{"classes that differ in case",
		site{main: caseMaui + "CLASSCFG[batch] PRIORITY=2000\nCLASSCFG[Batch] PRIORITY=1000\nCLASSCFG[long] PRIORITY=1500\n"},
		lower.Slurm, ""},
	{"users that differ in case", site{main: caseMaui +
		"USERCFG[bo] PRIORITY=1000\nUSERCFG[Bo] PRIORITY=2000\nUSERCFG[amy] PRIORITY=1500\nACCOUNTCFG[bio] PRIORITY=1000\n"},
		lower.Slurm, `USERCFG`},
	{"accounts that differ in case",
		site{main: caseMaui + "ACCOUNTCFG[bio] PRIORITY=1000\nACCOUNTCFG[Bio] PRIORITY=2000\nACCOUNTCFG[phys] " +
			"PRIORITY=1500\n"}, lower.Slurm, `ACCOUNTCFG`},
	{"QOS that differ in case", site{main: caseMaui +
		"QOSCFG[hi] PRIORITY=1000\nQOSCFG[Hi] PRIORITY=2000\nQOSCFG[lo] PRIORITY=1500\nSYSCFG QLIST=hi,Hi,lo\n"}, lower.Slurm,
		`QOSCFG\[hi\]|QLIST`},
	{"account root", site{main: caseMaui + "ACCOUNTCFG[root] PRIORITY=2000\nACCOUNTCFG[bio] PRIORITY=1500\n"}, lower.Slurm,
		`ACCOUNTCFG`},
	{"account users", site{main: caseMaui +
		"ACCOUNTCFG[users] MAXPROC=7 PRIORITY=1000\nACCOUNTCFG[bio] PRIORITY=1500\nUSERCFG[amy] PRIORITY=1000\n"},
		lower.Slurm, `USERCFG`},
	{"class default", site{main: caseMaui + "CLASSCFG[default] PRIORITY=2000\nCLASSCFG[long] PRIORITY=1500\n"},
		lower.Slurm, `CLASSCFG`},
	{"user root", site{main: caseMaui +
		"USERCFG[root] PRIORITY=2000\nUSERCFG[amy] PRIORITY=1500\nACCOUNTCFG[bio] PRIORITY=1000\n"}, lower.Slurm, `USERCFG`},
	{"account and user default", site{main: caseSlurm + oneBatch,
		accounts: "Cluster - 'c'\nParent - 'root'\nAccount - 'default':Priority=1000:GrpTRES=cpu=4\nParent - " +
			"'default'\nUser - 'bo'\nAccount - 'bio':Priority=2000\nParent - 'bio'\nUser - 'default':Priority=3000\nUser - " +
			"'amy'\n"}, lower.Maui, `association default`},
	{"a list of resources, where Maui has only one",
		site{main: caseSlurm + "GresTypes=gpu\nAccountingStorageTRES=gres/gpu\nNodeName=g[1-4] CPUs=16 Gres=gpu:4\n" +
			oneBatch,
			accounts: "Cluster - 'c'\nParent - 'root'\nAccount - 'bio'\nParent - 'bio'\nUser - 'bo'\nQOS - " +
				"'normal':GrpTRES=cpu=1000,gres/gpu=2\n"}, lower.Maui, `GrpTRES=gres/gpu`},
	{"QOS default", site{main: caseSlurm + oneBatch,
		accounts: "Cluster - 'c'\nParent - 'root'\nAccount - 'bio'\nParent - 'bio'\nUser - 'bo'\nQOS - " +
			"'default':Priority=1000:GrpTRES=cpu=4\nQOS - 'high':Priority=2000\n"}, lower.Maui, ""},
	{"rows of a loop", site{main: "policy \"p\" {\n  use = \"maui\"\n  params = {\n    SERVERHOST = \"head\"\n    " +
		"QUEUETIMEWEIGHT = 1\n    USERWEIGHT = 10\n  }\n" +
		"  user \"list\" {\n    for_each = { good = 1000, bad = -500 }\n    name = each.key\n    priority = each.value\n  " +
		"}\n}\n"}, lower.Slurm, `list|bad`},
	{"limits of a loop", site{main: "policy \"p\" {\n  use = \"maui\"\n  params = {\n    SERVERHOST = \"head\"\n    " +
		"QUEUETIMEWEIGHT = 1\n  }\n" +
		"  account \"list\" {\n    for_each = { good = 4, bad = 4.5 }\n    name = each.key\n    limit \"active_procs\" " +
		"{\n      hard = each.value\n    }\n  }\n}\n"}, lower.Slurm, `list|bad`},
}

// TestConvertLawCases: the law holds for them, and does not where the list keeps what it must say to itself.
func TestConvertLawCases(t *testing.T) {
	for _, c := range lawCases {
		t.Run(c.name, func(t *testing.T) {
			out := compiler.Compile(compiler.Input{Files: c.files()})
			if out.Program == nil {
				t.Fatal(recordedtest.Text(out.Diags))
			}
			l := c.convert(t, c.to)
			f := otherwise(t, c.site, out, l, tries)
			if c.needs == "" {
				return
			}
			needed := regexp.MustCompile(c.needs)
			l.all = slices.DeleteFunc(slices.Clone(l.all),
				func(d *diag.Diagnostic) bool { return needed.MatchString(d.Message) })
			if f.unexplained(l) == "" {
				t.Errorf("without the findings about %s the law holds too:\n%s\n%s", c.needs,
					recordedtest.Text(c.convert(t, c.to).all), l.text)
			}
		})
	}
}

// against are settings that weigh jobs against each other. A slurm.conf can express all of them, so these words must
// not be in the list.
var against = []struct{ name, lines, other, words string }{
	{"class", "CLASSCFG[batch] PRIORITY=150\nCLASSCFG[long] PRIORITY=60\n",
		"CLASSCFG[batch] PRIORITY=100\nCLASSCFG[long] PRIORITY=1\n", "CLASSCFG"},
	{"QOS", "QOSCFG[hi] PRIORITY=150\nQOSCFG[lo] PRIORITY=60\nSYSCFG QLIST=hi,lo\n",
		"QOSCFG[hi] PRIORITY=100\nSYSCFG QLIST=hi\n", "QOSCFG"},
	{"account", "ACCOUNTCFG[bio] PRIORITY=150\nACCOUNTCFG[phys] PRIORITY=60\n",
		"ACCOUNTCFG[bio] PRIORITY=100\nACCOUNTCFG[phys] PRIORITY=1\n", "ACCOUNTCFG"},
	{"processors", "RESWEIGHT 1\nPROCWEIGHT 3\n", "RESWEIGHT 1\nPROCWEIGHT 2\n", "PROCWEIGHT"},
}

// TestConvertLawWeighed: of two settings that are both said, neither counts more than it did. One of them has a value
// above and one below that of the other, so that jobs are the other way round where either is doubled.
func TestConvertLawWeighed(t *testing.T) {
	for _, a := range against {
		for _, b := range against {
			if a.name == b.name {
				continue
			}
			t.Run(a.name+" against "+b.name, func(t *testing.T) {
				s := mauiCase(a.lines + b.other)
				out := compiler.Compile(compiler.Input{Files: s.files()})
				if out.Program == nil {
					t.Fatal(recordedtest.Text(out.Diags))
				}
				l := s.convert(t, lower.Slurm)
				for _, d := range l.all {
					if !noReason.MatchString(d.Message) &&
						(strings.Contains(d.Message, a.words) || strings.Contains(d.Message, b.words)) {
						t.Errorf("it is not said as it is: %s", d.Message)
					}
				}
				otherwise(t, s, out, l, 100)
			})
		}
	}
}
