package lower

import (
	"strings"
	"time"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// reservation lowers a reservation block.
func (b *builder) reservation(block *policy.Reservation) {
	r := ir.Reservation{Name: block.Name, Span: block.Span}
	set := map[string]policy.Setting{}
	for _, s := range block.Settings {
		set[s.Name] = s
	}
	r.Nodes = b.hostLists(set["nodes"])
	r.Features, r.Licenses, r.ProcsPerNode = set["features"].Value.List, set["licenses"].Value.Str,
		set["procs_per_node"].Value.Int
	r.Users, r.Groups, r.Accounts, r.QOS, r.Classes = set["users"].Value.List, set["groups"].Value.List,
		set["accounts"].Value.List, set["qos"].Value.List, set["classes"].Value.List
	r.Maintenance = set["maintenance"].Value.Int != 0
	b.reservationTimes(&r, set)
	if s := set["procs_per_node"]; s.IsSet() && r.ProcsPerNode < 1 {
		b.diags.Errorf("reservation-size", s.Span, "a reservation of %d processors on each node keeps nothing",
			r.ProcsPerNode).
			Note("leave procs_per_node out to keep whole nodes")
	}
	b.out.Reservations = append(b.out.Reservations, r)
}

// hostLists expands names such as n[01-16].
func (b *builder) hostLists(s policy.Setting) []string {
	var list []string
	for _, text := range s.Value.List {
		hosts, err := slurmtext.ExpandHostlist(text)
		if err != nil || len(hosts) == 0 {
			b.diags.Errorf("reservation-nodes", s.Span, "%q is no list of nodes", text).
				Note("write names or host lists, such as nodes = [\"n01\", \"n[04-16]\"]")
			continue
		}
		list = append(list, hosts...)
	}
	return list
}

// reservationTimes reads when a reservation is there.
func (b *builder) reservationTimes(r *ir.Reservation, set map[string]policy.Setting) {
	wrong := func(span source.Span, note, message string, args ...any) {
		b.diags.Errorf("reservation-time", span, message, args...).Note("%s", note)
	}
	moment := func(name string) int64 {
		s := set[name]
		if !s.IsSet() {
			return 0
		}
		t, err := time.Parse(time.RFC3339, s.Value.Str)
		if err != nil || t.Unix() <= 0 {
			wrong(s.Span, "write it with its zone, such as 2026-12-01T08:00:00Z or 2026-12-01T08:00:00+01:00",
				"%s is no time: %q", name, s.Value.Str)
			return 0
		}
		return t.Unix()
	}
	r.Start, r.End = moment("start"), moment("end")
	if s := set["duration"]; s.IsSet() {
		switch {
		case set["end"].IsSet():
			wrong(s.Span, "leave one of the two out", "a reservation has an end or a duration, not both")
		case r.Start == 0:
			wrong(s.Span, "write start = \"2026-12-01T08:00:00Z\" too",
				"a duration counts from a start, which is not set")
		case s.Value.Int <= 0 || s.Value.Int == slurmtext.Infinite:
			wrong(s.Span, "leave duration out for one without end", "a duration must be longer than 0 and finite")
		default:
			r.End = r.Start + s.Value.Int
		}
	}
	if r.Start > 0 && r.End > 0 && r.End <= r.Start {
		wrong(set["end"].Span, "the end is the first moment after it", "the reservation ends before it begins")
	}
	r.Days = b.weekDays(set["days"])
	clock := func(name string) int64 {
		s := set[name]
		if !s.IsSet() {
			return 0
		}
		t, err := time.Parse("15:04", s.Value.Str)
		switch {
		case err != nil && s.Value.Str == "24:00":
			return 0
		case err != nil:
			wrong(s.Span, "write hours and minutes, such as 08:00", "%s is no time of the day: %q", name, s.Value.Str)
		case !set["days"].IsSet():
			wrong(s.Span, "add days = [\"daily\"], or write start and end instead",
				"%s says when it is there on certain days, but no days are set", name)
		}
		return int64(t.Hour()*3600 + t.Minute()*60)
	}
	r.From, r.To = clock("from"), clock("to")
}

// dayWords are the words for days of the week; Sunday is 0.
var dayWords = []struct {
	word string
	days []int64
}{
	{"sun", []int64{0}}, {"mon", []int64{1}}, {"tue", []int64{2}}, {"wed", []int64{3}}, {"thu", []int64{4}},
	{"fri", []int64{5}}, {"sat", []int64{6}},
	{"weekdays", []int64{1, 2, 3, 4, 5}}, {"weekend", []int64{0, 6}}, {"daily", []int64{0, 1, 2, 3, 4, 5, 6}},
}

// weekDays reads the days on which a reservation comes again.
func (b *builder) weekDays(s policy.Setting) []int64 {
	on, words := [7]bool{}, make([]string, len(dayWords))
	for i, w := range dayWords {
		words[i] = w.word
	}
	for _, text := range s.Value.List {
		found := false
		for _, w := range dayWords {
			if strings.EqualFold(w.word, text) {
				found = true
				for _, day := range w.days {
					on[day] = true
				}
			}
		}
		if !found {
			b.diags.Errorf("reservation-day", s.Span, "%q is no day", text).
				Note("days are %s", strings.Join(words, ", ")).DidYouMean(s.Span, text, words)
		}
	}
	if s.IsSet() && len(s.Value.List) == 0 {
		b.diags.Errorf("reservation-day", s.Span, "a reservation on no day is never there").
			Note("leave days out for one that comes once")
	}
	var list []int64
	for day, is := range on {
		if is {
			list = append(list, int64(day))
		}
	}
	return list
}
