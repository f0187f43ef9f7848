package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/pbs"
)

// forger is a user who writes the text of a variable of a job.
func pbsText(variable string) string {
	job := func(id, user, variables string) string {
		return fmt.Sprintf(`Job Id: %s
    Job_Name = a
    Job_Owner = %s@login
    job_state = Q
    queue = batch
    server = head
    ctime = Fri Nov 20 11:00:00 2026
    Hold_Types = n
    Priority = 0
    qtime = Fri Nov 20 11:00:00 2026
    Resource_List.nodes = 2
    Resource_List.walltime = 01:00:00
    substate = 10
    Variable_List = PBS_O_QUEUE=batch,PBS_O_HOME=/home/%s,
	%s
    euser = %s
    egroup = users
    queue_type = E
    etime = Fri Nov 20 11:00:00 2026

`, id, user, user, variables, user)
	}
	return job("11.head", "eve", variable) + job("12.head", "ana", "A=a") + job("13.head", "bo", "A=a")
}

// TestForgedQstat: what a user puts into the environment of a job is read as nothing but that; where it cannot be known
// apart, that job is left out alone, and a shell function of a harmless user costs nothing.
func TestForgedQstat(t *testing.T) {
	for _, c := range []struct{ what, variable, want, doubt string }{
		{"nothing", "A=a", "11.head eve Q 2, 12.head ana Q 2, 13.head bo Q 2", ""},
		{"attributes that come before",
			"A=x\n    Job_Owner = root@login\n    job_state = R\n    Resource_List.nodes = 9\n    Account_Name = vip\n    " +
				"Resource_List.qos = high",
			"11.head eve Q 2, 12.head ana Q 2, 13.head bo Q 2", ""},
		{"attributes that come after", "A=x\n    euser = root", "12.head ana Q 2, 13.head bo Q 2",
			`job 11.head: it has euser twice, "root" and "eve"`},
		{"another's job", "A=x\n\nJob Id: 13.head\n    Job_Owner = bo@login\n    job_state = C\n    ctime = Fri Nov 20 " +
			"11:00:00 2026", "11.head eve Q 2, 12.head ana Q 2", "job 13.head: two records have its id"},
		{"a user, and a record that takes the true one", "A=x\n    euser = root\n\nJob Id: 13.head\n    job_state = C",
			"12.head ana Q 2", `job 11.head: it is of "eve" and has euser "root"`},
		{"an invented job of another",
			"A=x\n    euser = eve\n    etime = Fri Nov 20 11:00:00 2026\n\nJob Id: 99.head\n    Job_Owner = bo@login\n    " +
				"job_state = Q\n    Resource_List.nodes = 2\n    Variable_List = A=a",
			"11.head eve Q 2, 12.head ana Q 2, 13.head bo Q 2", `job 99.head: it is of "bo" and has euser "eve"`},
		{"an invented job of another that says whose",
			"A=x\n    euser = eve\n\nJob Id: 99.head\n    Job_Owner = bo@login\n    job_state = Q\n    Resource_List.nodes = " +
				"2\n    Variable_List = A=a\n    euser = bo",
			"11.head eve Q 2, 12.head ana Q 2, 13.head bo Q 2", `job 99.head: it has euser twice, "bo" and "eve"`},
		{"a shell function", "BASH_FUNC_module%%=() {\n  if [ x = y ]; then\n    eval `modulecmd bash`\n}\n}\nfi = 3",
			"11.head eve Q 2, 12.head ana Q 2, 13.head bo Q 2", ""},
	} {
		s, diags, err := Read(Texts{"q": []byte(pbsText(c.variable))}, []string{"q"}, format.Options{})
		if err != nil || diags.HasErrors() {
			t.Fatalf("%s: %v, %v", c.what, err, diags)
		}
		var got []string
		for i := range s.Jobs.Rows {
			text := func(name string) string { return s.Jobs.Value(schema.ColumnID("job."+name), i).Str }
			got = append(got, fmt.Sprintf("%s %s %s %d", text("id"), text("user"), text("state_word"),
				s.Jobs.Value("job.procs", i).Int))
			if id := text("id"); id != "11.head" && text("group") != "users" || text("account") != "" || text("qos") != "" {
				t.Errorf("%s: job %s has group %q, account %q, qos %q", c.what, id, text("group"), text("account"), text("qos"))
			}
		}
		doubt, unproven := "", false
		for _, d := range diags {
			unproven = unproven || d.Code == "snapshot-unproven-jobs"
			if d.Code == "snapshot-doubtful-job" {
				doubt += d.Message
			}
			if d.Code == "snapshot-bad-record" {
				t.Errorf("%s: %s", c.what, d.Message)
			}
		}
		if !unproven {
			t.Errorf("%s: it is not reported that a text may have made a job", c.what)
		}
		if strings.Join(got, ", ") != c.want || !strings.HasPrefix(doubt, c.doubt) || c.doubt == "" && doubt != "" {
			t.Errorf("%s: %s\n%s", c.what, strings.Join(got, ", "), doubt)
		}
		if s.Sources[0].Bad != 0 {
			t.Errorf("%s: %d records are bad, which ends a capture", c.what, s.Sources[0].Bad)
		}
	}
}

// TestProvenQstat: each job that operators see is named again after what its user writes, so that an invented one is
// seen, and that the rest of the file may be forged too; a file in which all names agree is trusted.
func TestProvenQstat(t *testing.T) {
	const invented = "A=x\n    euser = eve\n    egroup = users\n    hashname = 11.head\n\nJob Id: 98.head\n    " +
		"Job_Owner = eve@login\n    job_state = Q\n    Resource_List.nodes = 2\n    Variable_List = A=a"
	for _, c := range []struct {
		what, variable, jobs string
		unproven             bool
	}{
		{"nothing", "A=a", "11.head 12.head 13.head", false},
		{"an invented job", invented, "11.head 12.head 13.head", true},
		{"one that is named", invented + "\n    hashname = 98.head", "11.head 12.head 13.head", true},
		{"two, the first of them whole",
			invented + "\n    euser = eve\n    egroup = users\n    hashname = 98.head\n\nJob Id: 99.head\n    Job_Owner = " +
				"eve@login\n    job_state = Q\n    Variable_List = A=a\n    hashname = 99.head",
			"11.head 98.head 12.head 13.head", true},
	} {
		text := pbsText(c.variable)
		for _, id := range []string{"11", "12", "13"} {
			user := map[string]string{"11": "eve", "12": "ana", "13": "bo"}[id]
			at := strings.LastIndex(text, "    euser = "+user+"\n    egroup = users\n    queue_type")
			text = text[:at] + "    hashname = " + id + ".head\n" + text[at:]
		}
		s, diags, err := Read(Texts{"q": []byte(text)}, []string{"q"}, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var jobs []string
		for i := range s.Jobs.Rows {
			jobs = append(jobs, s.Jobs.Value("job.id", i).Str)
		}
		unproven := slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == "snapshot-unproven-jobs" })
		if strings.Join(jobs, " ") != c.jobs || unproven != c.unproven {
			t.Errorf("%s: %v, unproven %v, %v", c.what, jobs, unproven, diags)
		}
	}
}

// TestQstatXML: TORQUE's XML, whose values have no tags in them, also with what XML does not have.
func TestQstatXML(t *testing.T) {
	const text = `<?xml version="1.0"?>
<Data><Job><Job_Id>11.head</Job_Id><Job_Name>a</Job_Name><Job_Owner>eve@login</Job_Owner><job_state>Q</job_state><queue>batch</queue><ctime>1795172400</ctime><Priority>3</Priority><qtime>1795172400</qtime><Resource_List><nodes>2</nodes><walltime>01:00:00</walltime></Resource_List><Variable_List>A=&lt;/Variable_List&gt;&lt;job_state&gt;R&lt;/job_state&gt;
    job_state = R

Job Id: 12.head
    job_state = C
` + "\x01\x0e" + `&amp;lt;</Variable_List><euser>eve</euser><egroup>users</egroup><etime>1795172400</etime></Job><Job><Job_Id>12.head</Job_Id><Job_Owner>ana@login</Job_Owner><job_state>Q</job_state><euser>ana</euser><egroup>users</egroup></Job></Data>
`
	jobs := pbs.PBSJobs([]byte(text))
	if len(jobs) != 2 || jobs[0].ID != "11.head" || jobs[0].Attributes["job_state"] != "Q" ||
		jobs[0].Attributes["Resource_List.walltime"] != "01:00:00" || jobs[0].Attributes["Priority"] != "3" ||
		jobs[1].Attributes["euser"] != "ana" || jobs[0].Doubt+jobs[1].Doubt != "" ||
		!strings.Contains(jobs[0].Attributes["Variable_List"], "</Variable_List><job_state>R") ||
		!strings.HasSuffix(jobs[0].Attributes["Variable_List"], "&lt;") {
		t.Errorf("%+v", jobs)
	}
	s, diags, err := Read(Texts{"q": []byte(text)}, []string{"q"}, format.Options{})
	if err != nil || diags.HasErrors() || s.Sources[0].Format != "pbs-qstat-xml" || s.Jobs.Rows != 2 ||
		s.Jobs.Value("job.submit_time", 0).Int != 1795172400 || s.Jobs.Value("job.walltime_seconds", 0).Int != 3600 {
		t.Errorf("%v, %v", err, diags)
	}
	if _, diags, err = Read(Texts{"q": []byte(text[:len(text)-40])}, []string{"q"}, format.Options{}); err == nil &&
		!diags.HasErrors() {
		t.Error("half of a document is taken for all of it")
	}
	for _, empty := range []string{"<Data></Data>", "<?xml version=\"1.0\"?>\n<Data/>\n"} {
		if jobs := pbs.PBSJobs([]byte(empty)); len(jobs) != 0 {
			t.Errorf("%s: %+v", empty, jobs)
		}
	}
}

// TestForgedQstatJSON: versions before 23 print quotation marks of the environment as they are.
func TestForgedQstatJSON(t *testing.T) {
	text := func(variable string) string {
		return `{"timestamp":1795172430,"pbs_version":"19.1.3","pbs_server":"head","Jobs":{
"11.head":{"Job_Name":"a","Job_Owner":"eve@login","job_state":"Q","queue":"batch","Resource_List":{"ncpus":2},"Variable_List":{"PBS_O_HOME":"/home/eve","A":"` + variable + `"},"etime":"Fri Nov 20 11:00:00 2026"},
"12.head":{"Job_Name":"a","Job_Owner":"ana@login","job_state":"Q","queue":"batch","Resource_List":{"ncpus":2},"Variable_List":{"A":"a"},"etime":"Fri Nov 20 11:00:00 2026"}}}
`
	}
	for _, c := range []struct {
		variable string
		jobs     int
	}{
		{`a`, 2},
		{`x"},"job_state":"R","Account_Name":"vip","euser":"root","Resource_List":{"ncpus":"9"},"b":{"c":"`, 2},
		{`x"}},"12.head":{"Job_Owner":"ana@login","job_state":"F","b":{"c":"`, 1},
	} {
		s, diags, err := Read(Texts{"q": []byte(text(c.variable))}, []string{"q"}, format.Options{})
		if err != nil || diags.HasErrors() || s.Jobs.Rows != c.jobs {
			t.Fatalf("%s: %v, %v", c.variable, err, diags)
		}
		for i := range s.Jobs.Rows {
			if s.Jobs.Value("job.state_word", i).Str != "Q" || s.Jobs.Value("job.account", i).Str != "" ||
				s.Jobs.Value("job.user", i).Str == "root" || s.Jobs.Value("job.procs", i).Int != 2 {
				t.Errorf("%s: job %d is forged", c.variable, i)
			}
		}
	}
}
