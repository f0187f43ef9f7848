package snapshot

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
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
		if !slices.ContainsFunc(names, t.has) {
			in.diags.Errorf("snapshot-record-column", in.file.Span(0, t.body), "the table has no column %s", strings.Join(names, " or ")).
				Note("sacct -P --format=JobID,User,Group,Account,Partition,QOS,Start,End,Elapsed,AllocTRES,NCPUS,TotalCPU,State has what is needed")
			return errStop
		}
	}
	rows, fields := in.newSlurmRows(slurmJob), t.fields(jobFields.texts("sacct"))
	t.rows(in.text, func(row *tableRow) {
		if strings.Contains(t.cell(row, "JobID"), ".") {
			return
		}
		r, err := t.job(rows, row, fields)
		if err == nil {
			err = in.slurmRun(r)
		}
		if err != nil {
			in.badRow(row.start, row.end, err)
		}
	})
	return nil
}

// readAccountingJSONRecords reads the jobs of sacct --json.
func readAccountingJSONRecords(in *input) error {
	in.records = true
	c := newSlurmJSON(in.text)
	err := c.object(func(key []byte) error {
		if string(key) != "jobs" {
			return nil
		}
		return c.slurmRecords(in, jobFields.members("accounting"), func(r *slurmRecord) error { return in.slurmRun(r) })
	})
	if err != nil {
		return err
	}
	return c.end()
}

// slurmRun makes a row of a job of accounting.
func (in *input) slurmRun(j *slurmRecord) error {
	state, word, err := slurmState(j.list(jobStateWords))
	if err != nil {
		return err
	}
	r := &in.scratch
	*r = record{cells: r.cells[:0], start: j.at.start, end: j.at.end}
	r.set("job.id", schema.StringValue(j.identify()))
	r.set("job.state", schema.StringValue(state))
	r.set("job.state_word", schema.StringValue(word))
	partition, _, _ := strings.Cut(j.text(jobPartitionList), ",")
	for _, id := range []schema.ColumnID{"job.user", "job.group", "job.account", "job.qos"} {
		r.set(id, schema.StringValue(j.text(jobFields.slot(string(id)))))
	}
	r.set("job.partition", schema.StringValue(partition))
	j.endByElapsed(state)
	if !j.known(jobStart) { // it ended without having run
		j.forget(jobEnd)
	}
	set := func(id schema.ColumnID, v schema.Value) {
		if v.Known() {
			r.set(id, v)
		}
	}
	set("job.submit_time", j.get(jobSubmit))
	set("job.start_time", j.get(jobStart))
	set("job.end_time", j.get(jobEnd))
	set("job.runtime_seconds", j.get(jobElapsed))
	allocated := j.tres(jobAllocated)
	if n, ok := allocated.Get("cpu"); ok { // what it asked for is no use here
		set("job.procs", schema.IntValue(n))
	} else {
		set("job.procs", j.get(jobCPUsHad))
	}
	set("job.nodes", j.get(jobNodeCount))
	if mb, ok := j.tres(j.effective()).Get("mem"); ok {
		set("job.mem_mb", schema.IntValue(mb))
	}
	set("job.walltime_seconds", finite(j.get(jobLimit)))
	set("job.cpu_seconds", j.get(jobCPUSeconds))
	for _, t := range allocated {
		set(schema.TRES("job", t.Name), schema.DoubleValue(float64(t.Count)))
	}
	in.write(in.jobs(), r, "job.id")
	return nil
}
