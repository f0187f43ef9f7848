package snapshot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// aloneForms are forms whose readers go by the records before, with records that they read.
var aloneForms = []struct {
	format, before, after string
	records               []string
}{
	{"native-json", `{"format_version":1,"jobs":[`, `]}`, []string{
		`{"id":"1","user":"amy","submit_time":5,"procs":1,"tres":{"cpu":1,"mem":7},"partitions":["a","b"],"held":false}`,
		`{"id":"2","user":"amy","submit_time":55,"procs":12,"tres":{"cpu":12,"mem":7},"partitions":["a"],"held":null}`,
		`{"id": "3", "user": "amy", "procs": -1, "submit_time": 1e3, "tres": {"cpu": 0.5, "a(": 1}}`,
		`{"id":"4","id":"5","user":3,"procs":"x","tres":null,"unknown":{"a":[1]},"tres(cpu)":4,"nice":-3}`,
		`{"id":"6","user":"a\u0041","state":"gone","licenses":"a:0","partition":"a,b"}`,
	}},
	{"slurm-jobs-json", `{"meta":{},"jobs":[`, `]}`, []string{
		`{"job_id":1,"job_state":["PENDING"],"user_name":"amy","submit_time":{"set":true,"infinite":false,"number":5},` +
			`"tres_req_str":"cpu=1,mem=2G"}`,
		`{"job_id":2,"job_state":["PENDING"],"user_name":"amy","submit_time":{"set":true,"infinite":false,"number":55},` +
			`"tres_req_str":"cpu=1,mem=2G"}`,
		`{"job_id":3,"job_state":"RUNNING","time_limit":{"set":false,"infinite":true,"number":0},"priority":{"number":3,` +
			`"set":true},"nodes":"n[1-2]"}`,
		`{"job_id":4,"job_id":5,"time_limit":{"number":1,"number":12},"submit_time":{"set":true,"infinite":false,` +
			`"number":05},"nice":4294967295}`,
		`{"job_id":6,"job_state":["COMPLETED","COMPLETING"],"array_task_string":"1-4%2","flags":["a"],"shared":["none"],` +
			`"nice":"x"}`,
	}},
}

// FuzzRecordsAlone: what a record says does not depend on the records before it, by which the readers of JSON go: each
// reads as it does alone in its file.
func FuzzRecordsAlone(f *testing.F) {
	for form, x := range aloneForms {
		for i, record := range x.records {
			f.Add(form, record, x.records[(i+1)%len(x.records)], x.records[(i+2)%len(x.records)])
		}
	}
	f.Fuzz(func(t *testing.T, form int, a, b, c string) {
		for _, text := range []string{a, b, c} {
			if !json.Valid([]byte(text)) {
				return
			}
		}
		x := aloneForms[uint(form)%uint(len(aloneForms))]
		index := slices.IndexFunc(formats, func(o format.Format) bool { return o.Name == x.format })
		read := func(records ...string) (rows []string, faults []string) {
			r := &reading{options: format.Options{Location: time.UTC}}
			in := r.input(&formats[index], "q.json", []byte(x.before+strings.Join(records, ",")+x.after))
			if in.JobRows != nil {
				jobs := in.JobRows.Table()
				for row := range jobs.Rows {
					var cells []string
					for _, c := range jobs.Columns() {
						v := c.Value(row)
						if text := v.Type == schema.String || v.Type == schema.StringList; v.Known() &&
							(!text || v.Str != "" || len(v.List) > 0) {
							cells = append(cells, fmt.Sprintf("%s %#v", c.ID, v))
						}
					}
					slices.Sort(cells)
					rows = append(rows, strings.Join(cells, "\n"))
				}
			}
			for _, d := range in.Diags {
				if d.Code != "snapshot-unknown-field" { // reported once for each file
					faults = append(faults, d.Code+": "+d.Message)
				}
			}
			return rows, faults
		}
		records := []string{a, b, c}
		rows, faults := read(records...)
		var alone, aloneFaults []string
		for _, record := range records {
			r, f := read(record)
			alone, aloneFaults = append(alone, r...), append(aloneFaults, f...)
		}
		if len(alone) > len(rows) && len(rows) > 0 {
			return // of records of one job Slurm's reader takes the first
		}
		if !slices.Equal(rows, alone) {
			t.Fatalf("together\n%s\nalone\n%s", strings.Join(rows, "\n\n"), strings.Join(alone, "\n\n"))
		}
		if !slices.Equal(faults, aloneFaults) {
			t.Fatalf("together\n%s\nalone\n%s", strings.Join(faults, "\n"), strings.Join(aloneFaults, "\n"))
		}
	})
}
