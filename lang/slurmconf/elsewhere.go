package slurmconf

import "strings"

// FileKeys are the keys of the files beside slurm.conf, from their manual pages: gres.conf(5), topology.conf(5),
// cgroup.conf(5), slurmdbd.conf(5), of all releases.
var FileKeys = map[string][]string{
	"gres.conf":     strings.Fields(`AutoDetect Count Cores CPUs File Flags Links MultipleFiles Name NodeName Type`),
	"topology.conf": strings.Fields(`SwitchName Switches Nodes LinkSpeed BlockName BlockSizes`),
	"cgroup.conf": strings.Fields(`AllowedDevicesFile AllowedKmemSpace AllowedRAMSpace AllowedSwapSpace CgroupAutomount CgroupMountpoint
		CgroupPlugin CgroupReleaseAgentDir CgroupSlice ConstrainCores ConstrainDevices ConstrainKmemSpace ConstrainRAMSpace
		ConstrainSwapSpace EnableControllers EnableExtraControllers IgnoreSystemd IgnoreSystemdOnFailure MaxKmemPercent
		MaxRAMPercent MaxSwapPercent MemorySwappiness MemoryLimitEnforcement MemoryLimitThreshold MinKmemSpace MinRAMSpace
		SignalChildrenProcesses SystemdTimeout TaskAffinity`),
	"slurmdbd.conf": strings.Fields(`AllowNoDefAcct AllResourcesAbsolute ArchiveDir ArchiveEvents ArchiveJobs ArchiveResvs ArchiveScript
		ArchiveSteps ArchiveSuspend ArchiveTXN ArchiveUsage AuthAltParameters AuthAltTypes AuthInfo AuthType CommitDelay
		CommunicationParameters DbdAddr DbdBackupHost DbdHost DbdPort DebugFlags DebugLevel DebugLevelSyslog DefaultQOS
		DisableArchiveCommands DisableCoordDBD HashPlugin JobPurge LogFile LogTimeFormat MaxPurgeLimit MaxQueryTimeRange
		MessageTimeout Parameters PersistConnRCFlags PidFile PluginDir PrivateData PurgeEventAfter PurgeJobAfter
		PurgeResvAfter PurgeStepAfter PurgeSuspendAfter PurgeTXNAfter PurgeUsageAfter SlurmUser StepPurge
		StorageBackupHost StorageHost StorageLoc StorageParameters StoragePass StoragePassScript StoragePort StorageType
		StorageUser TCPTimeout TLSParameters TLSType TrackSlurmctldDown TrackWCKey`),
}

// accounting are limits and shares that are set in the database.
var accounting = strings.Fields(`DefaultAccount DefaultQOS DefaultWCKey Fairshare GraceTime GrpCPUMins GrpCPURunMins GrpCPUs GrpJobs GrpJobsAccrue
	GrpMemory GrpNodes GrpSubmitJobs GrpTRES GrpTRESMins GrpTRESRunMins GrpWall LimitFactor MaxCPUMinsPerJob MaxCPUs
	MaxCPUsPerJob MaxCPUsPerUser MaxJobs MaxJobsAccruePerAccount MaxJobsAccruePerUser MaxJobsPerAccount MaxJobsPerUser
	MaxNodesPerJob MaxNodesPerUser MaxSubmitJobs MaxSubmitJobsPerAccount MaxSubmitJobsPerUser MaxTRES MaxTRESMins
	MaxTRESMinsPerJob MaxTRESPerAccount MaxTRESPerJob MaxTRESPerNode MaxTRESPerUser MaxTRESRunMinsPerAccount
	MaxTRESRunMinsPerUser MaxWall MaxWallDurationPerJob MaxWallPerJob MinPrioThreshold MinTRESPerJob UsageFactor
	UsageThreshold`)

// Elsewhere says where a key is set that slurm.conf does not have: "in gres.conf", "with sacctmgr"; "" of a key that is
// unknown, or too common to tell.
func Elsewhere(key string) string {
	for _, file := range []string{"cgroup.conf", "topology.conf", "gres.conf", "slurmdbd.conf"} {
		if containsFold(FileKeys[file], key) && !containsFold(common, key) {
			return "in " + file
		}
	}
	if containsFold(accounting, key) {
		return "with sacctmgr"
	}
	return ""
}

// IsKey reports a key of slurm.conf, of any of its lines and releases.
func IsKey(key string) bool { return Known("global", key) != nil || len(recordsWith(key)) > 0 }

// common are keys of several files, or words that may be anything.
var common = strings.Fields(`Name Nodes NodeName Type File Count Flags Links Parameters PluginDir SlurmUser AuthType AuthInfo AuthAltTypes
	AuthAltParameters CommunicationParameters DebugFlags HashPlugin LogTimeFormat MessageTimeout PrivateData TCPTimeout
	TLSParameters TLSType TrackWCKey CPUs Cores LogFile PidFile DefaultQOS`)
