package slurmconf

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/source"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"blanks", "  clustername =  a  # c  \r\n", "ClusterName=a # c\n"},
		{"empty lines", "\n\nA=1\n\n\n# x\n\n", "A=1\n\n# x\n"},
		{"record", "nodename=n1   cpus=4\tfeature = \"a b\"", "NodeName=n1 CPUs=4 Feature=\"a b\"\n"},
		{"line break", "PartitionName=a \\   \r\n\tNodes=n1 \\\nMaxTime=1\n",
			"PartitionName=a \\\n  Nodes=n1 \\\n  MaxTime=1\n"},
		{"break within value", "SchedulerParameters=a,\\\r\nb\n", "SchedulerParameters=a,\\\nb\n"},
		{"swallowed", "NodeName=n1 Features= Weight=5\n", "NodeName=n1 Features= Weight=5\n"},
		{"include", "iNCLUDE   x.conf # y\n", "Include x.conf # y\n"},
		{"refused", "  Include x\r\nfoo  bar\n", "  Include x\r\nfoo  bar\n"},
		{"escapes", "MailProg=/x\\#y\n", "MailProg=/x\\#y\n"},
		{"break at the end", "A=1 \\\n", "A=1\n"},
		{"comment within", "A=1 \\ # c\n  B=2\n", "A=1 \\ # c\n  B=2\n"},
		{"nothing", " \n\r\n", ""},
	} {
		tree, _ := Parse(source.NewFile("slurm.conf", []byte(c.in)))
		if got := string(Format(tree)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// checkFormat tests the laws: formatting twice is formatting once, and what the
// file means stays.
func checkFormat(t *testing.T, text []byte) {
	t.Helper()
	f := source.NewFile("slurm.conf", text)
	tree := parseTree(f)
	once := Format(tree)
	again := parseTree(source.NewFile("slurm.conf", once))
	if twice := Format(again); !bytes.Equal(once, twice) {
		t.Errorf("formatting %q gives %q, again %q", text, once, twice)
	}
	if a, b := meaning(tree.Lines), meaning(again.Lines); a != b {
		t.Errorf("formatting %q to %q changes\n%s\nto\n%s", text, once, a, b)
	}
}

// meaning is the evaluated configuration and the codes of its findings, without places.
func meaning(lines []*Line) string {
	cfg, ds := Evaluate(lines, Options{})
	var b strings.Builder
	for _, l := range lines {
		if l.Include != nil {
			fmt.Fprintf(&b, "include %q\n", l.Include.Path.Text)
		}
		if !l.Junk.IsZero() {
			fmt.Fprintf(&b, "junk %q\n", l.Junk.Span.Text())
		}
	}
	for _, p := range cfg.Params {
		fmt.Fprintf(&b, "%s=%q %d\n", p.Name, p.Text, len(p.All))
	}
	for _, r := range cfg.Records {
		fmt.Fprintf(&b, "%s=%q", r.Kind, r.Name.Text)
		for _, a := range r.Attrs {
			fmt.Fprintf(&b, " %s=%q %d", a.Name, a.Text, a.Number)
		}
		b.WriteByte('\n')
	}
	for _, n := range cfg.Nodes {
		fmt.Fprintln(&b, n.Name, n.CPUs, n.Gres, n.Features)
	}
	for _, p := range cfg.Partitions {
		fmt.Fprintln(&b, p.Name, p.Nodes, p.TRES, p.State, p.PriorityTier.Number)
	}
	for _, d := range ds {
		fmt.Fprintln(&b, d.Code)
	}
	return strings.ReplaceAll(b.String(), "\r", "") // line ends are formatted away
}

func TestFormatCorpus(t *testing.T) {
	fsys := beside.Files(t)
	for _, name := range corpusFiles(t, fsys) {
		t.Run(path.Base(name), func(t *testing.T) { checkFormat(t, read(t, fsys, name)) })
	}
}

func TestSniff(t *testing.T) {
	fsys := beside.Files(t)
	for _, name := range corpusFiles(t, fsys) {
		text := read(t, fsys, name)
		if got := Sniff(text); got < 50 && path.Base(name) != "nodesets.conf" { // one line, and that is wrong
			t.Errorf("%s: %d", name, got)
		}
	}
	others, err := fs.Glob(fsys, "corpus/maui/*")
	if err != nil || len(others) == 0 {
		t.Fatal(err, len(others))
	}
	more, _ := fs.Glob(fsys, "corpus/sacctmgr/*")
	for _, name := range append(others, more...) {
		if got := Sniff(read(t, fsys, name)); got > 20 {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// TestSniffHost: a file of misspelt keys is a slurm.conf all the same if it names the controller.
func TestSniffHost(t *testing.T) {
	if got := Sniff([]byte("ClusterName=c\nSlurmctldHost=h\n" + strings.Repeat("Foo=1\n", 1000))); got < 50 {
		t.Error(got)
	}
}
