package convert

import (
	"fmt"
	"math"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// toMaui writes Slurm's policy, or one from scratch, for Maui. The points that a QOS, a partition or an association
// brings are worked out here, as Maui has no shares of a largest value; they are its PRIORITY, with weights of 1.
func (w *writer) toMaui() {
	host := w.word("SlurmctldHost")
	host, _, _ = strings.Cut(host, "(")
	if host == "" {
		host = "head"
	}
	w.say("SERVERHOST", host, w.span("SlurmctldHost"))
	for _, name := range []string{"ClusterName", "PriorityType", "AccountingStorageType"} {
		w.isSet(name)
	}
	w.scaled()
	w.mauiAge()
	w.mauiPriorities()
	w.mauiSize()
	w.mauiShares()
	w.mauiScheduler()
	for i := range w.policy.Limits {
		w.limitToMaui(&w.policy.Limits[i])
	}
	w.mauiPartitions()
	for _, word := range strings.Split(w.word("PriorityFlags"), ",") {
		if word = strings.TrimSpace(word); word != "" && !strings.HasPrefix(strings.ToUpper(word), "NO_NORMAL") {
			w.diags.Warnf("convert-not-said", w.span("PriorityFlags"), "maui.cfg cannot say %s of PriorityFlags", word)
		}
	}
}

// scaled finds the factor by which all weights are multiplied, so that the points a minute, a processor and a node
// survive being rounded. The order of jobs does not change by it.
func (w *writer) scaled() {
	w.scale = 1
	var rates []float64
	if seconds := w.number("PriorityMaxAge"); seconds > 0 {
		rates = append(rates, w.slurmWeight("PriorityWeightAge")/(seconds/60))
	}
	for _, column := range []schema.ColumnID{"cluster.procs", "cluster.nodes"} {
		for _, r := range w.rows(column) {
			rates = append(rates, w.slurmWeight("PriorityWeightJobSize")/2/float64(max(1, r.Value.Int)))
		}
	}
	total := 1.0
	for _, name := range []string{"Age", "JobSize", "QOS", "Partition", "Assoc", "Fairshare"} {
		total += w.slurmWeight("PriorityWeight" + name)
	}
	coarse := func(scale float64) bool {
		for _, r := range rates {
			if x := r * scale; x > 0 && math.Abs(x-math.Round(x)) > x/100 {
				return true
			}
		}
		return false
	}
	scale := 1.0
	for coarse(scale) && total*scale*10 < 1e9 && scale < 1e4 {
		scale *= 10
	}
	if w.scale = scale; scale > 1 {
		w.diags.Infof("convert-approximated", w.policy.Span, "all weights are multiplied by %.0f", scale).
			Note("Maui's weights are whole numbers; the order of jobs stays")
	}
}

// slurmWeight is a weight that counts: without slurmdbd Slurm takes those of age and fairshare as 0.
func (w *writer) slurmWeight(name string) float64 {
	weight := w.number(name) * w.scale
	if p := w.params["AccountingStorageType"]; p != nil && !strings.Contains(p.Value.Str, "slurmdbd") && (name == "PriorityWeightAge" || name == "PriorityWeightFairshare") {
		return 0
	}
	return weight
}

// flag reports a word of PriorityFlags, and marks it as said.
func (w *writer) flag(name string) bool {
	return strings.Contains(strings.ToUpper(w.word("PriorityFlags")), name)
}

// mauiAge: points per minute, which are whole.
func (w *writer) mauiAge() {
	weight, seconds, from := w.slurmWeight("PriorityWeightAge"), w.number("PriorityMaxAge"), w.span("PriorityWeightAge")
	if weight == 0 || seconds <= 0 {
		w.say("QUEUETIMEWEIGHT", 0, from) // which Maui has as 1 where nobody says so
		return
	}
	each := weight / (seconds / 60)
	rounded := math.Max(1, math.Round(each))
	w.say("QUEUETIMEWEIGHT", int64(rounded), from)
	w.say("QUEUETIMECAP", int64(math.Round(weight/rounded)), w.span("PriorityMaxAge"))
	how := "Maui counts queue time, Slurm the time in which a job may accrue age"
	if rounded != each {
		how += fmt.Sprintf("; it would be %.4g points a minute, and Maui's weights are whole, so the most is reached at another time", each)
	}
	w.near(from, how, "%v points over %s become %.0f points a minute, at most %.0f", weight, days(seconds/60), rounded, rounded*math.Round(weight/rounded))
}

// normal is what a priority is divided by.
func (w *writer) normal(flag string, column schema.ColumnID) float64 {
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
func (w *writer) mauiPriorities() {
	used := false
	points := func(family, weightParam, classWeight string, column schema.ColumnID, flag string, name func(string) (string, string)) {
		weight := w.slurmWeight(weightParam)
		if weight == 0 {
			return
		}
		most := w.normal(flag, column)
		if len(w.rows(column)) == 0 {
			delete(w.takenParams, weightParam) // it weighs what only the snapshot knows
		}
		for _, r := range w.rows(column) {
			kind, row := name(r.Name)
			if kind == "" {
				continue // left
			}
			value := weight * float64(r.Value.Int) / most
			used = true
			w.say(map[string]string{"USERCFG": "USERWEIGHT", "ACCOUNTCFG": "ACCOUNTWEIGHT"}[kind]+classWeight, 1, w.span(weightParam))
			w.setIn(kind, row, setting{"PRIORITY", fmt.Sprint(int64(math.Round(value))), r.Span})
			switch {
			case column == "association.priority" && kind == "USERCFG":
				w.near(r.Span, "Maui's priority of a user counts in every account", "%s becomes the priority of the user", r.Source)
			case value != math.Round(value):
				w.near(r.Span, "Maui's priorities are whole numbers", "%v points of %s become %.0f", value, r.Source, math.Round(value))
			default:
				w.exact(r.Span)
			}
		}
	}
	same := func(family string) func(string) (string, string) {
		return func(name string) (string, string) { return family, name }
	}
	points("QOSCFG", "PriorityWeightQOS", "QOSWEIGHT", "qos.priority", "NO_NORMAL_QOS", same("QOSCFG"))
	points("CLASSCFG", "PriorityWeightPartition", "CLASSWEIGHT", "partition.priority_job_factor", "NO_NORMAL_PART", same("CLASSCFG"))
	points("", "PriorityWeightAssoc", "", "association.priority", "NO_NORMAL_ASSOC", func(key string) (string, string) {
		account, user, _ := strings.Cut(key, "/")
		switch {
		case account == "root" && user == "" || strings.Contains(user, "/"):
			return "", ""
		case user != "" && w.accounts(user) == 1:
			return "USERCFG", user
		case user != "":
			return "", ""
		}
		return "ACCOUNTCFG", account
	})
	if used {
		w.say("CREDWEIGHT", 1, source.Span{})
	}
}

// accounts counts those that a user is in.
func (w *writer) accounts(user string) (n int) {
	for i := range w.policy.Fairshare {
		for _, a := range w.policy.Fairshare[i].Associations {
			if a.User == user && a.Partition == "" {
				n++
			}
		}
	}
	return n
}

// mauiSize: the share of the cluster becomes points for each processor and node, and so do weights of resources.
func (w *writer) mauiSize() {
	points := map[string]float64{}
	spans := map[string]source.Span{}
	total := func(column schema.ColumnID) float64 {
		for _, r := range w.rows(column) {
			return float64(r.Value.Int)
		}
		return 0
	}
	procs, nodes := total("cluster.procs"), total("cluster.nodes")
	if weight := w.slurmWeight("PriorityWeightJobSize"); weight != 0 && procs > 0 && nodes > 0 && !w.flag("SMALL_RELATIVE_TO_TIME") {
		sign := 1.0
		if p, _ := w.isSet("PriorityFavorSmall"); p != nil && p.Value.Int != 0 {
			sign = -1
		}
		points["PROCWEIGHT"] += sign * weight / 2 / procs
		points["NODEWEIGHT"] += sign * weight / 2 / nodes
		from := w.span("PriorityWeightJobSize")
		spans["PROCWEIGHT"], spans["NODEWEIGHT"] = from, from
		w.near(from, "Maui counts nodes only of jobs that ask for them, and large jobs get less instead of small ones more where small ones are favoured",
			"PriorityWeightJobSize becomes %.4g points a processor and %.4g a node", points["PROCWEIGHT"], points["NODEWEIGHT"])
	} else if weight != 0 {
		delete(w.takenParams, "PriorityWeightJobSize")
	}
	raw := w.flag("NO_NORMAL_TRES") || w.flag("NO_NORMAL_ALL")
	if p, ok := w.isSet("PriorityWeightTRES"); ok {
		for _, item := range strings.Split(p.Value.Str, ",") {
			name, text, _ := strings.Cut(strings.ToLower(item), "=")
			var weight float64
			_, err := fmt.Sscan(text, &weight)
			param, of := map[string]string{"cpu": "PROCWEIGHT", "node": "NODEWEIGHT", "mem": "MEMWEIGHT"}[name], map[string]float64{"cpu": procs, "node": nodes, "mem": total("cluster.mem_mb")}[name]
			if raw {
				of = 1
			}
			if err != nil || param == "" || of <= 0 {
				w.diags.Warnf("convert-not-said", p.Set, "maui.cfg cannot say the weight of %s in PriorityWeightTRES", name)
				continue
			}
			weight *= w.scale
			points[param] += weight / of
			spans[param] = p.Set
			if !raw {
				w.near(p.Set, "Slurm goes by the share of the partition's resources, Maui by the bare number", "the weight of %s becomes %.4g points each, by the whole cluster", name, weight/of)
			}
		}
	}
	for _, param := range []string{"PROCWEIGHT", "NODEWEIGHT", "MEMWEIGHT"} {
		if points[param] == 0 {
			continue
		}
		rounded := math.Round(points[param])
		if rounded != points[param] {
			w.near(spans[param], "Maui's weights are whole numbers", "%s of %.4g becomes %.0f", param, points[param], rounded)
		}
		if rounded != 0 {
			w.say(param, int64(rounded), spans[param])
			w.say("RESWEIGHT", 1, source.Span{})
		}
	}
}

// mauiShares: shares among siblings become percent of the whole, and the half-life windows of a day.
func (w *writer) mauiShares() {
	weight, from := w.slurmWeight("PriorityWeightFairshare"), w.span("PriorityWeightFairshare")
	if weight == 0 {
		return
	}
	half := w.number("PriorityDecayHalfLife")
	w.say("FSPOLICY", "DEDICATEDPS", from)
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
	w.near(from, "Slurm's factor lies between 0 and 1 and orders users by shares over usage; Maui's is the distance to a target in percent, which may be negative, and its usage ends after 23 days",
		"fairshare of weight %v becomes %v points a percent below the target of user and account", weight, math.Max(1, math.Round(weight/200)))
	w.mauiTargets()
}

func (w *writer) mauiTargets() {
	for i := range w.policy.Fairshare {
		f := &w.policy.Fairshare[i]
		sums := map[string]int64{}
		above := func(a *ir.Association) string {
			if a.User != "" {
				return a.Account
			}
			return a.Parent
		}
		parts := map[string]float64{"": 1, "root": 1}
		for k := range f.Associations {
			if a := &f.Associations[k]; !a.ParentShares && a.Key() != "root" {
				sums[above(a)] += a.Shares
			}
		}
		for k := range f.Associations { // accounts stand before what is below them
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
			w.near(a.Span, "Slurm compares siblings, Maui each with the whole", "%s becomes a target of %.2f percent", a.Source, 100*part)
		}
	}
}

// mauiScheduler: which jobs may overtake, and what a QOS does besides.
func (w *writer) mauiScheduler() {
	if p, ok := w.isSet("SchedulerType"); ok && strings.HasSuffix(strings.ToLower(p.Value.Str), "builtin") {
		w.say("BACKFILLPOLICY", "NONE", p.Set)
		return
	}
	w.say("BACKFILLPOLICY", "FIRSTFIT", w.span("SchedulerType"))
	w.say("RESERVATIONDEPTH", 20, w.span("SchedulerType"))
	w.diags.Infof("convert-approximated", w.span("SchedulerType"), "backfill becomes BACKFILLPOLICY FIRSTFIT with RESERVATIONDEPTH 20").
		Note("Slurm plans for every job that backfill looks at, by the options of SchedulerParameters")
}

// mauiLimits says what counts the same in Maui: the object, the phase and the count, by the object and name of Slurm's.
var mauiLimits = map[string]struct {
	phase, counts string
	scale         float64
	user          bool
}{
	"GrpJobs": {"active", "jobs", 1, false}, "GrpTRES=cpu": {"active", "procs", 1, false}, "GrpTRES=node": {"active", "nodes", 1, false}, "GrpTRESRunMins=cpu": {"active", "proc_seconds", 60, false},
	"MaxWallDurationPerJob": {"job", "walltime", 60, false}, "MaxTRESPerJob=cpu": {"job", "procs", 1, false}, "MaxTRESPerJob=node": {"job", "nodes", 1, false},
}

// limitToMaui writes a limit for the credential that Maui has in the place of Slurm's association.
func (w *writer) limitToMaui(l *ir.Limit) {
	if l.Hard == nil || *l.Hard < 0 {
		return
	}
	object, row := l.Object, l.Row
	how := ""
	m, ok := mauiLimits[l.Name]
	if l.Object == "association" {
		account, user, _ := strings.Cut(l.Row, "/")
		switch object, row = "account", account; {
		case strings.Contains(user, "/") || user != "" && w.accounts(user) > 1:
			return
		case user != "":
			object, row = "user", user
			how = "Maui counts for the user, whatever the account"
		case l.Row == "root":
			return
		case strings.HasPrefix(l.Name, "Max"):
			return // for each user below the account
		default:
			how = "Maui counts jobs of this very account, Slurm also those of accounts below it"
		}
		if l.Name == "MaxJobs" && object == "user" {
			m.phase, m.counts, m.scale, ok = "active", "jobs", 1, true
		}
	}
	if !ok {
		return
	}
	bound := *l.Hard * m.scale
	name, value, can := lower.MauiLimit(&ir.Limit{Object: object, Row: row, Counts: m.counts, Phase: m.phase, Per: []string{object}, Soft: &bound, Hard: &bound})
	if !can || bound == 0 {
		return
	}
	w.setIn(lower.MauiFamily(object), row, setting{name, value, l.Span})
	if m.counts == "proc_seconds" {
		how = "Slurm counts what running jobs may still use, Maui what they were given"
	}
	if how == "" {
		w.exact(l.Span)
		return
	}
	w.near(l.Span, how, "%s becomes %s=%s of %s", l.Source, name, value, row)
}

// mauiPartitions writes what a partition says of its jobs for the class of its name.
func (w *writer) mauiPartitions() {
	for _, c := range []struct {
		column    schema.ColumnID
		attribute string
	}{{"partition.walltime_max_seconds", "MAX.WCLIMIT"}, {"partition.nodes_max", "MAXNODEPERJOB"}, {"partition.walltime_default_seconds", "DEFAULT.WCLIMIT"}} {
		for _, r := range w.rows(c.column) {
			if r.Value.Known() && r.Name != "DEFAULT" {
				w.setIn("CLASSCFG", r.Name, setting{c.attribute, fmt.Sprint(r.Value.Int), r.Span})
				w.exact(r.Span)
			}
		}
	}
}
