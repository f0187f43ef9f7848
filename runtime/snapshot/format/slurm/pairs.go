package slurm

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// scontrol prints records as Key=Value pairs separated by blanks, on one line
// (-o) or as a block of lines, all but the first indented. Values
// of a few keys are free text and may hold blanks and anything that looks like a pair.

// pair is one Key=Value and its place in the text.
type pair struct {
	key, value string
	start, end int
}

// pairsRecord is one record.
type pairsRecord struct {
	pairs      []pair
	start, end int
}

// freeText maps keys with free values to the keys that may follow; nil means
// that only a key of the record's own list that has not been seen yet does.
var freeText = map[string][]string{
	"JobName": {"UserId", "SLUID"},
	"Reason":  nil, "Comment": nil, "AdminComment": nil, "SystemComment": nil, "Extra": nil,
	"Command": nil, "SubmitLine": nil, "WorkDir": nil, "StdErr": nil, "StdIn": nil, "StdOut": nil,
	"OS": nil, "MailUser": nil, "Container": nil, "FailedNode": nil,
}

// afterFreeText are the keys that end a free value. They are those that
// scontrol prints after one of them (job_info.c, node_info.c).
var afterFreeText = map[string]bool{
	"Comment": true, "AdminComment": true, "SystemComment": true, "Extra": true,
	"Command": true, "SubmitLine": true, "WorkDir": true, "StdErr": true, "StdIn": true, "StdOut": true,
	"BatchScript": true, "Switches": true, "Power": true, "CpusPerTres": true, "MemPerTres": true, "NtasksPerTRES": true,
	"TresPerJob": true, "TresPerNode": true, "TresPerSocket": true, "TresPerTask": true, "TresBind": true,
	"TresFreq": true,
	"MailUser": true, "MailType": true, "Container": true, "ContainerID": true, "KillOInInvalidDependent": true,
	"FailedNode": true,
	"RealMemory": true, "AllocMem": true, "State": true, "BootTime": true, "InstanceId": true, "InstanceType": true,
	"ReservationName": true,
}

// readPairs reads records of pairs; first is the key that one starts with. check may be nil.
func readPairs(in *format.Input,
	text []byte, first string, fields map[string]textField, rows *slurmRows,
	check func(*pairsRecord, *slurmRecord) error,
) {
	eachPairsRecord(text, first, func(p *pairsRecord) {
		r := rows.record(p.start, p.start+1)
		err := r.readPairs(p, fields)
		if err == nil && check != nil {
			err = check(p, r)
		}
		if err == nil {
			err = rows.add(r)
		}
		if err != nil {
			badPairs(in, p, err)
		}
	})
}

func (r *slurmRecord) readPairs(p *pairsRecord, fields map[string]textField) error {
	begin := r.at
	for _, pair := range p.pairs {
		f, ok := fields[pair.key]
		if !ok {
			continue
		}
		r.at = format.Place{Start: pair.start, End: pair.end}
		if err := f.read(r, f.slot, pair.value); err != nil {
			return fieldError(pair.key, "%s", err)
		}
	}
	r.at = begin
	return nil
}

// Scontrol reads the records of scontrol show, as blocks or with -o.
func (o *slurmObject) Scontrol(in *format.Input) error {
	in.Snapshot.Family = "slurm"
	readPairs(in, in.Text, o.key, o.fields.texts("scontrol"), newSlurmRows(in, o), nil)
	return nil
}

// RecognizeScontrol: its records all begin with the key that names them; without any it says so in a sentence.
func (o *slurmObject) RecognizeScontrol(h *format.Head) int {
	return max(startsWith(h, o.key+"="), startsWith(h, o.None))
}

func startsWith(h *format.Head, prefix string) int {
	if strings.HasPrefix(h.FirstLine(""), prefix) {
		return format.Certain
	}
	return format.Foreign
}

// badPairs reports a record of pairs, at the pair that is wrong.
func badPairs(in *format.Input, r *pairsRecord, err error) {
	start, end := r.start, r.start+1
	if e, ok := err.(*valueError); ok {
		for _, p := range r.pairs {
			if p.key == e.field {
				start, end = p.start, p.end
			}
		}
	}
	in.Bad("snapshot-bad-record", start, end, "%s", err).
		Note("the whole record is left out; no value is guessed")
}

func RecognizeScontrolJob(h *format.Head) int {
	return max(startsWith(h, "JobId="), startsWith(h, "No jobs in the system"))
}

// ReadScontrolJob reads `scontrol show job`, details (-d) or not.
func ReadScontrolJob(in *format.Input) error {
	readPairs(in, in.Text, "JobId", jobFields.texts("scontrol"), slurmJobs(in), oneUser)
	return nil
}

// oneUser: a job name is free text in the middle of a record. One that imitates the key after it could forge all that
// follow, so a second UserId makes the record unreadable.
func oneUser(p *pairsRecord, _ *slurmRecord) error {
	users := 0
	for _, pair := range p.pairs {
		if pair.key == "UserId" {
			users++
		}
	}
	if users > 1 {
		return fieldError("JobName",
			"the job name holds text like UserId=, so the fields after it are ambiguous")
	}
	return nil
}

// eachPairsRecord calls visit for every record of text; first is the key a record starts with.
func eachPairsRecord(text []byte, first string, visit func(*pairsRecord)) {
	mark := []byte(first + "=")
	r := &pairsRecord{start: -1}
	flush := func(end int) {
		if r.start >= 0 {
			r.end = end
			r.split(text)
			visit(r)
		}
		r = &pairsRecord{start: -1, pairs: r.pairs[:0]}
	}
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if bytes.HasPrefix(text[at:end], mark) {
			flush(at)
			r.start = at
		}
		at = end
	}
	flush(len(text))
}

// split finds the pairs between start and end.
func (r *pairsRecord) split(text []byte) {
	body := string(text[r.start:r.end])
	var seen map[string]bool // only needed once a free value was found
	inFree := false
	followers := []string(nil)
	for at := 0; at < len(body); {
		for at < len(body) && isBlank(body[at]) {
			at++
		}
		end := at
		for end < len(body) && !isBlank(body[end]) {
			end++
		}
		if end == at {
			break
		}
		token := body[at:end]
		key, _, isPair := strings.Cut(token, "=")
		if isPair && isPairKey(key) && (!inFree || endsFreeText(key, followers, seen)) {
			r.pairs = append(r.pairs, pair{key: key, start: r.start + at, end: r.start + end})
			followers, inFree = freeText[key]
			if key == "Reason" && r.pairs[0].key != "NodeName" {
				inFree = false // scontrol writes _ for the blanks of a job's reason
			}
			if inFree {
				seen = keysOf(r.pairs)
			}
		} else if n := len(r.pairs); n > 0 {
			r.pairs[n-1].end = r.start + end
		}
		at = end
	}
	for i := range r.pairs {
		p := &r.pairs[i]
		p.value = body[p.start-r.start+len(p.key)+1 : p.end-r.start]
	}
}

func endsFreeText(key string, followers []string, seen map[string]bool) bool {
	if slices.Contains(followers, key) {
		return true
	}
	return followers == nil && afterFreeText[key] && !seen[key]
}

func keysOf(pairs []pair) map[string]bool {
	seen := make(map[string]bool, len(pairs))
	for _, p := range pairs {
		seen[p.key] = true
	}
	return seen
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// isPairKey accepts names such as JobId, CPUs/Task, ReqB:S:C:T, MCS_label, SharesRaw/Norm.
func isPairKey(key string) bool {
	if key == "" || key[0] < 'A' || key[0] > 'Z' {
		return false
	}
	for i := 1; i < len(key); i++ {
		switch c := key[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '/', c == ':':
		default:
			return false
		}
	}
	return true
}
