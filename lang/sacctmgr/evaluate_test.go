package sacctmgr

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/cases"
	"github.com/fairway-sched/fairway/lang/diag"
)

// TestEvaluate: the dump of a text, as meaning writes it.
func TestEvaluate(t *testing.T) {
	cases.Run(t, "testdata/meanings.txt", func(t *testing.T, c cases.Case) string {
		_, dump, ds := evaluate("x.cfg", []byte(c.In))
		if ds.HasErrors() {
			t.Errorf("%s: %s", c.Name, ds[0].Message)
		}
		return strings.TrimRight(meaning(dump), "\n")
	})
}

// TestColonThatEnds: where a colon may end the option, it does, and the rest is judged for itself.
func TestColonThatEnds(t *testing.T) {
	for text, want := range map[string]string{
		"GrpTRES=cpu=4,gres/gpu:MaxJobs=2": "sacctmgr-tres",           // MaxJobs is an option and no type
		"GrpTRES=cpu=4,gres/gpu:a100":      "sacctmgr-option",         // without a count
		"GrpTRES=gres/gpu:a100=x":          "sacctmgr-tres",           // with none that is a number
		"GrpTRES=gres/gpu=2:a100=2":        "sacctmgr-unknown-option", // the count is there already
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

// TestTypedTwice: of any number of typed resources one is reported, with how many there are.
func TestTypedTwice(t *testing.T) {
	_, _, ds := evaluate("x.cfg", []byte("Cluster - 'c'\nAccount - 'a':GrpTRES=gres/gpu:a=1\nAccount - "+
		"'b':GrpTRES=gres/gpu:a=1:MaxTRESPerJob='gres/gpu:a=1'\n"))
	if len(ds) != 1 || ds[0].Code != "sacctmgr-typed-tres" || ds[0].Notes[1].Text != "2 values are written so" ||
		ds[0].Fix.NewText != "'gres/gpu:a=1'" {
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

// TestQOSValues: what no QOS can have is reported where it is, and does not count.
func TestQOSValues(t *testing.T) {
	_, dump, ds := evaluate("x.cfg",
		[]byte("QOS - 'q':Priority=99999999999:Flags='NoDecay,NoSuchFlag'\nQOS - "+
			"'r':Priority=4294967295:Flags='OverPartQOS'\nCluster - 'c'\n"))
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
