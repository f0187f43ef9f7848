package maui

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/diag"
)

// meantRules are the rules about what Maui accepts silently, and what is hardly meant.
var meantRules = []rule.Rule{
	{Code: "maui-test-mode", Check: testMode},
	{Code: "maui-target-over-all", Check: targetOverAll},
	{Code: "maui-targets-over-all", Check: targetsOverAll},
	{Code: "maui-weight-saturates", Check: saturatingWeights},
	{Code: "maui-default-qos-barred", Check: barredQDEF},
	{Code: "maui-preemption-unused", Check: unusedPreemption},
	{Code: "maui-names-differ-by-case", Check: namesByCase},
	{Code: "maui-backfill-depth", Check: backfillDepth},
	{Code: "maui-reservation-ends-first", Check: reservationEndsFirst},
	{Code: "maui-reservation-closed", Check: closedReservations},
	{Code: "maui-day-name", Check: dayNames},
	{Code: "maui-reservation-class", Check: reservationClasses},
	{Code: "maui-node-speed-zero", Check: nodeSpeedZero},
	{Code: "maui-node-set-half", Check: halfNodeSet},
}

func testMode(p *rule.Pass) {
	if p.IsSet("SERVERMODE") && p.Text("SERVERMODE") == "TEST" {
		p.Report(p.At("SERVERMODE"), "Maui starts no job in this mode").Note("write SERVERMODE NORMAL")
	}
}

func targetOverAll(p *rule.Pass) {
	if p.Text("FSPOLICY") == "" {
		return // another rule's
	}
	for _, f := range mauiFamilyTerms {
		p.Each(f.family, "FSTARGET", func(r *ir.Record, a *ir.Attr) {
			if a.Kind != "cap" && a.Number() > 100 {
				p.Report(a.Span, "%s %s never has %g%% of all usage", f.object, r.Name, a.Number()).
					Note("a target is a percentage up to 100; write a lower one, or FSTARGET=N^ for a number of " +
						"processor-seconds")
			}
		})
	}
}

// targetsOverAll adds those up that say how much is to be used, without floors and ceilings, and without DEFAULT,
// which is many.
func targetsOverAll(p *rule.Pass) {
	if p.Text("FSPOLICY") == "" {
		return
	}
	for _, f := range mauiFamilyTerms {
		sum := 0.0
		var list []*ir.Attr
		for _, r := range p.Records[f.family] {
			a := r.Attr("FSTARGET")
			if a == nil || r.Name == "DEFAULT" || a.Kind != "target" || a.Number() <= 0 || a.Number() > 100 {
				continue
			}
			sum += a.Number()
			list = append(list, a)
		}
		if sum > 100.5 && len(list) > 1 && p.Number(f.term) != 0 {
			p.Report(list[0].Span, "the targets of %s add up to %g%%", rule.Several(len(list), f.object),
				math.Round(sum)).
				NoteAt(list[len(list)-1].Span, "the last of them").
				Note("not all of them can be reached at once; lower them, if they are meant as parts of the whole")
		}
	}
}

// saturatingWeights: queue time counts minutes, and an expansion factor is 1 at least.
func saturatingWeights(p *rule.Pass) {
	const most = 1e9 // the highest priority that is no administrator's
	for _, term := range []string{"QUEUETIMEWEIGHT", "XFACTORWEIGHT"} {
		weight := math.Abs(p.Number(term) * p.Number("SERVICEWEIGHT"))
		if weight < most || p.Number("SERVICEWCAP") > 0 || p.Number(strings.TrimSuffix(term, "WEIGHT")+"CAP") > 0 {
			continue
		}
		at, other := p.Either(term, "SERVICEWEIGHT")
		d := p.Report(at, "%s and SERVICEWEIGHT multiply to %g, and a priority ends at 1000000000", term, weight)
		if !other.IsZero() {
			d.NoteAt(other, "the other weight")
		}
		d.Note("after a minute in the queue all jobs are equal; write weights whose product is below 100000")
	}
}

// barredQDEF asks all lists there are, because those of a job's credentials add up; a QDEF without a list beside
// it stands for one.
func barredQDEF(p *rule.Pass) {
	if p.Facts.Partial {
		return
	}
	var allowed []string
	of := map[*ir.Attr][]string{}
	for _, u := range QOSMentions(p) {
		for _, name := range u.Names {
			name = strings.TrimRight(name, "&^")
			of[u.Attr] = append(of[u.Attr], name)
			if u.Attr.Name == "QLIST" {
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
			p.Report(standard.Span, "QOS %s is not in the QLIST of %s %s, nor in any other", name, r.Kind, r.Name).
				NoteAt(list.Span, "the QOS that its jobs may have").
				Note("add %s to the list, or choose one of it", name)
		}
	}
}

func unusedPreemption(p *rule.Pass) {
	if p.IsSet("PREEMPTPOLICY") && p.Text("BACKFILLPOLICY") != "PREEMPT" &&
		preempts(p, "PREEMPTOR") == nil &&
		preempts(p, "PREEMPTEE") == nil &&
		preempts(p, "PREEMPTSPV") == nil {
		p.Report(p.At("PREEMPTPOLICY"), "nothing is ever preempted: no job is PREEMPTOR or PREEMPTEE").
			Note("write QFLAGS of QOS, or remove the line")
	}
}

func namesByCase(p *rule.Pass) {
	for _, family := range []string{"CLASSCFG", "QOSCFG", "ACCOUNTCFG"} {
		first := map[string]*ir.Record{}
		for _, r := range p.Records[family] {
			lower := strings.ToLower(r.Name)
			if other := first[lower]; other != nil && other.Name != r.Name {
				if r.Span.File == other.Span.File && r.Span.Start < other.Span.Start {
					r, other = other, r // records are in the order of their names
				}
				p.Report(r.Span, "%s[%s] and %s[%s] are two names to Maui, which minds case", family, other.Name, family, r.Name).
					NoteAt(other.Span, "the other one").Note("write one name for both")
			} else if other == nil {
				first[lower] = r
			}
		}
	}
}

func backfillDepth(p *rule.Pass) {
	if backfillOn(p) && p.IsSet("BACKFILLDEPTH") && p.Number("BACKFILLDEPTH") == 1 {
		p.Report(p.At("BACKFILLDEPTH"), "backfill looks at one job for each window").
			Note("write 0 for all of them, or a number of jobs such as 100")
	}
}

func reservationEndsFirst(p *rule.Pass) {
	for _, r := range p.Records["SRCFG"] {
		start, end := r.Attr("STARTTIME"), r.Attr("ENDTIME")
		if r.Attr("PERIOD").Is("WEEK") {
			start, end = r.Attr("WSTARTTIME"), r.Attr("WENDTIME")
		}
		if r.Attr("PERIOD").Is("INFINITY") || start == nil || end == nil || end.Number() > start.Number() ||
			end.Number() <= 0 {
			continue
		}
		p.Report(end.Span, "reservation %s ends at %s, before it begins", r.Name, end.Text).
			NoteAt(start.Span, "it begins at %s", start.Text).
			Note("for a time over midnight write two reservations, up to 24:00:00 and from 00:00:00")
	}
}

// guests are the settings of a reservation that let jobs in.
var guests = []string{
	"ACCOUNTLIST",
	"CLASSLIST",
	"GROUPLIST",
	"JOBATTRLIST",
	"QOSLIST",
	"USERLIST",
	"MAXTIME",
	"TIMELIMIT",
	"PROCLIMIT",
	"TASKLIMIT",
	"OWNER",
}

func closedReservations(p *rule.Pass) {
	for _, r := range p.Records["SRCFG"] {
		if r.Name == "DEFAULT" || slices.ContainsFunc(guests, func(name string) bool { return r.Attr(name) != nil }) ||
			p.Facts.Partial {
			continue
		}
		if len(r.Attrs) == 0 {
			continue
		}
		p.Report(r.Span, "reservation %s admits no job", r.Name).
			Note("write USERLIST, GROUPLIST, ACCOUNTLIST, CLASSLIST or QOSLIST, if its hosts are not to be kept " +
				"from all jobs")
	}
}

func dayNames(p *rule.Pass) {
	p.Each("SRCFG", "DAYS", func(_ *ir.Record, a *ir.Attr) {
		for _, word := range strings.FieldsFunc(a.Text, func(c rune) bool {
			return strings.ContainsRune(`,:; []"'`,
				c)
		}) {
			w := strings.ToLower(word)
			if slices.Contains(weekdays, w) || !slices.ContainsFunc(weekdays, func(day string) bool {
				return strings.Contains(w, day)
			}) {
				continue // the reader reports what holds no name of a day
			}
			at := rule.WordAt(a.Span, word)
			d := p.Report(at, "%s is no name of a day", word)
			if len(word) > 3 && slices.Contains(weekdays, strings.ToLower(word[:3])) {
				d.Note("write %s", word[:3]).Suggest(at, word[:3])
				continue
			}
			d.Note("write Mon, Tue, Wed, Thu, Fri, Sat, Sun or ALL")
		}
	})
}

func reservationClasses(p *rule.Pass) {
	known := p.NamesOf("CLASSCFG")
	p.Each("SRCFG", "CLASSLIST", func(_ *ir.Record, a *ir.Attr) {
		for _, word := range strings.FieldsFunc(a.Text, func(c rune) bool {
			return strings.ContainsRune(`,:; "'`,
				c)
		}) {
			name := strings.Trim(word, "+-=!^*")
			if name == "" || slices.Contains(known, name) {
				continue
			}
			if near := diag.Nearest(name, known); near != "" {
				at := rule.WordAt(a.Span, name)
				p.Report(at, "no class is called %s", name).
					Note("the reservation lets its jobs in; CLASSCFG has %s", near).
					DidYouMean(at, name, known)
			}
		}
	})
}

func nodeSpeedZero(p *rule.Pass) {
	set := slices.ContainsFunc(p.Records["NODECFG"],
		func(r *ir.Record) bool { return r.Name == "DEFAULT" && r.Attr("SPEED").Number() > 0 })
	p.Each("NODECFG", "SPEED", func(r *ir.Record, a *ir.Attr) {
		if a.Value.Known() && a.Number() == 0 && !set { // beside a number of DEFAULT it is another rule's
			p.Report(a.Span, "SPEED=0 sets nothing: %s is as fast as other nodes", r.Name).
				Note("write a speed above 0, or drain the node in the resource manager")
		}
	})
}

func halfNodeSet(p *rule.Pass) {
	if p.IsSet("NODESETPOLICY") && p.Text("NODESETPOLICY") != "" && !p.IsSet("NODESETATTRIBUTE") &&
		!p.Facts.Partial {
		p.Report(p.At("NODESETPOLICY"), "there are no node sets, because NODESETATTRIBUTE is not set").
			Note("write NODESETATTRIBUTE FEATURE, MEMORY or PROCSPEED")
	}
}
