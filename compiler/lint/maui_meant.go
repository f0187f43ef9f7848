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
	{ID: "M027", CodeDoc: diag.CodeDoc{Code: "maui-test-mode", Severity: diag.Warning,
		What: "SERVERMODE is TEST", Why: "Maui then does all but act: no job is started",
		Example: "SERVERMODE TEST\n", Instead: "SERVERMODE NORMAL"},
		Source: "manual appendix F, SERVERMODE", check: testMode},
	{ID: "M120", CodeDoc: diag.CodeDoc{Code: "maui-target-over-all", Severity: diag.Warning,
		What: "a fairshare target is above 100", Why: "it is a percentage of all usage, so nobody ever reaches it",
		Example: "FSPOLICY DEDICATEDPS\nFSUSERWEIGHT 1\nUSERCFG[x] FSTARGET=200\n", Instead: "USERCFG[x] FSTARGET=20"},
		Source: "manual 6.3", check: targetOverAll},
	{ID: "M121", CodeDoc: diag.CodeDoc{Code: "maui-targets-over-all", Severity: diag.Info,
		What: "the fairshare targets of one kind of credential add up to more than 100", Why: "they are percentages of all usage, so not all of them can be reached at once",
		Example: "FSPOLICY DEDICATEDPS\nFSUSERWEIGHT 1\nUSERCFG[x] FSTARGET=80\nUSERCFG[y] FSTARGET=80\n", Instead: "USERCFG[x] FSTARGET=50 and USERCFG[y] FSTARGET=50"},
		Source: "manual 6.3", check: targetsOverAll},
	{ID: "M122", CodeDoc: diag.CodeDoc{Code: "maui-weight-saturates", Severity: diag.Warning,
		What: "queue time or expansion factor is weighed with 1000000000 or more", Why: "a priority ends at 1000000000, so after a minute in the queue all jobs have the same",
		Example: "SERVICEWEIGHT 100000\nQUEUETIMEWEIGHT 100000\n", Instead: "SERVICEWEIGHT 1 and QUEUETIMEWEIGHT 10"},
		Source: "MPriority.c, MJobGetStartPriority; recorded runs", check: saturatingWeights},
	{ID: "M218", CodeDoc: diag.CodeDoc{Code: "maui-default-qos-barred", Severity: diag.Info,
		What: "a credential's QDEF is not in its QLIST, nor in any other", Why: "the list says which QOS its jobs may have, and by default they get another",
		Example: "QOSCFG[a] PRIORITY=1\nQOSCFG[b] PRIORITY=2\nUSERCFG[x] QLIST=a QDEF=b\n", Instead: "USERCFG[x] QLIST=a,b QDEF=b"},
		Source: "manual 7.3.2", check: barredQDEF},
	{ID: "M219", CodeDoc: diag.CodeDoc{Code: "maui-preemption-unused", Severity: diag.Info,
		What: "PREEMPTPOLICY is set, but no job is PREEMPTOR or PREEMPTEE", Why: "nothing is ever preempted",
		Example: "PREEMPTPOLICY REQUEUE\n", Instead: "QOSCFG[high] QFLAGS=PREEMPTOR and QOSCFG[low] QFLAGS=PREEMPTEE beside it"},
		Source: "manual 7.3.1, appendix F", check: unusedPreemption},
	{ID: "M220", CodeDoc: diag.CodeDoc{Code: "maui-names-differ-by-case", Severity: diag.Warning,
		What: "two classes, QOS or accounts have names that differ by capitals alone", Why: "names are compared as they are written, so each has only its own half of the settings",
		Example: "CLASSCFG[batch] MAXPROC=100\nCLASSCFG[Batch] MAXJOB=5\n", Instead: "CLASSCFG[batch] MAXPROC=100 MAXJOB=5"},
		Source: "MConfig.c; manual 3.4 says otherwise", check: namesByCase},
	{ID: "M316", CodeDoc: diag.CodeDoc{Code: "maui-backfill-depth", Severity: diag.Warning,
		What: "BACKFILLDEPTH is 1", Why: "backfill looks at one idle job for each window and takes or leaves it",
		Example: "BACKFILLDEPTH 1\n", Instead: "BACKFILLDEPTH 0"},
		Source: "manual 8.2, appendix F; recorded runs", check: backfillDepth},
	{ID: "M317", CodeDoc: diag.CodeDoc{Code: "maui-reservation-ends-first", Severity: diag.Warning,
		What: "a standing reservation's ENDTIME is not after its STARTTIME, or WENDTIME not after WSTARTTIME", Why: "both are times of one day or week, so there is nothing between them",
		Example: "SRCFG[night] PERIOD=DAY STARTTIME=18:00:00 ENDTIME=9:00:00 HOSTLIST=n1\n", Instead: "SRCFG[evening] STARTTIME=18:00:00 and SRCFG[morning] ENDTIME=9:00:00"},
		Source: "manual 7.1.5", check: reservationEndsFirst},
	{ID: "M318", CodeDoc: diag.CodeDoc{Code: "maui-reservation-closed", Severity: diag.Info,
		What: "a standing reservation lets nobody in", Why: "without a list of who may use it its hosts are kept from all jobs",
		Example: "SRCFG[a] PERIOD=INFINITY HOSTLIST=n1\n", Instead: "SRCFG[a] … GROUPLIST=staff"},
		Source: "manual 7.1.5", check: closedReservations},
	{ID: "M319", CodeDoc: diag.CodeDoc{Code: "maui-day-name", Severity: diag.Warning,
		What: "DAYS has a word that is no name of a day", Why: "days are written with three letters: Mon, Tue, Wed, Thu, Fri, Sat, Sun or ALL",
		Example: "SRCFG[a] PERIOD=DAY DAYS=MON,FRIDAY HOSTLIST=n1\n", Instead: "DAYS=MON,FRI"},
		Source: "manual 7.1.5, appendix F, SRDAYS", check: dayNames},
	{ID: "M320", CodeDoc: diag.CodeDoc{Code: "maui-reservation-class", Severity: diag.Warning,
		What: "a reservation's CLASSLIST has a class that is nearly one with a CLASSCFG line", Why: "no job has a class of that name, so nobody gets in",
		Example: "CLASSCFG[batch] PRIORITY=1\nSRCFG[a] PERIOD=DAY CLASSLIST=bacth HOSTLIST=n1\n", Instead: "CLASSLIST=batch"},
		Source: "manual 7.1.5", check: reservationClasses},
	{ID: "M321", CodeDoc: diag.CodeDoc{Code: "maui-node-speed-zero", Severity: diag.Warning,
		What: "a node has SPEED=0", Why: "0 means that nothing is set, so the node is as fast as any other",
		Example: "NODECFG[n1] SPEED=0\n", Instead: "NODECFG[n1] SPEED=0.5"},
		Source: "manual appendix F, NODECFG", check: nodeSpeedZero},
	{ID: "M322", CodeDoc: diag.CodeDoc{Code: "maui-node-set-half", Severity: diag.Warning,
		What: "NODESETPOLICY is set without NODESETATTRIBUTE", Why: "nothing says by what nodes belong together, so there are no sets",
		Example: "NODESETPOLICY ONEOF\n", Instead: "NODESETATTRIBUTE FEATURE and NODESETLIST beside it"},
		Source: "manual 8.3", check: halfNodeSet},
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
