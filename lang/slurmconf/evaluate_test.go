package slurmconf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/cases"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

const head = "ClusterName=C1\nSlurmctldHost=h\n"

// TestFindings: what a text makes us say, as sorted code@line; the head takes
// lines 1 and 2.
func TestFindings(t *testing.T) {
	cases.Run(t, "testdata/findings.txt", func(t *testing.T, c cases.Case) string {
		text := head + c.In
		if strings.Contains(c.In, "ControlMachine") {
			text = "ClusterName=c\n\n" + c.In
		}
		_, ds := evaluateText(t, text, Options{Version: cmp.Or(c.Option, Newest())})
		return strings.Join(codes(ds), "\n")
	})
}

// TestPartitions: what the first partition is afterwards.
func TestPartitions(t *testing.T) {
	cases.Run(t, "testdata/partitions.txt", func(t *testing.T, c cases.Case) string {
		cfg, ds := evaluateText(t, head+c.In, Options{})
		if ds.HasErrors() {
			t.Errorf("%s: %v", c.Name, codes(ds))
		}
		p := cfg.Partitions[0]
		text := func(v Value, unset string) string {
			if v.Infinite {
				return "inf"
			}
			if !v.IsSet() {
				return unset
			}
			return fmt.Sprint(v.Number)
		}
		return fmt.Sprintf("%s %s %d/%d max %s def %s share %s:%d nodes %d %v", p.Name, p.State,
			p.PriorityJobFactor.Number, p.PriorityTier.Number, text(p.MaxTimeMinutes, "?"), text(p.DefaultTimeMinutes, "-"),
			p.OverSubscribe, p.MaxShare, p.TotalNodes, p.TRES)
	})
}

// An inherited value points at the DEFAULT line that set it.
func TestInheritedPlace(t *testing.T) {
	cfg, _ := evaluateText(t, head+"PartitionName=DEFAULT PriorityTier=4 ExclusiveUser=YES\nPartitionName=a\n", Options{})
	p := cfg.Partitions[0]
	if !p.PriorityTier.Inherited || p.PriorityTier.Span.String() != "slurm.conf:3:36" {
		t.Errorf("PriorityTier: inherited %v, from %s", p.PriorityTier.Inherited, p.PriorityTier.Span)
	}
	if _, ok := p.Record.Get("ExclusiveUser"); ok {
		t.Error("ExclusiveUser is inherited, though it cannot be")
	}
}

// TestNodes: what the first node is afterwards.
func TestNodes(t *testing.T) {
	cases.Run(t, "testdata/nodes.txt", func(t *testing.T, c cases.Case) string {
		cfg, _ := evaluateText(t, head+c.In, Options{})
		n := cfg.Nodes[0]
		return fmt.Sprintf("%d cpus %dx%dx%dx%d %dMB weight %d %s %v", n.CPUs,
			n.Boards, n.Sockets, n.CoresPerSocket, n.ThreadsPerCore, n.RealMemoryMB, n.Weight, n.State, n.Gres)
	})
}

// A line names many nodes, and all lists together are bounded.
func TestTooManyNodes(t *testing.T) {
	big := "n[0-65535],m[0-65535],k[0-65535],l[0-65535]"
	cfg, ds := evaluateText(t, head+"NodeName="+big+"\nNodeName=x\n", Options{})
	if len(cfg.Nodes) != 262144 || !slices.Equal(codes(ds), []string{"slurm-hostlist@4"}) {
		t.Errorf("%d nodes, %v", len(cfg.Nodes), codes(ds))
	}
	text := head + "NodeName=n[0-65535]\n"
	for i := range 300 {
		text += fmt.Sprintf("PartitionName=p%d Nodes=n[0-65535]\n", i)
	}
	if _, ds = evaluateText(t, text, Options{}); !slices.ContainsFunc(ds,
		func(d *diag.Diagnostic) bool { return d.Code == "slurm-hostlist" }) {
		t.Errorf("no bound: %d findings", len(ds))
	}
}

func TestParams(t *testing.T) {
	for _, c := range []struct {
		line, key string
		number    uint64
		infinite  bool
	}{
		{"PriorityMaxAge=1:30", "PriorityMaxAge", 120, false},
		{"PriorityDecayHalfLife=7-0", "prioritydecayhalflife", 604800, false},
		{"PriorityDecayHalfLife=UNLIMITED", "PriorityDecayHalfLife", 4294967236, true},
		{"PreemptExemptTime=1:30", "PreemptExemptTime", 90, false},
		{"PriorityWeightAge=10k", "PriorityWeightAge", 10240, false},
		{"PriorityWeightAge=0x10", "PriorityWeightAge", 16, false},
		{"PriorityWeightAge=010", "PriorityWeightAge", 8, false},
		{"PriorityWeightAge=infinite", "PriorityWeightAge", 0xffffffff, true},
		{"FairShareDampeningFactor=UNLIMITED", "FairShareDampeningFactor", 65535, true},
		{"DefMemPerCPU=UNLIMITED", "DefMemPerCPU", 0xffffffffffffffff, true},
	} {
		cfg, _ := evaluateText(t, head+c.line+"\n", Options{})
		if p, ok := cfg.Param(c.key); !ok || p.Number != c.number || p.Infinite != c.infinite {
			t.Errorf("%s: %d %v", c.line, p.Number, p.Infinite)
		}
	}
	cfg, _ := evaluateText(t, head+"SlurmctldHost=b\nProlog=/a\nProlog=/b\n", Options{})
	for key, want := range map[string]int{"SlurmctldHost": 2, "Prolog": 2, "ClusterName": 1} {
		if p, _ := cfg.Param(key); len(p.All) != want {
			t.Errorf("%s: %d values, want %d", key, len(p.All), want)
		}
	}
	if cfg.ClusterName != "c1" || cfg.Text("PriorityMaxAge") != "7-0" || cfg.Version != "26.05" {
		t.Errorf("%s %s %s", cfg.ClusterName, cfg.Text("PriorityMaxAge"), cfg.Version)
	}
}

// TestMemoryPerNodeWins: a value per node makes that per processor ineffective, also where both are of the whole
// cluster.
func TestMemoryPerNodeWins(t *testing.T) {
	for text, want := range map[string]string{
		"DefMemPerCPU=100\nDefMemPerNode=200\n": "slurm-overruled@3",
		"MaxMemPerNode=200\nMaxMemPerCPU=100\n": "slurm-overruled@4",
		"DefMemPerCPU=100\nMaxMemPerNode=200\n": "",
	} {
		lines, ds := Load(nil, "slurm.conf", source.NewFile("slurm.conf", []byte(head+text+"PartitionName=p\n")))
		_, more := Evaluate(lines, Options{})
		if got := strings.Join(codes(append(ds, more...)), " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestTwoDefaults: the later of two default partitions is where the finding is.
func TestTwoDefaults(t *testing.T) {
	lines, _ := Load(nil, "slurm.conf",
		source.NewFile("slurm.conf", []byte(head+"PartitionName=a Default=YES\nPartitionName=b Default=YES\n")))
	_, ds := Evaluate(lines, Options{})
	if got := strings.Join(codes(ds), " "); got != "slurm-two-defaults@4" {
		t.Error(got)
	}
}

// TestSomePartition: a file without any is reported, unless a file that was not read may have one.
func TestSomePartition(t *testing.T) {
	for text, want := range map[string]string{
		head:                "slurm-no-partition@1",
		"NodeName=n[1-4]\n": "", // a part that another file includes
		head + "PartitionName=DEFAULT MaxTime=60\n":                "slurm-no-partition@1",
		head + "NodeName=n1\nPartitionName=p Nodes=n1\n":           "",
		head + "Include /etc/slurm/partitions.conf\n":              "slurm-include-unavailable@3",
		head + "NodeName=n1\nPartitionName=p Nodes=n1 MaxTime=x\n": "slurm-time@4",
	} {
		lines, ds := Load(nil, "slurm.conf", source.NewFile("slurm.conf", []byte(text)))
		_, more := Evaluate(lines, Options{})
		if got := strings.Join(codes(append(ds, more...)), " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestOldControllers: another name for a key is offered only where nothing else comes of it.
func TestOldControllers(t *testing.T) {
	for _, c := range []struct {
		text  string
		fixes int
	}{{"ControlMachine=h\n", 1}, {"ControlMachine=h\nControlAddr=10.0.0.1\n", 0},
		{"BackupController=b\nControlMachine=h\nBackupAddr=b2\n", 0}} {
		lines, _ := Load(nil, "slurm.conf",
			source.NewFile("slurm.conf", []byte("ClusterName=c\n"+c.text+"PartitionName=p Nodes=ALL\n")))
		_, diags := Evaluate(lines, Options{})
		fixes, old := 0, 0
		for _, d := range diags {
			if d.Code != "slurm-deprecated-key" {
				continue
			}
			if old++; d.Fix != nil {
				fixes++
			}
			if len(d.Notes) == 0 || !strings.Contains(d.Notes[0].Text, "SlurmctldHost") {
				t.Errorf("%s: %s does not say what to write", c.text, d.Message)
			}
		}
		if fixes != c.fixes || old != strings.Count(c.text, "\n") {
			t.Errorf("%s: %d of %d findings have a fix", c.text, fixes, old)
		}
	}
}

// TestPassedOver: what slurmctld logs and ignores is a warning.
func TestPassedOver(t *testing.T) {
	for _, text := range []string{"NodeName=n1\nPartitionName=a Nodes=n1\nDownNodes=n2\n",
		"NodeName=n1\nPartitionName=a Nodes=n1 OverSubscribe=FORCE:0\n",
		"NodeName=n1\nPartitionName=a Nodes=n1 OverSubscribe=YES:1\n"} {
		if _, ds := evaluateText(t, head+text, Options{}); len(ds) != 1 || ds[0].Severity != diag.Warning {
			t.Errorf("%s: %v", text, ds)
		}
	}
	for _, text := range []string{"NodeName=n1\nPartitionName=a Nodes=n2\n",
		"NodeName=n1\nPartitionName=a Nodes=n1 OverSubscribe=NO:3\n"} {
		if _, ds := evaluateText(t, head+text, Options{}); len(ds) != 1 || ds[0].Severity != diag.Error {
			t.Errorf("%s: %v", text, ds)
		}
	}
}
