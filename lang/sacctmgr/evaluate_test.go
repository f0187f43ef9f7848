package sacctmgr

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
)

// TestEvaluate writes the dump of each text as meaning does; the wanted lines
// must appear in that order.
func TestEvaluate(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tree order and case",
			"Cluster - 'C':Fairshare=1\nParent - 'root'\nAccount - 'Beta'\nAccount - 'alpha':Fairshare=3\nUser - 'Root'\nParent - 'BETA'\nUser - 'zoe'\nUser - 'amy':Fairshare=parent\nAccount - 'gamma'\n",
			`c
"root" "" "" "" 0 1 false Fairshare="1"
"root" "root" "" "" 1 1 false
"alpha" "" "" "root" 1 3 false
"beta" "" "" "root" 1 1 false
"beta" "amy" "" "" 2 1 true
"beta" "zoe" "" "" 2 1 false
"gamma" "" "" "beta" 2 1 false`},
		{"shares", "Cluster - 'c'\nAccount - 'a':Fairshare=2147483647\nAccount - 'b':Shares=0\n", "\"a\" \"\" \"\" \"root\" 1 1 true\n\"b\" \"\" \"\" \"root\" 1 0 false"},
		{"colon and hash within quotes", "Cluster - 'c'\nAccount - 'a':Description='x: # y':GrpJobs=5 # z\n", "Description=\"x: # y\" 0 0 [] [] false false GrpJobs=\"5\" 5"},
		{"limits", "Cluster - 'c'\nUser - 'u':MaxJobs=3:GrpWall=1-0:MaxWall=-1:MaxTRES=cpu=4,mem=2G\n", `MaxJobs="3" 3 0 [] [] false false GrpWall="1-0" 1440 0 [] [] false false MaxWallDurationPerJob="-1" -1 0 [] [] false false MaxTRESPerJob="cpu=4,mem=2G" 0 0 [] [{cpu 4} {mem 2048}]`},
		{"old limits become TRES", "Cluster - 'c'\nUser - 'u':GrpCPUs=4:GrpMem=100:GrpTRES=node=2,cpu=8\n", `GrpTRES="cpu=4,mem=100,node=2,cpu=8" 0 0 [] [{cpu 8} {mem 100} {node 2}]`},
		{"lists", "Cluster - 'c':QOS='Normal,High'\nAccount - 'a':QOS+=viz\nAccount - 'b':QOS-=high:DefaultQOS='Normal'\n", "[normal high] [] false false\n\"a\" \"\" \"\" \"root\" 1 1 false QOS=\"viz\" 0 0 [viz] [] true false\n\"b\" \"\" \"\" \"root\" 1 1 false QOS=\"high\" 0 0 [high] [] false true DefaultQOS=\"normal\""},
		{"partition", "Cluster - 'c'\nUser - 'u':Partition='GPU':Fairshare=2\nUser - 'u'\n", "\"root\" \"u\" \"GPU\" \"\" 1 2 false"},
		{"qos", "QOS - 'Hi':Priority=10:UsageFactor=2.5:MaxJobsPerUser=3:MaxTRESPU=cpu=4:Flags='DenyOnLimit':GraceTime=60:Preempt='low'\nCluster - 'c'\n",
			`hi Priority="10" 10 0 [] [] false false UsageFactor="2.5" 0 2.5 [] [] false false MaxJobsPU="3" 3 0 [] [] false false MaxTRESPerUser="cpu=4" 0 0 [] [{cpu 4}] false false Flags="DenyOnLimit" 0 0 [denyonlimit]`},
		{"typed resources", "Cluster - 'c'\nAccount - 'a':GrpTRES=cpu=100,gres/gpu:a100=2:MaxTRESPerJob=gres/gpu:a100=1,license/m:x=3,node=3:Fairshare=4\nAccount - 'b':GrpTRESMins='gres/gpu:a100=-1'\nAccount - 'd':GrpTRES=gres/gpu=2:Fairshare=7\n",
			`"a" "" "" "root" 1 4 false GrpTRES="cpu=100,gres/gpu:a100=2" 0 0 [] [{cpu 100} {gres/gpu:a100 2}] false false MaxTRESPerJob="gres/gpu:a100=1,license/m:x=3,node=3" 0 0 [] [{gres/gpu:a100 1} {license/m:x 3} {node 3}] false false Fairshare="4"
"b" "" "" "root" 1 1 false GrpTRESMins="gres/gpu:a100=-1" 0 0 [] [{gres/gpu:a100 -1}]
"d" "" "" "root" 1 7 false GrpTRES="gres/gpu=2" 0 0 [] [{gres/gpu 2}]`},
		{"empty option list", "Cluster - 'c':\nAccount - 'a'::GrpJobs=1:\n", "\"a\" \"\" \"\" \"root\" 1 1 false GrpJobs=\"1\" 1"},
	} {
		_, dump, ds := evaluate("x.cfg", []byte(c.text))
		if ds.HasErrors() {
			t.Errorf("%s: %s", c.name, ds[0].Message)
		}
		got := meaning(dump)
		for _, want := range strings.Split(c.want, "\n") {
			i := strings.Index(got, want)
			if i < 0 {
				t.Errorf("%s: no (further) line with\n%s\nin\n%s", c.name, want, meaning(dump))
				break
			}
			got = got[i:]
		}
	}
}

// TestColonThatEnds: where a colon may end the option, it does, and the rest is judged for itself.
func TestColonThatEnds(t *testing.T) {
	for text, want := range map[string]string{
		"GrpTRES=cpu=4,gres/gpu:MaxJobs=2": "sacctmgr-tres",           // MaxJobs is an option and no type
		"GrpTRES=cpu=4,gres/gpu:a100":      "sacctmgr-option",         // without a count
		"GrpTRES=gres/gpu:a100=x":          "sacctmgr-tres",           // with none that is a number
		"GrpTRES=gres/gpu=2:a100=2":        "sacctmgr-unknown-option", // the count stands already
		"GrpTRES=cpu:a100=2":               "sacctmgr-unknown-option", // no slash
		"GrpTRES=gres/gpu:a100:b=2":        "sacctmgr-option",         // two colons
		"GrpTRES=gres/gpu :a100=2":         "sacctmgr-unknown-option",
		"Organization=a/b:a100=2":          "sacctmgr-unknown-option", // no list of resources
	} {
		_, _, ds := evaluate("x.cfg", []byte("Cluster - 'c'\nAccount - 'a':"+text+"\n"))
		if !slices.ContainsFunc(ds, func(d *diag.Diagnostic) bool { return d.Code == want && d.Severity == diag.Error }) {
			t.Errorf("%s: no %s in %v", text, want, ds)
		}
	}
}

// TestTypedTwice: of any number of typed resources one is told, with how many there are.
func TestTypedTwice(t *testing.T) {
	_, _, ds := evaluate("x.cfg", []byte("Cluster - 'c'\nAccount - 'a':GrpTRES=gres/gpu:a=1\nAccount - 'b':GrpTRES=gres/gpu:a=1:MaxTRESPerJob='gres/gpu:a=1'\n"))
	if len(ds) != 1 || ds[0].Code != "sacctmgr-typed-tres" || ds[0].Notes[1].Text != "2 values are written so" || ds[0].Fix.NewText != "'gres/gpu:a=1'" {
		t.Errorf("%v", ds)
	}
}

func TestPreserveCaseUser(t *testing.T) {
	tree, _, _ := evaluate("x.cfg", []byte("Cluster - 'c'\nUser - 'Ann'\n"))
	for preserve, want := range map[bool]string{false: "ann", true: "Ann"} {
		dump, _ := Evaluate(tree, Options{PreserveCaseUser: preserve})
		if got := dump.Associations[1].User; got != want {
			t.Errorf("preserve %v gives %q, want %q", preserve, got, want)
		}
	}
}

func TestLimits(t *testing.T) {
	_, dump, _ := evaluate("x.cfg", []byte("Cluster - 'c'\nUser - 'u':Fairshare=2:MaxJobs=3:GrpJobs=1:MinPrioThresh=5\n"))
	var names []string
	for _, s := range dump.Associations[1].Limits() {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "MaxJobs GrpJobs MinPrioThresh" {
		t.Errorf("limits %s", got)
	}
}

// TestQOSValues: what no QOS can have is reported where it stands, and does not count.
func TestQOSValues(t *testing.T) {
	_, dump, ds := evaluate("x.cfg", []byte("QOS - 'q':Priority=99999999999:Flags='NoDecay,NoSuchFlag'\nQOS - 'r':Priority=4294967295:Flags='OverPartQOS'\nCluster - 'c'\n"))
	var got []string
	for _, d := range ds {
		got = append(got, d.Code+" "+d.Span.String()+" "+d.Message)
	}
	want := []string{
		`sacctmgr-value x.cfg:1:20 Priority cannot be "99999999999": it is more than 4294967295, the largest that Slurm holds`,
		"sacctmgr-qos-flag x.cfg:1:38 no QOS has a flag nosuchflag",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if flags, _ := dump.QOS[0].Get("Flags"); !slices.Equal(flags.Names, []string{"nodecay"}) {
		t.Error(flags)
	}
}
