package slurmfiles

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// read checks a file beside a slurm.conf, both by name.
func read(t testing.TB, files map[string]string) (found diag.List) {
	t.Helper()
	var main *slurmconf.Config
	if text, ok := files["slurm.conf"]; ok {
		lines, diags := slurmconf.Load(nil, "slurm.conf", source.NewFile("slurm.conf", []byte(text)))
		if diags.HasErrors() {
			t.Fatal(diags[0].Message)
		}
		main, _ = slurmconf.Evaluate(lines, slurmconf.Options{})
	}
	for name, text := range files {
		if name != "slurm.conf" {
			f := source.NewFile(name, []byte(text))
			found = append(found, Check(f, Of(f), main)...)
		}
	}
	return found
}

// TestPages: the examples of the pages.
func TestPages(t *testing.T) {
	runs := 0
	for _, p := range pages.In("beside") {
		for _, c := range p.Cases() {
			files := map[string]string{}
			for _, f := range c.Files {
				files[f.Name] = f.Text
			}
			runs++
			list := read(t, files)
			at := slices.IndexFunc(list, func(d *diag.Diagnostic) bool { return d.Code == p.Code })
			if (at >= 0) != (c.Kind != "quiet") {
				t.Errorf("%s of %s: %v", c.Kind, p.Code, list)
			} else if at >= 0 && list[at].Severity != p.Severity {
				t.Errorf("%s is %s", p.Code, list[at].Severity)
			}
			if c.Kind == "quiet" && len(list) > 0 {
				t.Errorf("%s is not quiet: %s %s", p.Code, list[0].Code, list[0].Message)
			}
		}
	}
	if runs < 15 {
		t.Errorf("only %d examples", runs)
	}
}

// TestRecognise: what a text is, by its content.
func TestRecognise(t *testing.T) {
	for text, want := range map[string]Kind{
		"":                   "",
		"# nothing\n":        "",
		"AutoDetect=nvml\n":  Gres,
		"Name=gpu Count=2\n": Gres,
		"NodeName=n1 Name=gpu File=/dev/nvidia0\nNodeName=n2 Name=gpu File=/dev/nvidia0\n": Gres,
		"SwitchName=s Nodes=n[1-4]\n":               Topology,
		"BlockName=b Nodes=n[1-4]\nBlockSizes=4\n":  Topology,
		"CgroupAutomount=yes\nConstrainCores=yes\n": Cgroup,
		"AuthType=auth/munge\nDbdHost=h\nStorageType=accounting_storage/mysql\nStorageUser=u\nStorageLoc=l\nLogFile=/x\n": Dbd,
		"ClusterName=c\nSlurmctldHost=h\nNodeName=n1 CPUs=4 Gres=gpu:1\nPartitionName=a Nodes=n1\n":                       "",
		"ClusterName=c\nSlurmctldHost=h\nConstrainCores=yes\nNodeName=n1\n":                                               "",
		"NodeName=n1 CPUs=4\n":       "",
		"PartitionName=a Nodes=n1\n": "",
		"Configuration data as of 2026-01-01T00:00:00\nAccountingStorageBackupHost = (null)\n":  Output,
		"PriorityType            = priority/multifactor\nPriorityWeightTRES      = (null)\n":    Output,
		"NodeName=n1 Arch=x86_64 CoresPerSocket=8\n   CPUAlloc=0 CPUEfctv=16\n":                 Output,
		"PartitionName=a\n   AllowGroups=ALL AllowAccounts=ALL\n   AllocNodes=ALL Default=NO\n": Output,
		"JobId=7 JobName=x\n   UserId=a(1)\n":                                                   Output,
	} {
		if got := Recognise([]byte(text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestCounts: what is not certain is not reported.
func TestCounts(t *testing.T) {
	const head = "ClusterName=c\nSlurmctldHost=h\nGresTypes=gpu\nPartitionName=a Nodes=ALL\nNodeName=n[1-2] CPUs=4 " +
		"Gres=gpu:"
	for _, c := range []struct {
		has, gres string
		found     bool
	}{
		{"4", "Name=gpu File=/dev/nvidia[0-3]", false}, {"4", "Name=gpu File=/dev/nvidia[0-2]", true},
		{"4", "Name=gpu Count=5", false}, {"4", "Name=gpu Count=1K", false},
		{"4", "AutoDetect=nvml\nName=gpu Count=1", false},
		{"a100:4", "Name=gpu File=/dev/nvidia[0-2]", false}, {"a100:4", "Name=gpu Type=v100 Count=4", true},
		{"a100:4", "Name=gpu Type=A100 Count=4", false},
		{"a100:2,gpu:v100:2", "Name=gpu Type=v100 Count=2\nName=gpu Type=a100 Count=1", true},
		{"4", "NodeName=n1 AutoDetect=nvml\nNodeName=n1 Name=gpu Count=1", false},
		{"4", "AutoDetect=off\nName=gpu Count=1", true},
		{"4", "NodeName=n1 Name=gpu Count=4", false}, {"4", "Name=gpu MultipleFiles=/dev/a,/dev/b", false},
	} {
		list := read(t, map[string]string{"slurm.conf": head + c.has + "\n", "gres.conf": c.gres + "\n"})
		if got := slices.ContainsFunc(list,
			func(d *diag.Diagnostic) bool { return d.Code == "beside-gres-count" }); got != c.found {
			t.Errorf("%s with %s: %v", c.has, strings.ReplaceAll(c.gres, "\n", "; "), got)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("Name=gpu File=/dev/nvidia[0-3]\n")
	f.Add("SwitchName=s Nodes=n[1-2] Switches=t\n")
	lines, _ := slurmconf.Load(nil, "slurm.conf",
		source.NewFile("slurm.conf", []byte("ClusterName=c\nGresTypes=gpu\nNodeName=n[1-4] Gres=gpu:4\n")))
	main, _ := slurmconf.Evaluate(lines, slurmconf.Options{Version: "24.05"})
	f.Fuzz(func(t *testing.T, text string) {
		kind := Recognise([]byte(text))
		for _, k := range []Kind{kind, Gres, Topology, Cgroup, Dbd} {
			file := source.NewFile("f", []byte(text))
			for _, d := range append(Check(file, k, main), Check(file, k, nil)...) {
				if int(d.Span.End) > len(text) {
					t.Errorf("%s points behind the end", d.Code)
				}
			}
		}
	})
}
