// Package maui writes maui.cfg.
//
// In: a draft of a policy for Slurm, of one from scratch, or of Maui's own with what policy files add. Out: the
// draft says it in Maui's words, with findings about what is lost or only near.
package maui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// writer writes maui.cfg.
type writer struct {
	*draft.Writer
	qos    *qosUses             // once it was asked for
	limits map[string]*ir.Limit // by what they are of Maui's
}

func newWriter(w *draft.Writer) *writer {
	return &writer{Writer: w, limits: map[string]*ir.Limit{}}
}

// toMaui writes Slurm's policy for Maui, or one from scratch. The points that a QOS, a partition or an
// association brings are worked out here, as Maui has no shares of a largest value; they are its PRIORITY, with
// weights of 1.
func Translate(of *draft.Writer, opt lower.Options) {
	w := newWriter(of)
	if w.Library == nil {
		w.scratchToMaui(opt)
		return
	}
	host, _, _ := strings.Cut(w.Word("SlurmctldHost"), "(")
	w.Say("SERVERHOST", cmp.Or(host, "head"), w.Span("SlurmctldHost"))
	w.Exact(w.Span("PriorityType"), w.Span("AccountingStorageType")) // which weights count
	if draft.IsBasic(w.Policy) {
		w.basic()
	} else {
		w.scaled()
		w.sayUncounted()
		w.age()
		w.priorities()
		w.size()
		w.shares()
		w.terms()
		if w.weighs("nice").Weight != 0 {
			w.Diags.Infof("convert-approximated", w.Policy.Span, "jobs have no nice values in maui.cfg").
				Note("what users take off with --nice is not taken off")
		}
	}
	w.scheduler()
	w.exclusive()
	w.allLimits()
	w.access()
	w.flags()
}

// basic: first come, first served is a point for each second in the queue.
func (w *writer) basic() {
	if p := w.Part("order", "order"); p.Weight != 1 {
		return // left
	}
	w.Say("QUEUETIMEWEIGHT", 60, w.Span("PriorityType"))
	w.Near(cmp.Or(w.Span("PriorityType"), w.Policy.Span),
		"Maui counts queue time, which begins when limits and dependencies let a job in, and knows neither nice "+
			"values nor numbers that slurmctld gave", "the order of submission becomes QUEUETIMEWEIGHT 60")
}

// flags names the words of PriorityFlags that change something; those of normalisation are in the numbers.
func (w *writer) flags() {
	p, ok := w.IsSet("PriorityFlags")
	if !ok || draft.IsBasic(w.Policy) {
		return
	}
	w.Exact(p.Set)
	for _, word := range strings.FieldsFunc(p.Value.Str, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !strings.HasPrefix(strings.ToUpper(word), "NO_NORMAL") && !w.said("PriorityFlags", word) {
			w.Diags.Warnf("convert-not-said", p.Set, "maui.cfg cannot say %s of PriorityFlags", word)
		}
	}
}

// said reports a word of a list that changes nothing here.
func (w *writer) said(param, word string) bool {
	kept := slices.DeleteFunc(strings.Split(w.Word(param), ","),
		func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), word) })
	return !w.Effects.Without(param, strings.Join(kept, ","))
}

// scaled finds the factor by which all weights are multiplied, so that the points a minute, a processor, a node
// and a credential survive being rounded. The order of jobs does not change by it.
func (w *writer) scaled() {
	w.Scale = 1
	var rates []float64
	if seconds := w.Number("PriorityMaxAge"); seconds > 0 {
		rates = append(rates, w.weighs("age").Weight/(seconds/60))
	}
	for _, r := range match.Resources[:2] {
		if all := w.Total(r.Cluster); all > 0 {
			rates = append(rates, w.weighs("jobsize").Weight/2/all)
		}
	}
	total, at := 1.0, w.Policy.Span // the points of a job that has the most of all
	taken := ""                     // for granted, where no file says what there is
	for _, name := range []string{"age", "jobsize", "fairshare"} {
		total += math.Abs(w.weighs(name).Weight)
	}
	for _, r := range w.resources() {
		if r.param != "" {
			all := r.all
			if all == 0 {
				of := match.ResourceOf(r.param)
				all = of.Most
				taken += fmt.Sprintf("; no file says how many %s there are, %.0f are taken", of.Units, all)
			}
			rates, total = append(rates, r.each), total+math.Abs(r.each)*all
			at = cmp.Or(w.Span("PriorityWeightTRES"), at)
		}
	}
	total += w.PointsOf(w.ownTerms())
	for _, c := range match.Credentials {
		most, highest := w.normal(c.Flag, c.Column), 0.0
		for _, r := range w.Rows(c.Column) {
			points := w.weighs(c.Part).Weight * r.Value.Number() / most
			rates, highest = append(rates, points), math.Max(highest, math.Abs(points))
		}
		total += highest
	}
	coarse := func(scale float64) bool {
		for _, r := range rates {
			if x := math.Abs(r * scale); x > 0 && math.Abs(x-math.Round(x)) > x/100 {
				return true
			}
		}
		return false
	}
	scale := 1.0
	for coarse(scale) && total*scale*10 < draft.MaxMaui && scale < 1e4 {
		scale *= 10
	}
	w.Multiplied(scale)
	w.cutOff(at, total*scale, taken)
}

// cutOff names priorities that Maui cuts off.
func (w *writer) cutOff(at source.Span, total float64, taken string) {
	if total > draft.MaxMaui {
		w.Diags.Warnf("convert-not-said", at, "maui.cfg cannot say priorities above %d, and a job can come to "+
			"%.4g points", int64(draft.MaxMaui), total).
			Note("Maui takes all above for as much, so that such jobs have no order among them; make the weights "+
				"smaller%s", taken)
	}
}

// weighs is a component of Slurm, which has one term of its name, with its weight as Maui gets it.
func (w *writer) weighs(name string) draft.Part {
	p := w.Part(name, name)
	p.Weight *= w.Scale
	if p.Cap > 0 || p.Weight != 0 && w.uncounted(name) {
		p.Weight = 0 // Slurm's parameters have no caps, so that this one is of a policy file: left
	}
	return p
}

// uncounted reports a weight that Slurm takes as 0, as it does with those of age and fairshare where no
// accounting is kept.
func (w *writer) uncounted(name string) bool {
	c := draft.Component(w.Policy, name)
	if c == nil || !draft.UsualHere(c.Weight) {
		return false
	}
	weight, ok := draft.Constant(c.Weight)
	return ok && weight == 0
}

// sayUncounted names the weights that count nothing as the site is: those that Slurm takes as 0, and those of
// what no file has.
func (w *writer) sayUncounted() {
	for _, name := range []string{"age", "fairshare"} {
		if p := w.Part(name, name); p.Weight != 0 && w.uncounted(name) {
			w.Exact(p.From...)
			w.LeftOut(p.At(), slurmWeights[name],
				"it counts with AccountingStorageType=accounting_storage/slurmdbd alone")
		}
	}
	lacks := func(part, what, why string) {
		if p := w.weighs(part); p.Weight != 0 {
			w.Exact(p.From...)
			w.Diags.Infof("convert-incomplete", p.At(), "%s counts for no job here: the policy "+
				"has no %s", slurmWeights[part], what).
				Note("%s", why)
		}
	}
	if len(w.Rows("qos.priority")) == 0 {
		hint := "QOS are in the database: if some have a priority, add QOS - 'name':Priority=N to the file of " +
			"accounts for each, and convert again"
		if !strings.HasSuffix(strings.ToLower(w.Word("AccountingStorageType")), "slurmdbd") {
			hint = "without AccountingStorageType=accounting_storage/slurmdbd there is no database that has any"
		}
		lacks("qos", "QOS", hint)
	}
	drawn := draft.HasAssociation(w.Policy, func(a *ir.Association) bool { return !a.Span.IsZero() })
	if drawn { // a priority that no association has is 0
		if len(w.Rows("association.priority")) == 0 {
			w.Exact(w.weighs("assoc").From...)
		}
		return
	}
	for _, of := range []string{"assoc", "fairshare"} {
		lacks(of, "accounts",
			"accounts are in the database: give sacctmgr's dump of them beside slurm.conf, and convert again")
	}
}

// slurmWeights are Slurm's weights by the part of its formula.
var slurmWeights = map[string]string{"age": "PriorityWeightAge", "fairshare": "PriorityWeightFairshare",
	"qos": "PriorityWeightQOS", "assoc": "PriorityWeightAssoc"}

// age: points per minute, which are whole.
func (w *writer) age() {
	p, seconds := w.weighs("age"), w.Number("PriorityMaxAge")
	if p.Weight == 0 || seconds <= 0 {
		w.Say("QUEUETIMEWEIGHT", 0) // which Maui has as 1 where no input says so
		return
	}
	each := p.Weight / (seconds / 60)
	rounded := math.Copysign(math.Max(1, math.Abs(math.Round(each))), each)
	if math.Abs(rounded) > math.MaxInt32 {
		w.Say("QUEUETIMEWEIGHT", 0)
		return // left
	}
	w.Say("QUEUETIMEWEIGHT", int64(rounded), p.From...)
	w.Say("QUEUETIMECAP", int64(math.Max(1, math.Round(p.Weight/rounded))), w.Span("PriorityMaxAge"))
	how := "Maui counts queue time, Slurm the time in which a job may accrue age"
	if rounded != each {
		how += fmt.Sprintf(
			"; it would be %.4g points a minute, and Maui's weights are whole, so the most is reached at another time",
			each)
	}
	w.Near(p.At(), how, "%s points over %s become %.0f points a minute, at most %.0f", w.unscaled(p.Weight),
		draft.Days(seconds/60), rounded, rounded*math.Max(1, math.Round(p.Weight/rounded)))
}

// unscaled is a weight as the site has it, and by how much it is multiplied.
func (w *writer) unscaled(weight float64) string {
	if w.Scale == 1 {
		return fmt.Sprintf("%.10g", weight)
	}
	return fmt.Sprintf("%.10g (x %v)", weight/w.Scale, w.Scale)
}

// normal is what a priority is divided by.
func (w *writer) normal(flag string, column schema.ColumnID) float64 {
	if w.Flag(flag) || w.Flag("NO_NORMAL_ALL") {
		return 1
	}
	most := 0.0
	for _, r := range w.Rows(column) {
		most = math.Max(most, float64(r.Value.Int))
	}
	return math.Max(1, most)
}

// priorities writes the points that credentials bring.
func (w *writer) priorities() {
	for _, c := range match.Credentials {
		p := w.weighs(c.Part)
		if p.Weight == 0 {
			continue
		}
		rows, most := w.Rows(c.Column), w.normal(c.Flag, c.Column)
		if c.Family == "" {
			w.associations(p, rows, most)
			continue
		}
		for _, r := range rows {
			w.points(p, c.Family, c.MauiWeight, r.Name, p.Weight*r.Value.Number()/most, r)
		}
	}
}

// points gives a credential its points.
func (w *writer) points(p draft.Part, family, weight, name string, points float64, r ir.TableRow) {
	if math.Abs(points) > math.MaxInt32 {
		w.Because(r.Span, fmt.Sprintf("Maui's priorities are at most %d, and it would be %.10g", math.MaxInt32, points))
		return
	}
	if points != 0 && math.Round(points) == 0 {
		w.Because(r.Span, fmt.Sprintf("Maui's priorities are whole numbers, and it would be %.4g", points))
		return
	}
	w.Say("CREDWEIGHT", 1)
	w.Say(weight, 1, p.From...)
	w.setIn(family, name, draft.Set("PRIORITY", fmt.Sprint(int64(math.Round(points))), r.Span))
	if points != math.Round(points) {
		w.Near(r.Span, "Maui's priorities are whole numbers", "%s points of %s become %.0f", w.unscaled(points),
			cmp.Or(r.Source, r.Name), math.Round(points))
	}
}

// associations: Maui adds what a job's account and its user have, Slurm takes the one association's, which is
// that of the account where the user's says nothing. So a user gets what is beyond the account's.
func (w *writer) associations(p draft.Part, rows []ir.TableRow, most float64) {
	accounts := map[string]float64{}
	beyond := map[string][]float64{} // of a user, in each account
	for _, r := range rows {
		if account, user, _ := strings.Cut(r.Name, "/"); user == "" {
			accounts[account] = r.Value.Number()
		}
	}
	for _, r := range rows {
		if account, user, _ := strings.Cut(r.Name, "/"); user != "" {
			beyond[user] = append(beyond[user], r.Value.Number()-accounts[account])
		}
	}
	for _, r := range rows {
		account, user, _ := strings.Cut(r.Name, "/")
		value := r.Value.Number()
		switch more := beyond[user]; {
		case user == "":
			w.points(p, "ACCOUNTCFG", "ACCOUNTWEIGHT", account, p.Weight*value/most, r)
		case value == accounts[account] && slices.Max(more) == 0 && slices.Min(more) == 0:
			w.Exact(r.Span) // the account's
		case strings.Contains(user, "/") || w.accounts(user) > len(more) || slices.Max(more) != slices.Min(more):
			continue // left
		default:
			w.points(p, "USERCFG", "USERWEIGHT", user, p.Weight*more[0]/most, r)
			w.Near(r.Span, "Maui adds the priorities of account and user, and knows no place of a user in an account",
				"what %s is beyond that of the account becomes the priority of the user", cmp.Or(r.Source, r.Name))
		}
	}
}

// accounts counts those that a user is in.
func (w *writer) accounts(user string) (n int) {
	for a := range draft.Associations(w.Policy) {
		if a.User == user && a.Partition == "" {
			n++
		}
	}
	return n
}

// belowOne keeps the order of jobs with negative priorities, which Maui else raises to 1.
func (w *writer) belowOne() { w.Say("ENABLENEGJOBPRIORITY", "TRUE") }

// scheduler: which jobs may overtake, and what a QOS does besides.
func (w *writer) scheduler() {
	if p, ok := w.IsSet("SchedulerType"); ok && strings.HasSuffix(strings.ToLower(p.Value.Str), "builtin") {
		w.Say("BACKFILLPOLICY", "NONE", p.Set)
		return
	}
	w.Say("BACKFILLPOLICY", "FIRSTFIT", w.Span("SchedulerType"))
	w.Say("RESERVATIONDEPTH", 20, w.Span("SchedulerType"))
	w.Diags.Infof("convert-approximated", cmp.Or(w.Span("SchedulerType"), w.Policy.Span), "backfill becomes "+
		"BACKFILLPOLICY FIRSTFIT with RESERVATIONDEPTH 20").
		Note("Slurm plans for every job that backfill looks at, by the options of SchedulerParameters")
}

// exclusive: where select/linear or all partitions give whole nodes, no two jobs share one; or no two users.
func (w *writer) exclusive() {
	at, what := cmp.Or(w.Span("SelectType"), w.Policy.Span), "SelectType=select/linear"
	exclusive := w.Policy.SlurmPlan != nil && w.Policy.SlurmPlan.Linear
	all := []source.Span{at}
	if !exclusive {
		all = w.ofAllPartitions("EXCLUSIVE", "OverSubscribe", "Shared")
		what = "OverSubscribe=EXCLUSIVE of all partitions"
		exclusive = len(all) > 0
	}
	if exclusive {
		w.Say("NODEACCESSPOLICY", "SINGLEJOB", all...)
		w.Near(all[0],
			"Slurm gives a job all processors of its nodes, and counts them; Maui counts those that it asks for",
			"%s becomes NODEACCESSPOLICY SINGLEJOB", what)
		return
	}
	if all := w.ofAllPartitions("YES", "ExclusiveUser"); len(all) > 0 {
		w.Say("NODEACCESSPOLICY", "SINGLEUSER", all...)
	}
}

// ofAllPartitions is where each partition has a value of a setting, by any of its names; nothing if one has another.
func (w *writer) ofAllPartitions(value string, names ...string) (all []source.Span) {
	for i := range w.Policy.Facts.Records {
		rec := &w.Policy.Facts.Records[i]
		if rec.Kind != "PartitionName" || strings.EqualFold(rec.Name, "DEFAULT") {
			continue
		}
		k := slices.IndexFunc(rec.Attrs, func(a ir.Attr) bool {
			return slices.Contains(names, a.Name) && strings.EqualFold(a.Text, value)
		})
		if k < 0 {
			return nil
		}
		all = append(all, rec.Attrs[k].Span)
	}
	return all
}
