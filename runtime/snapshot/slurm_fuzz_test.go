package snapshot

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// slurmSeeds has one input for each of Slurm's formats.
var slurmSeeds = []string{
	scontrolJobs,
	"JobId=1 ArrayJobId=1 ArrayTaskId=3 JobState=R NumNodes=1-2 TRES=cpu=2,mem=4G NodeList=n[1-3]\n",
	`{"jobs": [{"job_id": 1, "array_job_id": {"set": true, "number": 3}, "job_state": ["PENDING"], "time_limit": "Infinity", "shared": null, "tres_req_str": "cpu=1"}], "meta": {"Slurm": {"release": "22.05.8"}}, "last_update": 5, "errors": [1]}`,
	`{"job_id": 1, "job_state": "RUNNING", "submit_time": {"set": true, "number": 1e3}, "nodes": "a[01-3]"}`,
	`{"jobs": [{"association": {"user": "u"}, "time": {"limit": null, "submission": 3}, "state": {"current": "COMPLETED"}, "job_id": "4", "tres": {"requested": [{"type": "gres", "name": "gpu", "count": 2}]}}]}`,
	`{"nodes": [{"name": "n", "state": ["IDLE"], "cpus": 4, "gres": "gpu:2(S:0,1)", "features": "a,b"}], "meta": {}}`,
	`{"partitions": [{"name": "p", "maximums": {"time": {"infinite": true}}, "tres": {"configured": "cpu=4"}}], "sinfo": [{"partition": {"name": "q"}}]}`,
	`{"qos": [{"name": "q", "usage_factor": {"set": true, "number": 0.5}, "flags": null}]}`,
	`{"associations": [{"account": "a", "user": "u", "shares_raw": 1, "priority": {"infinite": true}}]}`,
	`{"shares": {"shares": [{"name": "u", "parent": "a", "type": ["USER"], "fairshare": {"level": {"infinite": true}}}]}}`,
	"JOBID|JOBID|USER|ST|PRIORITY|FEATURES|NODES\n6_[1-3]|6|a|PD|0.5|x|y|2K\n6_0|8|a|R|5||1\n",
	"JobID|JobIDRaw|State|NCPUS|Timelimit|ReqTRES\n1|1|CANCELLED by 3|0|1-00:00:00|cpu=2\n1.0|1.0|FAILED|1||\n",
	"NodeName=n1 CPUTot=4 Gres=gpu:a:2 OS=Linux x=1 State=IDLE*+DRAIN CfgTRES=cpu=4 Reason=a b=c\n",
	"PartitionName=p MaxTime=UNLIMITED TRES=cpu=1,mem=1G PriorityTier=2\n   QoS=N/A\n",
	"Current Association Manager state\nAssociation Records\nClusterName=c Account=a UserName=u(1) " +
		"SharesRaw/Norm/Level/Factor=1/0/0/0 Priority=0\nQOS Records\nQOS=x(1)\n Priority=3\n",
	"Name|Priority|UsageFactor|Flags\nq|1|1.5|a,b\n",
	"Account|User|Share|Priority|ParentName\nroot||1||\n a|u|parent|3|\n",
	"Account|User|Partition|RawShares|RawUsage|FairShare|LevelFS\nroot||||1||\n a|u|p|parent|1|nan|inf\n",
	"Account                    User  RawShares  FairShare\n-------------------- ---------- ---------- " +
		"----------\nroot                                     1\n a                            u          1   0.5\n",
	"  JOBID PARTITION   PRIORITY       SITE        AGE                 TRES\n      6 main             12          7   " +
		"       5 cpu=0.25\n      Weights x 1 2 3\n",
	"JOBID| PARTITION| USER| PRIORITY| AGE| AGE| PARTITION| TRES\n 1| p| u| 5| 3| 0.5| 4| cpu=3,mem=1\n",
	"Configuration data as of 2026-01-31T12:00:04\nSLURM_VERSION = 24.05.3\n",
	"sdiag output at Sat Jan 31 12:00:03 2026 (1769860803)\n",
	"ReservationName=maint StartTime=2026-11-20T09:34:51 EndTime=2026-11-20T10:34:51 Duration=01:00:00\n   " +
		"Nodes=n[5-8] NodeCnt=4 Flags=MAINT,IGNORE_JOBS,PURGE_COMP=00:05:00\n   TRES=cpu=64\n   Users=root,-bob " +
		"Groups=(null) Licenses=a:2 State=INACTIVE\n",
	"SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=s0 Level=1 Nodes=n[1-2] Switches=s[1-2]\nSwitchName=s2 " +
		"Switches=s0\n",
	"JobId=3 JobState=RUNNING PreemptTime=2026-11-23T17:16:35 OverSubscribe=YES StdOut=/dev/null Switches=1@00:05:00 " +
		"Power=\n",
	"ReservationName=maint\n", "No reservations in the system\n", "No licenses configured in Slurm\n",
	`{"reservations": [{"name": "r", "start_time": {"set": true, "number": 5}, "end_time": 9, "flags": ["MAINT"], "node_list": "n[1-2]", "tres": "cpu=4", "users": "a,b"}], "meta": {}}`,
	"LicenseName=ansys@flex Total=100 Used=20 Free=80 Reserved=0 Remote=yes LastDeficit=3\n",
	`{"licenses": [{"LicenseName": "a", "Total": 5, "Used": 2, "Free": 3, "Remote": false, "Reserved": 1}], "meta": {}}`,
	"JobId=3 JobState=RUNNING NodeList=n[1-3] NumCPUs=6   Nodes=n[1-2] CPU_IDs=0-1 Mem=1 GRES=gpu:1(IDX:0)   Nodes=n3 " +
		"CPU_IDs=0,5 Mem=2 GRES= TresPerNode=gres:gpu:1\n",
	`{"jobs": [{"job_id": 4, "job_state": "RUNNING", "nodes": "n[1-2]", "cpus": 6, "job_resources": {"nodes": "n[1-2]", "allocated_nodes": [{"nodename": "n1", "memory_allocated": 5, "sockets": {"0": {"cores": {"0": "allocated", "1": "unassigned"}}}}, {"nodename": "n2", "sockets": {"0": {"cores": {"0": "allocated_and_in_use", "1": "allocated"}}, "1": "unassigned"}}]}}], "meta": {}}`,
	`{"jobs": [{"job_id": 4, "job_state": "RUNNING", "nodes": "n[1-2]", "job_resources": {"allocated_nodes": {"0": {"cpus": 1, "memory": 3}, "1": {"cpus": 2}, "2": {}}}}], "meta": {}}`,
	`{"jobs": [{"job_id": 4, "job_state": ["RUNNING"], "nodes": "n[1-2]", "job_resources": {"nodes": {"allocation": [{"name": "n1", "cpus": {"count": 2}}, {"name": "n2", "cpus": {"count": 1}, "sockets": []}]}}}], "meta": {}}`,
	"Type|Name|ID\ncpu||1\n",
	"Current Association Manager state\nAssociation Records\nClusterName=c Account=a UserName=u(1) Partition= " +
		"Priority=0 ID=3 SharesRaw/Norm/Level/Factor=1/0.5/2/0.0 UsageRaw/Norm/Efctv=1.50/0/0 ParentAccount= Lft=7 " +
		"GrpTRESMins= GrpWall=N(0.50)\nQOS Records\nQOS=q(2) UsageRaw=1.0 GrpJobs=3(1) " +
		"GrpTRES=cpu=4(1),gres/gpu:a100=2(0) GrpTRESMins= Priority=5 Account Limits= a={MaxTRESPA=cpu=3(0)} User Limits= " +
		"u(1)={MaxJobsPU=2(0)}\n",
	"Name|Priority|Flags|GrpTRES|MaxTRESPU|MaxJobsPU\nq|5|Relative|cpu=4,gres/gpu:a100=2|node=2|4\n",
	"ID|Account|User|Share|Priority|ParentName|LFT|RGT\n1|a||1||root|2|5\n2|a|u|1|||3|4\n",
	"PartitionName=p State=UP TRES=cpu=4 TRESBillingWeights=CPU=1,Mem=0.25G,GRES/gpu:a100=2\n",
}

// FuzzSlurm: no input makes a reader panic or a table fall out of step, and
// every record is either read or reported.
func FuzzSlurm(f *testing.F) {
	for _, s := range slurmSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, diags, err := Read(fstest.MapFS{"input": {Data: text}}, []string{"input"}, format.Options{})
		if err != nil {
			return // broken gzip
		}
		checkTables(t, s)
		for _, source := range s.Sources {
			if source.Bad > 0 && len(diags) == 0 {
				t.Errorf("%d bad records and not a word", source.Bad)
			}
		}
		for _, d := range diags {
			if d.Message == "" || bytes.ContainsRune([]byte(d.Message), '\n') {
				t.Errorf("%s: message %q", d.Code, d.Message)
			}
		}
	})
}

// FuzzSlurmDirectory: two outputs side by side keep the tables in step, in
// either order.
func FuzzSlurmDirectory(f *testing.F) {
	for i, s := range slurmSeeds {
		f.Add([]byte(s), []byte(slurmSeeds[(i*7+3)%len(slurmSeeds)]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		fsys := fstest.MapFS{"d/a": {Data: a}, "d/b": {Data: b}}
		for _, paths := range [][]string{{"d"}, {"d/a", "d/b"}, {"d/b", "d/a"}} {
			s, _, err := Read(fsys, paths, format.Options{})
			if err == nil {
				checkTables(t, s)
			}
		}
	})
}

// TestSlurmSeeds: each seed is claimed by a format of Slurm's.
func TestSlurmSeeds(t *testing.T) {
	for _, text := range slurmSeeds {
		f := recognise(format.NewHead("input", []byte(text)))
		if f == nil || !bytes.HasPrefix([]byte(f.Name), []byte("slurm-")) {
			t.Errorf("%v claims %s", f, text)
		}
	}
}
