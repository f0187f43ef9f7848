package snapshot

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// sacctNeeds are the columns without which a run cannot be counted; of each
// group one is enough.
var sacctNeeds = [][]string{
	{"Start"},
	{"End", "Elapsed", "ElapsedRaw"},
	{"AllocTRES", "AllocCPUS", "NCPUS"},
}

// readSacctRecords reads sacct -P as records of what ran. Steps are left out; the
// several runs of a requeued job (sacct -D) stay apart.
func readSacctRecords(in *input) error {
	in.records = true
	t := tableHeader(in.text, "JobID")
	for _, names := range sacctNeeds {
		if !t.hasOneOf(names) {
			in.diags.Errorf("snapshot-record-column", in.file.Span(0, t.body), "the table has no column %s", strings.Join(names, " or ")).
				Note("sacct -P --format=JobID,User,Group,Account,Partition,QOS,Start,End,Elapsed,AllocTRES,NCPUS,TotalCPU,State has what is needed")
			return errStop
		}
	}
	setters := make([]textSetter, len(t.header))
	for i, name := range t.header {
		setters[i] = sacctColumns[name]
	}
	t.rows(in.text, func(r *tableRow) {
		if strings.Contains(t.cell(r, "JobID"), ".") {
			return
		}
		j, err := t.job(r, setters, in.options.Location)
		if err == nil {
			err = in.slurmRun(j, r.start, r.end)
		}
		if err != nil {
			in.badRow(r, err)
		}
	})
	return nil
}

func (t *slurmTable) hasOneOf(names []string) bool {
	for _, name := range names {
		if t.column(name, 0) >= 0 {
			return true
		}
	}
	return false
}

// readAccountingJSONRecords reads the jobs of sacct --json.
func readAccountingJSONRecords(in *input) error {
	in.records = true
	c := newSlurmJSON(in.text)
	err := c.object(func(key []byte) error {
		if string(key) != "jobs" {
			return nil
		}
		j, start := slurmJob{}, 0
		return c.records(in, func(key []byte) error { return c.accountingMember(&j, key) },
			func() { j, start = slurmJob{state: j.state[:0]}, c.at },
			func() error { return in.slurmRun(&j, start, start+1) })
	})
	if err != nil {
		return err
	}
	return c.end()
}

// slurmRun makes a row of a job of accounting.
func (in *input) slurmRun(j *slurmJob, start, end int) error {
	state, word, err := slurmState(j.state)
	if err != nil {
		return err
	}
	r := &in.scratch
	*r = record{cells: r.cells[:0], start: start, end: end}
	r.set("job.id", schema.StringValue(j.identify()))
	r.set("job.state", schema.StringValue(state))
	r.set("job.state_word", schema.StringValue(word))
	partition, _, _ := strings.Cut(j.partition.value, ",")
	for _, c := range []struct {
		id   schema.ColumnID
		text string
	}{
		{"job.user", j.user.value}, {"job.group", j.group.value}, {"job.account", j.account.value},
		{"job.qos", j.qos.value}, {"job.partition", partition},
	} {
		r.set(c.id, schema.StringValue(c.text))
	}
	setTime := func(id schema.ColumnID, t optional[int64]) {
		if t.known {
			r.set(id, schema.TimestampValue(t.value))
		}
	}
	setCount := func(id schema.ColumnID, n optional[int64]) {
		if n.known {
			r.set(id, schema.IntValue(n.value))
		}
	}
	if state == "done" && !j.end.known && j.start.known && j.elapsedSeconds.known {
		j.end = known(j.start.value + j.elapsedSeconds.value)
	}
	if !j.start.known { // it ended without having run
		j.end = open[int64]()
	}
	setTime("job.submit_time", j.submit)
	setTime("job.start_time", j.start)
	setTime("job.end_time", j.end)
	setCount("job.runtime_seconds", j.elapsedSeconds)
	setCount("job.procs", j.allocatedProcs())
	setCount("job.nodes", j.nodes)
	if mb, ok := j.tres().value.Get("mem"); ok {
		r.set("job.mem_mb", schema.IntValue(mb))
	}
	if j.limitSeconds.known && j.limitSeconds.value != slurmtext.Infinite {
		r.set("job.walltime_seconds", schema.IntValue(j.limitSeconds.value))
	}
	if j.cpuSeconds.known {
		r.set("job.cpu_seconds", schema.DoubleValue(j.cpuSeconds.value))
	}
	for _, t := range j.tresAllocated.value {
		r.set(schema.TRES("job", t.Name), schema.DoubleValue(float64(t.Count)))
	}
	in.write(in.jobs(), r, "job.id")
	return nil
}

// allocatedProcs are the CPUs the job had; what it asked for is no use here.
func (j *slurmJob) allocatedProcs() optional[int64] {
	if n, ok := j.tresAllocated.value.Get("cpu"); ok {
		return known(n)
	}
	return j.cpusAllocated
}

// elapsed is [days-[hours:]]minutes:seconds.
func elapsed(j *slurmJob, text string, _ *time.Location) error {
	if isOpen(text) || j.elapsedSeconds.known {
		return nil
	}
	seconds, err := slurmtext.ParseTimeSeconds(text)
	if err == nil && seconds == slurmtext.Infinite {
		err = fmt.Errorf("%q is no time that passed", text)
	}
	if err == nil {
		j.elapsedSeconds = known(seconds)
	}
	return err
}

// elapsedRaw is the same in seconds.
func elapsedRaw(j *slurmJob, text string, _ *time.Location) error {
	if isOpen(text) {
		return nil
	}
	n, ok := wholeNumber(text)
	if !ok || n < 0 || n > math.MaxUint32 {
		return fmt.Errorf("%q is no number of seconds", text)
	}
	j.elapsedSeconds = known(n)
	return nil
}

// totalCPU is the same with thousandths: 1-02:03:04 or 03:04.567.
func totalCPU(j *slurmJob, text string, _ *time.Location) error {
	if isOpen(text) {
		return nil
	}
	whole, fraction, _ := strings.Cut(text, ".")
	seconds, err := slurmtext.ParseTimeSeconds(whole)
	if err == nil && (seconds == slurmtext.Infinite || strings.Trim(fraction, "0123456789") != "") {
		err = fmt.Errorf("%q is no CPU time", text)
	}
	if err != nil {
		return err
	}
	thousandths, _ := realNumber("0." + fraction + "0")
	j.cpuSeconds = known(float64(seconds) + thousandths)
	return nil
}
