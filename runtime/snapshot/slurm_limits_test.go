package snapshot

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
)

// TestSlurmLimits: the same limits in the words of four commands.
func TestSlurmLimits(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"sacctmgr show qos": {`Name|Priority|GraceTime|Flags|UsageThres|UsageFactor|LimitFactor|GrpTRES|GrpTRESMins|GrpJobs|GrpSubmit|GrpWall|MaxTRES|MaxWall|MaxTRESPU|MaxJobsPU|MaxSubmitPA|MinTRES
q|5|00:00:00|DenyOnLimit|0.500000|2.000000|1.500000|cpu=4,gres/gpu=2|cpu=100|3|5|16:40:00|mem=1G|1-00:00:00|node=3|2|7|cpu=1
none|0|00:00:00|||1.000000||||||||||||
`, `qos none: []
qos q: [GrpTRES=cpu=4 GrpTRES=gres/gpu=2 GrpTRESMins=cpu=100 GrpJobs=3 GrpSubmitJobs=5 GrpWall=1000 MaxTRESPerJob=mem=1024 MaxWallDurationPerJob=1440 MaxTRESPerUser=node=3 MaxJobsPU=2 MaxSubmitJobsPA=7 MinTRESPerJob=cpu=1] 1.5 0.5`},
		"sacctmgr show assoc": {`Cluster|Account|User|Partition|Share|Priority|ParentName|GrpJobs|GrpTRES|MaxJobs|MaxTRESMins|MaxWall
c|root||||||||||
c|a||||| root|4|cpu=41|3||03:20:00
c|a|u|||||||3|cpu=9|03:20:00
`, `association a: [GrpJobs=4 GrpTRES=cpu=41 MaxJobs=3 MaxWallDurationPerJob=200]
association a/u: [MaxJobs=3 MaxTRESMinsPerJob=cpu=9 MaxWallDurationPerJob=200]
association root: []`},
		"scontrol show assoc_mgr": {`Current Association Manager state
Association Records
ClusterName=c Account=a UserName= Partition= Priority=0 ID=3 SharesRaw/Norm/Level/Factor=1/0.50/2/0.00 UsageRaw/Norm/Efctv=0.00/0.00/0.00 ParentAccount=root(1) Lft=2 DefAssoc=No GrpJobs=4(7) GrpJobsAccrue=N(4) GrpSubmitJobs=N(11) GrpWall=1000(0.00) GrpTRES=cpu=41(79),mem=N(7900) GrpTRESMins=cpu=N(0) GrpTRESRunMins=cpu=N(2740) MaxJobs= MaxJobsAccrue= MaxSubmitJobs=3(2) MaxWallPJ=200 MaxTRESPJ=cpu=16,mem=5G MaxTRESPN= MaxTRESMinsPJ= MinPrioThresh=
QOS Records
QOS=q(2) UsageRaw=0.000000 GrpJobs=N(3) GrpJobsAccrue=N(1) GrpSubmitJobs=N(4) GrpWall=N(0.00) GrpTRES=cpu=100(43) GrpTRESMins=cpu=N(0) GrpTRESRunMins=cpu=N(580) MaxWallPJ=500 MaxTRESPJ=cpu=25 MaxTRESPN= MaxTRESMinsPJ= MinPrioThresh=  MinTRESPJ= PreemptMode=OFF Priority=0 Account Limits= c={MaxJobsPA=N(2) MaxSubmitJobsPA=6(3) MaxTRESPA=cpu=N(23)} User Limits= 20004={MaxJobsPU=1(1) MaxJobsAccruePU=N(1) MaxTRESPU=cpu=7(3),mem=N(300)} u2(7)={MaxJobsPU=1(0) MaxTRESPU=cpu=7(0),mem=N(0)}
`, `association a: [GrpJobs=4 GrpWall=1000 GrpTRES=cpu=41 MaxSubmitJobs=3 MaxWallDurationPerJob=200 MaxTRESPerJob=cpu=16 MaxTRESPerJob=mem=5120]
qos q: [GrpTRES=cpu=100 MaxWallDurationPerJob=500 MaxTRESPerJob=cpu=25 MaxSubmitJobsPA=6 MaxJobsPU=1 MaxTRESPerUser=cpu=7]`},
		"JSON": {`{"meta": {}, "qos": [{"name": "study", "flags": ["OVERRIDE_PARTITION_QOS", "DenyOnLimit"], "usage_threshold": {"set": true, "number": 0.25}, "limits": {"factor": {"set": true, "infinite": false, "number": 2.0}, "max": {
  "active_jobs": {"count": {"set": true, "infinite": false, "number": 60}, "accruing": {"set": false, "infinite": true, "number": 0}},
  "jobs": {"count": {"set": true, "number": 80}, "active_jobs": {"per": {"account": {"set": false, "infinite": true}, "user": {"set": true, "number": 10}}}, "per": {"account": {"set": true, "number": 30}, "user": {"set": true, "number": 20}}},
  "tres": {"total": [{"type": "node", "name": "", "id": 4, "count": 50}], "minutes": {"total": [], "per": {"qos": [{"type": "cpu", "count": 9}], "job": [], "account": [], "user": []}}, "per": {"account": [], "job": [{"type": "gres", "name": "gpu", "count": 2}], "node": [], "user": []}},
  "wall_clock": {"per": {"qos": {"set": false, "infinite": true}, "job": {"set": true, "number": 480}}}}, "min": {"tres": {"per": {"job": [{"type": "cpu", "count": 2}]}}}}}],
 "associations": [{"account": "a", "user": "u", "max": {"jobs": {"per": {"count": {"set": true, "number": 4}, "wall_clock": {"set": true, "number": 200}}, "active": {"set": true, "number": 3}}, "tres": {"total": [{"type": "cpu", "count": 41}], "per": {"job": []}}, "per": {"account": {"wall_clock": {"set": true, "number": 1000}}}}}]}`,
			`association a/u: [GrpJobs=4 MaxWallDurationPerJob=200 MaxJobs=3 GrpTRES=cpu=41 GrpWall=1000]
qos study: [GrpJobs=60 GrpSubmitJobs=80 MaxJobsPU=10 MaxSubmitJobsPA=30 MaxSubmitJobsPU=20 GrpTRES=node=50 GrpTRESMins=cpu=9 MaxTRESPerJob=gres/gpu=2 MaxWallDurationPerJob=480 MinTRESPerJob=cpu=2] 2 0.25 [OverPartQOS DenyOnLimit]`},
	} {
		t.Run(name, func(t *testing.T) {
			s, diags, err := Read(fstest.MapFS{"file": &fstest.MapFile{Data: []byte(c.text)}}, []string{"file"},
				format.Options{})
			if err != nil || len(diags) > 0 {
				t.Fatal(err, texts(diags))
			}
			var lines []string
			for _, object := range []string{"association", "qos"} {
				table := s.Credentials[object]
				if table == nil {
					continue
				}
				for row := range table.Rows {
					value := func(column string) schema.Value { return table.Value(schema.ColumnID(object+"."+column), row) }
					line := fmt.Sprintf("%s %s: %v", object, value("name").Str, value("limits").List)
					for _, column := range []string{"limit_factor", "usage_threshold"} {
						if v := value(column); v.Known() {
							line += fmt.Sprint(" ", v.Double)
						}
					}
					if name == "JSON" && object == "qos" {
						line += fmt.Sprint(" ", value("flags").List)
					}
					lines = append(lines, line)
				}
			}
			got := map[string]bool{}
			for _, line := range lines {
				got[line] = true
			}
			for line := range strings.SplitSeq(c.want, "\n") {
				if !got[line] {
					t.Errorf("missing %s\nthere is %s", line, strings.Join(lines, "\n"))
				}
			}
			if n := strings.Count(c.want, "\n") + 1; n != len(lines) {
				t.Errorf("%d objects, want %d", len(lines), n)
			}
		})
	}
}

// TestHeldLimits: of a QOS the database's limits count before those that the controller shows, whatever
// the order of the inputs, and none is lost that only one has.
func TestHeldLimits(t *testing.T) {
	const held = `Current Association Manager state
QOS Records
QOS=both(2) UsageRaw=7.000000 GrpJobs=3(3) GrpTRES=cpu=100(43),mem=2048(5) GrpTRESMins= Priority=5 Account Limits= none User Limits= none
QOS=part(3) UsageRaw=0.000000 GrpJobs=N(0) GrpTRES=cpu=50(0),node=3(0) GrpTRESMins= Priority=0 Account Limits= none User Limits= none
QOS=held(4) UsageRaw=0.000000 GrpJobs=8(0) GrpTRES= GrpTRESMins= Priority=0 Account Limits= none User Limits= none
`
	const base = `Name|Priority|GraceTime|Flags|GrpTRES|MaxTRESPU|MaxJobsPU
both|5|00:00:00||cpu=90|node=2|4
part|5|00:00:00|Relative|cpu=10||4
base|5|00:00:00|||cpu=7|
`
	want := `both: [GrpTRES=cpu=90 MaxTRESPerUser=node=2 MaxJobsPU=4 GrpJobs=3 GrpTRES=mem=2048] 7
part: [GrpTRES=cpu=50 GrpTRES=node=3 MaxJobsPU=4] 0
held: [GrpJobs=8] 0
base: [MaxTRESPerUser=cpu=7] -
`
	files := fstest.MapFS{"dir/assoc_mgr.txt": &fstest.MapFile{Data: []byte(held)},
		"dir/qos.psv": &fstest.MapFile{Data: []byte(base)}}
	for _, paths := range [][]string{{"dir"}, {"dir/qos.psv", "dir/assoc_mgr.txt"}, {"dir/assoc_mgr.txt", "dir/qos.psv"}} {
		s, diags, err := Read(files, paths, format.Options{})
		if err != nil || len(diags) > 0 {
			t.Fatal(err, texts(diags))
		}
		table := s.Credentials["qos"]
		line := map[string]string{}
		for row := range table.Rows {
			name, usage := table.Value("qos.name", row).Str, "-"
			if v := table.Value("qos.usage_seconds", row); v.Known() {
				usage = fmt.Sprint(v.Double)
			}
			line[name] = fmt.Sprintln(name+":", table.Value("qos.limits", row).List, usage)
		}
		if got := line["both"] + line["part"] + line["held"] + line["base"]; got != want || len(line) != 4 {
			t.Errorf("%v: got\n%s", paths, got)
		}
		if table.Column(slurm.HeldLimits) != nil {
			t.Errorf("%v: the column of the controller's limits is left over", paths)
		}
	}
}

// TestBadSlurmLimits: a limit that cannot be read costs its record, with the name of the column.
func TestBadSlurmLimits(t *testing.T) {
	for _, row := range []string{"q|0|00:00:00|x||", "q|0|00:00:00||cpu=x|", "q|0|00:00:00|||1:x"} {
		text := "Name|Priority|GraceTime|GrpJobs|GrpTRES|GrpWall\n" + row + "\n"
		s, diags, err := Read(fstest.MapFS{"file": &fstest.MapFile{Data: []byte(text)}}, []string{"file"}, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(diags) != 1 || diags[0].Code != "snapshot-bad-record" || !strings.Contains(diags[0].Message, "Grp") ||
			s.Credentials["qos"] != nil && s.Credentials["qos"].Rows > 0 {
			t.Errorf("%s: %v", row, diags)
		}
	}
}

// TestPartitionLimits: what a partition refuses, from text and from JSON.
func TestPartitionLimits(t *testing.T) {
	want := "[amy bob] [low] [staff] 2 4 8 100 50 true CPU=1,Mem=0.25G"
	for name, text := range map[string]string{
		"text": "PartitionName=p\n   AllowGroups=staff AllowAccounts=amy,bob DenyQos=low\n   MaxNodes=4 MaxTime=UNLIMITED " +
			"MinNodes=2 LLN=NO MaxCPUsPerNode=8\n   DefMemPerCPU=100 MaxMemPerNode=100\n   RootOnly=NO ReqResv=YES\n   " +
			"TRESBillingWeights=CPU=1,Mem=0.25G\n" +
			"\nPartitionName=q\n   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL MaxNodes=UNLIMITED MaxMemPerCPU=50 " +
			"MaxCPUsPerNode=UNLIMITED\n",
		"json": `{"meta": {}, "partitions": [{"name": "p", "nodes": {"total": 4}, "tres": {"billing_weights": "CPU=1,Mem=0.25G", "configured": "cpu=4"}, "accounts": {"allowed": "amy,bob", "deny": ""}, "qos": {"allowed": "", "deny": "low", "assigned": ""}, "groups": {"allowed": "staff"},
 "maximums": {"nodes": {"set": true, "number": 4}, "cpus_per_node": {"set": true, "number": 8}, "partition_memory_per_node": {"set": true, "number": 100}, "partition_memory_per_cpu": {"set": false}}, "minimums": {"nodes": 2}},
 {"name": "q", "accounts": {"allowed": ""}, "maximums": {"nodes": {"set": false, "infinite": true}, "partition_memory_per_cpu": {"set": true, "number": 50}}}]}`,
	} {
		s, diags, err := Read(fstest.MapFS{"file": &fstest.MapFile{Data: []byte(text)}}, []string{"file"}, format.Options{})
		if err != nil || len(diags) > 0 {
			t.Fatal(name, err, diags)
		}
		table := s.Credentials["partition"]
		at := func(column string, row int) schema.Value {
			return table.Value(schema.ColumnID("partition."+column), row)
		}
		got := fmt.Sprint(at("accounts_allowed", 0).List, " ", at("qos_denied", 0).List, " ", at("groups_allowed", 0).List,
			" ", at("nodes_min", 0).Int, " ", at("nodes_max", 0).Int,
			" ", at("procs_per_node_max", 0).Int, " ", at("mem_per_node_max_mb", 0).Int, " ", at("mem_per_proc_max_mb", 1).Int,
			" ", name == "json" || at("needs_reservation", 0).Int == 1, " ", at("billing_weights", 0).Str)
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if at("nodes_max", 1).Known() || len(at("accounts_allowed", 1).List) > 0 {
			t.Errorf("%s: what is unlimited is a limit", name)
		}
	}
}

// TestBadWeights: a partition whose weights are none is left out, and the others are read.
func TestBadWeights(t *testing.T) {
	s, diags := readText(t, "f", `{"meta": {}, "partitions": [{"name": "p", "tres": {"billing_weights": "=1"}}, {"name": "q"}]}`)
	if got := texts(diags); len(got) != 1 ||
		got[0] != `f:1:71 snapshot-bad-record tres.billing_weights: "=1" is no name=number entry` {
		t.Error(got)
	}
	if table := s.Credentials["partition"]; table == nil || table.Rows != 1 ||
		table.Value("partition.name", 0).Str != "q" {
		t.Error(table)
	}
}
