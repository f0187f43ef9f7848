package manager

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// Complaint is a command that ran and failed, with what it wrote on its standard error.
type Complaint struct {
	Text string
	Err  error
}

func (c *Complaint) Error() string { return c.Err.Error() }
func (c *Complaint) Unwrap() error { return c.Err }

// Refusal is why a resource manager did not change a job.
type Refusal struct {
	Why string
	Of  Refused
}

// Refused is who is refused.
type Refused uint8

const (
	TheJob     Refused = iota // such as one that is larger than its partition; other jobs are changed
	WhoeverAsk                // may not change jobs: no other job will be changed either
	NoAnswer                  // the resource manager itself fails
)

// words begin what commands print of all jobs alike. What they say of one job alone is not listed: whatever it is, it
// is that of the job.
type words struct{ whoever, nobody []string }

// of sorts a complaint about a job.
func (w words) of(why string) Refusal {
	for _, list := range []struct {
		of    Refused
		texts []string
	}{{WhoeverAsk, w.whoever}, {NoAnswer, w.nobody}} {
		for _, text := range list.texts {
			if strings.Contains(strings.ToLower(why), text) {
				return Refusal{why, list.of}
			}
		}
	}
	return Refusal{why, TheJob}
}

// slurmWords are those of scontrol, seen with 22.05: the first ones from users who may not change jobs of others, and
// "Unexpected message received" where slurmctld is dead.
var slurmWords = words{
	whoever: []string{"access/permission denied", "invalid user id", "authentication", "credential"},
	nobody:  []string{"unexpected message received", "unable to contact", "communication", "connect", "timed out", "zero bytes were transmitted", "standby mode", "incompatible versions"},
}

// batchWords are those of qalter and setspri.
var batchWords = words{
	whoever: []string{"unauthorized", "not authorized", "permission", "credential", "authentication", "access from host",
		"unknown resource", "undefined attribute", "illegal attribute"}, // what is fed does not exist
	nobody: []string{"cannot connect", "could not connect", "connection refused", "communication failure", "protocol", "timed out", "timeout", "no route to host", "end of file"},
}

// slurmRefused is a line of scontrol: WHY for job 12, WHY for job 20+1, or 12_1,3-4: WHY of tasks of an array.
var slurmRefused = regexp.MustCompile(`^(?:(\d+_[\d,:%-]+): (.+)|(.+) for job (\d+(?:[_+][\d,:%-]+)?))$`)

// Refused reads what one scontrol complained of some of its lines.
func (slurmFeeder) Refused(settings []Setting, _ Call, _ []byte, complaint string) map[string]Refusal {
	said, arrays := map[string]string{}, map[string]string{}
	for line := range strings.Lines(complaint) {
		m := slurmRefused.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		id, why := m[1]+m[4], m[2]+m[3]
		said[id] = why
		if array, _, ok := strings.Cut(id, "_"); ok && why != "No error" { // some of the tasks: which did not change is looked at
			arrays[array] = why
		}
	}
	found := map[string]Refusal{}
	for _, s := range settings {
		for _, why := range []string{said[s.Name], said[s.Job], arrays[s.Array]} {
			if why != "" {
				found[s.Job] = slurmWords.of(why)
				break
			}
		}
	}
	return found
}

// Refused: one qalter is of one job.
func (pbsFeeder) Refused(settings []Setting, c Call, _ []byte, complaint string) map[string]Refusal {
	return oneRefused(settings, c, complaint)
}

// Refused: one setspri is of one job.
func (mauiFeeder) Refused(settings []Setting, c Call, _ []byte, complaint string) map[string]Refusal {
	return oneRefused(settings, c, complaint)
}

// oneRefused is why the job that ends a command was not changed.
func oneRefused(settings []Setting, c Call, complaint string) map[string]Refusal {
	why, _, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
	for _, s := range settings {
		if why != "" && s.Name == c.Argv[len(c.Argv)-1] {
			return map[string]Refusal{s.Job: batchWords.of(why)}
		}
	}
	return nil
}

// Refused reads the lines {"job": "12", "refused": "why"} that a program of the site may print. A file takes all.
func (f siteFeeder) Refused(_ []Setting, _ Call, printed []byte, _ string) map[string]Refusal {
	found := map[string]Refusal{}
	for line := range bytes.Lines(printed) {
		var l struct{ Job, Refused string }
		if json.Unmarshal(line, &l) == nil && l.Job != "" && l.Refused != "" {
			found[l.Job] = Refusal{Why: l.Refused}
		}
	}
	return found
}
