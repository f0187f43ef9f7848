package editor

import (
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// TestGroups: which files make one policy with the one that is asked for. A bar is before those beside.
func TestGroups(t *testing.T) {
	const conf = "ClusterName=c\nSlurmctldHost=h\nInclude parts.conf\nPartitionName=p Nodes=n1\n"
	texts := map[string]string{
		"slurm.conf": conf, "parts.conf": "NodeName=n1\n", "assoc.cfg": "Cluster - 'c'\nParent - 'root'\nAccount - 'a'\n",
		"old.cfg":       "Cluster - 'c'\nParent - 'root'\nAccount - 'b'\n",
		"a.fairway.hcl": "policy \"a\" {\n}\n", "b.fairway.hcl": "policy \"b\" {\n}\n",
		"a2.fairway.hcl": "policy \"a\" {\n}\n",
		"fairway.hcl":    "project {\n}\n", "t.fairwaytest.hcl": "test \"x\" {\n}\n",
		"gres.conf": "Name=gpu File=/dev/nvidia0\n",
		"maui.cfg":  "SERVERHOST h\nQUEUETIMEWEIGHT 1\n", "notes.txt": "ClusterName=x\n", "other.conf": "hello there\n",
	}
	for _, c := range []struct{ have, ask, want string }{
		{"slurm.conf", "slurm.conf", "slurm.conf"},
		{"slurm.conf assoc.cfg a.fairway.hcl notes.txt other.conf", "slurm.conf", "slurm.conf a.fairway.hcl assoc.cfg"},
		{"slurm.conf assoc.cfg a.fairway.hcl", "assoc.cfg", "slurm.conf a.fairway.hcl assoc.cfg"},
		{"slurm.conf assoc.cfg", "parts.conf", "slurm.conf assoc.cfg"},
		{"assoc.cfg", "parts.conf", "parts.conf"},
		{"slurm.conf assoc.cfg old.cfg", "slurm.conf", "slurm.conf"},
		{"slurm.conf assoc.cfg old.cfg", "old.cfg", "slurm.conf old.cfg"},
		{"slurm.conf a.fairway.hcl b.fairway.hcl", "slurm.conf", "slurm.conf"},
		{"slurm.conf a.fairway.hcl b.fairway.hcl", "b.fairway.hcl", "slurm.conf b.fairway.hcl"},
		{"a.fairway.hcl b.fairway.hcl a2.fairway.hcl", "a.fairway.hcl", "a.fairway.hcl a2.fairway.hcl"},
		{"slurm.conf gres.conf", "slurm.conf", "slurm.conf | gres.conf"},
		{"slurm.conf gres.conf", "gres.conf", "slurm.conf | gres.conf"},
		{"gres.conf", "gres.conf", "| gres.conf"},
		{"slurm.conf fairway.hcl t.fairwaytest.hcl", "slurm.conf", "slurm.conf"},
		{"slurm.conf fairway.hcl", "fairway.hcl", "fairway.hcl"},
		{"slurm.conf t.fairwaytest.hcl", "t.fairwaytest.hcl", "| t.fairwaytest.hcl"},
		{"maui.cfg slurm.conf assoc.cfg", "maui.cfg", "maui.cfg"},
		{"maui.cfg a.fairway.hcl", "maui.cfg", "maui.cfg a.fairway.hcl"},
	} {
		disk := fstest.MapFS{"etc/x/parts.conf": {Data: []byte(texts["parts.conf"])}}
		for _, name := range strings.Fields(c.have) {
			disk["etc/x/"+name] = &fstest.MapFile{Data: []byte(texts[name])}
		}
		w := NewWorkspace(disk)
		g := w.Group(w.Document("/etc/x/" + c.ask))
		var got []string
		for _, d := range g.Files {
			got = append(got, path.Base(d.Path))
		}
		if len(g.Beside)+len(g.Tests) > 0 {
			got = append(got, "|")
		}
		for _, d := range append(g.Beside, g.Tests...) {
			got = append(got, path.Base(d.Path))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s beside %s: %q, not %q", c.ask, c.have, text, c.want)
		}
	}
}
