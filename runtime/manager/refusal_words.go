package manager

import (
	_ "embed" // the table
	"strings"
)

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
