package slurmconf

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/lang/source"
)

func TestLoad(t *testing.T) {
	fsys := fstest.MapFS{
		"etc/sub/a.conf":   {Data: []byte("A=1\nInclude b.conf\nA=3\n")},
		"etc/sub/b.conf":   {Data: []byte("B=1\n")},
		"etc/c1.conf":      {Data: []byte("C=1\n")},
		"etc/loop.conf":    {Data: []byte("Include loop2.conf\n")},
		"etc/loop2.conf":   {Data: []byte("L=1\nInclude loop.conf\n")},
		"opt/other.conf":   {Data: []byte("O=1\n")},
		"etc/twice.conf":   {Data: []byte("Include twice2.conf\nInclude twice2.conf\n")},
		"etc/twice2.conf":  {Data: []byte("T=1\n")},
		"etc/many0.conf":   {Data: []byte("M=1")},
		"etc/slurm.conf.d": {Data: []byte("x")},
	}
	for i := range 20 {
		fsys[fmt.Sprintf("etc/many%d.conf",
			i+1)] = &fstest.MapFile{Data: []byte(strings.Repeat(fmt.Sprintf("Include many%d.conf\n", i), 2))}
	}
	for _, c := range []struct{ name, text, lines, codes string }{
		{"nested, from the including file's folder", "Include sub/a.conf\nX=1\n",
			"etc/sub/a.conf:1 etc/sub/b.conf:1 etc/sub/a.conf:3 etc/slurm.conf:2", ""},
		{"cluster name, lower case", "ClusterName=C1\nInclude %c.conf\n", "etc/slurm.conf:1 etc/c1.conf:1", ""},
		{"cluster name too late", "Include %c.conf\nClusterName=c1\n", "etc/slurm.conf:2", "slurm-include-cluster-name@1"},
		{"absolute", "Include /opt/other.conf\n", "opt/other.conf:1", ""},
		{"above the folder", "Include ../opt/other.conf\n", "opt/other.conf:1", ""},
		{"outside", "Include ../../x.conf\n", "", "slurm-include-missing@1"},
		{"folder of another machine", "Include /srv/x.conf\n", "", "slurm-include-elsewhere@1"},
		{"absolute and missing", "Include /opt/x.conf\n", "", "slurm-include-missing@1"},
		{"cycle", "Include loop.conf\n", "etc/loop2.conf:1", "slurm-include-cycle@2"},
		{"the same file twice is no cycle", "Include twice.conf\n", "etc/twice2.conf:1 etc/twice2.conf:1", ""},
		{"wildcard", "Include *.conf\n", "", "slurm-include@1"},
		{"text behind the path", "Include c1.conf x\n", "etc/c1.conf:1", "slurm-include@1"},
		{"comment behind the path", "Include c1.conf # x\n", "etc/c1.conf:1", ""},
		{"any case, continued", "INCLUDE \\\n c1.conf\n", "etc/c1.conf:1", ""},
	} {
		lines, ds := Load(fsys, "etc/slurm.conf", source.NewFile("etc/slurm.conf", []byte(c.text)))
		var places []string
		for _, l := range lines {
			if len(l.Pairs) > 0 {
				p := l.Pairs[0].Key.Span
				places = append(places, fmt.Sprintf("%s:%d", p.File.Name, p.Position().Line))
			}
		}
		if got := strings.Join(places, " "); got != c.lines {
			t.Errorf("%s: lines %s, want %s", c.name, got, c.lines)
		}
		if got := strings.Join(codes(ds), " "); got != c.codes {
			t.Errorf("%s: %s, want %s", c.name, got, c.codes)
		}
	}
	_, ds := Load(fsys, "etc/slurm.conf", source.NewFile("/srv/etc/slurm.conf", []byte("Include loop.conf\n")))
	if want := "by way of /srv/etc/loop.conf → /srv/etc/loop2.conf → /srv/etc/loop.conf"; len(ds) != 1 ||
		ds[0].Message != "/srv/etc/loop.conf includes itself" || ds[0].Notes[0].Text != want {
		t.Errorf("a cycle is told as %v", ds[0])
	}
	_, ds = Load(fsys, "home/me/slurm.conf", source.NewFile("slurm.conf", []byte("Include /opt/x.conf\n")))
	if got := strings.Join(codes(ds), " "); got != "slurm-include-elsewhere@1" {
		t.Errorf("of a copy: %s", got)
	}
	lines, ds := Load(fsys, "etc/slurm.conf", source.NewFile("/srv/etc/slurm.conf", []byte("Include many20.conf\n")))
	if len(lines) > 3*maxIncludes || len(ds) != 1 || ds[0].Code != "slurm-include-cycle" ||
		!strings.HasPrefix(ds[0].Span.File.Name, "/srv/etc/many") {
		t.Errorf("%d lines, %v", len(lines), codes(ds))
	}
	_, ds = Load(fsys, "srv/etc/slurm.conf", source.NewFile("/srv/etc/slurm.conf", []byte("Include x.conf\n")))
	if len(ds) != 1 || !strings.HasPrefix(ds[0].Notes[0].Text, "looked for /srv/etc/x.conf;") {
		t.Errorf("a missing file is not called as the main one is: %v", codes(ds))
	}
	_, ds = Load(nil, "slurm.conf", source.NewFile("slurm.conf", []byte("Include x.conf\n")))
	if got := strings.Join(codes(ds), " "); got != "slurm-include-unavailable@1" {
		t.Errorf("without a folder: %s", got)
	}
	tree, _ := Parse(source.NewFile("slurm.conf", []byte(head+"Include x.conf\n")))
	if _, ds = Evaluate(tree.Lines, Options{}); strings.Join(codes(ds), " ") != "slurm-include-unavailable@3" {
		t.Errorf("without Load: %v", codes(ds))
	}
}
