package manager

import "testing"

func TestSlurmConfOf(t *testing.T) {
	const config = `Configuration data as of 2026-11-20T12:00:20
AccountingStoragePass   = (null)
ClusterName             = pond
PriorityFlags           =
PriorityMaxAge          = 7-00:00:00
PriorityUsageResetPeriod = NONE
PriorityWeightTRES      = CPU=10,Mem=20
SlurmctldHost[0]        = head
SlurmctldTimeout        = 120 sec
SLURM_VERSION           = 22.05.8
`
	const partitions = "PartitionName=main AllowGroups=ALL QoS=N/A MaxTime=UNLIMITED Nodes=n[1-4] PriorityTier=2 State=UP " +
		"TotalCPUs=16\n"
	const nodes = "NodeName=n1 CPUAlloc=0 CPUTot=4 AvailableFeatures=(null) Gres=gpu:a100:2(S:0-1),nvme:1 RealMemory=100 " +
		"State=IDLE OS=Linux 6.1 #1 Weight=1\n"
	const want = `# written by fairway snapshot capture from the output of scontrol show config, partition and node
# fairway: slurm-version=22.05
ClusterName=pond
PriorityMaxAge=7-00:00:00
PriorityWeightTRES=CPU=10,Mem=20
SlurmctldHost=head
NodeName=n1 CPUs=4 RealMemory=100 Weight=1 Gres=gpu:a100:2,nvme:1
PartitionName=main AllowGroups=ALL Nodes=n[1-4] PriorityTier=2 State=UP
`
	if got := string(SlurmConfOf([]byte(config), []byte(partitions), []byte(nodes))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
