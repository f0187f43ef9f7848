package snapshot

import (
	"strconv"
	"strings"
	"time"
)

func recognizeScontrolJob(h *head) int {
	return max(startsWith(h, "JobId="), startsWith(h, "No jobs in the system"))
}

// startsWith: scontrol's records all begin with the key that names them.
func startsWith(h *head, prefix string) int {
	if strings.HasPrefix(h.firstLine(""), prefix) {
		return certain
	}
	return foreign
}

// readScontrolJob reads `scontrol show job`, as blocks or with -o, details
// (-d) or not. Without jobs it says so in a sentence.
func readScontrolJob(in *input) error {
	in.snapshot.Family = "slurm"
	jobs := newSlurmJobs(in)
	eachPairsRecord(in.text, "JobId", func(r *pairsRecord) {
		j, err := scontrolJob(r, in.options.Location)
		if err == nil {
			err = jobs.add(j)
		}
		if err != nil {
			in.badPairs(r, err)
		}
	})
	return nil
}

// badPairs reports a record of pairs, at the pair that is wrong.
func (in *input) badPairs(r *pairsRecord, err error) {
	start, end := r.start, r.start+1
	if e, ok := err.(*valueError); ok {
		for _, p := range r.pairs {
			if p.key == e.field {
				start, end = p.start, p.end
			}
		}
	}
	in.bad("snapshot-bad-record", start, end, "%s", err).
		Note("the whole record is left out; no value is guessed")
}

// scontrolJob reads the fields of a record. A job name is free text in the
// middle of a record: one that imitates the key after it could forge all that
// follow, so a second UserId makes the record unreadable.
func scontrolJob(r *pairsRecord, where *time.Location) (*slurmJob, error) {
	j := &slurmJob{submitAt: place{r.start, r.start + 1}}
	users := 0
	for _, p := range r.pairs {
		switch p.key {
		case "UserId":
			users++
		case "SubmitTime":
			j.submitAt = place{p.start, p.end}
		}
		set := scontrolJobFields[p.key]
		if set == nil {
			continue
		}
		if err := set(j, p.value, where); err != nil {
			return nil, fieldError(p.key, "%s", err)
		}
	}
	if users > 1 {
		return nil, fieldError("JobName", "the job name holds text like UserId=, so the fields after it cannot be told apart")
	}
	return j, nil
}

// textSetter reads one field from its text. Both scontrol's pairs and the
// columns of tables are lists of them, by name.
type textSetter = func(j *slurmJob, text string, where *time.Location) error

// scontrolJobFields says what each key of `scontrol show job` is.
var scontrolJobFields = map[string]textSetter{
	"JobId":        func(j *slurmJob, t string, _ *time.Location) error { j.id = t; return nil },
	"HetJobId":     count(func(j *slurmJob) *optional[int64] { return &j.hetJob }),
	"HetJobOffset": count(func(j *slurmJob) *optional[int64] { return &j.hetOffset }),
	"ArrayJobId":   count(func(j *slurmJob) *optional[int64] { return &j.arrayJob }),
	"ArrayTaskId":  arrayTask,
	"ArrayTaskThrottle": func(j *slurmJob, t string, _ *time.Location) (err error) {
		if j.arrayMax, err = textCount(t); j.arrayMax.value == 0 {
			j.arrayMax = open[int64]()
		}
		return err
	},
	"JobName":       words(func(j *slurmJob) *optional[string] { return &j.name }),
	"UserId":        func(j *slurmJob, t string, _ *time.Location) error { j.user = known(userName(t)); return nil },
	"GroupId":       func(j *slurmJob, t string, _ *time.Location) error { j.group = known(userName(t)); return nil },
	"Account":       words(func(j *slurmJob) *optional[string] { return &j.account }),
	"QOS":           words(func(j *slurmJob) *optional[string] { return &j.qos }),
	"Partition":     words(func(j *slurmJob) *optional[string] { return &j.partition }),
	"JobState":      func(j *slurmJob, t string, _ *time.Location) error { j.state = []string{t}; return nil },
	"Reason":        reasonWords,
	"Dependency":    words(func(j *slurmJob) *optional[string] { return &j.dependency }),
	"Priority":      count(func(j *slurmJob) *optional[int64] { return &j.priority }),
	"Nice":          nice,
	"Restarts":      count(func(j *slurmJob) *optional[int64] { return &j.restarts }),
	"SubmitTime":    moment(func(j *slurmJob) *optional[int64] { return &j.submit }),
	"EligibleTime":  moment(func(j *slurmJob) *optional[int64] { return &j.eligible }),
	"AccrueTime":    moment(func(j *slurmJob) *optional[int64] { return &j.accrue }),
	"StartTime":     moment(func(j *slurmJob) *optional[int64] { return &j.start }),
	"EndTime":       moment(func(j *slurmJob) *optional[int64] { return &j.end }),
	"LastSchedEval": moment(func(j *slurmJob) *optional[int64] { return &j.evaluated }),
	"Deadline":      moment(func(j *slurmJob) *optional[int64] { return &j.deadline }),
	"TimeLimit": func(j *slurmJob, t string, _ *time.Location) (err error) {
		j.limitSeconds, err = textLimit(t)
		return err
	},
	"TimeMin": func(j *slurmJob, t string, _ *time.Location) (err error) {
		j.limitMinSeconds, err = textLimit(t)
		return err
	},
	"NumNodes": func(j *slurmJob, t string, _ *time.Location) (err error) {
		j.nodes, j.nodesMax, err = textRange(t)
		return err
	},
	"NumCPUs": func(j *slurmJob, t string, _ *time.Location) (err error) {
		j.cpus, j.cpusMax, err = textRange(t)
		return err
	},
	"NumTasks":         count(func(j *slurmJob) *optional[int64] { return &j.tasks }),
	"CPUs/Task":        count(func(j *slurmJob) *optional[int64] { return &j.cpusPerTask }),
	"NtasksPerN:B:S:C": tasksPerNodeAndCore,
	"ReqB:S:C:T":       threadsPerCore,
	"TRES":             tresOfState,
	"ReqTRES":          requestedTRES,
	"AllocTRES":        allocatedTRES,
	"TresPerNode":      words(func(j *slurmJob) *optional[string] { return &j.tresPerNode }),
	"TresPerJob":       words(func(j *slurmJob) *optional[string] { return &j.tresPerJob }),
	"TresPerTask":      words(func(j *slurmJob) *optional[string] { return &j.tresPerTask }),
	"MinTmpDiskNode":   memory(func(j *slurmJob) *optional[int64] { return &j.tmpDiskPerNodeMB }),
	"MinMemoryNode":    memory(func(j *slurmJob) *optional[int64] { return &j.memPerNodeMB }),
	"MinMemoryCPU":     memory(func(j *slurmJob) *optional[int64] { return &j.memPerCPUMB }),
	"Features":         words(func(j *slurmJob) *optional[string] { return &j.features }),
	"Licenses":         words(func(j *slurmJob) *optional[string] { return &j.licenses }),
	"Reservation":      words(func(j *slurmJob) *optional[string] { return &j.reservation }),
	"Comment":          words(func(j *slurmJob) *optional[string] { return &j.comment }),
	"ReqNodeList":      hosts(func(j *slurmJob) *optional[[]string] { return &j.hosts }),
	"ExcNodeList":      hosts(func(j *slurmJob) *optional[[]string] { return &j.excludedHosts }),
	"NodeList":         hosts(func(j *slurmJob) *optional[[]string] { return &j.allocatedHosts }),
	"OverSubscribe":    oversubscribe,
	"Nodes":            detailNodes,
	"CPU_IDs":          detailProcs,
	"Mem":              detailMemory,
}

// The following make setters for fields of one kind.

func count(field func(*slurmJob) *optional[int64]) textSetter {
	return func(j *slurmJob, text string, _ *time.Location) (err error) {
		*field(j), err = textCount(text)
		return err
	}
}

// nice is the one number of a job that may be negative.
func nice(j *slurmJob, text string, _ *time.Location) (err error) {
	j.nice, err = textNice(text)
	return err
}

func words(field func(*slurmJob) *optional[string]) textSetter {
	return func(j *slurmJob, text string, _ *time.Location) error {
		*field(j) = textString(text)
		return nil
	}
}

func moment(field func(*slurmJob) *optional[int64]) textSetter {
	return func(j *slurmJob, text string, where *time.Location) (err error) {
		*field(j), err = textTime(text, where)
		return err
	}
}

func memory(field func(*slurmJob) *optional[int64]) textSetter {
	return func(j *slurmJob, text string, _ *time.Location) (err error) {
		*field(j), err = textMemory(text)
		return err
	}
}

func hosts(field func(*slurmJob) *optional[[]string]) textSetter {
	return func(j *slurmJob, text string, _ *time.Location) (err error) {
		*field(j), err = textHosts(text)
		return err
	}
}

// arrayTask takes a single index; ranges such as 0-7%3 belong to the record
// of the tasks that are not split off.
func arrayTask(j *slurmJob, text string, _ *time.Location) error {
	if isOpen(text) {
		j.arrayTask = open[int64]()
	} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		j.arrayTask = known(n)
	} else {
		j.arrayTask, j.unsplit = open[int64](), true
		j.tasksOf(text)
	}
	return nil
}

// reasonWords keeps the reason as scontrol writes it.
func reasonWords(j *slurmJob, text string, _ *time.Location) error {
	if text == "(null)" {
		text = ""
	}
	j.reason = known(OneWord(text))
	return nil
}

// reasonOrHosts reads squeue's NODELIST(REASON): nodes, or the reason in parentheses.
func reasonOrHosts(j *slurmJob, text string, where *time.Location) error {
	if reason, ok := strings.CutPrefix(text, "("); ok {
		return reasonWords(j, strings.TrimSuffix(reason, ")"), where)
	}
	j.reason = known("None")
	return nil
}

// OneWord writes a reason as scontrol does, which joins words by _ where squeue and JSON have blanks. The
// other way round names with _ would be lost.
func OneWord(reason string) string { return strings.ReplaceAll(reason, " ", "_") }

// tasksPerNode is the first of NtasksPerN:B:S:C, 0 when it is free.
func tasksPerNode(j *slurmJob, text string, _ *time.Location) (err error) {
	first, _, _ := strings.Cut(text, ":")
	if first == "0" {
		first = ""
	}
	j.tasksPerNode, err = textCount(first)
	return err
}

// tasksPerNodeAndCore are the first and the last of NtasksPerN:B:S:C; a * is free.
func tasksPerNodeAndCore(j *slurmJob, text string, where *time.Location) error {
	if err := tasksPerNode(j, text, where); err != nil {
		return err
	}
	return lastCount(&j.tasksPerCore, text)
}

// threadsPerCore is the last of ReqB:S:C:T; the parts before it choose nodes by their sockets and cores.
func threadsPerCore(j *slurmJob, text string, _ *time.Location) error {
	return lastCount(&j.threadsPerCore, text)
}

// lastCount reads the last number of a list parted by colons, if it states one.
func lastCount(to *optional[int64], text string) (err error) {
	last := text[strings.LastIndexByte(text, ':')+1:]
	if last == "*" || last == "0" {
		last = ""
	}
	*to, err = textCount(last)
	return err
}

// tresOfState is what versions before 23.02 print: the allocation of a job
// that has one, else the request, under one name.
func tresOfState(j *slurmJob, text string, _ *time.Location) (err error) {
	j.tresRequested, err = textTRES(text)
	return err
}

func requestedTRES(j *slurmJob, text string, _ *time.Location) (err error) {
	j.tresRequested, err = textTRES(text)
	return err
}

func allocatedTRES(j *slurmJob, text string, _ *time.Location) (err error) {
	j.tresAllocated, err = textTRES(text)
	return err
}

// oversubscribe: NO is --exclusive, OK the default, YES a wish to share; USER
// and MCS are exclusive to one user or label, not whole nodes for one job.
func oversubscribe(j *slurmJob, text string, _ *time.Location) error {
	switch text {
	case "NO", "EXCLUSIVE":
		j.exclusive = known(true)
	case "OK", "YES", "USER", "MCS", "TOPO":
		j.exclusive = known(false)
	default:
		if !isOpen(text) {
			return fieldError("OverSubscribe", "%q is none of NO, OK, YES, USER, MCS, TOPO", text)
		}
	}
	return nil
}
