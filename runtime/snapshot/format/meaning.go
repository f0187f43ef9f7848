package format

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
)

// Values of Fairway's own forms can be of the right type and still say nothing: a state that no job has, licences
// without a count, a time that ends before it begins. Resource managers write none of these, people do.

// JobStates are the words of job.state (lang/schema); a word that is none of them would count as pending.
var JobStates = []string{"pending", "running", "suspended", "completing", "done", "submitting"}

// valueFault is what is wrong with a record of Fairway's own form, and where.
type valueFault struct {
	code, message string
	advice        []string
	at            Place
	word          string   // misspelt
	instead       []string // words that it may have been meant to be
}

// valueFaultOf finds the first such fault of a record; nil if there is none.
func valueFaultOf(r *Record) *valueFault {
	for i := range r.cells {
		c := &r.cells[i]
		if !c.value.Known() {
			continue
		}
		at := Place{c.start, c.end}
		switch c.field.id {
		case "job.state":
			if word := c.value.Str; word != "" && !slices.Contains(JobStates, word) {
				return &valueFault{code: "snapshot-unknown-state",
					message: "there is no state " + strconv.Quote(Excerpt([]byte(word))), at: at,
					advice: []string{"a job is pending (also if it says nothing), running, suspended, completing " +
						"or done; the resource manager's own word goes in state_word"},
					word: word, instead: JobStates}
			}
		case "job.licenses", "reservation.licenses":
			if part := noLicense(c.value.Str); part != "" {
				return &valueFault{code: "snapshot-bad-licenses",
					message: strconv.Quote(Excerpt([]byte(part))) + " asks for no number of licences", at: at,
					advice: []string{"write NAME or NAME:COUNT, parted by commas, as in matlab:2,ansys"}}
			}
		case "reservation.end_time":
			if start := r.Get("reservation.start_time"); start.Known() && c.value.Int <= start.Int {
				return &valueFault{code: "snapshot-reservation-ends-first", at: at,
					message: "reservation " + strconv.Quote(r.Get("reservation.name").Str) + " ends at " +
						"" + TimeText(c.value.Int) + ", and begins at " + TimeText(start.Int),
					advice: []string{"write an end_time after start_time, or leave it out for one without an end"}}
			}
		}
	}
	return nil
}

// noLicense is the first part of a list of licences that is no NAME or NAME:COUNT, or "".
func noLicense(text string) string {
	if text == "" || text == "(null)" {
		return ""
	}
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == ';' }) {
		name, count, counted := strings.Cut(strings.TrimSpace(part), ":")
		if n, err := strconv.ParseInt(count, 10, 64); name == "" || counted && (err != nil || n < 1) {
			return part
		}
	}
	return ""
}

// badValue reports a record with such a fault; it is left out.
func (in *Input) badValue(f *valueFault) {
	d := in.Bad(f.code, f.at.Start, f.at.End, "%s", f.message)
	for _, text := range f.advice {
		d.Note("%s", text)
	}
	if f.word != "" {
		near := diag.Nearest(strings.ToLower(f.word), f.instead)
		if slices.Contains(f.instead, strings.ToLower(f.word)) {
			near = strings.ToLower(f.word)
		}
		if near != "" {
			d.Note("did you mean %q?", near)
		}
	}
	d.Note("the whole record is left out; no value is guessed")
}

// Manner is what the records of a resource manager mean where managers differ.
type Manner struct {
	PartitionsAreQueues bool   // jobs are submitted to a partition
	PartitionsAreNodes  bool   // a partition is a set of nodes, and jobs are submitted to classes
	StateIsJudged       bool   // node.up is right; elsewhere Maui reads the word of node.state
	NamesReservation    bool   // a job runs in a reservation only if it names it
	MemoryByNode        bool   // memory that a job states in total is spread over its nodes; elsewhere over its tasks
	SplitsNoTask        bool   // processors and tasks alone say how many processors a task has
	SharesAreOne        bool   // a running job whose processors are not listed by node has one at least on each
	HostListRepeats     bool   // a host is listed once for each task there
	FeatureCounts       bool   // features are a select statement with counts, not a constraint
	EligibleTimeQueues  bool   // job.eligible_time begins the wait
	FreeIsOwn           bool   // node.procs_available is the manager's own sum over the jobs listed
	HeldReason          string // the reason of a job that its user holds
}

// manners are what the managers do, by Snapshot.Family. Sources: squeue.1 and slurm.conf.5; qstat.1B and pbsnodes.8B;
// the resource manager interface of Maui's manual.
var manners = map[string]Manner{
	"slurm": {PartitionsAreQueues: true, StateIsJudged: true, NamesReservation: true, MemoryByNode: true,
		SplitsNoTask: true, SharesAreOne: true, HeldReason: "JobHeldUser"},
	"maui": {PartitionsAreNodes: true, HostListRepeats: true},
	"pbs":  {PartitionsAreNodes: true, FeatureCounts: true, EligibleTimeQueues: true, FreeIsOwn: true},
}

// Manner is what the records of the snapshot mean; nothing special if no input says who wrote them.
func (s *Snapshot) Manner() Manner { return manners[s.Family] }
