package convert

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// maxWeight is what Slurm's weights and counts can hold.
const maxWeight = math.MaxUint32

// toSlurm writes Maui's policy, or one from scratch, for Slurm. With NO_NORMAL_ALL the factors of QOS, partitions,
// associations and resources are the bare numbers, so that Maui's weights stay what they are.
func (w *writer) toSlurm() {
	w.usersAccount = free("users", named(w.policy, "account"))
	host, control := w.word("SERVERHOST"), "SlurmctldHost"
	if w.before("18.08") {
		control = "ControlMachine"
	}
	if host == "" {
		host = "head"
		w.diags.Infof("convert-incomplete", w.policy.Span, "the host and the nodes are no part of the policy: complete %s and NodeName", control)
	} else {
		w.diags.Infof("convert-incomplete", w.span("SERVERHOST"), "the nodes are no part of the policy: complete NodeName")
	}
	w.say("ClusterName", "cluster")
	w.say(control, host, w.span("SERVERHOST"))
	w.say("AccountingStorageType", "accounting_storage/slurmdbd")
	w.say("PriorityType", "priority/multifactor")
	if !w.before("19.05") {
		w.say("PriorityFlags", "NO_NORMAL_ALL")
	}
	if w.policy.Family == "" {
		w.ownParts()
		w.slurmTree()
	}
	w.slurmNodes()
	w.slurmBackfill()
	w.slurmAge()
	w.slurmResources()
	w.slurmCredentials()
	w.normalised()
	w.slurmShares()
	w.limitsToSlurm()
	if w.policy.Family == "" {
		w.namedAssociations()
	}
	w.slurmAccess()
	w.exampleUsers()
	w.slurmQOS()
	w.slurmPartitions()
}

// points is a weight as Slurm has it: not negative, not above 2^32-1, and whole. One that is not is left.
func (w *writer) points(name string, p part) bool {
	if p.weight < 0 || p.weight > maxWeight {
		w.because(p.at(), fmt.Sprintf("weights of Slurm are numbers from 0 to %d", int64(maxWeight)))
		return false
	}
	rounded := math.Round(p.weight)
	if rounded == 0 && p.weight != 0 {
		w.because(p.at(), fmt.Sprintf("weights of Slurm are whole numbers, and it would be %.4g", p.weight))
		return false
	}
	w.say(name, int64(rounded), p.from...)
	if rounded != p.weight {
		w.near(p.at(), "weights of Slurm are whole numbers", "%s of %v becomes %.0f", name, p.weight, rounded)
	}
	return true
}

// slurmAge: Maui gives points a minute without end, or up to QUEUETIMECAP; Slurm up to PriorityMaxAge.
func (w *writer) slurmAge() {
	p := w.part("service", "queuetime")
	if p.weight < 0 {
		w.because(p.at(), "weights of Slurm are not negative")
	}
	if p.weight <= 0 || p.weight > maxWeight {
		return // left
	}
	minutes := float64(365 * 24 * 60)
	if p.cap > 0 {
		minutes = p.cap
		w.exact(p.capped...)
	}
	if top, ok := constant(w.policy.Finish.Ceiling); ok && top > 0 {
		minutes = min(minutes, top/p.weight) // a priority grows no further
	}
	minutes = math.Floor(math.Max(1, min(minutes, maxWeight/p.weight, maxWeight/60)))
	if p.weight*minutes < 1 {
		return // left
	}
	w.say("PriorityMaxAge", int64(minutes))
	w.say("PriorityWeightAge", int64(p.weight*minutes), p.from...)
	how := fmt.Sprintf("Slurm counts the time in which a job may accrue age, not %s's queue time", w.called())
	if minutes != p.cap {
		how = fmt.Sprintf("it stops growing after %s, and ", days(minutes)) + how
	}
	w.near(cmp.Or(p.at(), w.policy.Span), how, "%v points a minute in the queue become PriorityWeightAge=%d over PriorityMaxAge of %s", p.weight, int64(p.weight*minutes), days(minutes))
}

func days(minutes float64) string {
	n, unit := int64(minutes), "minute"
	if minutes >= 1440 && math.Mod(minutes, 1440) == 0 {
		n, unit = int64(minutes/1440), "day"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// slurmResources: the bare counts of resources are weighed.
func (w *writer) slurmResources() {
	var list []string
	var from []source.Span
	for _, r := range []struct{ term, tres string }{{"proc", "CPU"}, {"node", "Node"}, {"mem", "Mem"}, {"gres/gpu", "GRES/gpu"}} {
		p := w.part("resource", r.term)
		if p.weight < 0 {
			w.because(p.at(), "weights of Slurm are not negative")
		}
		if w.capless(p) || p.weight <= 0 {
			continue // left
		}
		if w.before("19.05") {
			w.because(p.at(), "before Slurm 19.05 a job's share of its partition is weighed, not its bare count")
			continue
		}
		from = append(from, p.from...)
		list = append(list, fmt.Sprintf("%s=%s", r.tres, strconv.FormatFloat(p.weight, 'f', -1, 64)))
		if r.term == "gres/gpu" {
			w.countGPUs()
		}
		if r.tres != "CPU" {
			w.near(p.at(), "Slurm counts what it gives to the job, also where the job asked for none", "the weight of %s becomes one of %s in PriorityWeightTRES", r.term, r.tres)
		}
	}
	if list != nil {
		w.say("PriorityWeightTRES", strings.Join(list, ","), from...)
	}
}

// capless reports, and says, that a part has a cap which Slurm cannot say.
func (w *writer) capless(p part) bool {
	if p.cap > 0 {
		w.because(p.at(), "Slurm has no cap on what a factor adds")
	}
	return p.cap > 0
}

// slurmCredentials: priorities of QOS and classes are Slurm's of QOS and partitions; those of users and accounts
// those of associations.
func (w *writer) slurmCredentials() {
	if p := w.part("credential", "qos"); p.weight != 0 && w.points("PriorityWeightQOS", p) {
		for _, r := range w.rows("qos.priority") {
			if how := w.forAll(r.Name); w.priority("QOS", "Priority", r.Name, r, p, 1, maxWeight) && how != "" {
				w.near(r.Span, how, "%s becomes the priority of a QOS", cmp.Or(r.Source, r.Name))
			}
		}
	}
	w.slurmClasses()
	w.slurmAssociations()
}

// slurmClasses: the priorities of classes are the factors of partitions.
func (w *writer) slurmClasses() {
	p, column := w.part("credential", "class"), schema.ColumnID("partition.priority")
	if factor := w.part("slurm", "partition"); p.weight == 0 {
		p, column = factor, "partition.priority_job_factor"
	} else if factor.weight != 0 {
		w.because(factor.at(), "Slurm has one factor of a partition, and the priorities of classes are it")
	}
	if p.weight == 0 || !w.points("PriorityWeightPartition", p) {
		return
	}
	for _, r := range w.rows(column) {
		if w.partition(r.Name, r.Span) {
			w.priority("PartitionName", "PriorityJobFactor", r.Name, r, p, 1, math.MaxUint16)
		}
	}
}

// slurmAssociations: the priorities of accounts and users are those of associations. Slurm takes that of the user's, which is
// the account's where it says nothing.
func (w *writer) slurmAssociations() {
	accounts, users, own := w.part("credential", "account"), w.part("credential", "user"), w.part("slurm", "assoc")
	if own.weight != 0 {
		for _, other := range []part{accounts, users} {
			w.because(other.at(), "Slurm has one priority of an association, and the policy's own are it")
		}
		if w.points("PriorityWeightAssoc", own) {
			for _, r := range w.rows("association.priority") {
				w.priority("association", "Priority", r.Name, r, own, 1, maxWeight)
			}
		}
		return
	}
	given := map[string]float64{} // the points of accounts
	for _, r := range w.rows("account.priority") {
		switch {
		case accounts.weight == 0 || w.isRoot(r.Name, r.Span):
		case w.before("19.05"):
			w.because(r.Span, "Slurm has priorities of associations since 19.05")
		case w.priority("association", "Priority", r.Name, r, accounts, accounts.weight, maxWeight):
			w.say("PriorityWeightAssoc", 1, accounts.from...)
			given[strings.ToLower(r.Name)] = accounts.counted(r) * accounts.weight
		}
	}
	w.ownNothing(given)
	counted := false
	for _, r := range w.rows("user.priority") {
		if users.weight == 0 {
			continue
		}
		if w.before("19.05") {
			w.because(r.Span, "Slurm has priorities of associations since 19.05")
			continue
		}
		keys, drawn := w.homes(r.Name)
		if r.Name == "DEFAULT" {
			keys, drawn = []string{"root"}, false
		}
		said := true
		for _, key := range keys {
			account, _, _ := strings.Cut(key, "/")
			said = said && w.prioritised("association", "Priority", key, r, users, users.counted(r)*users.weight+given[account], maxWeight)
		}
		if !said {
			continue
		}
		counted = true
		if !drawn {
			how := "Slurm has the priority on a user's association; which accounts users are in is no part of the policy, so move them from the account " + w.usersAccount
			if len(given) > 0 {
				how += "; it counts instead of that of the account, where " + w.called() + " adds the two"
			}
			w.near(r.Span, how, "%s becomes the priority of an association", cmp.Or(r.Source, r.Name))
		}
	}
	if counted {
		w.say("PriorityWeightAssoc", 1, users.from...)
	}
}

// ownNothing gives drawn accounts without a priority none, as in Slurm they else have that of the account above.
func (w *writer) ownNothing(given map[string]float64) {
	for i := range w.policy.Fairshare {
		for _, a := range w.policy.Fairshare[i].Associations {
			if _, has := given[a.Account]; w.policy.Family == "" && len(given) > 0 && a.User == "" && !has && cmp.Or(a.Parent, "root") != "root" {
				w.setSlurm("association", a.Account, setting{"Priority", "0", a.Span})
			}
		}
	}
}

// counted is a row's number as far as the part's cap lets it count.
func (p part) counted(r ir.TableRow) float64 {
	if value := r.Value.Number(); p.cap <= 0 || value < p.cap {
		return value
	}
	return p.cap
}

// priority writes a row's number, as far as the part's cap lets it count, times a weight.
func (w *writer) priority(kind, name, of string, r ir.TableRow, p part, weight, most float64) bool {
	return w.prioritised(kind, name, of, r, p, p.counted(r)*weight, most)
}

// prioritised writes a priority. What Slurm cannot hold is left: it has no negative ones, and none for all others but those of
// associations.
func (w *writer) prioritised(kind, name, of string, r ir.TableRow, p part, value, most float64) bool {
	why := ""
	switch {
	case r.Name == "DEFAULT" && (kind != "association" || of != "root"):
		why = "Slurm has no priority for all that are not named; give each its own"
	case strings.ContainsAny(of, ",= "):
		why = noSlurmName()
	case value < 0 || value > most:
		why = fmt.Sprintf("Slurm's priorities are numbers from 0 to %.0f, and it would be %.10g", most, value)
	}
	if why != "" {
		w.because(r.Span, why)
		w.miss(cmp.Or(r.Source, "the priority of "+r.Name), r.Span)
		return false
	}
	if value != 0 && math.Round(value) == 0 {
		w.because(r.Span, fmt.Sprintf("Slurm's priorities are whole numbers, and it would be %.4g", value))
		w.miss(cmp.Or(r.Source, "the priority of "+r.Name), r.Span)
		return false
	}
	w.exact(p.capped...)
	w.setSlurm(kind, of, setting{name, fmt.Sprintf("%.0f", value), r.Span})
	if value != math.Round(value) {
		w.near(r.Span, "Slurm's priorities are whole numbers", "%v points of %s become %.0f", value, cmp.Or(r.Source, r.Name), math.Round(value))
	}
	return true
}

// partition sees that there is one of that name, false if there cannot be.
func (w *writer) partition(name string, from source.Span) bool {
	if name != "DEFAULT" && strings.EqualFold(name, "DEFAULT") {
		w.because(from, "PartitionName=DEFAULT, in whatever case, is no partition: it sets what those behind it have; give the class another name first")
		return false
	}
	if !slurmCanName(name) {
		w.because(from, "no partition of Slurm can have such a name; give the class another name first")
		return false
	}
	if name != "DEFAULT" && w.slurmRecord("PartitionName", name, setting{span: from}) == nil {
		w.records = append(w.records, record{kind: "PartitionName", name: name, settings: []setting{{"Nodes", "ALL", from}}, span: from})
	}
	return true
}

// slurmCanName reports a name that partitions and QOS of Slurm can have.
func slurmCanName(name string) bool { return name != "" && !strings.ContainsAny(name, " \t,=:'\"#\\") }

// noSlurmName is why slurmCanName says no.
func noSlurmName() string {
	return "nothing in Slurm can have such a name; give it another name first"
}

// slurmQOS: every QOS that the policy names is there, if only to be asked for.
func (w *writer) slurmQOS() {
	for _, q := range w.written("qos", "QOSCFG") {
		if q.name != "DEFAULT" && slurmCanName(q.name) {
			w.slurmRecord("QOS", q.name, setting{span: q.span})
		}
	}
}

// slurmPartitions: every class that the policy names is a partition; there must be one. Where partitions have
// priorities, one without has 0, as in Maui; Slurm's default is 1.
func (w *writer) slurmPartitions() {
	for _, r := range w.rows("partition.walltime_default_seconds") {
		if r.Name == "DEFAULT" || r.Value.Int <= 0 {
			continue // left
		}
		if !w.partition(r.Name, r.Span) {
			continue
		}
		w.setSlurm("PartitionName", r.Name, setting{"DefaultTime", fmt.Sprint((r.Value.Int + 59) / 60), r.Span})
		if r.Value.Int%60 != 0 {
			w.near(r.Span, "Slurm counts minutes, rounded up", "%s becomes DefaultTime=%d", cmp.Or(r.Source, r.Name), (r.Value.Int+59)/60)
		}
	}
	for _, c := range w.written("partition", "CLASSCFG") {
		if c.name != "DEFAULT" {
			w.partition(c.name, c.span)
		}
	}
	if !w.hasRecord("PartitionName", "") {
		w.records = append(w.records, record{kind: "PartitionName", name: "batch", settings: []setting{{"Nodes", "ALL", source.Span{}}, {"Default", "YES", source.Span{}}}})
	}
	w.defaultPartition()
	w.exclusive()
	weighed := w.part("credential", "class").weight != 0 && w.has("PriorityWeightPartition")
	for i := range w.records {
		if r := &w.records[i]; weighed && r.kind == "PartitionName" && r.text("PriorityJobFactor") == "" {
			r.change(setting{"PriorityJobFactor", "0", r.span})
		}
	}
	w.placeholderNodes()
}

// exclusive: nodes that no two jobs share are what partitions say of theirs.
func (w *writer) exclusive() {
	p, set := w.isSet("NODEACCESSPOLICY")
	if !set || !strings.EqualFold(p.Value.Str, "SINGLEJOB") {
		return
	}
	for i := range w.records {
		if r := &w.records[i]; r.kind == "PartitionName" {
			r.change(setting{"OverSubscribe", "EXCLUSIVE", p.Set})
		}
	}
	w.near(p.Set, "Slurm gives a job all processors of its nodes, and counts them", "NODEACCESSPOLICY SINGLEJOB becomes OverSubscribe=EXCLUSIVE of all partitions")
}

// defaultPartition: a job of Maui's may have no class, one of Slurm's has a partition.
func (w *writer) defaultPartition() {
	usual := -1
	for i := range w.records {
		r := &w.records[i]
		if r.kind != "PartitionName" {
			continue
		}
		if r.text("Default") == "YES" {
			return
		}
		if usual < 0 || r.name == "batch" {
			usual = i
		}
	}
	r := &w.records[usual]
	r.change(setting{"Default", "YES", r.span})
	w.diags.Infof("convert-incomplete", r.span, "which nodes a %[1]s has, and which %[1]s a job has that names none, is no part of the policy: complete Nodes of the partitions, and move Default=YES from %[2]s", map[bool]string{true: "partition", false: "class"}[w.policy.Family == "slurm"], r.name)
}

// slurmShares: targets become shares, and the windows a half-life.
func (w *writer) slurmShares() {
	windows := w.windows()
	weighed := func(object string) part { // without a target Maui adds nothing
		if windows == nil || !slices.ContainsFunc(windows.Targets, func(t ir.Target) bool { return t.Object == object && !t.Caps() }) {
			return part{}
		}
		return w.part("fairshare", "fs"+object)
	}
	user, account := weighed("user"), weighed("account")
	larger, other := user, account
	if account.weight > user.weight {
		larger, other = account, user
	}
	if windows == nil || windows.Setting("usage").Value.Str == "" || larger.weight < 0.01 || larger.weight > maxWeight/100 || other.weight < 0 {
		return // left
	}
	if user.weight != account.weight && other.weight != 0 {
		w.near(other.at(), "Slurm has one weight for the place in the tree", "of the fairshare weights %v of users and %v of accounts the larger is taken", user.weight, account.weight)
	}
	w.say("PriorityWeightFairshare", int64(larger.weight*100), append(larger.from, other.from...)...)
	if windows.Setting("ratio").Value.Int != 0 {
		w.near(cmp.Or(larger.at(), w.policy.Span), "Maui's factor is the part of a target that is not used, which may be negative; Slurm's lies between 0 and 1 and orders users by shares over usage",
			"%v points for a target of which nothing is used become PriorityWeightFairshare=%d", larger.weight, int64(larger.weight*100))
	} else {
		w.near(cmp.Or(larger.at(), w.policy.Span), "Maui's factor is the distance to a target in percent, which may be negative; Slurm's lies between 0 and 1 and orders users by shares over usage",
			"%v points a percent below the target become PriorityWeightFairshare=%d", larger.weight, int64(larger.weight*100))
	}
	set := [3]ir.Setting{windows.Setting("interval"), windows.Setting("depth"), windows.Setting("decay")}
	interval, depth, decay := set[0].Value.Number(), set[1].Value.Number(), set[2].Value.Number()
	half := interval * depth / 2
	if decay < 1 { // within a window nothing decays, however little those before it count
		half = math.Max(interval/2, interval*math.Ln2/-math.Log(math.Max(decay, 1e-9)))
	}
	if minutes := int64(math.Round(half / 60)); minutes > 0 {
		w.say("PriorityDecayHalfLife", minutes, set[0].Span, set[1].Span, set[2].Span)
		how := "Slurm's usage decays steadily and never ends, Maui's by window"
		switch windows.Setting("usage").Value.Str {
		case "utilized_proc_seconds":
			how += "; Slurm counts what jobs were given, Maui here what they used"
		case "dedicated_pe_seconds":
			how += "; Slurm counts processors, or what TRESBillingWeights says, Maui here processor equivalents"
		}
		w.near(cmp.Or(windows.Setting("usage").Span, windows.Span), how, "windows of %v s, %v of them, each worth %v of the next, become PriorityDecayHalfLife=%d minutes", interval, depth, decay, minutes)
	}
	placeholder, first := int64(0), source.Span{} // the account of the users has what they have together
	for _, t := range windows.Targets {
		name := map[string]string{"account": t.Name, "user": w.usersAccount + "/" + t.Name}[t.Object]
		shares := int64(math.Round(t.Value * 10))
		of := map[string]part{"account": account, "user": user}[t.Object]
		if name == "" || of.weight == 0 || t.Name == "DEFAULT" || t.Caps() || shares < 1 || t.Object == "account" && w.isRoot(t.Name, t.Span) {
			continue
		}
		w.setSlurm("association", name, setting{"Fairshare", fmt.Sprint(shares), t.Span})
		how := "shares are relative to those of siblings, ten for each percent"
		if t.Object == "user" {
			placeholder, first = placeholder+shares, cmp.Or(first, t.Span)
			how += "; which accounts users are in is no part of the policy: move them from the account " + w.usersAccount + ", which has the shares of all of them"
		}
		if t.Kind != "target" {
			how += "; that it is only a " + t.Kind + " is lost"
		}
		w.near(t.Span, how, "%s becomes Fairshare=%d", t.Source, shares)
	}
	if placeholder > 0 {
		w.setSlurm("association", w.usersAccount, setting{"Fairshare", fmt.Sprint(placeholder), first})
	}
}

// slurmNodes: jobs share nodes unless a partition says otherwise. Before 23.11 Slurm gives them whole nodes
// where nothing is said.
func (w *writer) slurmNodes() {
	if !w.before("23.11") {
		return
	}
	plugin := "select/cons_tres"
	if w.before("19.05") {
		plugin = "select/cons_res"
	}
	w.say("SelectType", plugin, w.span("NODEACCESSPOLICY"))
}

// slurmBackfill: which jobs may overtake.
func (w *writer) slurmBackfill() {
	p, set := w.isSet("BACKFILLPOLICY")
	if set && strings.EqualFold(p.Value.Str, "NONE") {
		w.say("SchedulerType", "sched/builtin", p.Set)
		return
	}
	w.say("SchedulerType", "sched/backfill", w.span("BACKFILLPOLICY"))
	if set {
		w.near(p.Set, "Slurm tries jobs in the order of their priorities", "BACKFILLPOLICY %s becomes sched/backfill", p.Value.Str)
	}
	for _, s := range w.policy.Backfill {
		if strings.HasPrefix(s.Name, "RESERVATIONDEPTH") {
			w.near(s.Span, "Slurm plans for every job that backfill looks at: bf_max_job_test", "RESERVATIONDEPTH has no counterpart")
		}
	}
}
