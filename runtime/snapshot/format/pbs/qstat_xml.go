package pbs

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

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
