package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// sacctNeeds are the columns without which a run cannot be counted; of each
// group one is enough.
var sacctNeeds = [][]string{
	{"Start"},
	{"End", "Elapsed", "ElapsedRaw"},
	{"AllocTRES", "AllocCPUS", "NCPUS"},
}

// ReadSacctRecords reads sacct -P as records of what ran. Steps are left out; the
// several runs of a requeued job (sacct -D) stay apart.
func ReadSacctRecords(in *format.Input) error {
	in.Records = true
	t := tableHeader(in.Text, "JobID")
	for _, names := range sacctNeeds {
		if !slices.ContainsFunc(names, t.has) {
			in.Diags.Errorf("snapshot-record-column", in.File.Span(0, t.body), "the table has no column %s",
				strings.Join(names, " or ")).
				Note("sacct -P " +
					"--format=JobID,User,Group,Account,Partition,QOS,Start,End,Elapsed," +
					"AllocTRES,NCPUS,TotalCPU,State has what is needed")
			return format.ErrStop
		}
	}
	rows, fields := newSlurmRows(in, slurmJob), t.fields(jobFields.texts("sacct"))
	t.rows(in.Text, func(row *tableRow) {
		if strings.Contains(t.cell(row, "JobID"), ".") {
			return
		}
		r, err := t.job(rows, row, fields)
		if err == nil {
			err = slurmRun(in, r)
		}
		if err != nil {
			badRow(in, row.start, row.end, err)
		}
	})
	return nil
}

// ReadAccountingJSONRecords reads the jobs of sacct --json.
func ReadAccountingJSONRecords(in *format.Input) error {
	in.Records = true
	c := newSlurmJSON(in.Text)
	err := c.Object(func(key []byte) error {
		if string(key) != "jobs" {
			return nil
		}
		return c.slurmRecords(in, jobFields.members("accounting"),
			func(r *slurmRecord) error { return slurmRun(in, r) })
	})
	if err != nil {
		return err
	}
	return c.End()
}

// slurmRun makes a row of a job of accounting.
func slurmRun(in *format.Input, j *slurmRecord) error {
	state, word, err := SlurmState(j.list(jobStateWords))
	if err != nil {
		return err
	}
	r := in.Begin(j.at.Start, j.at.End)
	r.Set("job.id", schema.StringValue(j.identify()))
	r.Set("job.state", schema.StringValue(state))
	r.Set("job.state_word", schema.StringValue(word))
	partition, _, _ := strings.Cut(j.text(jobPartitionList), ",")
	for _, id := range []schema.ColumnID{"job.user", "job.group", "job.account", "job.qos"} {
		r.Set(id, schema.StringValue(j.text(jobFields.slot(string(id)))))
	}
	r.Set("job.partition", schema.StringValue(partition))
	j.endByElapsed(state)
	if !j.known(jobStart) { // it ended without having run
		j.forget(jobEnd)
	}
	set := func(id schema.ColumnID, v schema.Value) {
		if v.Known() {
			r.Set(id, v)
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
	in.Write(in.Jobs(), r, "job.id")
	return nil
}
