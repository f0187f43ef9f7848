package mauiplan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// secondsOfDay and secondsOfWeek are how long periods are.
const (
	secondsOfDay  = 24 * 3600
	secondsOfWeek = 7 * secondsOfDay
)

// standing are the SRCFG lines and the old SR… parameters, which say the same of a number. By the manual a weekly
// reservation has hours of the day (Δ24): it is one of each of its days.
func (m *settings) standing(hoursOfWeekly bool) []program.StandingReservation {
	var list []program.StandingReservation
	for _, o := range append(m.oldStanding(), m.objects("SRCFG")...) {
		s := program.StandingReservation{
			Name: o.name, Span: o.span, Period: period(o.attrs["PERIOD"]), Depth: o.number("DEPTH", 2),
			Tasks: o.number("TASKCOUNT", 0), TasksPerNode: o.number("TPN", 0), Procs: -1,
			Hosts: o.attrs["HOSTLIST"].List, Features: o.attrs["NODEFEATURES"].List,
			Partition: o.attrs["PARTITION"].Str, Shared: o.attrs["ACCESS"].Str == "SHARED",
			Flags: o.attrs["FLAGS"].List, TimeLimitSeconds: o.number("TIMELIMIT", 0),
			MaxTimeSeconds: o.number("MAXTIME", 0), Days: days(o.attrs["DAYS"].List),
			From: o.number("STARTTIME", 0), To: o.number("ENDTIME", secondsOfDay),
		}
		if s.Features == nil {
			s.Features = o.attrs["FEATURES"].List
		}
		if s.Partition == "[ALL]" || s.Partition == "ALL" {
			s.Partition = ""
		}
		if s.Period == "WEEK" {
			if hoursOfWeekly && (o.attrs["STARTTIME"].Known() || o.attrs["ENDTIME"].Known()) {
				s.Period, s.Depth = "DAY", s.Depth*7
			} else {
				s.From, s.To = o.number("WSTARTTIME", 0), o.number("WENDTIME", secondsOfWeek)
			}
		}
		standingResources(&s, o.attrs["RESOURCES"].List)
		for _, kind := range []struct{ attr, object string }{
			{"USERLIST", "user"}, {"GROUPLIST", "group"}, {"ACCOUNTLIST", "account"}, {"QOSLIST", "qos"},
			{"CLASSLIST", "class"},
		} {
			for _, text := range o.attrs[kind.attr].List {
				s.Admits = append(s.Admits, admission(kind.object, text))
			}
		}
		list = append(list, s)
	}
	return list
}

// standingResources reads PROCS=1 MEM=512; -1 or [ALL] processors are the whole node.
func standingResources(s *program.StandingReservation, list []string) {
	for _, text := range list {
		name, number, _ := strings.Cut(strings.ReplaceAll(text, ":", "="), "=")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			n = -1
		}
		switch strings.ToUpper(name) {
		case "PROCS":
			s.Procs = n
		case "MEM":
			s.MemMB = max(0, n)
		case "SWAP":
			s.SwapMB = max(0, n)
		case "DISK":
			s.DiskMB = max(0, n)
		}
	}
}

// admission reads a name with its signs before and after it: amy, bob-, !dan, *long=.
func admission(object, text string) program.Admission {
	a := program.Admission{Object: object, Affinity: "+"}
	name := strings.TrimRight(text, "+=-")
	if rest := text[len(name):]; rest != "" {
		a.Affinity = rest[:1]
	}
	for name != "" && strings.ContainsRune("!^*", rune(name[0])) {
		mark(&a, name[0])
		name = name[1:]
	}
	for name != "" && strings.ContainsRune("!^*", rune(name[len(name)-1])) {
		mark(&a, name[len(name)-1])
		name = name[:len(name)-1]
	}
	a.Name = name
	return a
}

func mark(a *program.Admission, sign byte) {
	switch sign {
	case '!':
		a.Deny = true
	case '^':
		a.Xor = true
	case '*':
		a.Only = true
	}
}

// days are the days of the week, Sunday first; all if none is named.
func days(list []string) (out [7]bool) {
	names := []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}
	found := false
	for _, text := range list {
		if k := slices.Index(names, strings.ToUpper(text[:min(3, len(text))])); k >= 0 {
			out[k], found = true, true
		}
	}
	if !found {
		return [7]bool{true, true, true, true, true, true, true}
	}
	return out
}

// period: a word that Maui does not know leaves its default.
func period(v schema.Value) string {
	if word := strings.ToUpper(v.Str); word == "WEEK" || word == "INFINITY" {
		return word
	}
	return "DAY"
}

// oldStanding are the reservations of SRNAME[n], SRPERIOD[n] and so on.
func (m *settings) oldStanding() []*object {
	list := m.gather(func(s said) (name, attr string, of bool) {
		attr, old := strings.CutPrefix(s.family, "SR")
		return "SR" + s.index, attr, old && s.index != "" && s.attr == "" && attr != "CFG"
	})
	for _, o := range list {
		if name, ok := o.attrs["NAME"]; ok {
			o.name = name.Str
		}
	}
	return list
}
