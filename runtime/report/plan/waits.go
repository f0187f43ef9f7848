package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// Moment writes a time in the reader's zone.
func (p *Plan) Moment(epoch int64) string {
	if epoch >= backfill.Forever {
		return "no end"
	}
	return time.Unix(epoch, 0).In(p.Zone()).Format("2006-01-02 15:04:05")
}

// distance is how long from now.
func (p *Plan) distance(epoch int64) string {
	if epoch <= p.Schedule.Now {
		return "now"
	}
	return form.SpanText(epoch - p.Schedule.Now)
}

// WaitsInShort names what a job waits for, the binding thing first.
func (p *Plan) WaitsInShort(i int) string {
	at := p.detail(i)
	if at.Never != "" {
		return "never: " + source.Plain(at.Never)
	}
	var words []string
	if word := p.preempts(i); word != "" {
		words = append(words, word)
	}
	jobs := map[string][]string{} // by how sure they are to have what they have
	for _, w := range at.WaitsFor {
		switch w.Kind {
		case backfill.WaitRunning, backfill.WaitReserved:
			kind := p.holds(&w)
			if jobs[kind] == nil {
				words = append(words, kind)
			}
			if id := p.id(w.Job); !slices.Contains(jobs[kind], id) {
				jobs[kind] = append(jobs[kind], id)
			}
		case backfill.WaitDependency:
			if w.Job >= 0 {
				words = append(words, "after job "+p.id(w.Job))
			} else {
				words = append(words, "dependency "+source.Plain(w.Name))
			}
		case backfill.WaitLicense:
			words = append(words, "licence "+source.Plain(w.Name))
		case backfill.WaitElsewhere:
			words = append(words, "licence "+source.Plain(w.Name)+" (in use elsewhere)")
		case backfill.WaitBegin:
			words = append(words, "its begin time")
		case backfill.WaitNodeState:
			words = append(words, "nodes that are down")
		case backfill.WaitOverrun:
			words = append(words, "delayed by reservation "+source.Plain(w.Name))
		case backfill.WaitSetting:
			words = append(words, source.Plain(w.Name))
		case backfill.WaitLimit:
			words = append(words, p.limitText(&w))
		case backfill.WaitAccess:
			words = append(words, "refused: "+source.Plain(w.Name))
		default:
			words = append(words, strings.TrimSpace(string(w.Kind)+" "+source.Plain(w.Name)))
		}
	}
	for k, word := range words {
		list := jobs[word]
		if list == nil {
			continue
		}
		most := min(len(list), 3)
		words[k] = "job " + strings.Join(list[:most], ", ")
		if len(list) > 1 {
			words[k] = "jobs" + words[k][len("job"):]
		}
		if len(list) > most {
			words[k] += fmt.Sprintf(" and %d more", len(list)-most)
		}
		if word != holdsNow {
			words[k] += " (" + word + ")"
		}
	}
	words = slices.Compact(words)
	if len(words) > 0 {
		return strings.Join(words, "; ")
	}
	if at.Reason == "None" {
		return ""
	}
	return source.Plain(at.Reason)
}

// How sure a job is to have what another one waits for.
const (
	holdsNow  = "running" // or it starts now
	isKept    = "reserved"
	isPlanned = "planned" // it would have it, but nothing is kept for it
)

func (p *Plan) holds(w *backfill.Wait) string {
	i, ok := p.places()[w.Job]
	switch {
	case w.Kind == backfill.WaitRunning || p.startsNow(w.Job):
		return holdsNow
	case ok && p.At(i).By == backfill.ByEstimate:
		return isPlanned
	}
	return isKept
}

// waitText is one thing that a job waits for, in a sentence.
func (p *Plan) waitText(w *backfill.Wait) string {
	nodes := source.Plain(p.nodesOf(w.Nodes))
	until := ""
	if w.Until > 0 {
		until = " until " + p.Moment(w.Until)
		if w.Until > p.Schedule.Now && w.Until < backfill.Forever {
			until += ", in " + form.SpanText(w.Until-p.Schedule.Now)
		}
	}
	switch w.Kind {
	case backfill.WaitRunning:
		if nodes == "" {
			return fmt.Sprintf("job %s, which runs%s", p.id(w.Job), until)
		}
		return fmt.Sprintf("job %s has %s%s", p.id(w.Job), nodes, until)
	case backfill.WaitReserved:
		if nodes == "" {
			nodes = "what it needs"
		}
		if p.startsNow(w.Job) {
			return fmt.Sprintf("job %s, which starts now, has %s%s", p.id(w.Job), nodes, until)
		}
		if p.holds(w) == isPlanned {
			return fmt.Sprintf("job %s would have %s before it%s", p.id(w.Job), nodes, until)
		}
		return fmt.Sprintf("job %s is to have %s before it%s", p.id(w.Job), nodes, until)
	case backfill.WaitReservation:
		if nodes == "" {
			return fmt.Sprintf("reservation %s%s", source.Plain(w.Name), until)
		}
		return fmt.Sprintf("reservation %s keeps %s%s", source.Plain(w.Name), nodes, until)
	case backfill.WaitLicense:
		return fmt.Sprintf("licence %s is used up%s", source.Plain(w.Name), until)
	case backfill.WaitElsewhere:
		return fmt.Sprintf("licence %s is in use by jobs that the snapshot does not show, until an unknown time",
			source.Plain(w.Name))
	case backfill.WaitLimit:
		return p.limitText(w)
	case backfill.WaitPartition:
		return fmt.Sprintf("partition %s does not take it%s", source.Plain(w.Name), until)
	case backfill.WaitAccess:
		return fmt.Sprintf("it is refused: %s", source.Plain(w.Name))
	case backfill.WaitDependency:
		if w.Job >= 0 {
			return fmt.Sprintf("job %s comes first%s", p.id(w.Job), until)
		}
		return fmt.Sprintf("dependency %s, with no known time", source.Plain(w.Name))
	case backfill.WaitBegin:
		return "it is not to begin before " + p.Moment(w.Until)
	case backfill.WaitNodeState:
		if nodes == "" {
			nodes = "nodes"
		}
		return fmt.Sprintf("%s cannot start jobs%s", nodes, until)
	}
	if w.Kind == backfill.WaitOverrun {
		return fmt.Sprintf("it will be delayed: the scheduler plans this start "+
			"although reservation %s has %s from %s%s", source.Plain(w.Name), nodes, p.Moment(w.From), until)
	}
	if w.Kind == backfill.WaitSetting {
		return fmt.Sprintf("a later pass of the scheduler, as %s lets this one keep nothing for it", source.Plain(w.Name))
	}
	return strings.TrimSpace(string(w.Kind)+" "+source.Plain(w.Name)) + until
}

// limitText names a limit, and when which planned end frees it.
func (p *Plan) limitText(w *backfill.Wait) string {
	switch {
	case w.Limit == "":
		return "limit " + source.Plain(w.Name)
	case w.Until == 0:
		return "limit " + source.Plain(w.Limit)
	case w.Job >= 0:
		return fmt.Sprintf("limit %s: job %s ends %s", source.Plain(w.Limit), p.id(w.Job), p.clock(w.Until))
	}
	return fmt.Sprintf("limit %s: it has room at %s", source.Plain(w.Limit), p.clock(w.Until))
}

// clock is the time of a moment of today, and the whole of another day's.
func (p *Plan) clock(epoch int64) string {
	text, today := p.Moment(epoch), p.Moment(p.Schedule.Now)
	if day, _, _ := strings.Cut(today, " "); epoch < backfill.Forever && strings.HasPrefix(text, day+" ") {
		return text[len(day)+1:]
	}
	return text
}

// startsNow reports a job that begins with the plan.
func (p *Plan) startsNow(job int32) bool {
	i, ok := p.places()[job]
	return ok && p.At(i).By != backfill.ByNone && p.At(i).Start <= p.Schedule.Now
}

func (p *Plan) nodesOf(list []int32) string {
	names := p.namesOf(list)
	slices.SortFunc(names, backfill.CompareNames) // whatever order the snapshot has them in
	return slurmtext.CompressHostlist(names)
}
