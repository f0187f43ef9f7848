package snapshot

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
)

// TestCodes: each code of the readers that are not Slurm's is reported, with
// the documented severity and a note on what to do, for the input beside it.
func TestCodes(t *testing.T) {
	jobs := func(n int, job string) string {
		return `{"format_version": 1, "jobs": [` + strings.TrimSuffix(strings.Repeat(job+",", n), ",") + `]}`
	}
	inputs := map[string]struct {
		files mapFS
		read  string
	}{
		"snapshot-bad-record":              {mapFS{"q": jobs(1, `{"id": "1", "procs": "four"}`)}, "q"},
		"snapshot-bad-time":                {mapFS{"now.txt": "yesterday"}, "now.txt"},
		"snapshot-broken-file":             {mapFS{"q": `{"format_version": 1, "jobs": [{"id": "1",}]}`}, "q"},
		"snapshot-capture-damaged":         {mapFS{"d/manifest.json": `{"format_version": 1, "kind": "fairway-capture", "timezone": "UTC", "complete": false}`}, "d"},
		"snapshot-cut-value":               {mapFS{"q": "JOBID|STATE|ACCOUNT |\n1|PENDING|chemistr|\n"}, "q"},
		"snapshot-fairshare-line":          {mapFS{"FS.1": "User amy 1\n"}, "FS.1"},
		"snapshot-fairshare-without-start": {mapFS{"usage": "# FS Data File\nuser amy 1\n"}, "usage"},
		"snapshot-doubtful-job":            {mapFS{"q": "Job Id: 1\n    job_state = Q\nJob Id: 1\n    job_state = R\n"}, "q"},
		"snapshot-file-skipped":            {mapFS{"d/notes": "hello"}, "d"},
		"snapshot-format-version":          {mapFS{"q": `{"format_version": 2}`}, "q"},
		"snapshot-job-without-user":        {mapFS{"q": jobs(1, `{"id": "1"}`)}, "q"},
		"snapshot-more-of-a-kind":          {mapFS{"q": jobs(21, `{"id": ""}`)}, "q"},
		"snapshot-not-yet-arrived":         {mapFS{"q": `{"format_version": 1, "now": 1, "jobs": [{"id": "1", "arrival_time": 1}, {"id": "2", "arrival_time": 2}]}`}, "q"},
		"snapshot-node-without-procs":      {mapFS{"q": `{"format_version": 1, "nodes": [{"id": "n1"}]}`}, "q"},
		"snapshot-window-twice":            {mapFS{"d/FS.43200": "TOTAL NONE 1\n", "d/fs/FS.43200": "TOTAL NONE 2\n"}, "d"},
		"snapshot-repeated-column":         {mapFS{"q": "id,procs,procs\n"}, "q"},
		"snapshot-repeated-id":             {mapFS{"q": jobs(2, `{"id": "1"}`)}, "q"},
		"snapshot-trace-fields":            {mapFS{"q": "1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n2 0 -1 60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1 7\n"}, "q"},
		"snapshot-trace-moment":            {mapFS{"d/q": "1 0 5 60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n", "d/now.txt": "9\n"}, "d"},
		"snapshot-bad-licenses":            {mapFS{"q": jobs(1, `{"id": "1", "licenses": "m:-3"}`)}, "q"},
		"snapshot-reservation-ends-first":  {mapFS{"q": `{"format_version": 1, "reservations": [{"name": "r", "start_time": 1700003600, "end_time": 1700000000}]}`}, "q"},
		"snapshot-unknown-state":           {mapFS{"q": jobs(1, `{"id": "1", "state": "runing"}`)}, "q"},
		"snapshot-nothing-arrived":         {mapFS{"q": `{"format_version": 1, "now": 1, "jobs": [{"id": "1", "arrival_time": 2}]}`}, "q"},
		"snapshot-unknown-node":            {mapFS{"q": `{"format_version": 1, "jobs": [{"id": "1", "user": "amy", "state": "running", "allocated_hosts": ["n2"]}], "nodes": [{"id": "n1", "procs": 1}]}`}, "q"},
		"snapshot-unknown-field":           {mapFS{"q": jobs(1, `{"id": "1", "walltime": 60}`)}, "q"},
		"snapshot-unknown-format":          {mapFS{"q": "hello"}, "q"},
		"snapshot-unproven-jobs":           {mapFS{"q": "Job Id: 1\n    job_state = Q\n    Variable_List = A=a,\n\tB=b\n"}, "q"},
	}
	recordInputs := map[string]struct {
		files mapFS
		read  string
	}{
		"snapshot-cut-line":          {mapFS{"log": event(0, "Q", "1", "queue=batch") + "11/20/2026 08:00:00;E;1;start=1"}, "log"},
		"snapshot-log-timezone":      {mapFS{"log": event(3600, "S", "1", "exec_host=n/0 start=0")}, "log"},
		"snapshot-no-job-records":    {mapFS{"q": "hello"}, "q"},
		"snapshot-record-column":     {mapFS{"t": "JobID|User|Start|End\n"}, "t"},
		"snapshot-start-without-run": {mapFS{"log": event(0, "S", "1", "exec_host=n/0 start=0") + event(9, "S", "1", "exec_host=n/0 start=9")}, "log"},
	}
	maps.Copy(inputs, recordInputs)
	documented := slices.Concat(readCodes, nativeCodes, mauiCodes, recordCodes)
	if len(documented) != len(inputs) {
		t.Errorf("%d codes, %d inputs", len(documented), len(inputs))
	}
	for _, doc := range documented {
		input, ok := inputs[doc.Code]
		if !ok {
			t.Errorf("%s has no input", doc.Code)
			continue
		}
		read := func(fsys fs.FS, paths []string, options Options) (diag.List, error) {
			_, diags, err := Read(fsys, paths, options)
			return diags, err
		}
		if _, ok := recordInputs[doc.Code]; ok {
			read = func(fsys fs.FS, paths []string, options Options) (diag.List, error) {
				_, diags, err := ReadRecords(fsys, paths, options)
				return diags, err
			}
		}
		diags, err := read(input.files.open(), []string{input.read}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == doc.Code })
		if i < 0 {
			t.Errorf("%s is not reported but %v", doc.Code, codesOf(diags))
			continue
		}
		if diags[i].Severity != doc.Severity {
			t.Errorf("%s is reported as %v", doc.Code, diags[i].Severity)
		}
		if len(diags[i].Notes) == 0 {
			t.Errorf("%s says nothing about what to do", doc.Code)
		}
	}
}

// TestCodeDocs: all codes of the package are well formed and documented once.
func TestCodeDocs(t *testing.T) {
	form := regexp.MustCompile(`^snapshot(-[a-z]+)+$`)
	seen := map[string]bool{}
	for _, c := range Codes {
		if !form.MatchString(c.Code) || seen[c.Code] || c.What == "" || c.Why == "" || c.Instead == "" {
			t.Errorf("%s", c.Code)
		}
		seen[c.Code] = true
	}
}

// TestManyBadRecords: all are counted, the first ones are shown.
func TestManyBadRecords(t *testing.T) {
	s, diags := readText(t, "q.csv", "id,procs\n"+strings.Repeat("1,x\n", 1000))
	shown := 0
	for _, d := range diags {
		if d.Code == "snapshot-bad-record" {
			shown++
		}
	}
	last := diags[slices.IndexFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == "snapshot-more-of-a-kind" })]
	if s.Sources[0].Bad != 1000 || shown != maxOfAKind || last.Message != "980 places more like the first 20 of snapshot-bad-record" {
		t.Error(s.Sources, shown, last.Message)
	}
}
