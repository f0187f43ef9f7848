package anonymize

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// An unknown word may be a name: of states, reasons and flags only known words pass.

//go:embed words.txt
var wordList string

// words are those of states and flags, in small letters.
var words = func() map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(wordList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			known[w] = true
		}
	}
	return known
}()

var (
	wordForm    = source.Pattern(`[A-Za-z_]+(-[A-Za-z_]+)*`)
	stateForm   = source.Pattern(`^[-A-Za-z_*+~#!%$@^,]+`)
	flagForm    = source.Pattern(`^[A-Za-z_,+]+(:[0-9]+)?$`)
	versionForm = source.Pattern(`^[0-9]+([.][0-9]+)*`)
	word        = source.Pattern(`^[A-Za-z]+`)
)

// known reports a text all of whose words are known.
func known(text string) bool {
	return !slices.ContainsFunc(wordForm().FindAllString(text, -1), func(w string) bool {
		return !words[strings.ToLower(w)]
	})
}

// stateWord is a resource manager's word for a state; what follows may say who (CANCELLED by 1001).
func stateWord(n *Names, text string) string {
	state := stateForm().FindString(text)
	if state == "" || !known(state) {
		return n.leave(text)
	}
	return state
}

// flag is a word of the resource manager's, or several.
func flag(n *Names, text string) string {
	if !flagForm().MatchString(text) || !known(text) {
		return n.leave(text)
	}
	return text
}

// phrases are reasons of several words that are no names. Slurm writes lists of partitions, nodes and users after them.
var phrases = []string{
	"Job's_account_not_permitted_to_use_this_partition", "Job's_QOS_not_permitted_to_use_this_partition",
	"Required_node_not_available",
	"Reservation_is_not_available",
	"Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions",
	"launch_failed_requeued_held", "job_requeued_in_held_state",
}

// reason keeps the word or phrase for the reason, without the names and places in it.
func reason(n *Names, text string) string {
	for _, phrase := range phrases {
		if strings.HasPrefix(text, phrase) {
			return phrase
		}
	}
	if inner, ok := strings.CutPrefix(text, "("); ok { // as squeue's %R prints it
		text = strings.TrimSuffix(inner, ")")
	}
	if text == "null" {
		return ""
	}
	first, _, _ := strings.Cut(text, ",")
	first, _, _ = strings.Cut(first, "(")
	if !n.options.Reasons[first] {
		return n.leave(text)
	}
	return first
}

// families are the schedulers that a snapshot can be of.
var families = map[string]bool{"": true, "maui": true, "slurm": true, "pbs": true}

// family is the scheduler's.
func family(n *Names, text string) string {
	if !families[text] {
		return n.leave(text)
	}
	return text
}

// version is its number; what a site writes after it is left out.
func version(n *Names, text string) string {
	number := versionForm().FindString(text)
	if number != text {
		n.leave(text)
	}
	return number
}
