package convert

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurmWriter writes slurm.conf and the accounts that go with it.
type slurmWriter struct {
	*writer

	hung         []hungLimit                    // limits that are written
	hungAt       map[string][]*ir.Limit         // by the place where they stand
	drawnHomes   map[string][]string            // where the policy has users
	hiders       map[string]map[string][]string // classes and QOS with a limit, by object and Slurm's name of it
	given        map[string]bool                // QOS that a list of Maui's gives; false where a default alone does
	usersAccount string                         // for users of a policy that does not say which accounts they are in
}

func newSlurmWriter(w *writer) *slurmWriter {
	return &slurmWriter{writer: w, usersAccount: free("users", named(w.policy, "account"))}
}

// moveUsers is what is said of users that no account has, before the name of the one that they are put into.
const moveUsers = "which accounts users are in is no part of the policy: move them from the account "

// toSlurm writes Maui's policy, or one from scratch, for Slurm. With NO_NORMAL_ALL the factors of QOS,
// partitions, associations and resources are the bare numbers, so that Maui's weights stay what they are.
func toSlurm(of *writer, _ lower.Options) {
	w := newSlurmWriter(of)
	w.cluster0()
	w.ownParts()
	w.slurmTree()
	w.slurmNodes()
	w.slurmBackfill()
	w.slurmAge()
	w.slurmResources()
	w.slurmCredentials()
	w.normalised()
	w.slurmShares()
	w.limitsToSlurm()
	w.namedAssociations()
	w.slurmAccess()
	w.exampleUsers()
	w.slurmQOS()
	w.slurmPartitions()
}

// cluster0 says what each slurm.conf begins with.
func (w *slurmWriter) cluster0() {
	host, control := w.word("SERVERHOST"), "SlurmctldHost"
	if w.before("18.08") {
		control = "ControlMachine"
	}
	if host == "" {
		host = "head"
		w.diags.Infof("convert-incomplete", w.policy.Span,
			"the host and the nodes are no part of the policy: complete %s and NodeName", control)
	} else {
		w.diags.Infof("convert-incomplete", w.span("SERVERHOST"),
			"the nodes are no part of the policy: complete NodeName")
	}
	w.say("ClusterName", "cluster")
	w.say(control, host, w.span("SERVERHOST"))
	w.say("AccountingStorageType", "accounting_storage/slurmdbd")
	w.say("PriorityType", "priority/multifactor")
	if !w.before("19.05") {
		w.say("PriorityFlags", "NO_NORMAL_ALL")
	}
}

// points is a weight as Slurm has it: not negative, not above 2^32-1, and whole. One that is not is left.
func (w *slurmWriter) points(name string, p part) bool {
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
func (w *slurmWriter) slurmAge() {
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
	how := fmt.Sprintf("Slurm counts the time in which a job may accrue age, not %s's queue time", w.from.called)
	if minutes != p.cap {
		how = fmt.Sprintf("it stops growing after %s, and ", days(minutes)) + how
	}
	w.near(cmp.Or(p.at(), w.policy.Span), how,
		"%v points a minute in the queue become PriorityWeightAge=%d over PriorityMaxAge of %s", p.weight,
		int64(p.weight*minutes), days(minutes))
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
func (w *slurmWriter) slurmResources() {
	var list []string
	var from []source.Span
	for _, r := range match.Resources {
		p := w.part("resource", r.Term)
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
		list = append(list, r.Word+"="+strconv.FormatFloat(p.weight, 'f', -1, 64))
		if r.Term == "gres/gpu" {
			w.countGPUs()
		}
		if r.Word != "CPU" {
			w.near(p.at(), "Slurm counts what it gives to the job, also where the job asked for none",
				"the weight of %s becomes one of %s in PriorityWeightTRES", r.Term, r.Word)
		}
	}
	if list != nil {
		w.say("PriorityWeightTRES", strings.Join(list, ","), from...)
	}
}

// capless reports, and says, that a part has a cap which Slurm cannot say.
func (w *slurmWriter) capless(p part) bool {
	if p.cap > 0 {
		w.because(p.at(), "Slurm has no cap on what a factor adds")
	}
	return p.cap > 0
}

// slurmCredentials: priorities of QOS and classes are Slurm's of QOS and partitions; those of users and
// accounts those of associations.
func (w *slurmWriter) slurmCredentials() {
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
func (w *slurmWriter) slurmClasses() {
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

// slurmAssociations: the priorities of accounts and users are those of associations. Slurm takes that of the
// user's, which is the account's where it says nothing.
func (w *slurmWriter) slurmAssociations() {
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
		if accounts.weight == 0 || w.isRoot(r.Name, r.Span) || w.noAssociations(r) {
			continue
		}
		if w.priority("association", "Priority", r.Name, r, accounts, accounts.weight, maxWeight) {
			w.say("PriorityWeightAssoc", 1, accounts.from...)
			given[strings.ToLower(r.Name)] = accounts.counted(r) * accounts.weight
		}
	}
	w.ownNothing(given)
	counted := false
	for _, r := range w.rows("user.priority") {
		if users.weight != 0 && !w.noAssociations(r) && w.slurmUser(r, users, given) {
			counted = true
		}
	}
	if counted {
		w.say("PriorityWeightAssoc", 1, users.from...)
	}
}

// noAssociations reports, and says, that this Slurm has no priorities of associations.
func (w *slurmWriter) noAssociations(r ir.TableRow) bool {
	if w.before("19.05") {
		w.because(r.Span, "Slurm has priorities of associations since 19.05")
	}
	return w.before("19.05")
}

// slurmUser writes the priority of a user, with the points of the account.
func (w *slurmWriter) slurmUser(r ir.TableRow, users part, given map[string]float64) (said bool) {
	keys, drawn := w.homes(r.Name)
	if r.Name == "DEFAULT" {
		keys, drawn = []string{"root"}, false
	}
	said = true
	for _, key := range keys {
		account, _, _ := strings.Cut(key, "/")
		points := users.counted(r)*users.weight + given[account]
		said = said && w.prioritised("association", "Priority", key, r, users, points, maxWeight)
	}
	if said && !drawn {
		how := "Slurm has the priority on a user's association; which accounts users are in is no part of the " +
			"policy, so move them from the account " + w.usersAccount
		if len(given) > 0 {
			how += "; it counts instead of that of the account, where " + w.from.called + " adds the two"
		}
		w.near(r.Span, how, "%s becomes the priority of an association", cmp.Or(r.Source, r.Name))
	}
	return said
}

// ownNothing gives drawn accounts without a priority none, as in Slurm they else have that of the account above.
func (w *slurmWriter) ownNothing(given map[string]float64) {
	if w.library != nil || len(given) == 0 {
		return
	}
	for a := range associations(w.policy) {
		if _, has := given[a.Account]; a.User == "" && !has && cmp.Or(a.Parent, "root") != "root" {
			w.setSlurm("association", a.Account, setting{"Priority", "0", a.Span})
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
func (w *slurmWriter) priority(kind, name, of string, r ir.TableRow, p part, weight, most float64) bool {
	return w.prioritised(kind, name, of, r, p, p.counted(r)*weight, most)
}

// prioritised writes a priority. What Slurm cannot hold is left: it has no negative ones, and none for all
// others but those of associations.
func (w *slurmWriter) prioritised(kind, name, of string, r ir.TableRow, p part, value, most float64) bool {
	why := ""
	switch {
	case r.Name == "DEFAULT" && (kind != "association" || of != "root"):
		why = "Slurm has no priority for all that are not named; give each its own"
	case strings.ContainsAny(of, ",= "):
		why = noSlurmName
	case value < 0 || value > most:
		why = fmt.Sprintf("Slurm's priorities are numbers from 0 to %.0f, and it would be %.10g", most, value)
	case value != 0 && math.Round(value) == 0:
		why = fmt.Sprintf("Slurm's priorities are whole numbers, and it would be %.4g", value)
	}
	if why != "" {
		w.because(r.Span, why)
		w.miss(cmp.Or(r.Source, "the priority of "+r.Name), r.Span)
		return false
	}
	w.exact(p.capped...)
	w.setSlurm(kind, of, setting{name, fmt.Sprintf("%.0f", value), r.Span})
	if value != math.Round(value) {
		w.near(r.Span, "Slurm's priorities are whole numbers", "%v points of %s become %.0f", value,
			cmp.Or(r.Source, r.Name), math.Round(value))
	}
	return true
}

// partition sees that there is one of that name, false if there cannot be.
func (w *slurmWriter) partition(name string, from source.Span) bool {
	if name != "DEFAULT" && strings.EqualFold(name, "DEFAULT") {
		w.because(from,
			"PartitionName=DEFAULT, in whatever case, is no partition: it sets what those behind it have; give the "+
				"class another name first")
		return false
	}
	if !slurmCanName(name) {
		w.because(from, "no partition of Slurm can have such a name; give the class another name first")
		return false
	}
	if name != "DEFAULT" && w.slurmRecord("PartitionName", name, setting{span: from}) == nil {
		w.records = append(w.records,
			record{kind: "PartitionName", name: name, settings: []setting{{"Nodes", "ALL", from}}, span: from})
	}
	return true
}

// slurmCanName reports a name that partitions and QOS of Slurm can have.
func slurmCanName(name string) bool { return name != "" && !strings.ContainsAny(name, " \t,=:'\"#\\") }

// noSlurmName is why slurmCanName says no.
const noSlurmName = "nothing in Slurm can have such a name; give it another name first"

// slurmQOS: every QOS that the policy names is there, if only to be asked for.
func (w *slurmWriter) slurmQOS() {
	for _, q := range w.written("qos", "QOSCFG") {
		if q.name != "DEFAULT" && slurmCanName(q.name) {
			w.slurmRecord("QOS", q.name, setting{span: q.span})
		}
	}
}

// slurmPartitions: every class that the policy names is a partition; there must be one. Where partitions have
// priorities, one without has 0, as in Maui; Slurm's default is 1.
func (w *slurmWriter) slurmPartitions() {
	for _, r := range w.rows("partition.walltime_default_seconds") {
		if r.Name == "DEFAULT" || r.Value.Int <= 0 {
			continue // left
		}
		if !w.partition(r.Name, r.Span) {
			continue
		}
		w.setSlurm("PartitionName", r.Name, setting{"DefaultTime", fmt.Sprint((r.Value.Int + 59) / 60), r.Span})
		if r.Value.Int%60 != 0 {
			w.near(r.Span, "Slurm counts minutes, rounded up", "%s becomes DefaultTime=%d", cmp.Or(r.Source, r.Name),
				(r.Value.Int+59)/60)
		}
	}
	for _, c := range w.written("partition", "CLASSCFG") {
		if c.name != "DEFAULT" {
			w.partition(c.name, c.span)
		}
	}
	if !w.hasRecord("PartitionName", "") {
		w.records = append(
			w.records,
			record{
				kind:     "PartitionName",
				name:     "batch",
				settings: []setting{{"Nodes", "ALL", source.Span{}}, {"Default", "YES", source.Span{}}},
			},
		)
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
func (w *slurmWriter) exclusive() {
	p, set := w.isSet("NODEACCESSPOLICY")
	if !set || !strings.EqualFold(p.Value.Str, "SINGLEJOB") {
		return
	}
	for i := range w.records {
		if r := &w.records[i]; r.kind == "PartitionName" {
			r.change(setting{"OverSubscribe", "EXCLUSIVE", p.Set})
		}
	}
	w.near(p.Set, "Slurm gives a job all processors of its nodes, and counts them",
		"NODEACCESSPOLICY SINGLEJOB becomes OverSubscribe=EXCLUSIVE of all partitions")
}

// defaultPartition: a job of Maui's may have no class, one of Slurm's has a partition.
func (w *slurmWriter) defaultPartition() {
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
	w.diags.Infof("convert-incomplete", r.span,
		"which nodes a %[1]s has, and which %[1]s a job has that names none, is no part of the policy: complete "+
			"Nodes of the partitions, and move Default=YES from %[2]s", w.from.class, r.name)
}

// normalised: before NO_NORMAL_ALL came with 19.05 Slurm divides priorities of QOS and partitions by the
// highest, so that the weight has to be that many times larger.
func (w *slurmWriter) normalised() {
	if !w.before("19.05") {
		return
	}
	for _, c := range match.Credentials[:2] { // of QOS and partitions
		i := slices.IndexFunc(w.set, func(s setting) bool { return s.name == c.Weight })
		if i < 0 {
			continue
		}
		highest := uint64(1)
		for _, r := range w.records {
			if n, err := strconv.ParseUint(r.text(c.Attribute), 10, 32); err == nil && r.kind == c.Record {
				highest = max(highest, n)
			}
		}
		weight, err := strconv.ParseUint(w.set[i].text, 10, 32)
		if err != nil {
			continue
		}
		if weight*highest > maxWeight {
			w.diags.Warnf("convert-not-said", w.set[i].span, "slurm.conf cannot say %s=%d: no weight is "+
				"above %d", c.Weight, weight*highest, int64(maxWeight)).
				Note("before Slurm 19.05 priorities are divided by the highest, here %d", highest)
			weight = maxWeight / highest
		}
		w.set[i].text = fmt.Sprint(weight * highest)
		w.near(w.set[i].span,
			"before Slurm 19.05 priorities are divided by the highest there is, so a higher one changes what all "+
				"others give", "%s is %d, for priorities up to %d", c.Weight, weight*highest, highest)
	}
}

// before reports that the files are for a Slurm older than that.
func (w *slurmWriter) before(version string) bool {
	return w.asked != "" && slurmconf.Older(w.asked, version)
}

// slurmNodes: jobs share nodes unless a partition says otherwise. Before 23.11 Slurm gives them whole nodes
// where nothing is said.
func (w *slurmWriter) slurmNodes() {
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
func (w *slurmWriter) slurmBackfill() {
	p, set := w.isSet("BACKFILLPOLICY")
	if set && strings.EqualFold(p.Value.Str, "NONE") {
		w.say("SchedulerType", "sched/builtin", p.Set)
		return
	}
	w.say("SchedulerType", "sched/backfill", w.span("BACKFILLPOLICY"))
	if set {
		w.near(p.Set, "Slurm tries jobs in the order of their priorities", "BACKFILLPOLICY %s becomes sched/backfill",
			p.Value.Str)
	}
	for _, s := range w.policy.Backfill {
		if strings.HasPrefix(s.Name, "RESERVATIONDEPTH") {
			w.near(s.Span, "Slurm plans for every job that backfill looks at: bf_max_job_test",
				"RESERVATIONDEPTH has no counterpart")
		}
	}
}
