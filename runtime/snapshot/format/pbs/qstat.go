package pbs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

func RecognizeQstat(h *format.Head) int {
	if strings.HasPrefix(h.FirstLine(""), "Job Id:") {
		return format.Certain
	}
	return format.Foreign
}

// ReadQstat reads qstat -f of TORQUE and PBS Professional.
func ReadQstat(in *format.Input) error {
	jobs := textJobs(in.Text)
	if wrapped(in.Text) && slices.ContainsFunc(jobs, func(s *stanza) bool { return !s.proven() || s.doubt != "" }) {
		in.Warn("snapshot-unproven-jobs", jobs[0].start, jobs[0].end,
			"lines of this output go on in the next, and no list of jobs is beside it: "+
				"a line break in the text of a user may have made any of its jobs").
			Note("qstat -f -w of PBS Professional and qstat -x of TORQUE print line breaks so that they pass " +
				"for nothing else; fairway snapshot capture reads these")
	}
	return pbsJobs(in, jobs)
}

// wrapped reports an output without -w: values go on in the next line, and line breaks in them are printed as they are.
func wrapped(text []byte) bool { return bytes.Contains(text, []byte("\n\t")) }

// hashname names the job again, after all that its user may write with line breaks in it. Servers show it to
// operators. A job that a text made up has that of the user's own job after it, beside any that the text has.
const hashname = "hashname"

func (s *stanza) proven() bool {
	named := s.attributes[hashname]
	return named != "" && slices.Contains(s.late, hashname) && numberOf(named) == numberOf(s.name)
}

// numberOf is the number of a job, without server and task.
func numberOf(id string) string {
	return id[:len(id)-len(strings.TrimLeft(id, "0123456789"))]
}

// textJobs are the jobs of qstat -f.
func textJobs(text []byte) (jobs []*stanza) {
	wrapped := wrapped(text)
	stanzas(text, true, func(s *stanza) {
		id, ok := strings.CutPrefix(s.name, jobBegin)
		if !ok && s.fault == "" {
			s.fault = "a job begins with " + jobBegin
		}
		s.name = strings.TrimSpace(id)
		owner, _, _ := strings.Cut(s.attributes["Job_Owner"], "@")
		for _, name := range s.late {
			switch value := s.attributes[name]; {
			case !wrapped || s.doubt != "":
			case name == "euser" && value != owner, name == hashname && numberOf(value) != numberOf(s.name):
				s.doubt = fmt.Sprintf("it is of %q and has %s %q", format.Excerpt([]byte(owner)), name,
					format.Excerpt([]byte(value)))
			}
		}
		jobs = append(jobs, s)
	})
	return settled(jobs)
}

// settled finds what cannot be told apart. Of two jobs of one id the one may be the text of a user. So may an attribute
// after the environment that the server does not print: it prints it of all jobs or of none, so that most owners
// have it.
func settled(jobs []*stanza) []*stanza {
	times, owners := map[string]int{}, map[string]bool{}
	have := map[string]map[string]bool{"euser": {}, "egroup": {}} // owners
	for _, s := range jobs {
		times[s.name]++
		owner := s.attributes["Job_Owner"]
		owners[owner] = true
		for name, by := range have {
			if s.attributes[name] != "" {
				by[owner] = true
			}
		}
	}
	for _, s := range jobs {
		if times[s.name] > 1 {
			s.doubt = "two records have its id"
		}
		for name, by := range have {
			if 2*len(by) <= len(owners) && slices.Contains(s.late, name) {
				delete(s.attributes, name)
			}
		}
	}
	return jobs
}

func pbsJobs(in *format.Input, jobs []*stanza) error {
	in.Snapshot.Family = "pbs"
	for _, s := range jobs {
		if s.doubt != "" {
			in.Warn("snapshot-doubtful-job", s.start, s.end,
				"job %s: %s; a line break in the text of a user may have made "+
					"one of them", format.Excerpt([]byte(s.name)), s.doubt).
				Note("the job is left out; qstat -f -w of PBS Professional and qstat -x of TORQUE print line " +
					"breaks so that no text can be taken for another job")
			continue
		}
		r := in.Begin(s.start, s.end)
		r.Set("job.id", schema.StringValue(s.name))
		(&pbsJob{stanza: s, row: r, location: in.Options.Location}).cells()
		in.Write(in.Jobs(), r, "job.id")
	}
	return nil
}

// PBSJob is a job as qstat prints it.
type PBSJob struct {
	ID         string
	Attributes map[string]string
	Doubt      string // why it cannot be known what it is, "" if it can
}

// PBSJobs reads what qstat -f or qstat -x printed.
func PBSJobs(text []byte) (jobs []PBSJob) {
	read := textJobs
	if isQstatXML(text) {
		read = xmlJobs
	}
	for _, s := range read(text) {
		job := PBSJob{s.name, s.attributes, s.doubt}
		if job.Doubt == "" {
			job.Doubt = s.fault
		}
		jobs = append(jobs, job)
	}
	return jobs
}

func RecognizeQstatJSON(h *format.Head) int {
	if h.JSON.Keys["pbs_version"] && (h.JSON.Keys["Jobs"] || !h.JSON.Keys["nodes"]) {
		return format.Certain
	}
	return format.Foreign
}

// ReadQstatJSON reads qstat -f -F json of PBS Professional. Its timestamp is
// when the server answered.
func ReadQstatJSON(in *format.Input) error {
	var jobs []*stanza
	c := &format.Cursor{Text: in.Text}
	err := c.Object(func(name []byte) error {
		switch string(name) {
		case "timestamp":
			at := c.At
			v, ok, err := format.JSONValue(c, schema.Timestamp)
			switch {
			case err != nil:
			case !ok || !format.ValidTime(v.Int):
				in.Warn("snapshot-bad-time", at, c.At, "the timestamp %s is no time", format.Excerpt(c.Text[at:c.At])).
					Note("the time is taken from elsewhere or stays unknown")
			case v.Known():
				in.Now(v.Int, format.NowRecorded)
			}
			return err
		case "Jobs":
			return in.OfKind(c, '{', "an object with the jobs by id", func() error {
				return c.Object(func(id []byte) error { return qstatJob(in, c, string(id), &jobs) })
			})
		}
		return nil // version, server: nothing a snapshot holds
	})
	if err == nil {
		err = c.End()
	}
	if err != nil {
		return err
	}
	return pbsJobs(in, settled(jobs))
}

// qstatJob reads a job. Versions before 23 print quotation marks of the environment as they are, which may end it.
func qstatJob(in *format.Input, c *format.Cursor, id string, jobs *[]*stanza) error {
	s := &stanza{name: id, attributes: map[string]string{}, start: c.KeyAt, end: c.At, job: true}
	return in.OfKind(c, '{', "an object with a job's attributes", func() error {
		if err := c.Object(func(name []byte) error { return s.flatten(c, string(name), true) }); err != nil {
			return err
		}
		*jobs = append(*jobs, s)
		return nil
	})
}

// flatten takes {"Resource_List": {"mem": "4gb"}} as Resource_List.mem, the
// name that qstat -f prints.
func (s *stanza) flatten(c *format.Cursor, name string, deeper bool) error {
	switch b := c.Peek(); {
	case name == environment:
		s.set(name, "")
		return c.Skip()
	case b == '"':
		text, err := c.ReadString()
		s.set(name, text)
		return err
	case b == '{' && deeper:
		return c.Object(func(inner []byte) error { return s.flatten(c, name+"."+string(inner), false) })
	case b == '-' || (b >= '0' && b <= '9'):
		n, err := c.Number()
		s.set(name, string(n))
		return err
	}
	return c.Skip()
}

func RecognizeQstatXML(h *format.Head) int {
	if isQstatXML(h.Text) {
		return format.Certain
	}
	return format.Foreign
}

// isQstatXML tells it by its beginning; older versions print no declaration.
func isQstatXML(text []byte) bool {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("<?xml")) {
		_, text, _ = bytes.Cut(text, []byte("?>"))
	}
	text = bytes.TrimSpace(text)
	return bytes.HasPrefix(text, []byte("<Data>")) || bytes.HasPrefix(text,
		[]byte("<Data/>")) || bytes.HasPrefix(text, []byte("<Data />"))
}

// ReadQstatXML reads qstat -x of TORQUE.
func ReadQstatXML(in *format.Input) error {
	if !bytes.HasSuffix(bytes.TrimSpace(in.Text), []byte("</Data>")) && bytes.Contains(in.Text, []byte("<Job>")) {
		return &format.BrokenError{Offset: len(in.Text), Message: "the text ends before </Data>"}
	}
	return pbsJobs(in, xmlJobs(in.Text))
}

// unescaped are the characters that TORQUE writes as names (2.5.0 and later; before, < was another character
// altogether).
var unescaped = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")

// xmlJobs are the jobs of qstat -x:
// <Job><Job_Id>12.head</Job_Id><Resource_List><mem>4gb</mem></Resource_List>…</Job>. No
// value has a < in it, so that a tag is one whatever users write; characters that XML does not have are let pass.
func xmlJobs(text []byte) (jobs []*stanza) {
	var path []string
	var current *stanza
	for at := 0; ; {
		open := bytes.IndexByte(text[at:], '<')
		if open < 0 {
			return settled(jobs)
		}
		value := text[at : at+open]
		at += open
		end := bytes.IndexByte(text[at:], '>')
		if end < 0 {
			return settled(jobs)
		}
		tag := string(text[at+1 : at+end])
		start := at
		at += end + 1
		name, closes := strings.CutPrefix(tag, "/")
		switch {
		case strings.HasPrefix(tag, "?") || strings.HasSuffix(tag, "/"):
		case !closes:
			if path = append(path, tag); tag == "Job" && len(path) == 2 {
				current = &stanza{attributes: map[string]string{}, start: start, end: at, job: true}
			}
		case len(path) == 0 || path[len(path)-1] != name:
			return settled(jobs) // no text of qstat
		default:
			if current != nil {
				current.close(path[2:], unescaped.Replace(string(bytes.TrimSpace(value))))
			}
			if path = path[:len(path)-1]; len(path) == 1 && current != nil {
				jobs, current = append(jobs, current), nil
			}
		}
	}
}

// close takes the value of an element of a job. An element of others has the end of its last one before its own.
func (s *stanza) close(path []string, value string) {
	switch name := strings.Join(path, "."); {
	case name == "" || value == "":
	case name == "Job_Id":
		s.name = value
	default:
		s.set(name, value)
	}
}
