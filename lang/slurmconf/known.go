package slurmconf

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/stdlib"
)

// This file is what an editor asks while a line is written: which keys there are, what a value may be, and what one
// means. It reads the tables that Evaluate reads.

// Keys lists the rows that a record has in a version: for "global" the keys that begin a line.
func Keys(record, version string) (rows []*stdlib.Param) {
	all := stdlib.SlurmParams.Params()
	for i := range all {
		if p := &all[i]; p.Record == record && Exists(p, version) && p.Type != "directive" {
			rows = append(rows, p)
		}
	}
	return rows
}

// Choice is one word that a value may have. Row is nil for a word that no table describes.
type Choice struct {
	Text string
	Row  *stdlib.Param
}

// wordTables are the lists whose words have tables of their own.
var wordTables = map[string]stdlib.Table{
	"SchedulerParameters": stdlib.SlurmScheduler, "PriorityFlags": stdlib.SlurmPriorityFlags,
}

// Choices lists what a value of a key may be in a version; nil where it is free.
func Choices(p *stdlib.Param, version string) (list []Choice) {
	if table, ok := wordTables[p.Name]; ok {
		rows := table.Params()
		for i := range rows {
			if row := &rows[i]; Exists(row, version) && row.Effective == "yes" {
				text := row.Name
				if row.Type != "flag" {
					text += "="
				}
				list = append(list, Choice{text, row})
			}
		}
		return list
	}
	for _, text := range choices(p, version) {
		list = append(list, Choice{Text: text})
	}
	return list
}

func choices(p *stdlib.Param, version string) (list []string) {
	switch {
	case p.Type == "bool":
		return []string{"YES", "NO"}
	case p.Name == "State" && p.Record == "NodeName", p.Name == "State" && p.Record == "DownNodes":
		return nodeStates(version)
	case p.Name == "AccountingStorageEnforce":
		for _, w := range enforceWords {
			list = append(list, w.words[0])
		}
		return list
	case p.Name == "JobSubmitPlugins":
		return submitPlugins
	case len(p.Enum) > 0:
		return p.Enum
	case p.Type == "time":
		return []string{"UNLIMITED"}
	}
	for _, k := range pluginKeys() {
		for _, known := range k.known {
			if k.key == p.Name && known.in(version) {
				list = append(list, known.name)
			}
		}
	}
	for i, k := range pluginLists {
		for _, w := range listedPlugins()[i] {
			if k.key == p.Name && w.in(version) {
				list = append(list, k.kind+"/"+w.name)
			}
		}
	}
	return list
}

// ChoiceRow finds what a table says of a word in the value of a key, such as bf_window=1440 in SchedulerParameters.
func ChoiceRow(key, word string) *stdlib.Param {
	table, ok := wordTables[key]
	if !ok {
		return nil
	}
	name, _, _ := strings.Cut(word, "=")
	return findWord(table, name)
}

// Read is what slurmctld makes of a value; false if it would refuse it.
func Read(p *stdlib.Param, w Word, version string) (Value, bool) {
	return typed(p, w, version, bounds.Findings())
}

// Items are the entries of a comma list, each with its place.
func Items(w Word) (list []Word) {
	if w.IsZero() {
		return nil
	}
	places := placesIn(w.Text, w.Span)
	for _, it := range entries(w.Text) {
		list = append(list, Word{Text: it.text, Span: places.at(it.at, it.end())})
	}
	return list
}

// Hosts are the entries of a host list, each with its place: commas within brackets separate numbers.
func Hosts(w Word) (list []Word) {
	if w.IsZero() {
		return nil
	}
	places := placesIn(w.Text, w.Span)
	start, depth := 0, 0
	for i := 0; i <= len(w.Text); i++ {
		end := i == len(w.Text)
		switch {
		case !end && w.Text[i] == '[':
			depth++
		case !end && w.Text[i] == ']':
			depth--
		case end || depth <= 0 && strings.IndexByte(", \t", w.Text[i]) >= 0:
			if i > start {
				list = append(list, Word{Text: w.Text[start:i], Span: places.at(start, i)})
			}
			start = i + 1
		}
	}
	return list
}

// Comments are the places of a line's comments.
func (l *Line) Comments() (list []Word) {
	if l.logical == nil {
		return nil
	}
	for _, c := range l.logical.comments {
		list = append(list, Word{Span: l.Span.File.Span(c.start, c.end)})
	}
	return list
}

// Record is the key that begins the line, in its own spelling; "global" for a setting that stands alone.
func (l *Line) Record() string {
	if len(l.Pairs) > 0 {
		if kind := RecordKind(l.Pairs[0].Key.Text); kind != "" {
			return kind
		}
	}
	return "global"
}

// RecordOf is the record by which a pair of the line is read: the first one of a line is a key of its own.
func (l *Line) RecordOf(pair int) string {
	if pair == 0 {
		return "global"
	}
	return l.Record()
}

// IsRecord reports a key that begins a record.
func IsRecord(key string) bool { return slices.Contains(recordKeys, key) }

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
