package slurmconf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

const head = "ClusterName=C1\nSlurmctldHost=h\n"

// TestFindings: what a text makes us say, as sorted code@line; the head takes
// lines 1 and 2.
func TestFindings(t *testing.T) {
	for _, c := range []struct{ name, version, text, want string }{
		{"clean", "", "PriorityWeightQOS=5\n", ""},
		{"two required keys", "", "\nClusterName=\n", "slurm-missing-value@4"},
		{"old controller key is enough", "17.11", "ControlMachine=h\n", ""},
		{"deprecated only where the new key exists", "", "ControlMachine=h\n", "slurm-deprecated-key@3"},
		{"key newer than the version", "23.02", "NodeName=n1\nPartitionName=a Nodes=n1 ExclusiveTopo=YES\n", "slurm-newer-key@4"},
		{"removed key in an old version", "20.02", "CacheGroups=1\n", ""},
		{"removed record", "", "FrontendName=f1\n", "slurm-removed-key@3"},
		{"defunct since", "23.02", "GetEnvTimeout=5\n", ""},
		{"FastSchedule 1 is only logged", "", "FastSchedule=1\n", "slurm-defunct-key@3"},
		{"a fatal switch that is off", "", "AccountingStoreJobComment=NO\n", "slurm-defunct-key@3"},
		{"only slurmdbd", "", "AccountingStorageType=accounting_storage/mysql\n", "slurm-fatal-setting@3"},
		{"max_job_bf with backfill", "", "SchedulerParameters=max_job_bf=50\n", "slurm-fatal-setting@3"},
		{"max_job_bf with builtin", "", "SchedulerParameters=max_job_bf=50\nSchedulerType=sched/builtin\n", ""},
		{"hooks accumulate since 24.05", "24.05", "Prolog=/a\nProlog=/b\n", ""},
		{"hooks did not before", "23.11", "Prolog=/a\nProlog=/b\n", "slurm-duplicate-key@4"},
		{"duplicate in a record", "", "NodeName=n1 CPUs=1 CPUs=2\n", "slurm-duplicate-key@3"},
		{"partition twice in an old version", "19.05", "PartitionName=a\nPartitionName=a\n", "slurm-duplicate-partition@4"},
		{"key of a record on a line of its own", "", "MaxTime=60\n", "slurm-unknown-key@3"},
		{"global key in a record", "", "NodeName=n1 PriorityWeightAge=1\n", "slurm-unknown-key@3"},
		{"SlurmctldHost takes no pairs", "", "SlurmctldHost=b Port=5\n", "slurm-unknown-key@3"},
		{"empty quotes are no swallowed value", "", "NodeName=n1 Features=\"\" Weight=5\n", ""},
		{"blank after the sign is fine", "", "SchedulerParameters= bf_window=10\n", ""},
		{"indented include", "", " Include x\n", "slurm-indented-include@3"},
		{"include with equals sign", "", "Include=x\n", "slurm-include@3"},
		{"semicolon", "", "; NodeName=n1\n", "slurm-syntax@3"},
		{"lower bound of a period", "", "PriorityCalcPeriod=0\n", "slurm-value@3"},
		{"negative number", "", "PriorityWeightAge=-1\n", "slurm-value@3"},
		{"too large", "", "FairShareDampeningFactor=65536\n", "slurm-value@3"},
		{"k only from 32 bits on", "", "FairShareDampeningFactor=1k\n", "slurm-value@3"},
		{"preempt mode of a partition", "", "PartitionName=a PreemptMode=GANG\n", "slurm-value@3"},
		{"shared by one", "", "PartitionName=a OverSubscribe=YES:1\n", "slurm-value@3"},
		{"reset period", "", "PriorityUsageResetPeriod=hourly\n", "slurm-value@3"},
		{"NodeName ALL", "", "NodeName=ALL\n", "slurm-value@3"},
		{"one address for many nodes", "", "NodeName=n[1-4] NodeAddr=x\n", ""},
		{"CPUs equal to the sockets", "22.05", "NodeName=n1 CPUs=2 Sockets=2 CoresPerSocket=4\n", "slurm-node-cpus@3"},
		{"CPUs equal to the cores", "22.05", "NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2\n", ""},
		{"tracked TRES without a database", "", "AccountingStorageTRES=cpu,fs/disk,gres/gpu\n", "slurm-fatal-setting@3"},
		{"tracked TRES of no kind", "", "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageTRES=gpu,gres:gpu,license/a,Mem\n", "slurm-fatal-setting@4 slurm-fatal-setting@4"},
		{"selection misspelt", "", "SelectTypeParameters=CR_Core_Mem\n", "slurm-refused-word@3"},
		{"selection of two kinds", "", "SelectTypeParameters=CR_Core,CR_LLN,cr_cpu\n", "slurm-fatal-setting@3"},
		{"selection of a newer version", "22.05", "SelectTypeParameters=CR_Core,LL_SHARED_GRES\n", "slurm-refused-word@3"},
		{"selection of an older version", "24.05", "SelectTypeParameters=CR_Core,other_cons_tres\n", "slurm-refused-word@3"},
		{"selection in order", "22.05", "SelectTypeParameters=cr_core_memory,CR_Pack_Nodes,OTHER_CONS_TRES,CR_ONE_TASK_PER_CORE\n", ""},
		{"cores of whole nodes", "", "SelectType=select/linear\nSelectTypeParameters=CR_Core\n", "slurm-fatal-setting@4"},
		{"memory of whole nodes", "", "SelectType=select/linear\nSelectTypeParameters=CR_Memory\n", ""},
		{"a core for each task of processors", "", "SelectTypeParameters=CR_CPU_Memory,CR_ONE_TASK_PER_CORE\n", "slurm-fatal-setting@3"},
		{"debug flag misspelt", "", "DebugFlags=Backfil,Priority\n", "slurm-refused-word@3"},
		{"debug flags in order", "22.05", "DebugFlags=backfill,DB_Assoc,ExtSensors,NO_CONF_HASH\n", ""},
		{"level of the log misspelt", "", "SlurmctldDebug=verbos\nSlurmdDebug=debug6\n", "slurm-refused-word@3 slurm-refused-word@4"},
		{"levels of the log", "", "SlurmctldDebug=3\nSlurmdDebug=DEBUG2\n", ""},
		{"prolog flag misspelt", "", "PrologFlags=Contian\n", "slurm-refused-word@3"},
		{"prolog flags", "", "PrologFlags=Alloc,x11\n", ""},
		{"limits to propagate in small letters", "", "PropagateResourceLimits=memlock\n", "slurm-refused-word@3"},
		{"limits to propagate", "", "PropagateResourceLimitsExcept=\"MEMLOCK RLIMIT_CORE\"\n", ""},
		{"binding misspelt", "", "TaskPluginParam=autobin=threads\n", "slurm-refused-word@3"},
		{"binding twice", "", "TaskPluginParam=Cores,Threads\n", "slurm-fatal-setting@3"},
		{"binding", "", "TaskPluginParam=Cores,Verbose,autobind=Threads\n", ""},
		{"binding of an old version", "20.11", "TaskPluginParam=Sched\n", ""},
		{"plugins misspelt", "", "AuthType=auth/mung\nJobAcctGatherType=jobacct_gather/cgroups\nTopologyPlugin=topology/fat_tree\nSwitchType=switch/ib\n", "slurm-plugin@3 slurm-plugin@4 slurm-plugin@5 slurm-plugin@6"},
		{"submit plugin misspelt", "", "JobSubmitPlugins=lua,job_submit/throtle\n", "slurm-plugin@3"},
		{"submit plugin of the site", "", "JobSubmitPlugins=lua,checks,require_timelimit\n", ""},
		{"job ids that end before they begin", "", "FirstJobId=1000\nMaxJobId=999\n", "slurm-fatal-setting@4"},
		{"job ids", "", "FirstJobId=1000\nMaxJobId=5000\n", ""},
		{"room for no jobs", "", "MaxJobCount=0\n", "slurm-fatal-setting@3"},
		{"ports backwards", "", "SlurmctldPort=6817-6810\n", "slurm-fatal-setting@3"},
		{"down nodes that are none", "", "NodeName=n1\nPartitionName=a Nodes=n1\nDownNodes=n2\n", "slurm-unknown-node@5"},
		{"a bad count of jobs", "", "NodeName=n1\nPartitionName=a Nodes=n1 OverSubscribe=FORCE:0\n", "slurm-value@4"},
		{"ports", "", "SlurmctldPort=6817-6820\n", ""},
		{"tracked TRES", "", "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageTRES=gres/gpu\nPriorityWeightTRES=CPU=1,GRES/gpu=2,gres/gpumem=1\n", ""},
		{"DEFAULT between records", "", "PartitionName=a\nPartitionName=DEFAULT MaxTime=5\nPartitionName=b\n", ""},
		{"Allow beats Deny", "", "PartitionName=a AllowQos=x DenyQos=y\n", "slurm-overruled@3"},
		{"a comment ends a continued line", "", "PriorityFlags=INCR_ONLY,\\\nMAX_TRES # c \\\nPriorityWeightQOS=1\n", "slurm-comment-ends-line@4"},
		{"a comment line ends a continued line", "", "NodeName=n1 \\\n# c\n CPUs=4\n", "slurm-comment-ends-line@4 slurm-unknown-key@5"},
		{"a comment line at the end does no harm", "", "NodeName=n1 \\\n# c\nPriorityWeightQOS=1\n", ""},
		{"quote in the middle", "", "NodeName=n1 Reason=a\"b\"\n", "slurm-quote@3"},
		{"template", "", "PriorityWeightAge={{ x }}\nFoo\n", "slurm-template@3"},
		{"version that never was", "21.09", "", "slurm-unknown-version@0"},
	} {
		text := head + c.text
		if strings.Contains(c.text, "ControlMachine") {
			text = "ClusterName=c\n\n" + c.text
		}
		_, ds := evaluateText(t, text, Options{Version: c.version})
		if got := strings.Join(codes(ds), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestPartitions(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"defaults", "PartitionName=a\n", "a UP 1/1 max inf def - share NO:1 nodes 0"},
		{"DEFAULT lines add up", "PartitionName=DEFAULT MaxTime=60 State=DOWN\nPartitionName=DEFAULT State=DRAINx\nPartitionName=a\n", "a DRAIN 1/1 max 60 def - share NO:1 nodes 0"},
		{"own values win", "PartitionName=DEFAULT MaxTime=60 DefaultTime=5\nPartitionName=a MaxTime=1-0\n", "a UP 1/1 max 1440 def 5 share NO:1 nodes 0"},
		{"Priority overwrites", "PartitionName=DEFAULT Priority=7\nPartitionName=a PriorityJobFactor=3 PriorityTier=2\n", "a UP 7/7 max inf def - share NO:1 nodes 0"},
		{"seconds round up", "PartitionName=a MaxTime=1:30:01\n", "a UP 1/1 max 91 def - share NO:1 nodes 0"},
		{"OverSubscribe of DEFAULT beats Shared of the line", "PartitionName=DEFAULT OverSubscribe=FORCE:2\nPartitionName=a Shared=EXCLUSIVE\n", "a UP 1/1 max inf def - share FORCE:2 nodes 0"},
		{"Shared alone", "PartitionName=a Shared=YES\n", "a UP 1/1 max inf def - share YES:4 nodes 0"},
		{"ALL", "NodeName=n[1-3] CPUs=4 RealMemory=1000 Gres=gpu:a:2\nLicenses=x:3,y\nPartitionName=a Nodes=ALL\n",
			"a UP 1/1 max inf def - share NO:1 nodes 3 [{cpu 12} {mem 3000} {node 3} {billing 12} {gres/gpu 6} {gres/gpu:a 6} {license/x 3} {license/y 1}]"},
		{"node sets and blanks", "NodeName=n[1-4] Feature=f\nNodeName=m CPUs=3\nNodeSet=s Feature=F Nodes=n1\nPartitionName=a Nodes=\"s m\"\n", "a UP 1/1 max inf def - share NO:1 nodes 5 [{cpu 7}"},
		{"billing is the sum", "NodeName=n[1-2] CPUs=10 RealMemory=10240\nPartitionName=a Nodes=ALL TRESBillingWeights=CPU=1.5,Mem=0.25G\n", "[{cpu 20} {mem 20480} {node 2} {billing 35}]"},
		{"billing is the largest", "PriorityFlags=MAX_TRESS\nNodeName=n[1-2] CPUs=10 RealMemory=10240\nPartitionName=a Nodes=ALL TRESBillingWeights=CPU=1.5,Mem=0.25G\n", "{billing 30}"},
	} {
		cfg, ds := evaluateText(t, head+c.text, Options{})
		if ds.HasErrors() {
			t.Errorf("%s: %v", c.name, codes(ds))
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
		got := fmt.Sprintf("%s %s %d/%d max %s def %s share %s:%d nodes %d %v", p.Name, p.State, p.PriorityJobFactor.Number, p.PriorityTier.Number,
			text(p.MaxTimeMinutes, "?"), text(p.DefaultTimeMinutes, "-"), p.OverSubscribe, p.MaxShare, p.TotalNodes, p.TRES)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
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

func TestNodes(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"nothing said", "NodeName=n1", "1 cpus 1x1x1x1 1MB weight 1 UNKNOWN"},
		{"product", "NodeName=n1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", "32 cpus 1x2x8x2 1MB weight 1 UNKNOWN"},
		{"boards", "NodeName=n1 Boards=2 SocketsPerBoard=2 CoresPerSocket=4", "16 cpus 2x4x4x1 1MB weight 1 UNKNOWN"},
		{"sockets from CPUs", "NodeName=n1 CPUs=32 CoresPerSocket=8 ThreadsPerCore=2", "32 cpus 1x2x8x2 1MB weight 1 UNKNOWN"},
		{"cores are enough", "NodeName=n1 CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", "16 cpus 1x2x8x2 1MB weight 1 UNKNOWN"},
		{"misfit is reset", "NodeName=n1 CPUs=5 Sockets=2 CoresPerSocket=8", "16 cpus 1x2x8x1 1MB weight 1 UNKNOWN"},
		{"DEFAULT CPUs beat Procs", "NodeName=DEFAULT CPUs=4\nNodeName=n1 Procs=8", "4 cpus 1x4x1x1 1MB weight 1 UNKNOWN"},
		{"the rest", "NodeName=n1 RealMemory=2k Weight=INFINITE State=drain Gres=gpu:2,gpu:a100:no_consume:1K(S:0,1),bw:x:2", "1 cpus 1x1x1x1 2048MB weight 4294967294 DRAIN [{gpu  2 false} {gpu a100 1024 true} {bw x 2 false}]"},
	} {
		cfg, _ := evaluateText(t, head+c.line+"\n", Options{})
		n := cfg.Nodes[0]
		got := fmt.Sprintf("%d cpus %dx%dx%dx%d %dMB weight %d %s %v", n.CPUs, n.Boards, n.Sockets, n.CoresPerSocket, n.ThreadsPerCore, n.RealMemoryMB, n.Weight, n.State, n.Gres)
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
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
	if _, ds = evaluateText(t, text, Options{}); !slices.ContainsFunc(ds, func(d *diag.Diagnostic) bool { return d.Code == "slurm-hostlist" }) {
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

// TestMemoryPerNodeWins: a value per node makes that per processor ineffective, also where both are of the whole cluster.
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

// TestTwoDefaults: the later of two default partitions is where the finding stands.
func TestTwoDefaults(t *testing.T) {
	lines, _ := Load(nil, "slurm.conf", source.NewFile("slurm.conf", []byte(head+"PartitionName=a Default=YES\nPartitionName=b Default=YES\n")))
	_, ds := Evaluate(lines, Options{})
	if got := strings.Join(codes(ds), " "); got != "slurm-two-defaults@4" {
		t.Error(got)
	}
}

// TestSomePartition: a file without any is told, unless what is missing may stand where nobody looked.
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
	}{{"ControlMachine=h\n", 1}, {"ControlMachine=h\nControlAddr=10.0.0.1\n", 0}, {"BackupController=b\nControlMachine=h\nBackupAddr=b2\n", 0}} {
		lines, _ := Load(nil, "slurm.conf", source.NewFile("slurm.conf", []byte("ClusterName=c\n"+c.text+"PartitionName=p Nodes=ALL\n")))
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

// TestPassedOver: what slurmctld logs and passes over is a warning.
func TestPassedOver(t *testing.T) {
	for _, text := range []string{"NodeName=n1\nPartitionName=a Nodes=n1\nDownNodes=n2\n", "NodeName=n1\nPartitionName=a Nodes=n1 OverSubscribe=FORCE:0\n", "NodeName=n1\nPartitionName=a Nodes=n1 OverSubscribe=YES:1\n"} {
		if _, ds := evaluateText(t, head+text, Options{}); len(ds) != 1 || ds[0].Severity != diag.Warning {
			t.Errorf("%s: %v", text, ds)
		}
	}
	for _, text := range []string{"NodeName=n1\nPartitionName=a Nodes=n2\n", "NodeName=n1\nPartitionName=a Nodes=n1 OverSubscribe=NO:3\n"} {
		if _, ds := evaluateText(t, head+text, Options{}); len(ds) != 1 || ds[0].Severity != diag.Error {
			t.Errorf("%s: %v", text, ds)
		}
	}
}
