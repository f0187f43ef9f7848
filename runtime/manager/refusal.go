package manager

import (
	"bytes"
	_ "embed" // the table
	"encoding/json"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
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

// Refused is what a refusal is of.
type Refused uint8

const (
	Unknown    Refused = iota // words that no table has: they may be of the job or of the resource manager
	TheJob                    // it asks for what is refused, such as more than its partition has; others are changed
	ForNow                    // the job as it is now, such as one that is just ending: it passes by itself
	WhoeverAsk                // may not change jobs: no other job will be changed either
	NoAnswer                  // the resource manager itself fails, or has no time
)

// slurmRefused is a line of scontrol: WHY for job 12, WHY for job 20+1, or 12_1,3-4: WHY of tasks of an array.
var slurmRefused = source.Pattern(`^(?:(\d+_[\d,:%-]+): (.+)|(.+) for job (\d+(?:[_+][\d,:%-]+)?))$`)

// Refused reads what one scontrol complained of some of its lines.
func (slurmFeeder) Refused(settings []Setting, _ Call, _ []byte, complaint string) (map[string]Refusal, bool) {
	rest := false
	said, arrays := map[string]string{}, map[string]string{}
	for line := range strings.Lines(complaint) {
		m := slurmRefused().FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			rest = rest || strings.TrimSpace(line) != ""
			continue
		}
		id, why := m[1]+m[4], m[2]+m[3]
		said[id] = why
		// some of the tasks: which did not change is looked at
		if array, _, ok := strings.Cut(id, "_"); ok && why != "No error" {
			arrays[array] = why
		}
	}
	found := map[string]Refusal{}
	for _, s := range settings {
		for _, why := range []string{said[s.Name], said[s.Job], arrays[s.Array]} {
			if why != "" {
				found[s.Job] = refusal(slurmWords, why)
				break
			}
		}
	}
	return found, rest
}

// Refused: one qalter is of one job.
func (pbsFeeder) Refused(settings []Setting, c Call, _ []byte, complaint string) (map[string]Refusal, bool) {
	return oneRefused(settings, c, complaint)
}

// Refused: one setspri is of one job.
func (mauiFeeder) Refused(settings []Setting, c Call, _ []byte, complaint string) (map[string]Refusal, bool) {
	return oneRefused(settings, c, complaint)
}

// oneRefused is why the job that ends a command was not changed.
func oneRefused(settings []Setting, c Call, complaint string) (found map[string]Refusal, rest bool) {
	why, _, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
	for _, s := range settings {
		if why != "" && s.Name == c.Argv[len(c.Argv)-1] {
			return map[string]Refusal{s.Job: refusal(batchWords, why)}, false
		}
	}
	return nil, why != ""
}

// Refused reads the lines {"job": "12", "refused": "why"} that a program of the site may print: its word that it does
// not take the job counts, unless it says that a later time may do. A file takes all.
func (siteFeeder) Refused(_ []Setting, _ Call, printed []byte, complaint string) (map[string]Refusal, bool) {
	found := map[string]Refusal{}
	for line := range bytes.Lines(printed) {
		var l struct{ Job, Refused string }
		if json.Unmarshal(line, &l) == nil && l.Job != "" && l.Refused != "" {
			found[l.Job] = Refusal{l.Refused, TheJob}
			if passes().MatchString(l.Refused) {
				found[l.Job] = Refusal{l.Refused, ForNow}
			}
		}
	}
	return found, strings.TrimSpace(complaint) != ""
}

// passes are words by which a program of the site says that it is not for good.
var passes = source.Pattern(`(?i)\b(?:again|retry|later|temporar(?:y|ily)|right now|busy|timed? ?out)\b`)

//go:embed refusal_words.txt
var refusalWords string

// longestWords bounds how long a line of the table is.
const longestWords = 80

// wordings are how the complaints of a resource manager begin, and what they are of.
type wordings map[string]Refused

var slurmWords, batchWords = wordingsOf("slurm"), wordingsOf("batch")

// wordingsOf reads the sections of the table that are of one kind of command.
func wordingsOf(kind string) wordings {
	of := map[string]Refused{"job": TheJob, "now": ForNow, "whoever": WhoeverAsk, "controller": NoAnswer}
	words, section := wordings{}, ""
	for line := range strings.Lines(refusalWords) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		switch who, is := strings.CutPrefix(line, "["); {
		case is:
			section = strings.TrimSuffix(who, "]")
		case line == "" || strings.HasPrefix(line, "#"):
		default:
			if refused, ours := strings.CutPrefix(section, kind+" "); ours {
				words[line] = of[refused]
			}
		}
	}
	return words
}

// refusal sorts a complaint about a job. The longest beginning counts.
func refusal(w wordings, why string) Refusal {
	text := strings.ToLower(why)
	for _, program := range []string{"qalter:", "setspri:", "error:"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, program))
	}
	for n := min(len(text), longestWords); n > 0; n-- { // a complaint is of any length
		if of, ok := w[text[:n]]; ok {
			return Refusal{why, of}
		}
	}
	return Refusal{why, Unknown}
}
