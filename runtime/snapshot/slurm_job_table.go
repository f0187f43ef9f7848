package snapshot

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// squeue -o and -O with | between the cells, and sacct -P. Both name their
// columns in a header, so any choice of columns can be read.

// recognizeSqueue leaves tables with factors to sprio, which has the same first columns.
func recognizeSqueue(h *head) int {
	if t := tableHeader(h.text, "JOBID"); t != nil && (t.piped || t.isEmpty(h.text)) {
		for _, name := range []string{"STATE", "ST", "USER", "PARTITION", "ACCOUNT"} {
			if t.column(name, 0) >= 0 && t.column("FAIRSHARE", 0) < 0 && t.column("JOBSIZE", 0) < 0 && t.column("AGE", 0) < 0 {
				return likely
			}
		}
	}
	return foreign
}

func recognizeSacct(h *head) int {
	if t := tableHeader(h.text, "JobID"); t != nil && t.piped {
		return likely
	}
	return foreign
}

func readSqueue(in *input) error {
	t := tableHeader(in.text, "JOBID")
	in.jobTable(t, squeueColumns)
	return nil
}

// readSacct leaves out the lines of job steps (12.batch): the line of the job
// itself has what the queue shows.
func readSacct(in *input) error {
	in.snapshot.accounting = true
	in.jobTable(tableHeader(in.text, "JobID"), sacctColumns)
	return nil
}

// jobTable reads every row. squeue --priority prints a row for each partition of a
// job; they become one job, with its partitions in the order of the rows.
func (in *input) jobTable(t *slurmTable, columns map[string]textSetter) {
	jobs := newSlurmJobs(in)
	setters := make([]textSetter, len(t.header))
	for i, name := range t.header {
		setters[i] = columns[name]
	}
	var list []*slurmJob
	var rows []*tableRow
	index := map[string]int{}
	t.rows(in.text, func(r *tableRow) {
		j, err := t.job(r, setters, in.options.Location)
		switch {
		case err != nil:
			in.badRow(r, err)
			return
		case strings.Contains(j.id, "."):
			return
		}
		if t.width > 0 && t.width <= len(j.account.value) {
			in.warn("snapshot-cut-value", r.start, r.end, "the account of job %s fills its column of %d characters, and may go on", j.id, t.width).
				Note("the job counts for the account as it stands; squeue --json prints it in full")
		}
		j.submitAt = place{r.start, r.end}
		key := j.identify()
		if first, again := index[key]; again && key != "" {
			p := &list[first].partition
			if p.stated && j.partition.stated && !slices.Contains(strings.Split(p.value, ","), j.partition.value) {
				p.value += "," + j.partition.value
				return
			}
		}
		index[key] = len(list)
		list, rows = append(list, j), append(rows, r)
	})
	for i, j := range list {
		if err := jobs.add(j); err != nil {
			in.badRow(rows[i], err)
		}
	}
}

// barColumns may hold a | of their own, most probable first.
var barColumns = []string{"FEATURES", "Constraints", "NAME", "JobName", "COMMENT", "Comment", "WORK_DIR", "WorkDir", "COMMAND", "SubmitLine", "DEPENDENCY"}

// job reads a row. If it has too many cells, a value holds the separator: it
// belongs to the one column with which the whole row makes sense.
func (t *slurmTable) job(r *tableRow, setters []textSetter, where *time.Location) (*slurmJob, error) {
	cells := r.cells
	if t.bars == 0 && len(cells) == len(t.header)+1 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1] // -p ends each line with the separator
	}
	extra := len(cells) - len(t.header)
	if extra <= 0 {
		return t.jobOf(cells, setters, where)
	}
	if n := len(t.header); t.bars > 0 && n > 1 && t.header[n-2] == "ACCOUNT" { // the one free text, and so the last cell
		return t.jobOf(append(slices.Clone(cells[:n-2]), strings.Join(cells[n-2:len(cells)-1], "|"), ""), setters, where)
	}
	var found *slurmJob
	for _, name := range barColumns {
		i := t.column(name, 0)
		if i < 0 {
			continue
		}
		joined := slices.Concat(cells[:i], []string{strings.Join(cells[i:i+extra+1], "|")}, cells[i+extra+1:])
		j, err := t.jobOf(joined, setters, where)
		if err == nil && found != nil {
			return nil, fieldError(name, "the row has %d cells too many and it cannot be told which value holds the |", extra)
		}
		if err == nil {
			found = j
		}
	}
	if found == nil {
		return nil, fieldError("row", "the row has %d cells where the header has %d", len(cells), len(t.header))
	}
	return found, nil
}

// jobOf reads the cells of a row that are as many as the header's.
func (t *slurmTable) jobOf(cells []string, setters []textSetter, where *time.Location) (*slurmJob, error) {
	if len(cells) < len(t.header) {
		return nil, fieldError("row", "the row has %d cells where the header has %d", len(cells), len(t.header))
	}
	j := &slurmJob{}
	for i, set := range setters {
		if set == nil {
			continue
		}
		if err := set(j, cells[i], where); err != nil {
			return nil, fieldError(t.header[i], "%s", err)
		}
	}
	return j, nil
}

// squeueColumns are squeue's header names (opts.c); a name that stands for
// several formats is told by the value.
var squeueColumns = map[string]textSetter{
	"JOBID":         jobIdentifier,
	"ARRAY_JOB_ID":  arrayIdentifier,
	"ARRAY_TASK_ID": arrayTask,
	"NAME":          words(func(j *slurmJob) *optional[string] { return &j.name }),
	"USER":          words(func(j *slurmJob) *optional[string] { return &j.user }),
	"GROUP":         words(func(j *slurmJob) *optional[string] { return &j.group }),
	"ACCOUNT":       words(func(j *slurmJob) *optional[string] { return &j.account }),
	"QOS":           words(func(j *slurmJob) *optional[string] { return &j.qos }),
	"PARTITION":     words(func(j *slurmJob) *optional[string] { return &j.partition }),
	"STATE":         stateWord,
	"ST":            stateWord,
	"REASON":        reasonWords,

	"NODELIST(REASON)": reasonOrHosts,
	"PRIORITY":         squeuePriority,
	"NICE":             nice,
	"DEPENDENCY":       words(func(j *slurmJob) *optional[string] { return &j.dependency }),
	"SUBMIT_TIME":      moment(func(j *slurmJob) *optional[int64] { return &j.submit }),
	"ELIGIBLE_TIME":    moment(func(j *slurmJob) *optional[int64] { return &j.eligible }),
	"ACCRUE_TIME":      moment(func(j *slurmJob) *optional[int64] { return &j.accrue }),
	"START_TIME":       moment(func(j *slurmJob) *optional[int64] { return &j.start }),
	"END_TIME":         moment(func(j *slurmJob) *optional[int64] { return &j.end }),
	"TIME_LIMIT":       limit(func(j *slurmJob) *optional[int64] { return &j.limitSeconds }),
	"NODES":            nodeRange,
	"CPUS":             cpuRange,
	"TASKS":            count(func(j *slurmJob) *optional[int64] { return &j.tasks }),
	"CPUS_PER_TASK":    count(func(j *slurmJob) *optional[int64] { return &j.cpusPerTask }),
	"TRES_ALLOC":       allocatedTRES,
	"TRES_PER_NODE":    words(func(j *slurmJob) *optional[string] { return &j.tresPerNode }),
	"TRES_PER_JOB":     words(func(j *slurmJob) *optional[string] { return &j.tresPerJob }),
	"TRES_PER_TASK":    words(func(j *slurmJob) *optional[string] { return &j.tresPerTask }),
	"FEATURES":         words(func(j *slurmJob) *optional[string] { return &j.features }),
	"LICENSES":         words(func(j *slurmJob) *optional[string] { return &j.licenses }),
	"RESERVATION":      words(func(j *slurmJob) *optional[string] { return &j.reservation }),
	"COMMENT":          words(func(j *slurmJob) *optional[string] { return &j.comment }),
	"REQ_NODES":        hosts(func(j *slurmJob) *optional[[]string] { return &j.hosts }),
	"EXC_NODES":        hosts(func(j *slurmJob) *optional[[]string] { return &j.excludedHosts }),
	"NODELIST":         hosts(func(j *slurmJob) *optional[[]string] { return &j.allocatedHosts }),
	"OVER_SUBSCRIBE":   oversubscribe,

	"DEADLINE":         moment(func(j *slurmJob) *optional[int64] { return &j.deadline }),
	"LAST_SCHED_EVAL":  moment(func(j *slurmJob) *optional[int64] { return &j.evaluated }),
	"TIME_MIN":         leastLimit,
	"NTASKS_PER_NODE":  tasksPerNode,
	"NTASKS_PER_CORE":  count(func(j *slurmJob) *optional[int64] { return &j.tasksPerCore }),
	"THREADS_PER_CORE": count(func(j *slurmJob) *optional[int64] { return &j.threadsPerCore }),
	"MIN_MEMORY":       memory(func(j *slurmJob) *optional[int64] { return &j.memMinMB }),
	"MIN_TMP_DISK":     memory(func(j *slurmJob) *optional[int64] { return &j.tmpDiskPerNodeMB }),
	"RESTART_COUNT":    count(func(j *slurmJob) *optional[int64] { return &j.restarts }),
}

// sacctColumns are the field names of sacct (sacct manual, job accounting fields).
var sacctColumns = map[string]textSetter{
	"JobID":        jobIdentifier,
	"JobIDRaw":     jobIdentifier,
	"JobName":      words(func(j *slurmJob) *optional[string] { return &j.name }),
	"User":         words(func(j *slurmJob) *optional[string] { return &j.user }),
	"Group":        words(func(j *slurmJob) *optional[string] { return &j.group }),
	"Account":      words(func(j *slurmJob) *optional[string] { return &j.account }),
	"QOS":          words(func(j *slurmJob) *optional[string] { return &j.qos }),
	"Partition":    words(func(j *slurmJob) *optional[string] { return &j.partition }),
	"State":        stateWord,
	"Reason":       reasonWords,
	"Priority":     count(func(j *slurmJob) *optional[int64] { return &j.priority }),
	"Submit":       moment(func(j *slurmJob) *optional[int64] { return &j.submit }),
	"Eligible":     moment(func(j *slurmJob) *optional[int64] { return &j.eligible }),
	"Start":        moment(func(j *slurmJob) *optional[int64] { return &j.start }),
	"End":          moment(func(j *slurmJob) *optional[int64] { return &j.end }),
	"Timelimit":    limit(func(j *slurmJob) *optional[int64] { return &j.limitSeconds }),
	"TimelimitRaw": minutes(func(j *slurmJob) *optional[int64] { return &j.limitSeconds }),
	"NNodes":       nodeRange,
	"Elapsed":      elapsed,
	"ElapsedRaw":   elapsedRaw,
	"TotalCPU":     totalCPU,
	"NCPUS":        allocatedCPUs,
	"AllocCPUS":    allocatedCPUs,
	"ReqCPUS":      someCPUs,
	"ReqTRES":      requestedTRES,
	"AllocTRES":    allocatedTRES,
	"NodeList":     hosts(func(j *slurmJob) *optional[[]string] { return &j.allocatedHosts }),
	"Constraints":  words(func(j *slurmJob) *optional[string] { return &j.features }),
	"Licenses":     words(func(j *slurmJob) *optional[string] { return &j.licenses }),
	"Reservation":  words(func(j *slurmJob) *optional[string] { return &j.reservation }),
	"Comment":      words(func(j *slurmJob) *optional[string] { return &j.comment }),
}

// jobIdentifier tells apart the two forms of an id that one header names:
// 12_3 or 12_[4-9] as people write it, and the number of the record.
func jobIdentifier(j *slurmJob, text string, _ *time.Location) error {
	switch {
	case text == "":
		return fieldError("JOBID", "the row names no job")
	case j.id == "":
		j.id = text
	case strings.ContainsAny(j.id, "_"):
		j.rawID = text
	case strings.ContainsAny(text, "_"):
		j.id, j.rawID = text, j.id
	case strings.Contains(j.id, "+"): // a component of a heterogeneous job
		j.component(j.id)
		j.id = text
	case strings.Contains(text, "+"):
		j.component(text)
	}
	return nil
}

// component takes 20+1, the second component of a heterogeneous job.
func (j *slurmJob) component(text string) {
	job, offset, _ := strings.Cut(text, "+")
	n, err := strconv.ParseInt(job, 10, 64)
	k, errOffset := strconv.ParseInt(offset, 10, 64)
	if err == nil && errOffset == nil {
		j.hetJob, j.hetOffset = known(n), known(k)
	}
}

// arrayIdentifier: squeue prints the job's own id where there is no array.
func arrayIdentifier(j *slurmJob, text string, _ *time.Location) error {
	if strings.Contains(j.id, "_") {
		n, err := textCount(text)
		j.arrayJob = n
		return err
	}
	return nil
}

// stateWord keeps the word in full or in the compact form of %t.
func stateWord(j *slurmJob, text string, _ *time.Location) error {
	j.state = []string{text}
	return nil
}

// squeuePriority takes %Q, the number itself, or %p, its share of 2^32-1 with 14
// decimals, which is enough to get the number back.
func squeuePriority(j *slurmJob, text string, _ *time.Location) error {
	if isOpen(text) {
		j.priority.stated = true
		return nil
	}
	if strings.Contains(text, ".") {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || share < 0 || share > 1 {
			return fieldError("PRIORITY", "%q is no priority", text)
		}
		if !j.priority.known {
			j.priority = known(int64(math.Round(share * math.MaxUint32)))
		}
		return nil
	}
	n, err := textCount(text)
	j.priority = n
	return err
}

func limit(field func(*slurmJob) *optional[int64]) textSetter {
	return func(j *slurmJob, text string, _ *time.Location) (err error) {
		*field(j), err = textLimit(text)
		return err
	}
}

// leastLimit: squeue prints 0:00 of a job without --time-min.
func leastLimit(j *slurmJob, text string, _ *time.Location) (err error) {
	if j.limitMinSeconds, err = textLimit(text); j.limitMinSeconds.value == 0 {
		j.limitMinSeconds = open[int64]()
	}
	return err
}

func minutes(field func(*slurmJob) *optional[int64]) textSetter {
	return func(j *slurmJob, text string, _ *time.Location) (err error) {
		*field(j), err = textMinutes(text)
		return err
	}
}

// nodeRange: low-high where sacct or squeue print a range.
func nodeRange(j *slurmJob, text string, _ *time.Location) (err error) {
	j.nodes, j.nodesMax, err = textRange(text)
	if !j.nodesMax.known {
		j.nodesMax.stated = false // a table prints no maximum
	}
	return err
}

func cpuRange(j *slurmJob, text string, _ *time.Location) (err error) {
	j.cpus, j.cpusMax, err = textRange(text)
	return err
}

// allocatedCPUs: what the job has is also what it wants, unless it has none yet.
func allocatedCPUs(j *slurmJob, text string, where *time.Location) error {
	n, err := textCount(text)
	if n.value > 0 {
		j.cpusAllocated, j.cpus = n, n
	}
	return err
}

// someCPUs: newer sacct prints 0 for a job that has none yet.
func someCPUs(j *slurmJob, text string, _ *time.Location) error {
	n, err := textCount(text)
	if n.value > 0 && !j.cpus.known {
		j.cpus = n
	}
	return err
}
