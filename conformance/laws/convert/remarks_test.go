package convert_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/counterexample"
)

// sentences are the texts in compiler/convert that say what is lost or only near: what the calls that report it are
// given, what is gathered for them, and what the tables of correspondences say. Each has its place.
func sentences(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	add := func(text, at string) {
		if strings.Contains(text, " ") && len(text) > 12 {
			list[text] = at
		}
	}
	set := token.NewFileSet()
	for _, name := range sources(t) {
		if strings.HasSuffix(name, ".txt") {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if cells := strings.Split(line, "|"); len(cells) > 2 {
					for _, cell := range cells[2:] {
						add(strings.TrimSpace(cell), name)
					}
				}
			}
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		take := func(of ...ast.Expr) {
			for _, x := range of {
				ast.Inspect(x, func(n ast.Node) bool {
					texts, at := literals(n)
					for i, text := range texts {
						add(text, set.Position(at[i]).String())
					}
					return len(texts) == 0
				})
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				called := ""
				switch f := n.Fun.(type) {
				case *ast.Ident:
					called = f.Name
				case *ast.SelectorExpr:
					called = f.Sel.Name
				}
				switch strings.ToLower(called) {
				case "near":
					take(n.Args[1])
				case "limitof":
					take(n.Args[3])
				case "because", "also":
					take(n.Args...)
				case "report":
					take(n.Args[2])
				case "warnf", "infof":
					if code, ok := n.Args[0].(*ast.BasicLit); ok &&
						(code.Value == `"convert-not-said"` || code.Value == `"convert-approximated"`) {
						take(n.Args[2])
					}
				}
			case *ast.AssignStmt:
				if name, ok := n.Lhs[0].(*ast.Ident); ok && slices.Contains([]string{"how", "why", "small"}, name.Name) {
					take(n.Rhs...)
				}
			case *ast.GenDecl: // sentences that have a name
				for _, spec := range n.Specs {
					v, ok := spec.(*ast.ValueSpec)
					if !ok {
						continue
					}
					for _, value := range v.Values {
						if _, made := value.(*ast.CallExpr); !made {
							take(value)
						}
					}
				}
			case *ast.ReturnStmt: // of a function that words a reason
				for _, x := range n.Results {
					if texts, _ := literals(x); len(texts) == 1 && len(texts[0]) > 58 {
						take(x)
					}
				}
			}
			return true
		})
	}
	return list
}

// sources are the files that have sentences.
func sources(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir("../../../compiler/convert", func(name string, d fs.DirEntry, err error) error {
		table := slices.Contains([]string{"counts.txt", "no_limits.txt"}, filepath.Base(name))
		if table || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			list = append(list, name)
		}
		return err
	})
	if err != nil || len(list) == 0 {
		t.Fatal("no source of the converter: ", err)
	}
	return list
}

// literals are the texts of a literal, or of a sum; of neighbours in a sum the whole.
func literals(n ast.Node) (texts []string, at []token.Pos) {
	joined := false
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.ADD {
				walk(n.X)
				walk(n.Y)
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			switch {
			case n.Kind != token.STRING || err != nil:
			case joined:
				texts[len(texts)-1] += text
			default:
				texts, at, joined = append(texts, text), append(at, n.Pos()), true
			}
		default:
			joined = false
		}
	}
	walk(n)
	return texts, at
}

// remark is a kind of finding of compiler/convert, by words of its text, and a site for which the law holds by it
// alone.
type remark struct {
	words string
	site
	to     lower.Lang
	finds  string // what its findings say, where the words do not
	tries  int    // how many queues it takes, where that is many
	beside string // why no generated queue can show it
}

// mauiCase and slurmCase are sites with a few lines more.
func mauiCase(lines string) site { return site{main: caseMaui + lines} }
func slurmCase(lines, accounts string) site {
	if accounts != "" {
		accounts = "Cluster - 'c'\nParent - 'root'\n" + accounts
	}
	return site{main: caseSlurm + lines, accounts: accounts}
}

// slurmQOS is a site whose lists of QOS count.
func slurmQOS(accounts string) site {
	s := slurmCase(oneBatch, "")
	s.accounts = accounts
	return s.enforcing("limits,qos")
}

// enforcing is the site with other words of AccountingStorageEnforce.
func (s site) enforcing(words string) site {
	s.main = strings.Replace(s.main, "AccountingStorageEnforce=limits", "AccountingStorageEnforce="+words, 1)
	return s
}

// old is the site read, and written, for an old Slurm.
func (s site) old() site {
	s.opt.Version = "18.08"
	return s
}

// policyOf is a policy file with blocks.
func policyOf(use, params, blocks string) site {
	text := "policy \"p\" {\n"
	if use != "" {
		text += "  use = \"" + use + "\"\n  params = {\n" + params + "\n  }\n"
	}
	return site{main: text + blocks + "\n}\n"}
}

// ownCase is a policy from scratch.
func ownCase(blocks string) site {
	return policyOf("", "", blocks+"  finish {\n    floor = 1\n    ceiling = 4294967295\n  }\n")
}

// ownTree is an account tree that such a policy draws, with a limit.
const ownTree = "  fairshare \"fair_tree\" {}\n  account \"phys\" {\n    fairshare {\n      shares = 3\n    }\n    " +
	"limit \"procs\" {\n      hard = 64\n    }\n" +
	"    user \"bo\" {}\n    account \"optics\" {\n      user \"cy\" {}\n    }\n  }\n  account \"bio\" {\n    user " +
	"\"amy\" {}\n  }\n"

var remarks = []remark{
	{words: "; USERCFG QLIST says it for one",
		site: slurmQOS("Cluster - 'c'\nParent - 'root'\nAccount - 'bio'\nAccount - 'phys'\nParent - 'bio'\nUser - " +
			"'amy':QOS=high\nParent - 'phys'\nUser - 'amy':QOS=low\nQOS - 'normal'\nQOS - 'high':Priority=10\nQOS - 'low'\n"),
		to: lower.Maui},
	{words: "Maui knows users and accounts, no user in several of them",
		site: slurmQOS("Cluster - 'c'\nParent - 'root'\nAccount - 'bio'\nAccount - 'phys'\nParent - 'bio'\nUser - " +
			"'amy':QOS=high\nParent - 'phys'\nUser - 'amy':QOS=low\nQOS - 'normal'\nQOS - 'high':Priority=10\nQOS - 'low'\n"),
		to: lower.Maui},
	{words: "Maui reads 63 characters",
		site: slurmQOS("Cluster - 'c'\nParent - 'root'\nAccount - " +
			"'bio':QOS=quality_of_service_0,quality_of_service_1,quality_of_service_2,quality_of_service_3\nParent - " +
			"'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'high':Priority=10\nQOS - 'low'\nQOS - 'quality_of_service_0'\nQOS - " +
			"'quality_of_service_1'\nQOS - 'quality_of_service_2'\nQOS - 'quality_of_service_3'\n"), to: lower.Maui},
	{words: "a user who is not in the queue has the priority of the account instead",
		beside: "jobs without an association are not compared"},
	{words: "Slurm refuses a job that asks for another QOS",
		site: slurmQOS("Cluster - 'c'\nParent - 'root'\nAccount - 'bio':QOS=high\nParent - 'bio'\nUser - 'amy'\nQOS - " +
			"'normal'\nQOS - 'high':Priority=10\nQOS - 'low'\n"), to: lower.Maui},
	{words: "cannot say DefaultQOS", beside: "slurmctld gives each generated job a QOS"},
	{words: "; USERCFG QDEF says it for one", beside: "slurmctld gives each generated job a QOS"},
	{words: "it names none", beside: "slurmctld gives each generated job a QOS"},
	{words: "no QOS is left", site: slurmQOS("Cluster - 'c'\nParent - 'root'\nAccount - 'bio':QOS=-high\nParent - " +
		"'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'high':Priority=10\n"), to: lower.Maui},
	{words: "both hold in Slurm, and in Maui there is room for one",
		beside: "the one that is said is always reached first"},
	{words: "Maui gives the QOS also to a job that asks",
		beside: "slurmctld gives each generated job a QOS of the site's"},
	{words: "slurmctld refuses a job that asks for another QOS",
		site: mauiCase("QOSCFG[hi] PRIORITY=100\nQOSCFG[lo] PRIORITY=50\nUSERCFG[amy] QLIST=hi\nUSERCFG[bo] QLIST=lo\n"),
		to:   lower.Slurm, finds: `QLIST becomes`},
	{words: "not all lists of QOS can be written",
		site: mauiCase("QOSCFG[hi] PRIORITY=100\nQOSCFG[lo] PRIORITY=50\nUSERCFG[amy] QLIST=hi\nGROUPCFG[staff] QLIST=lo\n"),
		to:   lower.Slurm, finds: `QLIST`},
	{words: "in Slurm users with a list of their own have these too",
		site: mauiCase("QOSCFG[hi] PRIORITY=100\nQOSCFG[lo] PRIORITY=50\nUSERCFG[amy] QLIST=hi\nUSERCFG[DEFAULT] QLIST=lo\n"),
		to:   lower.Slurm, finds: `QLIST becomes`},
	{words: "Slurm takes names in any case, and line",
		beside: "of two spellings the one that is written has an association, and jobs of the other one are not compared"},
	{words: "in Slurm users with a list of their own have that too",
		site: mauiCase("QOSCFG[hi] PRIORITY=100\nQOSCFG[lo] PRIORITY=50\nUSERCFG[amy] QLIST=hi\nACCOUNTCFG[bio] QLIST=lo^\n"),
		to:   lower.Slurm, finds: `QLIST becomes`},
	{words: "lists of QOS count with AccountingStorageEnforce=qos alone",
		site: mauiCase("QOSCFG[hi] PRIORITY=100\nQOSCFG[lo] PRIORITY=50\nUSERCFG[Amy] QLIST=hi,lo\n"), to: lower.Slurm},
	{words: "Slurm takes it for jobs that name none",
		site: mauiCase("QOSCFG[hi] PRIORITY=100\nQOSCFG[lo] PRIORITY=50\nUSERCFG[amy] QDEF=hi\n"), to: lower.Slurm,
		finds: `QDEF becomes|QOSCFG`},
	{words: "where the account that the user is in has a DefaultQOS",
		beside: "generated jobs of the user are of the account that is written"},
	{words: "no QOS of Slurm can have such a name",
		site: mauiCase("QOSCFG[+hi] PRIORITY=100\nQOSCFG[lo] PRIORITY=50\nUSERCFG[amy] QLIST=+hi\n"), to: lower.Slurm,
		finds: `QLIST|QOSCFG`},
	{words: "no QOS that both lists must have",
		site: mauiCase("QOSCFG[hi] PRIORITY=100\nQOSCFG[lo] PRIORITY=50\nUSERCFG[amy] QLIST=hi&\n"), to: lower.Slurm,
		tries: 100},
	{words: "of priorities: there it is",
		site: policyOf("maui", "    SERVERHOST = \"head\"\n    USERWEIGHT = 1",
			"  user \"amy\" {\n    priority = 200\n  }\n  user \"bo\" {\n    priority = 100\n  }\n  finish {\n    ceiling = "+
				"10\n  }\n"), to: lower.Slurm},
	{words: "as their", site: policyOf("", "",
		"  component \"wait\" {\n    weight = 1000000000\n    term \"queue\" {\n      factor = \"job.procs\"\n    }\n  }\n"),
		to: lower.Maui},
	{words: "priorities are rounded by", beside: "less than a point is no difference to the law"},
	{words: "%s cannot say %s", site: mauiCase("GROUPWEIGHT 1\nGROUPCFG[staff] PRIORITY=100\n"), to: lower.Slurm,
		finds: `GROUPWEIGHT|GROUPCFG`},
	{words: "%s cannot say %s", site: mauiCase("CLASSCFG[batch] MAXPROC[USER]=4\nGROUPCFG[staff] MAXPROC=4\n"),
		to: lower.Slurm, finds: `GROUPCFG`},
	{words: "%s cannot say %s", site: policyOf("", "",
		"  component \"size\" {\n    weight = 3\n    term \"gpus\" {\n      factor = \"double(job.gpus) * 1000.0\"\n    "+
			"}\n  }\n"), to: lower.Maui, finds: `term|component`},
	{words: "%s cannot say %s", site: policyOf("", "",
		"  component \"wait\" {\n    weight = 3\n    term \"queue\" {\n      factor = \"job.queue_minutes\"\n    }\n  }\n "+
			" hold \"big\" {\n    when = \"job.procs > 8\"\n  }\n"), to: lower.Maui, finds: `hold`},
	{words: "%s cannot say %s", site: policyOf("", "",
		"  component \"wait\" {\n    weight = 3\n    term \"queue\" {\n      factor = \"job.queue_minutes\"\n    }\n  }\n "+
			" finish {\n    override \"big\" {\n      when = \"job.procs > 8\"\n      value = \"score + 500.0\"\n    }\n  }\n"),
		to: lower.Maui, finds: `override`},
	{words: "%s cannot say %s", site: slurmCase(oneBatch+"PartitionName=shut Nodes=ALL State=DOWN\n", ""), to: lower.Maui,
		finds: `PartitionName shut State`},
	{words: "Maui knows no associations and refuses no user", beside: "jobs without an association are not compared"},
	{words: refused, site: slurmQOS("Cluster - 'c'\nParent - 'root'\nAccount - 'bio'\nAccount - 'phys':QOS=low\nParent " +
		"- 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'high':Priority=10\nQOS - 'low'\n"), to: lower.Maui},
	{words: "Slurm ignores it where QOS",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy':GrpJobs=1\nQOS - 'normal'\nQOS - "+
			"'high':GrpJobs=5\n"), to: lower.Maui},
	{words: "as that has the same limit; Maui asks both",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy':GrpJobs=1\nQOS - 'normal'\nQOS - "+
			"'high':GrpJobs=5\n"), to: lower.Maui},
	{words: "Maui what they were given",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal':GrpTRESRunMins=cpu=100\n"),
		to:   lower.Maui},
	{words: "only those of jobs that ask for nodes", site: mauiCase("ACCOUNTCFG[bio] MAXNODE=2\n"), to: lower.Slurm},
	{words: "only of jobs that ask for them",
		site: slurmCase("PartitionName=batch Nodes=ALL Default=YES QOS=pq\n",
			"Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'pq':GrpTRES=node=2\n"), to: lower.Maui},
	{words: "Maui counts in each class by itself",
		site: slurmCase("PartitionName=batch Nodes=ALL Default=YES QOS=pq\nPartitionName=long Nodes=ALL QOS=pq\n",
			"Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'pq':GrpJobs=1\n"), to: lower.Maui},
	{words: "Maui counts jobs that ask for the QOS by themselves",
		site: slurmCase("PartitionName=batch Nodes=ALL Default=YES QOS=pq\nPartitionName=long Nodes=ALL\n",
			"Account - 'bio':QOS=pq,normal\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'pq':GrpJobs=1\n"),
		to: lower.Maui},
	{words: "where no association allows it, is limited in Slurm alone",
		site: slurmCase("PartitionName=batch Nodes=ALL Default=YES QOS=pq\nPartitionName=long Nodes=ALL\n",
			"Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'pq':GrpJobs=1\n"), to: lower.Maui},
	{words: "have it in Slurm alone",
		site: slurmCase("PartitionName=batch Nodes=ALL Default=YES QOS=pq\nPartitionName=long Nodes=ALL\n",
			"Account - 'bio':QOS=pq,normal\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - "+
				"'pq':MaxWallDurationPerJob=60\n"), to: lower.Maui},
	{words: "Slurm also those of accounts below it",
		site: slurmCase(oneBatch, "Account - 'all':GrpJobs=1\nParent - 'all'\nUser - 'bo'\nAccount - 'bio'\nParent - "+
			"'bio'\nUser - 'amy'\n"), to: lower.Maui},
	{words: "ignores it for users with a limit of their own alone",
		site: site{main: slurmCase(oneBatch, "").main,
			accounts: "Cluster - 'c':MaxJobs=1\nParent - 'root'\nAccount - 'bio'\nParent - 'bio'\nUser - 'amy':GrpJobs=5\n"},
		to: lower.Maui},
	{words: "enforces none of another resource",
		site: slurmCase("GresTypes=gpu\nAccountingStorageTRES=gres/gpu\nNodeName=g[1-4] CPUs=16 Gres=gpu:4\n"+oneBatch,
			"Account - 'bio':GrpTRES=gres/gpu=1\nParent - 'bio'\nUser - 'amy'\n"), to: lower.Maui, tries: 300},
	{words: "each user below the account has it",
		site: slurmCase(oneBatch, "Account - 'bio':MaxJobs=1\nParent - 'bio'\nUser - 'amy'\n"), to: lower.Maui},
	{words: "Maui takes all jobs that the resource manager has",
		beside: "a job that is refused when it is submitted is in no queue"},
	{words: "however many there are; MAXIJOB limits",
		beside: "all generated jobs accrue age from when they are submitted"},
	{words: "none by the usage of those that have ended",
		beside: "generated queues have no usage of jobs that have ended"},
	{words: "were given in processor seconds alone",
		site: slurmCase(oneBatch, "Account - 'bio':GrpTRESRunMins=node=1\nParent - 'bio'\nUser - 'amy'\n"), to: lower.Maui},
	{words: "for all alike, with SYSTEMMAXPROCSECONDPERJOB",
		site: slurmCase(oneBatch, "Account - 'bio':MaxTRESMinsPerJob=cpu=1\nParent - 'bio'\nUser - 'amy'\n"), to: lower.Maui},
	{words: "Maui has no least size of jobs",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal':MinTRESPerJob=cpu=4\n"),
		to:   lower.Maui},
	{words: "Maui has no limit of what a job takes of one node",
		site: slurmCase(oneBatch, "Account - 'bio':MaxTRESPerNode=cpu=1\nParent - 'bio'\nUser - 'amy'\n"), to: lower.Maui},
	{words: "Maui has no limit of each account in a class or a QOS",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal':MaxJobsPA=1\n"),
		to:   lower.Maui},
	{words: "not of each user in an account, a class or a QOS",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - "+
			"'normal':MaxTRESRunMinsPerUser=cpu=1\n"), to: lower.Maui},
	{words: "to Maui a limit of 0 is none",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy':MaxJobs=0\n"), to: lower.Maui},
	{words: "Maui limits the wall time of jobs by user, group and class",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal':MaxWallDurationPerJob=1\n"),
		to:   lower.Maui},
	{words: "Maui limits the size of jobs by class alone",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy':MaxTRESPerJob=cpu=1\n"), to: lower.Maui},
	{words: "Maui limits each user in a class, not in a QOS",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal':MaxJobsPU=1\n"),
		to:   lower.Maui},
	{words: "Maui has no limit of all jobs together",
		site: site{main: slurmCase(oneBatch, "").main,
			accounts: "Cluster - 'c':GrpJobs=1\nParent - 'root'\nAccount - 'bio'\nParent - 'bio'\nUser - 'amy'\n"},
		to: lower.Maui},
	{words: "has it that has none of its own, and Maui",
		site: site{main: slurmCase(oneBatch, "").main,
			accounts: "Cluster - 'c':MaxTRESPerJob=node=1\nParent - 'root'\nAccount - 'bio'\nParent - 'bio'\nUser - 'amy'\n"},
		to: lower.Maui},
	{words: "and counts them; Maui counts those that it asks for",
		beside: "generated jobs ask for the processors that they get"},
	{words: "which for times are seconds", beside: "no job comes near such a limit"},
	{words: "Maui has no such limit of a ", beside: "a class has what a user and an account have"},
	{words: "Maui counts for the user, whatever the account", beside: "such a user has no jobs in another account"},
	{words: "is lost: Slurm has none", site: mauiCase("CLASSCFG[batch] MAXPROC=4,8\n"), to: lower.Slurm},
	{words: "Slurm counts what running jobs may still use, in minutes", site: mauiCase("CLASSCFG[batch] MAXPS=6000\n"),
		to: lower.Slurm},
	{words: "Slurm counts minutes, rounded up", site: mauiCase("CLASSCFG[batch] MAX.WCLIMIT=3570\n"), to: lower.Slurm},
	{words: "Slurm counts in each account of a user by itself",
		site: mauiCase("USERCFG[DEFAULT] MAXJOB=1\nACCOUNTCFG[bio] PRIORITY=1\nACCOUNTCFG[phys] PRIORITY=1\n"),
		to:   lower.Slurm},
	{words: "which accounts users are in is no part of the policy: move them",
		site: mauiCase("USERCFG[amy] MAXJOB=1\nACCOUNTCFG[bio] PRIORITY=1\nACCOUNTCFG[phys] PRIORITY=1\n"), to: lower.Slurm},
	{words: "Maui bounds the sum of a whole component",
		site: policyOf("", "", "  component \"mix\" {\n    weight = 3\n    cap = 100\n    term \"queue\" {\n      factor "+
			"= \"job.queue_minutes\"\n    }\n    term \"procs\" {\n      factor = \"job.procs\"\n    }\n  }\n"), to: lower.Maui,
		finds: `component mix|term mix`},
	{words: "says something else already",
		site: policyOf("slurm", "    ClusterName = \"c\"\n    SlurmctldHost = \"head\"\n    PriorityType = "+
			"\"priority/multifactor\"\n    PriorityFlags = \"NO_NORMAL_ALL\"\n    AccountingStorageType = "+
			"\"accounting_storage/slurmdbd\"\n    PriorityWeightTRES = \"cpu=640\"\n    PriorityWeightAge = 10000",
			"  record \"NodeName\" \"n[1-16]\" {\n    settings = {\n      CPUs = 16\n    }\n  }\n  record \"PartitionName\" "+
				"\"batch\" {\n    settings = {\n      Nodes = \"ALL\"\n    }\n  }\n  component \"mine\" {\n    weight = 1000\n  "+
				"  term \"procs\" {\n      factor = \"job.procs\"\n    }\n  }\n"), to: lower.Maui,
		finds: `component mine|term mine`},
	{words: "Maui's weights are whole numbers of 32 bits",
		site: policyOf("", "", "  component \"size\" {\n    weight = 30000000000\n    term \"procs\" {\n      factor = "+
			"\"job.procs\"\n    }\n  }\n"), to: lower.Maui, finds: `component size|term size`},
	{words: "Maui's weights are whole numbers",
		site: policyOf("", "", "  component \"resource\" {\n    weight = 1\n    term \"proc\" {\n      weight = 0.5\n     "+
			" factor = \"job.procs\"\n    }\n    term \"node\" {\n      weight = 10\n      factor = \"job.nodes\"\n    }\n  "+
			"}\n  finish {\n    floor = 1\n  }\n"), to: lower.Maui, tries: 100},
	{words: "all weights are multiplied by", beside: "the law divides by it"},
	{words: "is %s already, by line",
		site: mauiCase("ACCOUNTCFG[bio] PRIORITY=1000\nACCOUNTCFG[Bio] PRIORITY=2000\nACCOUNTCFG[phys] PRIORITY=1500\n"),
		to:   lower.Slurm, finds: `ACCOUNTCFG`},
	{words: "names in maui.cfg are up to 63 characters",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'very "+
			"high':Priority=10\n"), to: lower.Maui},
	{words: "no record PartitionName is here that says which nodes", beside: "no job is in a partition without nodes"},
	{words: "of the backfill block becomes", beside: "plans are not compared"},
	{words: "Slurm's account root is the whole cluster",
		site: mauiCase("ACCOUNTCFG[root] PRIORITY=2000\nACCOUNTCFG[bio] PRIORITY=1500\n"), to: lower.Slurm},
	{words: "limits count with AccountingStorageEnforce=limits alone",
		beside: "jobs without an association are not compared"},
	{words: "QDEF alone gives the QOS",
		site: mauiCase("QOSCFG[hi] MAXJOB=1\nACCOUNTCFG[phys] QDEF=hi\nACCOUNTCFG[bio] PRIORITY=1\n"), to: lower.Slurm,
		tries: 100},
	{words: "no QLIST and no QDEF gives the QOS", site: mauiCase("QOSCFG[hi] MAXJOB=1\n"), to: lower.Slurm},
	{words: "%s cannot say %s%s", site: policyOf("maui",
		"    NODEWEIGHT = 40\n    XFACTORWEIGHT = 10\n    SERVERHOST = \"head\"\n    QUEUETIMEWEIGHT = 2\n    PROCWEIGHT "+
			"= 4\n    RESWEIGHT = 1", "  component \"mine\" {\n    weight = 2\n    term \"gpus\" {\n      factor = "+
			"\"double(job.gpus) * 1000.0\"\n    }\n  }\n"), to: lower.Maui, finds: `cannot say`},
	{words: "also means", beside: "what a policy does not say of accounts is the resource manager's, and no generated " +
		"queue has it"},
	{words: "cannot say %s: there it is",
		beside: "what is named without its text is of the library, and the written file has it too"},
	{words: "cannot say that %s is",
		site: policyOf("maui", "    NODEWEIGHT = 40\n    XFACTORWEIGHT = 10\n    SERVERHOST = \"head\"\n    "+
			"QUEUETIMEWEIGHT = 2\n    PROCWEIGHT = 4\n    RESWEIGHT = 1",
			"  component \"service\" {\n    term \"xfactor\" {\n      factor = \"1000.0 * double(job.gpus)\"\n    }\n  }\n"),
		to: lower.Maui, finds: `cannot say that`},
	{words: "%s of %s becomes %s",
		site: policyOf("maui", "    NODEWEIGHT = 40\n    XFACTORWEIGHT = 10\n    SERVERHOST = \"head\"\n    "+
			"QUEUETIMEWEIGHT = 2\n    PROCWEIGHT = 4\n    RESWEIGHT = 1",
			"  component \"resource\" {\n    term \"proc\" {\n      weight = 0.5\n    }\n  }\n"), to: lower.Maui,
		finds: `becomes`, tries: 100},
	{words: "there is no room for",
		site: slurmCase(oneBatch, "Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - "+
			"'quality_of_service_of_many_letters_0':Priority=0\nQOS - "+
			"'quality_of_service_of_many_letters_1':Priority=1000\nQOS - "+
			"'quality_of_service_of_many_letters_2':Priority=2000\nQOS - "+
			"'quality_of_service_of_many_letters_3':Priority=3000\nQOS - "+
			"'quality_of_service_of_many_letters_4':Priority=4000\nQOS - "+
			"'quality_of_service_of_many_letters_5':Priority=5000\n"), to: lower.Maui},
	{words: "all jobs may have the QOS that they ask for", beside: "it is what keeps the order as it was"},
	{words: "no weight is above", beside: "such points are above the most that Maui has"},
	{words: "priorities are divided by the highest there is", beside: "with the QOS that there are it comes to the same"},
	{words: "it would be %.4g points a minute",
		site: slurmCase(oneBatch+"PriorityMaxAge=7-0\nPriorityWeightAge=1000\nPriorityWeightQOS=1000000\n",
			"Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'high':Priority=300\n"), to: lower.Maui,
		finds: `points over`, tries: 100},
	{words: "Slurm the time in which a job may accrue age",
		site: slurmCase(oneBatch+"PriorityMaxAge=7-0\nPriorityWeightAge=1000\nPriorityWeightQOS=1000000\n",
			"Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'high':Priority=300\n"), to: lower.Maui,
		tries: 100},
	{words: "Maui's priorities are whole numbers, and it would be",
		beside: "less than a point is no difference to the law"},
	{words: "Maui's priorities are whole numbers", beside: "less than a point is no difference to the law"},
	{words: "Maui adds the priorities of account and user", beside: "such a user has no jobs in another account"},
	{words: "Maui counts nodes only of jobs that ask for them",
		site: slurmCase(oneBatch+"PriorityWeightTRES=node=1000\n", ""), to: lower.Maui},
	{words: "cannot say the weight of %s in PriorityWeightTRES",
		site: slurmCase("NodeName=g[1-4] CPUs=16 "+
			"Gres=gpu:4\nGresTypes=gpu\nAccountingStorageTRES=gres/gpu\nPriorityWeightTRES=gres/gpu=1000\n"+
			"PartitionName=batch Nodes=ALL Default=YES\n", ""), to: lower.Maui, finds: `in PriorityWeightTRES`},
	{words: "Slurm goes by the share of the partition",
		site: site{main: strings.Replace(caseSlurm, "PriorityFlags=NO_NORMAL_ALL", "PriorityWeightTRES=cpu=64000",
			1) + oneBatch + "PartitionName=few Nodes=n[1-2]\n"}, to: lower.Maui},
	{words: "is more than Maui can hold", site: slurmCase(oneBatch+"PriorityWeightTRES=cpu=3000000000\n", ""),
		to: lower.Maui, finds: `more than Maui|cannot say priorities above`},
	{words: "cannot say priorities above", site: slurmCase(oneBatch+"PriorityWeightTRES=cpu=3000000000\n", ""),
		to: lower.Maui, finds: `more than Maui|cannot say priorities above`},
	{words: "maui.cfg cannot say %s of %.4g",
		site: slurmCase(oneBatch+"PartitionName=long Nodes=ALL "+
			"PriorityJobFactor=40\nPriorityWeightTRES=cpu=0.45\nPriorityWeightQOS=1000000\n",
			"Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'high':Priority=300\n"), to: lower.Maui,
		finds: `WEIGHT of`, tries: 100},
	{words: "Maui's weights are whole numbers",
		site: slurmCase(oneBatch+"PartitionName=long Nodes=ALL "+
			"PriorityJobFactor=160\nPriorityWeightTRES=cpu=1.49\nPriorityWeightQOS=1000000\n",
			"Account - 'bio'\nParent - 'bio'\nUser - 'amy'\nQOS - 'normal'\nQOS - 'high':Priority=300\n"), to: lower.Maui,
		finds: `WEIGHT of`, tries: 100},
	{words: "jobs have no nice values",
		site: slurmCase(oneBatch+"PriorityWeightQOS=0\nPriorityWeightPartition=100000\n",
			"Account - 'bio'\nParent - 'bio'\nUser - 'amy'\n"), to: lower.Maui},
	{words: "backfill becomes BACKFILLPOLICY FIRSTFIT", beside: "plans are not compared"},
	{words: "Maui counts queue time, which begins",
		site: site{main: strings.Replace(caseSlurm, "priority/multifactor", "priority/basic", 1) + oneBatch}, to: lower.Maui},
	{words: "cannot say %s of PriorityFlags",
		site: site{main: strings.Replace(caseSlurm, "NO_NORMAL_ALL", "SMALL_RELATIVE_TO_TIME\nPriorityWeightJobSize=10000",
			1) + oneBatch}, to: lower.Maui, finds: `of PriorityFlags|PriorityWeightJobSize`},
	{words: "orders users by shares over usage",
		site: slurmCase(oneBatch+"PriorityWeightFairshare=10000\nPriorityWeightQOS=0\n",
			"Account - 'bio':Fairshare=3\nAccount - 'phys':Fairshare=1\nParent - 'bio'\nUser - 'amy'\nUser - "+
				"'bo':Fairshare=5\nParent - 'phys'\nUser - 'cy'\n"), to: lower.Maui, finds: `fairshare|Fairshare`},
	{words: "Slurm compares siblings", beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "weights of Slurm are whole numbers, and it would be",
		site: policyOf("maui", "    SERVERHOST = \"head\"\n    QUEUETIMEWEIGHT = 0\n    RESWEIGHT = 1\n    CLASSWEIGHT = "+
			"1\n    USERWEIGHT = 1\n    QOSWEIGHT = 1\n    PROCWEIGHT = 1",
			"  class \"long\" {\n    priority = 10\n  }\n  class \"batch\" {\n    priority = 80\n  }\n  component "+
				"\"credential\" {\n    weight = 0.3\n  }\n"), to: lower.Slurm, finds: `CLASSWEIGHT|class|credential`},
	{words: "weights of Slurm are whole numbers",
		site: policyOf("maui", "    SERVERHOST = \"head\"\n    QUEUETIMEWEIGHT = 0\n    RESWEIGHT = 1\n    CLASSWEIGHT = "+
			"1\n    USERWEIGHT = 1\n    QOSWEIGHT = 1\n    PROCWEIGHT = 1",
			"  class \"long\" {\n    priority = 10\n  }\n  class \"batch\" {\n    priority = 80\n  }\n  component "+
				"\"credential\" {\n    weight = 0.5\n  }\n"), to: lower.Slurm, finds: `PriorityWeight.* of`, tries: 100},
	{words: "Slurm counts the time in which a job may accrue age",
		beside: "all generated jobs accrue age from when they are submitted"},
	{words: "it stops growing after",
		site: mauiCase("QUEUETIMEWEIGHT 1\nCLASSCFG[batch] PRIORITY=1\nCLASSCFG[long] PRIORITY=60000\n"), to: lower.Slurm,
		tries: 300},
	{words: "before Slurm 19.05 a job's share", site: mauiCase("PROCWEIGHT 10\nRESWEIGHT 1\n").old(), to: lower.Slurm},
	{words: "also where the job asked for none", site: mauiCase("RESWEIGHT 1\nNODEWEIGHT 1000\n"), to: lower.Slurm},
	{words: "Slurm has priorities of associations since 19.05", site: mauiCase("USERCFG[amy] PRIORITY=100\n").
		old(), to: lower.Slurm, finds: `USERCFG|USERWEIGHT`},
	{words: "Slurm has the priority on a user's association",
		site: mauiCase("USERCFG[root] PRIORITY=2000\nUSERCFG[amy] PRIORITY=1500\nACCOUNTCFG[bio] PRIORITY=1000\n"),
		to:   lower.Slurm},
	{words: "; it counts instead of that of the account, where ",
		site: mauiCase("USERCFG[root] PRIORITY=2000\nUSERCFG[amy] PRIORITY=1500\nACCOUNTCFG[bio] PRIORITY=1000\n"),
		to:   lower.Slurm},
	{words: " adds the two", site: mauiCase("USERCFG[root] PRIORITY=2000\nUSERCFG[amy] PRIORITY=1500\nACCOUNTCFG[bio] " +
		"PRIORITY=1000\n"), to: lower.Slurm},
	{words: "Slurm's priorities are whole numbers, and it would be",
		beside: "less than a point is no difference to the law"},
	{words: "Slurm's priorities are whole numbers", beside: "less than a point is no difference to the law"},
	{words: "no partition of Slurm can have such a name",
		site: mauiCase("CLASSCFG[a:b] PRIORITY=2000\nCLASSCFG[long] PRIORITY=1500\n"), to: lower.Slurm},
	{words: "PartitionName=DEFAULT", site: mauiCase("CLASSCFG[default] PRIORITY=2000\nCLASSCFG[long] PRIORITY=1500\n"),
		to: lower.Slurm},
	{words: "Slurm counts minutes, rounded up", beside: "all generated jobs name a wall time"},
	{words: "Slurm has one weight for the place in the tree",
		beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "Maui's factor is the distance to a target",
		site: mauiCase("FSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT 10\nUSERCFG[amy] FSTARGET=20\nUSERCFG[bo] " +
			"FSTARGET=50\n"), to: lower.Slurm, finds: `FSTARGET|points a percent|windows of`},
	{words: "Slurm's usage decays steadily", beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "shares are relative to those of siblings",
		beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "; which accounts users are in is no part of the policy",
		beside: "what becomes of fairshare as a whole is always said with it"},
	{words: ", which has the shares of all of them",
		beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "Slurm counts what jobs were given", beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "Maui here processor equivalents", beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "Maui's factor is the part of a target that is not used",
		beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "; that it is only a ", beside: "what becomes of fairshare as a whole is always said with it"},
	{words: "Slurm tries jobs in the order", beside: "plans are not compared"},
	{words: "Slurm plans for every job", beside: "plans are not compared"},
	{words: "Slurm ignores it for jobs of ", site: mauiCase("ACCOUNTCFG[bio] MAXPROC=4\nCLASSCFG[batch] MAXPROC=10\n"),
		to: lower.Slurm},
	{words: ", where the same limit is asked first; ",
		site: mauiCase("CLASSCFG[batch] MAXJOB=5\nQOSCFG[hi] MAXJOB=1\nSYSCFG QDEF=hi\n"), to: lower.Slurm,
		finds: `QOSCFG|QDEF`},
	{words: "weights of Slurm are numbers from 0",
		site: ownCase("  component \"credential\" {\n    weight = -200\n    term \"qos\" {\n      factor = " +
			"\"qos.priority\"\n    }\n  }\n  qos \"high\" {\n    priority = 5\n  }\n  component \"resource\" {\n    weight = " +
			"100\n    term \"proc\" {\n      factor = \"job.procs\"\n    }\n  }\n"), to: lower.Slurm,
		finds: `component credential|term credential|qos high`, tries: 300},
	{words: "weights of Slurm are not negative",
		site: ownCase("  component \"nodes\" {\n    weight = 1000\n    term \"nodes\" {\n      factor = \"job.nodes\"\n   " +
			" }\n  }\n  component \"size\" {\n    weight = -10\n    term \"procs\" {\n      factor = \"job.procs\"\n    }\n  " +
			"}\n"), to: lower.Slurm, finds: `component size|term size|floor`},
	{words: "Slurm has no cap on what a factor adds",
		site: ownCase("  component \"size\" {\n    weight = 1000\n    term \"procs\" {\n      factor = \"job.procs\"\n    " +
			"  cap = 8\n    }\n  }\n"), to: lower.Slurm, finds: `component size|term size`},
	{words: "Slurm's priorities are numbers from 0",
		site: ownCase("  component \"who\" {\n    term \"qos\" {\n      factor = \"qos.priority\"\n    }\n    term " +
			"\"procs\" {\n      weight = 1000\n      factor = \"job.procs\"\n    }\n  }\n  qos \"high\" {\n    priority = " +
			"-5000\n  }\n"), to: lower.Slurm, finds: `qos high`},
	{words: "Slurm has one factor of a partition",
		site: ownCase("  component \"where\" {\n    term \"class\" {\n      factor = \"class.priority\"\n    }\n    term " +
			"\"factor\" {\n      weight = 100\n      factor = \"has(partition.priority_job_factor) ? " +
			"double(partition.priority_job_factor) : 1.0\"\n    }\n  }\n  class \"long\" {\n    priority = 500\n    " +
			"priority_job_factor = 50\n  }\n  class \"short\" {\n    priority = 1000\n    priority_job_factor = 5\n  }\n"),
		to: lower.Slurm, finds: `term where / factor|priority_job_factor`},
	{words: "Slurm has one priority of an association",
		site: ownCase("  component \"who\" {\n    term \"assoc\" {\n      factor = \"association.priority\"\n    }\n    " +
			"term \"account\" {\n      factor = \"account.priority\"\n    }\n  }\n  account \"bio\" {\n    priority = 1000\n " +
			"   user \"amy\" {}\n    fairshare {\n      shares = 1\n    }\n  }\n  account \"phys\" {\n    user \"bo\" {}\n  " +
			"}\n  association \"phys/bo\" {\n    priority = 500\n  }\n  fairshare \"fair_tree\" {}\n"), to: lower.Slurm,
		finds: `term who / account|account bio`},
	{words: "the job waits with the reason of Slurm's limit", beside: "it counts as it did"},
	{words: "Slurm counts jobs of accounts below it too",
		site: ownCase(ownTree + "  component \"size\" {\n    term \"procs\" {\n      factor = \"job.procs\"\n    }\n  }\n"),
		to:   lower.Slurm, tries: 400, finds: `limit procs|limits count`},
	{words: "Slurm has no cap on a sum of factors",
		site: ownCase("  component \"credential\" {\n    term \"qos\" {\n      factor = \"qos.priority\"\n    }\n  }\n  " +
			"qos \"high\" {\n    priority = 50\n  }\n  component \"mix\" {\n    weight = 3\n    cap = 100\n    term " +
			"\"queue\" {\n      factor = \"job.queue_minutes\"\n    }\n    term \"procs\" {\n      factor = \"job.procs\"\n  " +
			"  }\n  }\n"), to: lower.Slurm, finds: `component mix|term mix`},
	{words: "Slurm's weights are numbers, the same for all jobs",
		site: ownCase("  component \"size\" {\n    weight = 100\n    term \"procs\" {\n      weight = \"qos.priority\"\n  " +
			"    factor = \"job.procs\"\n    }\n  }\n  qos \"high\" {\n    priority = 5\n  }\n"), to: lower.Slurm,
		finds: `component size|term size|qos high`},
	{words: "no factor of Slurm's formula is this one",
		site: ownCase("  component \"size\" {\n    weight = 3\n    term \"gpus\" {\n      factor = \"double(job.gpus) * " +
			"1000.0\"\n    }\n  }\n"), to: lower.Slurm, finds: `component size|term size`},
	{words: "each cluster of Slurm has a user root",
		site: ownCase(ownTree + "  component \"service\" {\n    term \"queuetime\" {\n      factor = " +
			"\"job.queue_minutes\"\n    }\n  }\n  component \"fairshare\" {\n    weight = 10000\n    term \"fairshare\" {\n  " +
			"    factor = \"association.fairshare_factor\"\n    }\n  }\n"), to: lower.Slurm, tries: 400},
	{words: "--nice lowers the priority of a user's own job",
		beside: "no generated job of a policy without nice values has one"},
	{words: "Slurm adds it to each priority with a weight",
		site: ownCase("  component \"nice\" {\n    weight = -100\n    term \"nice\" {\n      factor = \"job.nice\"\n    " +
			"}\n    term \"procs\" {\n      weight = -100\n      factor = \"job.procs\"\n    }\n  }\n"), to: lower.Slurm,
		finds: `component nice|term nice / nice`, tries: 300},
	{words: "Slurm's limits count with limits in AccountingStorageEnforce",
		site: policyOf("slurm", "    AccountingStorageType = \"accounting_storage/slurmdbd\"\n    "+
			"AccountingStorageEnforce = \"associations\"", "  hold \"big\" {\n    when = \"job.procs > 8\"\n  }\n"),
		to: lower.Slurm, finds: `hold big`},
	{words: "Slurm has limits on accounts and QOS with",
		site: policyOf("slurm", "    ClusterName = \"c\"", "  hold \"big\" {\n    when = \"job.procs > 8\"\n  }\n"),
		to:   lower.Slurm, finds: `hold big`},
	{words: "Slurm has PriorityJobFactor, which PriorityWeightPartition weighs", beside: "nothing is computed from it"},
	{words: "in Slurm the higher one of ",
		site: ownCase(strings.Replace(ownTree, "hard = 64", "phase = \"job\"\n      hard = 16", 1) +
			"  component \"size\" {\n    term \"procs\" {\n      factor = \"job.procs\"\n    }\n  }\n  hold \"big\" {\n    " +
			"when = \"job.procs > 8\"\n  }\n"), to: lower.Slurm, tries: 400, finds: `hold big|limits count`},
	{words: "in Slurm it counts instead of the lower one of ",
		site: site{accounts: "Cluster - 'c':MaxTRESPerJob=cpu=4\nParent - 'root'\nAccount - 'bio'\nParent - 'bio'\nUser - " +
			"'amy'\n", main: policyOf("slurm",
			"    ClusterName = \"c\"\n    AccountingStorageType = \"accounting_storage/slurmdbd\"\n    "+
				"AccountingStorageEnforce = \"limits\"",
			"  account \"bio\" {\n    user \"amy\" {\n      limit \"procs\" {\n        phase = \"job\"\n        hard = 32\n  "+
				"    }\n    }\n  }\n").main}, to: lower.Slurm},
	{words: "Slurm has no limits of groups", site: mauiCase("GROUPCFG[staff] MAXJOB=1\n"), to: lower.Slurm,
		finds: `GROUPCFG`},
	{words: "one on Slurm's account root counts all jobs together",
		site: ownCase("  limit \"procs\" {\n    per = \"user\"\n    hard = 8\n  }\n" +
			"  component \"size\" {\n    term \"procs\" {\n      factor = \"job.procs\"\n    }\n  }\n"), to: lower.Slurm,
		finds: `limit procs`},
	{words: " by itself; write it for those that are to have it",
		site: ownCase("  limit \"procs\" {\n    per = \"user\"\n    hard = 8\n  }\n" +
			"  component \"size\" {\n    term \"procs\" {\n      factor = \"job.procs\"\n    }\n  }\n"), to: lower.Slurm,
		finds: `limit procs`},
	{words: "Slurm has no such limit for each ", site: mauiCase("ACCOUNTCFG[DEFAULT] MAXJOB=1\n"), to: lower.Slurm,
		finds: `ACCOUNTCFG`},
	{words: " that has none of its own; write it", site: mauiCase("ACCOUNTCFG[DEFAULT] MAXJOB=1\n"), to: lower.Slurm,
		finds: `ACCOUNTCFG`},
	{words: "both hold in ", beside: "the one that is said is always reached first"},
	{words: ", and in Slurm there is room for one", beside: "the one that is said is always reached first"},
	{words: "Slurm counts the memory that every job gets", beside: "generated jobs ask for the memory that they get"},
	{words: "in Slurm the same limit of an account, a user or a QOS counts instead",
		site: site{main: slurmCase(oneBatch, "").main,
			accounts: "Cluster - 'c':MaxTRESPerJob=cpu=4\nParent - 'root'\nAccount - 'bio':MaxTRESPerJob=cpu=10\nParent - " +
				"'bio'\nUser - 'amy'\n"}, to: lower.Maui, finds: `SYSTEMMAXPROCPERJOB|association bio`},
	{words: "Slurm has no priority for all that are not named",
		beside: "generated jobs have the classes that the site names"},
	{words: "nothing in Slurm can have such a name",
		site: mauiCase("ACCOUNTCFG[a,b] PRIORITY=2000\nACCOUNTCFG[bio] PRIORITY=1500\n"), to: lower.Slurm,
		finds: `ACCOUNTCFG`},
	{words: "Maui's priorities are at most", beside: "such points are above the most that Maui has"},
	{words: "Slurm gives a job all processors of its nodes",
		beside: "generated jobs ask for the processors that they get"},
	{words: "make it with scontrol create reservation", beside: "plans are not compared"},
	{words: "Fairway computes nothing from it here", beside: "nothing is computed from it"},
	{words: "nodes and daemons are no part of a policy", beside: "nothing is computed from it"},
	{words: "the limit is in a QOS of the partition", beside: "it counts as it did; what it hides is said of that"},
}

// TestConvertLawRemarks: for each sentence of the list there is a site where it is the only reason, so that the law
// fails without it, or it is reported why no queue shows it.
func TestConvertLawRemarks(t *testing.T) {
	written := sentences(t)
	for text, at := range written {
		if !slices.ContainsFunc(remarks, func(r remark) bool { return strings.Contains(text, r.words) }) {
			t.Errorf("%s: no site of remarks shows that %q is needed", at, text)
		}
	}
	for i, r := range remarks {
		t.Run(r.words, func(t *testing.T) {
			said := func(text string) bool { return strings.Contains(text, r.words) }
			if !slices.ContainsFunc(slices.Collect(maps.Keys(written)), said) {
				t.Fatal("the converter says no such thing")
			}
			if r.beside != "" {
				return
			}
			out := compiler.Compile(compiler.Input{Files: r.files(), Options: r.opt})
			if out.Program == nil {
				t.Fatal(recordedtest.Text(out.Diags))
			}
			l := r.convert(t, r.to)
			says := func(d *diag.Diagnostic) bool {
				if r.finds != "" {
					return regexp.MustCompile(r.finds).MatchString(d.Message)
				}
				return strings.Contains(d.Message, r.words) ||
					slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return strings.Contains(n.Text, r.words) })
			}
			if !slices.ContainsFunc(l.all, says) {
				t.Fatalf("it is not said of\n%s%s\n%s", r.main, r.accounts, recordedtest.Text(l.all))
			}
			if !inSample(i) {
				return
			}
			f := otherwise(t, r.site, out, l, tries)
			whole := l.all
			l.all = slices.DeleteFunc(slices.Clone(l.all), says)
			if f.unexplained(l) == "" {
				f.look(t, counterexample.Search{Seed: 1, Tries: r.tries})
			}
			if f.unexplained(l) == "" {
				t.Errorf("without it the law holds too\n%s%s\n%s%s", r.main, r.accounts, recordedtest.Text(whole), l.text)
			}
		})
	}
}
