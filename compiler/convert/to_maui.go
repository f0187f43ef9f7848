package convert

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// mauiWriter writes maui.cfg.
type mauiWriter struct {
	*writer
	qos    *qosUses             // once it was asked for
	limits map[string]*ir.Limit // by what they are of Maui's
}

func newMauiWriter(w *writer) *mauiWriter {
	return &mauiWriter{writer: w, limits: map[string]*ir.Limit{}}
}

// toMaui writes Slurm's policy for Maui, or one from scratch. The points that a QOS, a partition or an
// association brings are worked out here, as Maui has no shares of a largest value; they are its PRIORITY, with
// weights of 1.
func toMaui(of *writer, opt lower.Options) {
	w := newMauiWriter(of)
	if w.library == nil {
		w.scratchToMaui(opt)
		return
	}
	host, _, _ := strings.Cut(w.word("SlurmctldHost"), "(")
	w.say("SERVERHOST", cmp.Or(host, "head"), w.span("SlurmctldHost"))
	w.exact(w.span("PriorityType"), w.span("AccountingStorageType")) // which weights count
	if isBasic(w.policy) {
		w.mauiBasic()
	} else {
		w.scaled()
		w.mauiUncounted()
		w.mauiAge()
		w.mauiPriorities()
		w.mauiSize()
		w.mauiShares()
		w.mauiTerms()
		if w.weighs("nice").weight != 0 {
			w.diags.Infof("convert-approximated", w.policy.Span, "jobs have no nice values in maui.cfg").
				Note("what users take off with --nice is not taken off")
		}
	}
	w.mauiScheduler()
	w.mauiExclusive()
	w.limitsToMaui()
	w.mauiAccess()
	w.mauiFlags()
}

// mauiBasic: first come, first served is a point for each second in the queue.
func (w *mauiWriter) mauiBasic() {
	if p := w.part("order", "order"); p.weight != 1 {
		return // left
	}
	w.say("QUEUETIMEWEIGHT", 60, w.span("PriorityType"))
	w.near(cmp.Or(w.span("PriorityType"), w.policy.Span),
		"Maui counts queue time, which begins when limits and dependencies let a job in, and knows neither nice "+
			"values nor numbers that slurmctld gave", "the order of submission becomes QUEUETIMEWEIGHT 60")
}

// mauiFlags names the words of PriorityFlags that change something; those of normalisation are in the numbers.
func (w *mauiWriter) mauiFlags() {
	p, ok := w.isSet("PriorityFlags")
	if !ok || isBasic(w.policy) {
		return
	}
	w.exact(p.Set)
	for _, word := range strings.FieldsFunc(p.Value.Str, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !strings.HasPrefix(strings.ToUpper(word), "NO_NORMAL") && !w.said("PriorityFlags", word) {
			w.diags.Warnf("convert-not-said", p.Set, "maui.cfg cannot say %s of PriorityFlags", word)
		}
	}
}

// said reports a word of a list that changes nothing here.
func (w *mauiWriter) said(param, word string) bool {
	kept := slices.DeleteFunc(strings.Split(w.word(param), ","),
		func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), word) })
	return !w.effects.without(param, strings.Join(kept, ","))
}

// scaled finds the factor by which all weights are multiplied, so that the points a minute, a processor, a node
// and a credential survive being rounded. The order of jobs does not change by it.
func (w *mauiWriter) scaled() {
	w.scale = 1
	var rates []float64
	if seconds := w.number("PriorityMaxAge"); seconds > 0 {
		rates = append(rates, w.weighs("age").weight/(seconds/60))
	}
	for _, r := range match.Resources[:2] {
		if all := w.total(r.Cluster); all > 0 {
			rates = append(rates, w.weighs("jobsize").weight/2/all)
		}
	}
	total, at := 1.0, w.policy.Span // the points of a job that has the most of all
	taken := ""                     // for granted, where no file says what there is
	for _, name := range []string{"age", "jobsize", "fairshare"} {
		total += math.Abs(w.weighs(name).weight)
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
			at = cmp.Or(w.span("PriorityWeightTRES"), at)
		}
	}
	total += w.pointsOf(w.ownTerms())
	for _, c := range match.Credentials {
		most, highest := w.normal(c.Flag, c.Column), 0.0
		for _, r := range w.rows(c.Column) {
			points := w.weighs(c.Part).weight * r.Value.Number() / most
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
	for coarse(scale) && total*scale*10 < maxMaui && scale < 1e4 {
		scale *= 10
	}
	w.multiplied(scale)
	w.cutOff(at, total*scale, taken)
}

// cutOff names priorities that Maui cuts off.
func (w *mauiWriter) cutOff(at source.Span, total float64, taken string) {
	if total > maxMaui {
		w.diags.Warnf("convert-not-said", at, "maui.cfg cannot say priorities above %d, and a job can come to "+
			"%.4g points", int64(maxMaui), total).
			Note("Maui takes all above for as much, so that such jobs have no order among them; make the weights "+
				"smaller%s", taken)
	}
}

// weighs is a component of Slurm, which has one term of its name, with its weight as Maui gets it.
func (w *mauiWriter) weighs(name string) part {
	p := w.part(name, name)
	p.weight *= w.scale
	if p.cap > 0 || p.weight != 0 && w.uncounted(name) {
		p.weight = 0 // Slurm's parameters have no caps, so that this one is of a policy file: left
	}
	return p
}

// uncounted reports a weight that Slurm takes as 0, as it does with those of age and fairshare where no
// accounting is kept.
func (w *mauiWriter) uncounted(name string) bool {
	c := component(w.policy, name)
	if c == nil || !usualHere(c.Weight) {
		return false
	}
	weight, ok := constant(c.Weight)
	return ok && weight == 0
}

// mauiUncounted names the weights that count nothing as the site is: those that Slurm takes as 0, and those of
// what no file has.
func (w *mauiWriter) mauiUncounted() {
	for _, name := range []string{"age", "fairshare"} {
		if p := w.part(name, name); p.weight != 0 && w.uncounted(name) {
			w.exact(p.from...)
			w.leftOut(p.at(), slurmWeights[name],
				"it counts with AccountingStorageType=accounting_storage/slurmdbd alone")
		}
	}
	lacks := func(part, what, why string) {
		if p := w.weighs(part); p.weight != 0 {
			w.exact(p.from...)
			w.diags.Infof("convert-incomplete", p.at(), "%s counts for no job here: the policy "+
				"has no %s", slurmWeights[part], what).
				Note("%s", why)
		}
	}
	if len(w.rows("qos.priority")) == 0 {
		hint := "QOS are in the database: if some have a priority, add QOS - 'name':Priority=N to the file of " +
			"accounts for each, and convert again"
		if !strings.HasSuffix(strings.ToLower(w.word("AccountingStorageType")), "slurmdbd") {
			hint = "without AccountingStorageType=accounting_storage/slurmdbd there is no database that has any"
		}
		lacks("qos", "QOS", hint)
	}
	drawn := hasAssociation(w.policy, func(a *ir.Association) bool { return !a.Span.IsZero() })
	if drawn { // a priority that no association has is 0
		if len(w.rows("association.priority")) == 0 {
			w.exact(w.weighs("assoc").from...)
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

// mauiAge: points per minute, which are whole.
func (w *mauiWriter) mauiAge() {
	p, seconds := w.weighs("age"), w.number("PriorityMaxAge")
	if p.weight == 0 || seconds <= 0 {
		w.say("QUEUETIMEWEIGHT", 0) // which Maui has as 1 where nobody says so
		return
	}
	each := p.weight / (seconds / 60)
	rounded := math.Copysign(math.Max(1, math.Abs(math.Round(each))), each)
	if math.Abs(rounded) > math.MaxInt32 {
		w.say("QUEUETIMEWEIGHT", 0)
		return // left
	}
	w.say("QUEUETIMEWEIGHT", int64(rounded), p.from...)
	w.say("QUEUETIMECAP", int64(math.Max(1, math.Round(p.weight/rounded))), w.span("PriorityMaxAge"))
	how := "Maui counts queue time, Slurm the time in which a job may accrue age"
	if rounded != each {
		how += fmt.Sprintf(
			"; it would be %.4g points a minute, and Maui's weights are whole, so the most is reached at another time",
			each)
	}
	w.near(p.at(), how, "%s points over %s become %.0f points a minute, at most %.0f", w.unscaled(p.weight),
		days(seconds/60), rounded, rounded*math.Max(1, math.Round(p.weight/rounded)))
}

// unscaled is a weight as the site has it, and by how much it is multiplied.
func (w *mauiWriter) unscaled(weight float64) string {
	if w.scale == 1 {
		return fmt.Sprintf("%.10g", weight)
	}
	return fmt.Sprintf("%.10g (x %v)", weight/w.scale, w.scale)
}

// normal is what a priority is divided by.
func (w *mauiWriter) normal(flag string, column schema.ColumnID) float64 {
	if w.flag(flag) || w.flag("NO_NORMAL_ALL") {
		return 1
	}
	most := 0.0
	for _, r := range w.rows(column) {
		most = math.Max(most, float64(r.Value.Int))
	}
	return math.Max(1, most)
}

// mauiPriorities writes the points that credentials bring.
func (w *mauiWriter) mauiPriorities() {
	for _, c := range match.Credentials {
		p := w.weighs(c.Part)
		if p.weight == 0 {
			continue
		}
		rows, most := w.rows(c.Column), w.normal(c.Flag, c.Column)
		if c.Family == "" {
			w.mauiAssociations(p, rows, most)
			continue
		}
		for _, r := range rows {
			w.mauiPoints(p, c.Family, c.MauiWeight, r.Name, p.weight*r.Value.Number()/most, r)
		}
	}
}

// mauiPoints gives a credential its points.
func (w *mauiWriter) mauiPoints(p part, family, weight, name string, points float64, r ir.TableRow) {
	if math.Abs(points) > math.MaxInt32 {
		w.because(r.Span, fmt.Sprintf("Maui's priorities are at most %d, and it would be %.10g", math.MaxInt32, points))
		return
	}
	if points != 0 && math.Round(points) == 0 {
		w.because(r.Span, fmt.Sprintf("Maui's priorities are whole numbers, and it would be %.4g", points))
		return
	}
	w.say("CREDWEIGHT", 1)
	w.say(weight, 1, p.from...)
	w.setIn(family, name, setting{"PRIORITY", fmt.Sprint(int64(math.Round(points))), r.Span})
	if points != math.Round(points) {
		w.near(r.Span, "Maui's priorities are whole numbers", "%s points of %s become %.0f", w.unscaled(points),
			cmp.Or(r.Source, r.Name), math.Round(points))
	}
}

// mauiAssociations: Maui adds what a job's account and its user have, Slurm takes the one association's, which
// is that of the account where the user's says nothing. So a user gets what is beyond the account's.
func (w *mauiWriter) mauiAssociations(p part, rows []ir.TableRow, most float64) {
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
			w.mauiPoints(p, "ACCOUNTCFG", "ACCOUNTWEIGHT", account, p.weight*value/most, r)
		case value == accounts[account] && slices.Max(more) == 0 && slices.Min(more) == 0:
			w.exact(r.Span) // the account's
		case strings.Contains(user, "/") || w.accounts(user) > len(more) || slices.Max(more) != slices.Min(more):
			continue // left
		default:
			w.mauiPoints(p, "USERCFG", "USERWEIGHT", user, p.weight*more[0]/most, r)
			w.near(r.Span, "Maui adds the priorities of account and user, and knows no place of a user in an account",
				"what %s is beyond that of the account becomes the priority of the user", cmp.Or(r.Source, r.Name))
		}
	}
}

// accounts counts those that a user is in.
func (w *mauiWriter) accounts(user string) (n int) {
	for a := range associations(w.policy) {
		if a.User == user && a.Partition == "" {
			n++
		}
	}
	return n
}

// mauiSize: the share of the cluster becomes points for each processor and node, and so do weights of resources.
func (w *mauiWriter) mauiSize() {
	points, spans := map[string]float64{}, map[string]source.Span{}
	add := func(param string, each float64, at source.Span) {
		points[param] += each
		spans[param] = at
	}
	w.jobSize(add)
	w.weighedResources(add)
	for _, r := range match.Resources {
		if r.Weight != "" && points[r.Weight] != 0 {
			w.sizePoints(r.Weight, points[r.Weight], spans[r.Weight])
		}
	}
}

// nodesAsked is what is said where nodes are weighed or counted.
const nodesAsked = "Maui counts nodes only of jobs that ask for them"

func (w *mauiWriter) jobSize(add func(param string, each float64, at source.Span)) {
	p, procs, nodes := w.weighs("jobsize"), w.total("cluster.procs"), w.total("cluster.nodes")
	if p.weight == 0 || procs <= 0 || nodes <= 0 || w.flag("SMALL_RELATIVE_TO_TIME") {
		return // left
	}
	sign, small := 1.0, ""
	if w.of("PriorityFavorSmall").Value.Int != 0 {
		sign, small = -1, "; large jobs get less instead of small ones more, so that priorities may be negative: "+
			"ENABLENEGJOBPRIORITY keeps their order"
		w.belowOne()
	}
	w.exact(w.span("PriorityFavorSmall"))
	proc, node := sign*p.weight/2/procs, sign*p.weight/2/nodes
	add("PROCWEIGHT", proc, p.at())
	add("NODEWEIGHT", node, p.at())
	w.near(p.at(), nodesAsked+small, "PriorityWeightJobSize becomes %.4g points a processor and "+
		"%.4g a node", proc, node)
}

func (w *mauiWriter) weighedResources(add func(param string, each float64, at source.Span)) {
	at := w.span("PriorityWeightTRES")
	w.exact(at)
	for _, r := range w.resources() {
		if r.param == "" {
			d := w.diags.Warnf("convert-not-said", at, "maui.cfg cannot say the weight of %s in PriorityWeightTRES",
				r.name)
			if r.name == "mem" && w.total("cluster.mem_mb") == 0 {
				d.Note("a job's share of it is weighed, and no NodeName says with RealMemory how much there is")
			}
			continue
		}
		each := r.each * w.scale
		add(r.param, each, at)
		var how []string
		by := ""
		if !w.rawResources() {
			how = append(how, "Slurm goes by the share of the partition's resources, Maui by the bare number")
			by = ", by the whole cluster"
		}
		if r.param == "NODEWEIGHT" {
			how = append(how, nodesAsked)
		}
		if how != nil {
			w.near(at, strings.Join(how, "; "), "the weight of %s becomes %.4g points each%s", r.name, each, by)
		}
	}
}

// sizePoints writes the points for each of a resource.
func (w *mauiWriter) sizePoints(param string, points float64, at source.Span) {
	rounded := math.Round(points)
	switch {
	case math.Abs(rounded) > math.MaxInt32:
		w.diags.Warnf("convert-not-said", at, "%s of %.4g is more than Maui can hold", param, points)
		return
	case rounded == 0:
		w.diags.Warnf("convert-not-said", at, "maui.cfg cannot say %s of %.4g", param, points).
			Note("Maui's weights are whole numbers, and this one would be 0; make the others smaller, or leave it out")
		return
	case rounded != points:
		w.near(at, wholeWeights, "%s of %.4g becomes %.0f", param, points, rounded)
	}
	w.say(param, int64(rounded), at)
	w.say("RESWEIGHT", 1)
}

// belowOne keeps the order of jobs with negative priorities, which Maui else raises to 1.
func (w *mauiWriter) belowOne() { w.say("ENABLENEGJOBPRIORITY", "TRUE") }

// resource is a weight of PriorityWeightTRES: Maui's parameter for it, "" if there is none, and the points for
// each unit.
type resource struct {
	name, param  string
	weight, each float64
	all          float64 // of it in the cluster, 0 if the policy does not say
}

// resources are those that are weighed.
func (w *mauiWriter) resources() (list []resource) {
	if _, ok := w.isSet("PriorityWeightTRES"); !ok {
		return nil
	}
	weights, _ := slurmtext.ParseTRESWeights(w.word("PriorityWeightTRES")) // Lower has read it
	for _, weight := range weights {
		if weight.Value == 0 {
			continue
		}
		r := resource{name: weight.Name, weight: weight.Value}
		of := match.ResourceOf(r.name)
		all := w.total(of.Cluster)
		r.all = all
		if w.rawResources() {
			all = 1
		}
		if all > 0 && w.usual(r.name) {
			r.param, r.each = of.Weight, r.weight/all
		}
		list = append(list, r)
	}
	return list
}

// rawResources reports weights of bare numbers, not of shares.
func (w *mauiWriter) rawResources() bool { return w.flag("NO_NORMAL_TRES") || w.flag("NO_NORMAL_ALL") }

// usual reports a resource that is weighed as the library does.
func (w *mauiWriter) usual(resource string) bool {
	c := component(w.policy, "tres")
	if c == nil || !usualHere(c.Weight) {
		return false
	}
	return slices.ContainsFunc(c.Terms, func(t ir.Term) bool {
		return t.Name == "tres["+resource+"]" && fromLibrary(t.Weight.Expr.Span) && fromLibrary(t.Factor.Expr.Span) &&
			!t.Cap.IsSet()
	})
}

// mauiShares: shares among siblings become percent of the whole, and the half-life windows of a day.
func (w *mauiWriter) mauiShares() {
	p := w.weighs("fairshare")
	if p.weight == 0 {
		return
	}
	weight, from := p.weight, p.at()
	w.exact(p.from...)
	half := w.number("PriorityDecayHalfLife")
	w.say("FSPOLICY", "DEDICATEDPS", from)
	w.belowOne()
	w.say("FSWEIGHT", 1, from)
	w.say("FSUSERWEIGHT", int64(math.Max(1, math.Round(weight/200))), from)
	w.say("FSACCOUNTWEIGHT", int64(math.Max(1, math.Round(weight/200))), from)
	w.say("FSINTERVAL", "24:00:00", w.span("PriorityDecayHalfLife"))
	w.say("FSDEPTH", 23, w.span("PriorityDecayHalfLife"))
	decay := 1.0
	if half > 0 {
		decay = math.Exp2(-86400 / half)
	}
	w.say("FSDECAY", fmt.Sprintf("%.4f", decay), w.span("PriorityDecayHalfLife"))
	w.near(from,
		"Slurm's factor lies between 0 and 1 and orders users by shares over usage; Maui's is the distance to a "+
			"target in percent, which may be negative, as then the priority may be, and its usage ends after 23 days",
		"fairshare of weight %s becomes %v points a percent below the target of user and account", w.unscaled(weight),
		math.Max(1, math.Round(weight/200)))
	w.mauiTargets()
}

func (w *mauiWriter) mauiTargets() {
	for i := range w.policy.Fairshare {
		f := &w.policy.Fairshare[i]
		sums := map[string]int64{}
		lifted := map[string]string{} // from accounts that share as their parent does to this
		above := func(a *ir.Association) string {
			of := a.Parent
			if a.User != "" {
				of = a.Account
			}
			return cmp.Or(lifted[of], of)
		}
		for k := range f.Associations { // accounts stand before what is below them
			if a := &f.Associations[k]; a.ParentShares && a.User == "" {
				lifted[a.Account] = above(a)
				w.exact(a.Span)
			}
		}
		parts := map[string]float64{"": 1, "root": 1}
		for k := range f.Associations {
			if a := &f.Associations[k]; !a.ParentShares && a.Key() != "root" {
				sums[above(a)] += a.Shares
			}
		}
		for k := range f.Associations {
			a := &f.Associations[k]
			if a.Key() == "root" {
				w.exact(a.Span)
				continue
			}
			part := parts[above(a)]
			if a.ParentShares || sums[above(a)] == 0 {
				continue
			}
			part *= float64(a.Shares) / float64(sums[above(a)])
			family, name := "ACCOUNTCFG", a.Account
			if a.User == "" {
				parts[a.Account] = part
			} else if family, name = "USERCFG", a.User; a.Partition != "" || w.accounts(a.User) > 1 {
				continue
			}
			w.setIn(family, name, setting{"FSTARGET", fmt.Sprintf("%.2f", 100*part), a.Span})
			if a.Span.IsZero() {
				continue // the user root, whom every tree has
			}
			w.near(a.Span, "Slurm compares siblings, Maui each with the whole", "%s becomes a target of %.2f percent",
				a.Source, 100*part)
		}
	}
}

// mauiScheduler: which jobs may overtake, and what a QOS does besides.
func (w *mauiWriter) mauiScheduler() {
	if p, ok := w.isSet("SchedulerType"); ok && strings.HasSuffix(strings.ToLower(p.Value.Str), "builtin") {
		w.say("BACKFILLPOLICY", "NONE", p.Set)
		return
	}
	w.say("BACKFILLPOLICY", "FIRSTFIT", w.span("SchedulerType"))
	w.say("RESERVATIONDEPTH", 20, w.span("SchedulerType"))
	w.diags.Infof("convert-approximated", cmp.Or(w.span("SchedulerType"), w.policy.Span), "backfill becomes "+
		"BACKFILLPOLICY FIRSTFIT with RESERVATIONDEPTH 20").
		Note("Slurm plans for every job that backfill looks at, by the options of SchedulerParameters")
}

// mauiExclusive: where select/linear or all partitions give whole nodes, no two jobs share one; or no two users.
func (w *mauiWriter) mauiExclusive() {
	at, what := cmp.Or(w.span("SelectType"), w.policy.Span), "SelectType=select/linear"
	exclusive := w.policy.SlurmPlan != nil && w.policy.SlurmPlan.Linear
	all := []source.Span{at}
	if !exclusive {
		all = w.ofAllPartitions("EXCLUSIVE", "OverSubscribe", "Shared")
		what = "OverSubscribe=EXCLUSIVE of all partitions"
		exclusive = len(all) > 0
	}
	if exclusive {
		w.say("NODEACCESSPOLICY", "SINGLEJOB", all...)
		w.near(all[0],
			"Slurm gives a job all processors of its nodes, and counts them; Maui counts those that it asks for",
			"%s becomes NODEACCESSPOLICY SINGLEJOB", what)
		return
	}
	if all := w.ofAllPartitions("YES", "ExclusiveUser"); len(all) > 0 {
		w.say("NODEACCESSPOLICY", "SINGLEUSER", all...)
	}
}

// ofAllPartitions is where each partition has a value of a setting, by any of its names; nothing if one has another.
func (w *mauiWriter) ofAllPartitions(value string, names ...string) (all []source.Span) {
	for i := range w.policy.Facts.Records {
		rec := &w.policy.Facts.Records[i]
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
