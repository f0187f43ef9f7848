package lint

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
)

// mauiMeant are the rules about what Maui takes without a word, and nobody will have meant.
var mauiMeant = []Rule{
	{"maui-test-mode", testMode},
	{"maui-target-over-all", targetOverAll},
	{"maui-targets-over-all", targetsOverAll},
	{"maui-weight-saturates", saturatingWeights},
	{"maui-default-qos-barred", barredQDEF},
	{"maui-preemption-unused", unusedPreemption},
	{"maui-names-differ-by-case", namesByCase},
	{"maui-backfill-depth", backfillDepth},
	{"maui-reservation-ends-first", reservationEndsFirst},
	{"maui-reservation-closed", closedReservations},
	{"maui-day-name", dayNames},
	{"maui-reservation-class", reservationClasses},
	{"maui-node-speed-zero", nodeSpeedZero},
	{"maui-node-set-half", halfNodeSet},
}

func testMode(p *pass) {
	if p.maui() && p.isSet("SERVERMODE") && p.text("SERVERMODE") == "TEST" {
		p.report(p.at("SERVERMODE"), "Maui starts no job in this mode").Note("write SERVERMODE NORMAL")
	}
}

func targetOverAll(p *pass) {
	if p.text("FSPOLICY") == "" {
		return // another rule's
	}
	for _, f := range mauiFamilyTerms {
		p.each(f.family, "FSTARGET", func(r *ir.Record, a *ir.Attr) {
			if a.Kind != "cap" && a.Number() > 100 {
				p.report(a.Span, "%s %s never has %g%% of all usage", f.object, r.Name, a.Number()).
					Note("a target is a percentage up to 100; write a lower one, or FSTARGET=N^ for a number of processor-seconds")
			}
		})
	}
}

// targetsOverAll adds those up that say how much is to be used, without floors and ceilings, and without DEFAULT, which is many.
func targetsOverAll(p *pass) {
	if p.text("FSPOLICY") == "" {
		return
	}
	for _, f := range mauiFamilyTerms {
		sum := 0.0
		var list []*ir.Attr
		for _, r := range p.records[f.family] {
			a := r.Attr("FSTARGET")
			if a == nil || r.Name == "DEFAULT" || a.Kind != "target" || a.Number() <= 0 || a.Number() > 100 {
				continue
			}
			sum += a.Number()
			list = append(list, a)
		}
		if sum > 100.5 && len(list) > 1 && p.number(f.term) != 0 {
			p.report(list[0].Span, "the targets of %s add up to %g%%", several(len(list), f.object), math.Round(sum)).
				NoteAt(list[len(list)-1].Span, "the last of them").
				Note("not all of them can be reached at once; lower them, if they are meant as parts of the whole")
		}
	}
}

// saturatingWeights: queue time counts minutes, and an expansion factor is 1 at least.
func saturatingWeights(p *pass) {
	if !p.maui() {
		return
	}
	const most = 1e9 // the highest priority that is no administrator's
	for _, term := range []string{"QUEUETIMEWEIGHT", "XFACTORWEIGHT"} {
		weight := math.Abs(p.number(term) * p.number("SERVICEWEIGHT"))
		if weight < most || p.number("SERVICEWCAP") > 0 || p.number(strings.TrimSuffix(term, "WEIGHT")+"CAP") > 0 {
			continue
		}
		at, other := p.either(term, "SERVICEWEIGHT")
		d := p.report(at, "%s and SERVICEWEIGHT multiply to %g, and a priority ends at 1000000000", term, weight)
		if !other.IsZero() {
			d.NoteAt(other, "the other weight")
		}
		d.Note("after a minute in the queue all jobs are equal; write weights whose product is below 100000")
	}
}

// barredQDEF asks all lists there are, because those of a job's credentials add up; a QDEF without a list beside it stands for one.
func barredQDEF(p *pass) {
	if !p.maui() || p.Facts.Partial {
		return
	}
	var allowed []string
	of := map[*ir.Attr][]string{}
	for _, u := range p.qosMentions() {
		for _, name := range u.names {
			name = strings.TrimRight(name, "&^")
			of[u.attr] = append(of[u.attr], name)
			if u.attr.Name == "QLIST" {
				allowed = append(allowed, name)
			}
		}
	}
	if slices.Contains(allowed, "ALL") || slices.Contains(allowed, "[ALL]") {
		return
	}
	for i := range p.Facts.Records {
		r := &p.Facts.Records[i]
		standard, list := r.Attr("QDEF"), r.Attr("QLIST")
		if standard == nil || list == nil || len(of[standard]) == 0 {
			continue
		}
		if name := of[standard][0]; name != "DEFAULT" && !slices.Contains(allowed, name) {
			p.report(standard.Span, "QOS %s is not in the QLIST of %s %s, nor in any other", name, r.Kind, r.Name).
				NoteAt(list.Span, "the QOS that its jobs may have").Note("add %s to the list, or choose one of it", name)
		}
	}
}

func unusedPreemption(p *pass) {
	if p.maui() && p.isSet("PREEMPTPOLICY") && p.text("BACKFILLPOLICY") != "PREEMPT" && p.preempts("PREEMPTOR") == nil && p.preempts("PREEMPTEE") == nil && p.preempts("PREEMPTSPV") == nil {
		p.report(p.at("PREEMPTPOLICY"), "nothing is ever preempted: no job is PREEMPTOR or PREEMPTEE").Note("write QFLAGS of QOS, or remove the line")
	}
}

func namesByCase(p *pass) {
	if !p.maui() {
		return
	}
	for _, family := range []string{"CLASSCFG", "QOSCFG", "ACCOUNTCFG"} {
		first := map[string]*ir.Record{}
		for _, r := range p.records[family] {
			lower := strings.ToLower(r.Name)
			if other := first[lower]; other != nil && other.Name != r.Name {
				if r.Span.File == other.Span.File && r.Span.Start < other.Span.Start {
					r, other = other, r // records are in the order of their names
				}
				p.report(r.Span, "%s[%s] and %s[%s] are two", family, other.Name, family, r.Name).
					NoteAt(other.Span, "the other one").Note("write one name for both")
			} else if other == nil {
				first[lower] = r
			}
		}
	}
}

func backfillDepth(p *pass) {
	if p.backfillOn() && p.isSet("BACKFILLDEPTH") && p.number("BACKFILLDEPTH") == 1 {
		p.report(p.at("BACKFILLDEPTH"), "backfill looks at one job for each window").Note("write 0 for all of them, or a number of jobs such as 100")
	}
}

func reservationEndsFirst(p *pass) {
	for _, r := range p.records["SRCFG"] {
		start, end := r.Attr("STARTTIME"), r.Attr("ENDTIME")
		if r.Attr("PERIOD").Is("WEEK") {
			start, end = r.Attr("WSTARTTIME"), r.Attr("WENDTIME")
		}
		if r.Attr("PERIOD").Is("INFINITY") || start == nil || end == nil || end.Number() > start.Number() || end.Number() <= 0 {
			continue
		}
		p.report(end.Span, "reservation %s ends at %s, before it begins", r.Name, end.Text).
			NoteAt(start.Span, "it begins at %s", start.Text).
			Note("for a time over midnight write two reservations, up to 24:00:00 and from 00:00:00")
	}
}

// guests are the settings of a reservation that let jobs in.
var guests = []string{"ACCOUNTLIST", "CLASSLIST", "GROUPLIST", "JOBATTRLIST", "QOSLIST", "USERLIST", "MAXTIME", "TIMELIMIT", "PROCLIMIT", "TASKLIMIT", "OWNER"}

func closedReservations(p *pass) {
	for _, r := range p.records["SRCFG"] {
		if r.Name == "DEFAULT" || slices.ContainsFunc(guests, func(name string) bool { return r.Attr(name) != nil }) || p.Facts.Partial {
			continue
		}
		if len(r.Attrs) == 0 {
			continue
		}
		p.report(r.Span, "reservation %s lets nobody in", r.Name).Note("write USERLIST, GROUPLIST, ACCOUNTLIST, CLASSLIST or QOSLIST, if its hosts are not to be kept from all jobs")
	}
}

func dayNames(p *pass) {
	p.each("SRCFG", "DAYS", func(_ *ir.Record, a *ir.Attr) {
		for _, word := range strings.FieldsFunc(a.Text, func(c rune) bool { return strings.ContainsRune(`,:; []"'`, c) }) {
			if w := strings.ToLower(word); w == "all" || slices.Contains(weekdays, w) {
				continue
			}
			at := wordAt(a.Span, word)
			d := p.report(at, "%s is no name of a day", word)
			if len(word) > 3 && slices.Contains(weekdays, strings.ToLower(word[:3])) {
				d.Note("write %s", word[:3]).Suggest(at, word[:3])
				continue
			}
			d.Note("write Mon, Tue, Wed, Thu, Fri, Sat, Sun or ALL")
		}
	})
}

func reservationClasses(p *pass) {
	known := p.namesOf("CLASSCFG")
	p.each("SRCFG", "CLASSLIST", func(_ *ir.Record, a *ir.Attr) {
		for _, word := range strings.FieldsFunc(a.Text, func(c rune) bool { return strings.ContainsRune(`,:; "'`, c) }) {
			name := strings.Trim(word, "+-=!^*")
			if name == "" || slices.Contains(known, name) {
				continue
			}
			if near := diag.Nearest(name, known); near != "" {
				at := wordAt(a.Span, name)
				p.report(at, "no class is called %s", name).Note("the reservation lets its jobs in; CLASSCFG has %s", near).DidYouMean(at, name, known)
			}
		}
	})
}

func nodeSpeedZero(p *pass) {
	set := slices.ContainsFunc(p.records["NODECFG"], func(r *ir.Record) bool { return r.Name == "DEFAULT" && r.Attr("SPEED").Number() > 0 })
	p.each("NODECFG", "SPEED", func(r *ir.Record, a *ir.Attr) {
		if a.Value.Known() && a.Number() == 0 && !set { // beside a number of DEFAULT it is another rule's
			p.report(a.Span, "SPEED=0 sets nothing: %s is as fast as other nodes", r.Name).Note("write a speed above 0, or drain the node in the resource manager")
		}
	})
}

func halfNodeSet(p *pass) {
	if p.maui() && p.isSet("NODESETPOLICY") && p.text("NODESETPOLICY") != "" && !p.isSet("NODESETATTRIBUTE") && !p.Facts.Partial {
		p.report(p.at("NODESETPOLICY"), "there are no node sets, because NODESETATTRIBUTE is not set").Note("write NODESETATTRIBUTE FEATURE, MEMORY or PROCSPEED")
	}
}
