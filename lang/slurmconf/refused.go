package slurmconf

import (
	"strconv"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// Settings that are right by themselves and together keep slurmctld from starting. All were seen of 22.05.

// refusedPairs finds words of one list that exclude each other.
func (e *evaluator) refusedPairs() {
	var shared []item // what is shared out: slurmctld takes one of them
	if p, ok := e.cfg.Param("SelectTypeParameters"); ok {
		shared = e.onlyOne(p, []string{"CR_CPU", "CR_CPU_Memory", "CR_Core", "CR_Core_Memory", "CR_Memory", "CR_Socket",
			"CR_Socket_Memory"})
		e.linearShares(p, shared)
		e.onePerCore(p, shared)
	}
	if p, ok := e.cfg.Param("TaskPluginParam"); ok {
		e.onlyOne(p, []string{"None", "Boards", "Sockets", "Cores", "Threads"})
	}
}

// onlyOne reports a second word of those that exclude each other, and returns the ones there are.
func (e *evaluator) onlyOne(p Param, words []string) (found []item) {
	places := placesIn(p.Text, p.Span)
	for _, it := range entries(p.Text) {
		if !containsFold(words, it.text) {
			continue
		}
		if found = append(found, it); len(found) == 2 {
			first := found[0]
			e.ds.Errorf("slurm-fatal-setting", places.at(it.at, it.end()), "%s and %s in %s keep slurmctld from starting",
				first.text, it.text, p.Name).
				NoteAt(places.at(first.at, first.end()), "the first one").Note("write one of %s", strings.Join(words, ", "))
		}
	}
	return found
}

// linearShares: select/linear gives whole nodes (interfaces/select.c).
func (e *evaluator) linearShares(p Param, shared []item) {
	selects, ok := e.cfg.Param("SelectType")
	if !ok || selects.Text != "select/linear" || before(e.version, "18.08") {
		return
	}
	places := placesIn(p.Text, p.Span)
	for _, it := range shared {
		if !strings.EqualFold(it.text, "CR_Memory") {
			e.ds.Errorf("slurm-fatal-setting", places.at(it.at, it.end()), "%s with select/linear keeps slurmctld from starting",
				it.text).
				NoteAt(selects.Span, "select/linear gives whole nodes").
				Note("write CR_Memory or nothing, or SelectType=select/cons_tres")
			return
		}
	}
}

// onePerCore: where processors are shared out there are no cores to give.
func (e *evaluator) onePerCore(p Param, shared []item) {
	places := placesIn(p.Text, p.Span)
	for _, it := range entries(p.Text) {
		if !strings.EqualFold(it.text, "CR_ONE_TASK_PER_CORE") || before(e.version, "18.08") {
			continue
		}
		for _, what := range shared {
			if strings.HasPrefix(strings.ToUpper(what.text), "CR_CPU") {
				e.ds.Errorf("slurm-fatal-setting", places.at(it.at, it.end()),
					"CR_ONE_TASK_PER_CORE with %s keeps slurmctld from starting", what.text).
					Note("write CR_Core or CR_Core_Memory in the place of %s", what.text)
			}
		}
	}
}

// refusedNumbers finds numbers that slurmctld takes for a mistake.
func (e *evaluator) refusedNumbers() {
	if p, ok := e.cfg.Param("MaxJobCount"); ok && p.Number == 0 {
		e.ds.Errorf("slurm-fatal-setting", p.Span, "MaxJobCount=%s keeps slurmctld from starting", p.Text).
			Note("it is how many jobs there may be; the default is 10000")
	}
	first, ok := e.cfg.Param("FirstJobId")
	if last, set := e.cfg.Param("MaxJobId"); ok && set && first.Number > last.Number {
		e.ds.Errorf("slurm-fatal-setting", last.Span, "MaxJobId=%s below FirstJobId keeps slurmctld from starting",
			last.Text).
			NoteAt(first.Span, "the first number that a job gets").Note("write a larger MaxJobId")
	}
	if p, ok := e.cfg.Param("SlurmctldPort"); ok && !before(e.version, "2.2") && !portRange(p.Text) {
		e.ds.Errorf("slurm-fatal-setting", p.Span, "SlurmctldPort=%s keeps slurmctld from starting", p.Text).
			Note("write a port, or a range such as 6817-6820 whose end is the greater")
	}
}

// portRange reports a number above 0, or two with the greater last.
func portRange(text string) bool {
	low, high, ranged := strings.Cut(text, "-")
	a, err := strconv.Atoi(low)
	if err != nil || a <= 0 {
		return false
	}
	b, err := strconv.Atoi(high)
	return !ranged || err == nil && b > a
}

// trackedTRES tests AccountingStorageTRES (controller.c, _init_tres): kinds of TRES, and without a database only those
// that Slurm has by itself.
func (e *evaluator) trackedTRES() {
	p, ok := e.cfg.Param("AccountingStorageTRES")
	if !ok || before(e.version, "15.08") {
		return
	}
	storage, stored := e.cfg.Param("AccountingStorageType")
	database := stored && (HasFlag(storage.Text, "slurmdbd") || HasFlag(storage.Text, "mysql")) || !stored && e.partial
	places := placesIn(p.Text, p.Span)
	at := func(it item) source.Span { return places.at(it.at, it.end()) }
	for _, it := range entries(p.Text) {
		name := strings.ToLower(it.text)
		switch {
		case !slurmtext.IsTRESType(name):
			d := e.ds.Errorf("slurm-fatal-setting", at(it), "%s in AccountingStorageTRES keeps slurmctld from starting",
				it.text).
				Note("it takes billing, cpu, energy, mem, node, pages, vmem, and bb/, fs/, gres/, ic/ and license/ with a name")
			if whole := "gres/" + strings.TrimPrefix(name, "gres:"); name == "gpu" || name != whole &&
				strings.HasPrefix(name, "gres:") {
				d.Note("did you mean %q?", whole).Suggest(at(it), whole)
			}
		case !database && !slurmtext.IsFixedTRES(name) && !strings.HasPrefix(name, "fs/disk"):
			e.ds.Errorf("slurm-fatal-setting", at(it),
				"%s in AccountingStorageTRES without slurmdbd keeps slurmctld from starting", it.text).
				Note("write AccountingStorageType=accounting_storage/slurmdbd, or delete it")
		}
	}
}

// wordList is a key whose words slurmctld all has to know: it does not start with another.
type wordList struct {
	key   string
	since string // the version that began to read words here
	one   bool   // a single word, no list
	exact bool   // case counts
	words string // WORD, or WORD:SINCE, or WORD:SINCE-UNTIL, where UNTIL has it no more
}

// wordLists are those of read_config.c and of the tables that it asks: slurm_selecttype_info.c, slurm_rlimits_info.c
// and log_string2num. All were seen to stop slurmctld 22.05.
var wordLists = []wordList{
	{key: "DebugFlags", words: "Accrue:19.05 Agent:19.05 AuditRPCs:24.05 AuditTLS:25.05 BGBlockAlgo:2.2-19.05 " +
		"BGBlockAlgoDeep:2.2-19.05 " +
		"BGBlockPick:2.2-19.05 BGBlockWires:2.2-19.05 Backfill:2.2 BackfillMap:14.03 BurstBuffer:15.08 CPU_Bind " +
		"ConMgr:24.11 " +
		"CpuFrequency:15.08 DBD_Agent:24.05 DB_Archive:15.08 DB_Assoc:14.11 DB_Event:14.11 DB_Job:14.11 DB_QOS:14.11 " +
		"DB_Query:14.11 " +
		"DB_Reservation:14.11 DB_Resource:14.11 DB_Step:14.11 DB_TRES:15.08 DB_Usage:14.11 DB_WCKey:14.11 Data:20.02 " +
		"Dependency:20.02 " +
		"Elasticsearch:15.08 Energy:2.5 ExtSensors:2.6-24.05 Federation:17.02 Filesystem:2.6-21.08 FrontEnd:2.3-25.05 " +
		"GLOB_SILENCE:23.11 " +
		"Gang:2.2 Gres:2.2 HeteroJobs:17.11-20.02 Hetjob:20.02 Infiniband:2.6-17.11 Interconnect:17.11 JAG:21.08 " +
		"JobAccountGather:21.08 " +
		"JobComp:23.02 JobContainer:14.03 License:14.03 MPI:22.05 Metrics:25.11 NO_CONF_HASH:2.2 Namespace:25.11 " +
		"Net:20.02 NetRaw:20.11 " +
		"Network:20.02 NetworkRaw:20.11 NoRealTime:2.4-21.08 NodeFeatures:16.05 Power:15.08 PowerSave:19.05 Priority:2.2 " +
		"Profile:2.6 " +
		"Protocol:14.03 Reservation:2.2 Reservations:2.2-2.5 Route:14.11 SICP:15.08-16.05 Sack:23.11 Script:21.08 " +
		"SelectType Steps " +
		"Switch:2.5 TLS:24.05 TRESNode:19.05-21.08 Task:14.03 ThreadID:2.6-14.03 Thread:26.05 Threads:26.05 " +
		"TimeCray:16.05-24.05 " +
		"TraceJobs:14.11 Trigger:2.2 Triggers Wiki:2.0-17.02 WorkQ:20.02 WorkQueue:20.02 cgroup:21.08"},
	{key: "PrologFlags", words: "Alloc Contain:15.08 DeferBatch:22.05 ForceRequeueOnFail:23.02 NoHold RunInJob:24.05 " +
		"Serial:17.02 X11:17.11"},
	{key: "PropagateResourceLimits", exact: true, words: limitNames},
	{key: "PropagateResourceLimitsExcept", exact: true, words: limitNames},
	{key: "SelectTypeParameters", words: "CR_ALLOCATE_FULL_SOCKET:2.6-23.02 CR_CORE_DEFAULT_DIST_BLOCK:2.2 CR_CPU " +
		"CR_CPU_Memory CR_Core CR_Core_Memory " +
		"CR_LLN:14.03 CR_Memory CR_NO_DIST_TOPO_BLOCK:26.05 CR_ONE_TASK_PER_CORE:2.2 CR_Pack_Nodes:14.03 CR_Socket " +
		"CR_Socket_Memory " +
		"ENFORCE_BINDING_GRES:23.11 LL_SHARED_GRES:23.11 MULTIPLE_SHARING_GRES_PJ:23.11 NHC_Absolutely_No:16.05-19.05 " +
		"NHC_No:14.03-19.05 " +
		"NHC_No_Steps:14.03-19.05 ONE_TASK_PER_SHARING_GRES:23.11 OTHER_CONS_RES:14.03-24.05 OTHER_CONS_TRES:18.08-24.05"},
	{key: "SlurmctldDebug", since: "2.4", one: true, words: logLevels},
	{key: "SlurmctldSyslogDebug", one: true, words: logLevels},
	{key: "SlurmdDebug", since: "2.4", one: true, words: logLevels},
	{key: "SlurmdSyslogDebug", one: true, words: logLevels},
	{key: "TaskPluginParam", words: "Boards:2.5-22.05 Cores Cpusets:2.0-20.11 None OOMKillStep:24.11 Sched:2.0-21.08 " +
		"SlurmdOffSpec:17.11 SlurmdSpecOverride:25.05 " +
		"Sockets Threads Verbose autobind=none:14.11 autobind=threads:14.11 autobind=cores:14.11 autobind=sockets:14.11"},
}

const (
	limitNames = "ALL NONE AS CORE CPU DATA FSIZE MEMLOCK NOFILE NPROC RSS STACK"
	mostListed = 16 // longer lists are for the manual page
	logLevels  = "quiet fatal error info verbose debug debug2 debug3 debug4 debug5"
)

// listedWord is a word and the versions that know it.
type listedWord struct{ name, since, until string }

func (w listedWord) in(version string) bool {
	return !before(version, w.since) && (w.until == "" || before(version, w.until))
}

// listedWords are the lists of wordLists, taken apart once.
var listedWords = sync.OnceValue(func() [][]listedWord {
	all := make([][]listedWord, len(wordLists))
	for i, l := range wordLists {
		all[i] = listed(l.words)
	}
	return all
})

// listed takes WORD, WORD:SINCE and WORD:SINCE-UNTIL apart.
func listed(words string) (list []listedWord) {
	for _, text := range strings.Fields(words) {
		name, span, _ := strings.Cut(text, ":")
		since, until, _ := strings.Cut(span, "-")
		list = append(list, listedWord{name, since, until})
	}
	return list
}

// refusedWords finds words that keep slurmctld from starting.
func (e *evaluator) refusedWords() {
	for i, l := range wordLists {
		p, ok := e.cfg.Param(l.key)
		if !ok || before(e.version, l.since) || p.Text == "" {
			continue
		}
		places, split := placesIn(p.Text, p.Span), entries
		if l.exact {
			split = items // blanks part limits too
		}
		for _, it := range split(p.Text) {
			e.listed(l, listedWords()[i], it.text, places.at(it.at, it.end()))
		}
	}
}

// listed tests one word against its list. A level of the log may be a number, and a limit have the prefix that
// getrlimit(2) gives it.
func (e *evaluator) listed(l wordList, words []listedWord, text string, place source.Span) {
	if l.one && text[0] >= '0' && text[0] <= '9' {
		return
	}
	same := strings.EqualFold
	if l.exact {
		same = func(a, b string) bool { return a == strings.TrimPrefix(b, "RLIMIT_") }
	}
	var names []string
	for _, w := range words {
		found := same(w.name, text)
		switch {
		case w.in(e.version) && found:
			return
		case w.in(e.version):
			names = append(names, w.name)
		case found && before(e.version, w.since):
			e.refuse(l, place, "%s is known from %s on, not in %s", text, w.since, e.version).
				Note("delete it, or read the file for a newer version")
			return
		case found:
			e.refuse(l, place, "%s was removed in %s", text, w.until).Note("delete it")
			return
		}
	}
	d := e.refuse(l, place, "%s does not know %q", l.key, text).DidYouMean(place, text, names)
	if len(names) <= mostListed {
		d.Note("it has %s", strings.Join(names, ", "))
	}
}

func (e *evaluator) refuse(l wordList, place source.Span, format string, args ...any) *diag.Diagnostic {
	return e.ds.Errorf("slurm-refused-word", place, format, args...).
		Note("slurmctld does not start with a word of %s that it does not know", l.key)
}
