//go:build live

package live_test

// The configuration of the cluster: the smallest that has every factor, with users that each Debian has.

const slurmdbdConf = `DbdHost=$HOST
DbdAddr=127.0.0.1
DbdPort=$DBD
AuthType=auth/munge
AuthInfo=socket=$MUNGE
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$DATABASE
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm
PidFile=$DIR/slurmdbd.pid
LogFile=$DIR/slurmdbd.log
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
`

const slurmConf = `ClusterName=live
SlurmctldHost=$HOST(127.0.0.1)
SlurmctldPort=$CTLD
SlurmdPort=$SLURMD
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$MUNGE
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool
SlurmctldPidFile=$DIR/slurmctld.pid
SlurmdPidFile=$DIR/slurmd.pid
SlurmctldLogFile=$DIR/slurmctld.log
SlurmdLogFile=$DIR/slurmd.log
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$DBD
AccountingStoragePass=$MUNGE
AccountingStorageEnforce=associations,limits,qos
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=5
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
PriorityType=priority/multifactor
PriorityCalcPeriod=1
PriorityMaxAge=1:00:00
PriorityDecayHalfLife=7-0
PriorityWeightAge=100000
PriorityWeightFairshare=200000
PriorityWeightJobSize=3000
PriorityWeightPartition=20000
PriorityWeightQOS=50000
PriorityWeightAssoc=7000
PriorityWeightTRES=CPU=4000,Mem=2000
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=$HOST CPUs=16 RealMemory=64000 State=UNKNOWN
NodeName=gone[1-3] NodeAddr=127.0.0.1 NodeHostname=gone[1-3] Port=1 CPUs=16 RealMemory=64000 State=DOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=2-0 State=UP PriorityJobFactor=10
PartitionName=short Nodes=n1 MaxTime=60 State=UP PriorityJobFactor=40
PartitionName=shut Nodes=gone[1-3] MaxTime=INFINITE State=DOWN PriorityJobFactor=25
`

// accounts is a file for sacctmgr load.
const accounts = `Cluster - 'live':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
Account - 'physics':Description='physics':Organization='science':Fairshare=40
Account - 'biology':Description='biology':Organization='science':Fairshare=25:Priority=60
Account - 'guests':Description='guests':Organization='others':Fairshare=5
Parent - 'physics'
Account - 'optics':Description='optics':Organization='science':Fairshare=3
User - 'daemon':DefaultAccount='physics':Fairshare=10
User - 'bin':DefaultAccount='physics':Fairshare=20
Parent - 'optics'
User - 'sys':DefaultAccount='optics':Fairshare=1:Priority=20
User - 'games':DefaultAccount='optics':Fairshare=parent
Parent - 'biology'
User - 'man':DefaultAccount='biology':Fairshare=7
User - 'lp':DefaultAccount='biology':Fairshare=7:MaxJobs=1
Parent - 'guests'
User - 'mail':DefaultAccount='guests':Fairshare=1
User - 'news':DefaultAccount='guests':Fairshare=0
`

// qualities are commands that make the QOS.
var qualities = [][]string{
	{"sacctmgr", "-i", "add", "qos", "high", "set", "Priority=100"},
	{"sacctmgr", "-i", "add", "qos", "low", "set", "Priority=7"},
	{"sacctmgr", "-i", "modify", "qos", "normal", "set", "Priority=30"},
	{"sacctmgr", "-i", "modify", "user", "where", "user=daemon,bin,sys,games,man,lp,mail,news", "set",
		"qos=normal,high,low"},
}
