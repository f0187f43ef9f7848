package mauicfg

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/source"
)

func corpus(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{"maui", "moab"} {
		found, err := filepath.Glob(filepath.Join(beside.Folder(t, "corpus"), dir, "*"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no files: %v", err)
		}
		files = append(files, found...)
	}
	return files
}

// TestCorpus reads what sites run: the text comes back byte for byte, and the
// findings are those of the golden.
func TestCorpus(t *testing.T) {
	var got strings.Builder
	for _, path := range corpus(t) {
		text := readFile(t, path)
		file, diags := Parse(source.NewFile(filepath.Base(path), text))
		if !bytes.Equal(file.Print(), text) {
			t.Errorf("%s does not print back", path)
		}
		_, more := Evaluate(file, Options{})
		fmt.Fprintf(&got, "%s\n", filepath.Base(path))
		all := append(diags, more...)
		all.Sort()
		for _, d := range all {
			fmt.Fprintf(&got, "  %s %s@%d\n", d.Severity, d.Code, d.Span.Position().Line)
		}
		if n := Sniff(text); n < 60 {
			t.Errorf("%s looks like maui.cfg by %d%% only", path, n)
		}
		checkFormat(t, text)
	}
	const golden = "testdata/corpus.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(readFile(t, golden)), got.String()); diff != "" {
		t.Error(diff)
	}
}

// meaning ignores places in files.
var meaning = cmp.Options{cmpopts.IgnoreTypes(source.Span{}), cmpopts.EquateEmpty()}

// checkFormat proves that Format keeps the meaning and is its own fixed point.
func checkFormat(t *testing.T, text []byte) {
	t.Helper()
	file, _ := Parse(source.NewFile("a", text))
	first := Format(file)
	again, _ := Parse(source.NewFile("a", first))
	if second := Format(again); !bytes.Equal(first, second) {
		t.Errorf("formatting twice differs:\n%s", cmp.Diff(string(first), string(second)))
	}
	before, _ := Evaluate(file, Options{})
	after, _ := Evaluate(again, Options{})
	if diff := cmp.Diff(before, after, meaning); diff != "" {
		t.Errorf("formatting changes the meaning of %q:\n%s", text, diff)
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"FSDEPTH=7\nA 1 # x\n", "FSDEPTH               7\nA                     1  # x\n"},
		{"\n\nFSDEPTH 7  8\r\n\n\n# c  \n", "FSDEPTH               7 8\n\n# c\n"},
		{"  FSDEPTH 7\n", "  FSDEPTH 7\n"},
		{"  USERCFG[x]   MAXJOB=4   PRIORITY=1\n", "USERCFG[x]            MAXJOB=4 PRIORITY=1\n"},
		{"USERCFG[x]=MAXJOB=4\n", "USERCFG[x]=MAXJOB=4\n"},
		{"NODECFG[x]  PRIORITYF='A +  B'\n", "NODECFG[x]  PRIORITYF='A +  B'\n"},
		{"FSDEPTH \\\n 7", "FSDEPTH \\\n 7\n"},
		{"SYSTEMMAXPROCSECONDPERJOB 1\nFSDEPTH 7\n", "SYSTEMMAXPROCSECONDPERJOB  1\nFSDEPTH                    7\n"},
		{"", ""},
	} {
		file, _ := Parse(source.NewFile("a", []byte(c.in)))
		if got := string(Format(file)); got != c.want {
			t.Errorf("Format(%q) = %q, want %q", c.in, got, c.want)
		}
		checkFormat(t, []byte(c.in))
	}
}

func TestTemplate(t *testing.T) {
	for text, want := range map[string]string{
		"SERVERHOST {{ host }}\n": "{{ host }}", "# {{ managed }}\n": "{{ managed }}", "{% if x %}\n": "{% if x %}",
		"SERVERHOST @HOST@\n": "@HOST@", "# mail a@HOST@b\n": "", "LOGDIR ${HOME}/log\n": "${HOME}", "# use ${HOME}\n": "",
		"SERVERHOST <%= @host %>\n": "<%= @host %>", "USERCFG[a@b] QDEF=x\n": "", "A {\nB }\n": "",
	} {
		at, kind := template([]byte(text))
		got := ""
		if kind != "" {
			got = text[at[0]:at[1]]
		}
		if got != want {
			t.Errorf("template(%q) marks %q, want %q", text, got, want)
		}
		if _, diags := evaluateText(text, Options{}); want != "" && len(diags) != 1 {
			t.Errorf("%q: %d findings, want the one that it is a template", text, len(diags))
		}
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string][2]int{
		"": {0, 0}, "# nothing\n": {0, 0}, "RMPOLLINTERVAL 60\nFSDEPTH 7\n": {90, 100},
		"USERCFG[a] X=1\nfoo bar\n": {60, 100},
		"ClusterName=a\nSlurmctldHost=b\nNodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL\n": {0, 0},
		"policy \"a\" {\n  use = \"maui\"\n  params = {\n    FSDEPTH = 10\n  }\n}\n":          {0, 30},
		"Cluster - 'x'\nParent - 'root'\n":                                                    {0, 0},
		"MailProg=/bin/mail\nLogFile=x\n":                                                     {0, 20},
	} {
		if got := Sniff([]byte(text)); got < want[0] || got > want[1] {
			t.Errorf("Sniff(%q) = %d, want %v", text, got, want)
		}
	}
	for _, dir := range []string{"slurm", "sacctmgr"} {
		files, _ := filepath.Glob(filepath.Join(beside.Folder(t, "corpus"), dir, "*"))
		for _, path := range files {
			if text, err := os.ReadFile(path); err == nil && Sniff(text) > 10 {
				t.Errorf("%s looks like maui.cfg by %d%%", path, Sniff(text))
			}
		}
	}
}
