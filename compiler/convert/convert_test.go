package convert_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden: each archive has files, lines "run NAME to=LANGUAGE files=A,B" in its comment, and for each of
// them want/NAME, the findings, and want/NAME.LANGUAGE, what was written. Every code is reported by one.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives", err)
	}
	reported := map[string]bool{}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, a, reported)
			if *update {
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	for _, c := range pages.In("conversion") {
		if !reported[c.Code] && c.Code != "convert-counter-example" && c.Code != "convert-no-example" { // the command line's
			t.Errorf("no archive reports %s", c.Code)
		}
	}
}

func golden(t *testing.T, a *txtar.Archive, reported map[string]bool) {
	files, want := fstest.MapFS{}, map[string]string{}
	inputs := a.Files[:0:0]
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			want[name] = string(f.Data)
			continue
		}
		files[f.Name] = &fstest.MapFile{Data: f.Data}
		inputs = append(inputs, f)
	}
	check := func(name, got string) {
		if got == "" {
			return
		}
		if !strings.HasSuffix(got, "\n") {
			got += "\n"
		}
		inputs = append(inputs, txtar.File{Name: "want/" + name, Data: []byte(got)})
		if !*update && got != want[name] {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want[name])
		}
		delete(want, name)
	}
	for line := range strings.Lines(string(a.Comment)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != "run" {
			continue
		}
		in := readRun(t, fields[2:], files)
		out, found := convert.With(in.to, in.units, in.opt, in.beside)
		for _, d := range found {
			reported[d.Code] = true
			if strings.Contains(d.Message, "param.P") || strings.Contains(d.Message, "version >=") {
				t.Errorf("a finding shows the library's own formula: %s", d.Message)
			}
		}
		var b strings.Builder
		if err := diag.WriteText(&b, found, false); err != nil {
			t.Fatal(err)
		}
		check(fields[1], b.String())
		check(fields[1]+"."+string(in.to), string(out.Text))
		check(fields[1]+".accounts", string(out.Accounts))
		check(fields[1]+".rest", string(out.Rest))
	}
	if !*update {
		for name := range want {
			t.Errorf("%s is not written any more", name)
		}
	}
	a.Files = inputs
}

type given struct {
	to     lower.Lang
	units  []lower.Unit
	opt    lower.Options
	beside convert.Beside
}

func readRun(t *testing.T, words []string, files fstest.MapFS) (g given) {
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "to":
			g.to = lower.Lang(value)
		case "members": // ACCOUNT/USER, once for each job
			for _, name := range strings.Split(value, ",") {
				account, user, _ := strings.Cut(name, "/")
				g.beside.Members = append(g.beside.Members, convert.Member{Account: account, User: user, Jobs: 1})
			}
		case "rest":
			g.beside.Rest = value
		case "version":
			g.opt.Version = value
		case "deviations":
			g.opt.Deviations = strings.Split(value, ",")
		case "files":
			for _, name := range strings.Split(value, ",") {
				u, diags := lower.Parse(source.NewFile(name, files[name].Data), "", lower.Files{FS: files})
				if diags.HasErrors() {
					t.Fatalf("%s: %s", name, diags[0].Message)
				}
				g.units = append(g.units, u)
			}
		default:
			t.Fatalf("unknown word %s", word)
		}
	}
	return g
}

// parsed reads texts; nil if one of them is in no language of a scheduler.
func parsed(texts ...string) (list []lower.Unit) {
	for i, text := range texts {
		u, diags := lower.Parse(source.NewFile(fmt.Sprintf("file%d", i), []byte(text)), "", lower.Files{})
		if diags.HasErrors() || u.Lang == "" {
			return nil
		}
		list = append(list, u)
	}
	return list
}

// roundTrip: HCL that a scheduler's files became goes back to files that mean the same.
func roundTrip(t *testing.T, before *ir.Policy, text string) {
	t.Helper()
	back, found := convert.To(lower.Lang(before.Family), parsed(text), lower.Options{})
	for _, d := range found {
		if d.Severity != diag.Info && d.Code != "convert-incomplete" && strings.HasPrefix(d.Code, "convert-") {
			t.Errorf("%s %+v\n%s\n%s%s", d.Message, d.Notes, text, back.Text, back.Accounts)
		}
	}
}

// FuzzHCL: whatever the files say, HCL says the same, or the reason why not is a finding; and what was
// written becomes the same policy again.
func FuzzHCL(f *testing.F) {
	f.Add("USERCFG[amy] PRIORITY=5 MAXJOB=4,8\nQUEUETIMEWEIGHT 10 # ten\nQUEUETIMEWEIGHT[1] 3\nNODESETLIST a b #\n", "")
	f.Add("SYSCFG QDEF=high\nNODECFG[n1] PRIORITYF='SPEED + 2 * LOAD'\nJOBFLAGS\nUSERCFG[b]  x\nSRCFG[s] "+
		"JOBFLAGS=A\nSRCFG[s] JOBFLAGS=B\n", "")
	f.Add("ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-4] CPUs=4 Features=a\\#b\nPartitionName=p Nodes=ALL QOS=\"a b\"\n",
		"QOS - 'a':MaxJobsPU=4\nCluster - 'c'\nParent - 'root'\nUser - 'amy':QOS+='a':Fairshare=parent\n")
	f.Fuzz(func(t *testing.T, first, second string) {
		texts := slices.DeleteFunc([]string{first, second}, func(s string) bool { return s == "" })
		units := parsed(texts...)
		if units == nil || slices.ContainsFunc(units, func(u lower.Unit) bool { return u.HCL != nil }) {
			return
		}
		before, diags := lower.Lower(units, lower.Options{NodeFacts: true})
		if diags.HasErrors() {
			return
		}
		out, found := convert.To(lower.HCL, units, lower.Options{})
		if found.HasErrors() {
			for _, d := range found {
				// HCL composes accents with their letters
				letters := strings.ContainsFunc(first+second, func(r rune) bool { return r > '~' })
				if d.Code == "convert-refused" && strings.Contains(d.Message, "all that") && !letters {
					t.Errorf("%s %+v\n%q", d.Message, d.Notes, texts)
				}
			}
			return
		}
		if again := policy.Format(out.Text); !bytes.Equal(again, out.Text) {
			t.Errorf("%q is spaced as\n%s\nand not as\n%s", texts, out.Text, again)
		}
		roundTrip(t, before, string(out.Text))
		after, diags := lower.Lower(parsed(string(out.Text)), lower.Options{NodeFacts: true})
		if after == nil || after.Meaning() != before.Meaning() {
			t.Errorf("%q becomes\n%s\n%v", texts, out.Text, diags)
		}
	})
}

// FuzzTranslate: whatever a policy says, another scheduler's files come of it, or errors that say why not.
func FuzzTranslate(f *testing.F) {
	f.Add("QUEUETIMEWEIGHT 3\nCREDWEIGHT 2\nQOSWEIGHT -4\nQOSCFG[a] PRIORITY=3 MAXJOB=2,4\nCLASSCFG[b] "+
		"MAX.WCLIMIT=1:00:01\nFSPOLICY DEDICATEDPS\nUSERCFG[c] FSTARGET=3 MAXPS=100\n", "")
	f.Add("ClusterName=c\nSlurmctldHost=h\nAccountingStorageType=accounting_storage/slurmdbd\nPriorityWeightAge=7\nPriorityMaxAge=1\nPriorityWeightQOS=3\nPriorityWeightFairshare=9\nNodeName=n CPUs=4\nPartitionName=p Nodes=n MaxTime=60\n",
		"Cluster - 'c'\nParent - 'root'\nAccount - 'a':Fairshare=3:GrpJobs=4\nParent - 'a'\nUser - 'u':MaxJobs=2\nQOS - "+
			"'q':Priority=5:GrpTRES=cpu=4\n")
	f.Fuzz(func(t *testing.T, first, second string) {
		units := parsed(slices.DeleteFunc([]string{first, second}, func(s string) bool { return s == "" })...)
		if units == nil {
			return
		}
		for _, target := range convert.Targets[1:] {
			out, found := convert.To(target, units, lower.Options{})
			if len(out.Text)+len(out.Accounts) == 0 && len(found) == 0 {
				t.Errorf("%s: nothing is written and nothing said of %q %q", target, first, second)
			}
			for _, d := range found {
				if d.Message == "" {
					t.Errorf("%s says nothing", d.Code)
				}
			}
		}
	})
}
