// Package slurm writes slurm.conf and the accounts that go with it.
//
// In: a draft of a policy for Maui, of one from scratch, or of Slurm's own with what policy files add. Out: the
// draft says it in Slurm's words, with findings about what is lost or only near.
package slurm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// writer writes slurm.conf and the accounts that go with it.
type writer struct {
	*draft.Writer

	hung         []hungLimit                    // limits that are written
	hungAt       map[string][]*ir.Limit         // by the place where they are
	drawnHomes   map[string][]string            // where the policy, or the queue, has users
	hiders       map[string]map[string][]string // classes and QOS with a limit, by object and Slurm's name of it
	given        map[string]bool                // QOS that a list of Maui's gives; false where a default alone does
	usersAccount string                         // for users of a policy that does not say which accounts they are in
}

func newWriter(w *draft.Writer) *writer {
	return &writer{Writer: w, usersAccount: draft.Free("users", draft.Named(w.Policy, "account"))}
}

// moveUsers is the remark on users that no account has, before the name of the one that they are put into.
const moveUsers = "which accounts users are in is no part of the policy: move them from the account "

// toSlurm writes Maui's policy, or one from scratch, for Slurm. With NO_NORMAL_ALL the factors of QOS,
// partitions, associations and resources are the bare numbers, so that Maui's weights stay what they are.
func Translate(of *draft.Writer, _ lower.Options) {
	w := newWriter(of)
	w.cluster0()
	w.ownParts()
	w.writeTree()
	w.placeMembers()
	w.nodes()
	w.backfill()
	w.age()
	w.resources()
	w.credentials()
	w.normalised()
	w.fairshare()
	w.allLimits()
	w.namedAssociations()
	w.access()
	w.exampleUsers()
	w.qos()
	w.partitions()
}

// cluster0 says what each slurm.conf begins with.
func (w *writer) cluster0() {
	host, control := w.Word("SERVERHOST"), "SlurmctldHost"
	if w.before("18.08") {
		control = "ControlMachine"
	}
	if host == "" {
		host = "head"
		w.Diags.Infof("convert-incomplete", w.Policy.Span,
			"the host and the nodes are no part of the policy: complete %s and NodeName", control)
	} else {
		w.Diags.Infof("convert-incomplete", w.Span("SERVERHOST"),
			"the nodes are no part of the policy: complete NodeName")
	}
	w.Say("ClusterName", "cluster")
	w.Say(control, host, w.Span("SERVERHOST"))
	w.Say("AccountingStorageType", "accounting_storage/slurmdbd")
	w.Say("PriorityType", "priority/multifactor")
	if !w.before("19.05") {
		w.Say("PriorityFlags", "NO_NORMAL_ALL")
	}
}

// points is a weight as Slurm has it: not negative, not above 2^32-1, and whole. One that is not is left.
func (w *writer) points(name string, p draft.Part) bool {
	if p.Weight < 0 || p.Weight > draft.MaxWeight {
		w.Because(p.At(), fmt.Sprintf("weights of Slurm are numbers from 0 to %d", int64(draft.MaxWeight)))
		return false
	}
	rounded := math.Round(p.Weight)
	if rounded == 0 && p.Weight != 0 {
		w.Because(p.At(), fmt.Sprintf("weights of Slurm are whole numbers, and it would be %.4g", p.Weight))
		return false
	}
	w.Say(name, int64(rounded), p.From...)
	if rounded != p.Weight {
		w.Near(p.At(), "weights of Slurm are whole numbers", "%s of %v becomes %.0f", name, p.Weight, rounded)
	}
	return true
}

// age: Maui gives points a minute without end, or up to QUEUETIMECAP; Slurm up to PriorityMaxAge.
func (w *writer) age() {
	p := w.Part("service", "queuetime")
	if p.Weight < 0 {
		w.Because(p.At(), "weights of Slurm are not negative")
	}
	if p.Weight <= 0 || p.Weight > draft.MaxWeight {
		return // left
	}
	minutes := float64(365 * 24 * 60)
	if p.Cap > 0 {
		minutes = p.Cap
		w.Exact(p.Capped...)
	}
	if top, ok := draft.Constant(w.Policy.Finish.Ceiling); ok && top > 0 {
		minutes = min(minutes, top/p.Weight) // a priority grows no further
	}
	minutes = math.Floor(math.Max(1, min(minutes, draft.MaxWeight/p.Weight, draft.MaxWeight/60)))
	if p.Weight*minutes < 1 {
		return // left
	}
	w.Say("PriorityMaxAge", int64(minutes))
	w.Say("PriorityWeightAge", int64(p.Weight*minutes), p.From...)
	how := fmt.Sprintf("Slurm counts the time in which a job may accrue age, not %s's queue time", w.From.Called)
	if minutes != p.Cap {
		how = fmt.Sprintf("it stops growing after %s, and ", draft.Days(minutes)) + how
	}
	w.Near(cmp.Or(p.At(), w.Policy.Span), how,
		"%v points a minute in the queue become PriorityWeightAge=%d over PriorityMaxAge of %s", p.Weight,
		int64(p.Weight*minutes), draft.Days(minutes))
}

// resources: the bare counts of resources are weighed.
func (w *writer) resources() {
	var list []string
	var from []source.Span
	for _, r := range match.Resources {
		p := w.Part("resource", r.Term)
		if p.Weight < 0 {
			w.Because(p.At(), "weights of Slurm are not negative")
		}
		if w.capless(p) || p.Weight <= 0 {
			continue // left
		}
		if w.before("19.05") {
			w.Because(p.At(), "before Slurm 19.05 a job's share of its partition is weighed, not its bare count")
			continue
		}
		from = append(from, p.From...)
		list = append(list, r.Word+"="+strconv.FormatFloat(p.Weight, 'f', -1, 64))
		if r.Term == "gres/gpu" {
			w.countGPUs()
		}
		if r.Word != "CPU" {
			w.Near(p.At(), "Slurm counts what it gives to the job, also where the job asked for none",
				"the weight of %s becomes one of %s in PriorityWeightTRES", r.Term, r.Word)
		}
	}
	if list != nil {
		w.Say("PriorityWeightTRES", strings.Join(list, ","), from...)
	}
}

// capless reports, and says, that a part has a cap which Slurm cannot say.
func (w *writer) capless(p draft.Part) bool {
	if p.Cap > 0 {
		w.Because(p.At(), "Slurm has no cap on what a factor adds")
	}
	return p.Cap > 0
}

// credentials: priorities of QOS and classes are Slurm's of QOS and partitions; those of users and accounts
// those of associations.
func (w *writer) credentials() {
	if p := w.Part("credential", "qos"); p.Weight != 0 && w.points("PriorityWeightQOS", p) {
		for _, r := range w.Rows("qos.priority") {
			if how := w.forAll(r.Name); w.priority("QOS", "Priority", r.Name, r, p, 1, draft.MaxWeight) && how != "" {
				w.Near(r.Span, how, "%s becomes the priority of a QOS", cmp.Or(r.Source, r.Name))
			}
		}
	}
	w.classes()
	w.associations()
}

// classes: the priorities of classes are the factors of partitions.
func (w *writer) classes() {
	p, column := w.Part("credential", "class"), schema.ColumnID("partition.priority")
	if factor := w.Part("slurm", "partition"); p.Weight == 0 {
		p, column = factor, "partition.priority_job_factor"
	} else if factor.Weight != 0 {
		w.Because(factor.At(), "Slurm has one factor of a partition, and the priorities of classes are it")
	}
	if p.Weight == 0 || !w.points("PriorityWeightPartition", p) {
		return
	}
	for _, r := range w.Rows(column) {
		if w.partition(r.Name, r.Span) {
			w.priority("PartitionName", "PriorityJobFactor", r.Name, r, p, 1, math.MaxUint16)
		}
	}
}

// associations: the priorities of accounts and users are those of associations. Slurm takes that of the user's,
// which is the account's where it says nothing.
func (w *writer) associations() {
	accounts, users, own := w.Part("credential", "account"), w.Part("credential", "user"), w.Part("slurm", "assoc")
	if own.Weight != 0 {
		for _, other := range []draft.Part{accounts, users} {
			w.Because(other.At(), "Slurm has one priority of an association, and the policy's own are it")
		}
		if w.points("PriorityWeightAssoc", own) {
			for _, r := range w.Rows("association.priority") {
				w.priority("association", "Priority", r.Name, r, own, 1, draft.MaxWeight)
			}
		}
		return
	}
	given := map[string]float64{} // the points of accounts
	for _, r := range w.Rows("account.priority") {
		if accounts.Weight == 0 || w.isRoot(r.Name, r.Span) || w.noAssociations(r) {
			continue
		}
		if w.priority("association", "Priority", r.Name, r, accounts, accounts.Weight, draft.MaxWeight) {
			w.Say("PriorityWeightAssoc", 1, accounts.From...)
			given[strings.ToLower(r.Name)] = accounts.Counted(r) * accounts.Weight
		}
	}
	w.ownNothing(given)
	counted := false
	for _, r := range w.Rows("user.priority") {
		if users.Weight != 0 && !w.noAssociations(r) && w.user(r, users, given) {
			counted = true
		}
	}
	if counted {
		w.Say("PriorityWeightAssoc", 1, users.From...)
	}
}

// noAssociations reports, and says, that this Slurm has no priorities of associations.
func (w *writer) noAssociations(r ir.TableRow) bool {
	if w.before("19.05") {
		w.Because(r.Span, "Slurm has priorities of associations since 19.05")
	}
	return w.before("19.05")
}

// user writes the priority of a user, with the points of the account.
func (w *writer) user(r ir.TableRow, users draft.Part, given map[string]float64) (said bool) {
	keys, drawn := w.homes(r.Name)
	if r.Name == "DEFAULT" {
		keys, drawn = []string{"root"}, false
	}
	said = true
	for _, key := range keys {
		account, _, _ := strings.Cut(key, "/")
		points := users.Counted(r)*users.Weight + given[strings.ToLower(account)]
		said = said && w.prioritised("association", "Priority", key, r, users, points, draft.MaxWeight)
	}
	if r.Name == "DEFAULT" && len(w.Members) > 0 {
		w.membersByDefault(r, users, given)
	} else if said && !drawn {
		how := "Slurm has the priority on a user's association; which accounts users are in is no part of the " +
			"policy, so move them from the account " + w.usersAccount
		if len(given) > 0 {
			how += "; it counts instead of that of the account, where " + w.From.Called + " adds the two"
		}
		w.Near(r.Span, how, "%s becomes the priority of an association", cmp.Or(r.Source, r.Name))
	}
	return said
}

// ownNothing gives drawn accounts without a priority none, as in Slurm they else have that of the account above.
func (w *writer) ownNothing(given map[string]float64) {
	if w.Library != nil || len(given) == 0 {
		return
	}
	for a := range draft.Associations(w.Policy) {
		if _, has := given[a.Account]; a.User == "" && !has && cmp.Or(a.Parent, "root") != "root" {
			w.setSlurm("association", a.Account, draft.Set("Priority", "0", a.Span))
		}
	}
}

// priority writes a row's number, as far as the part's cap lets it count, times a weight.
func (w *writer) priority(kind, name, of string, r ir.TableRow, p draft.Part, weight, most float64) bool {
	return w.prioritised(kind, name, of, r, p, p.Counted(r)*weight, most)
}

// prioritised writes a priority. What Slurm cannot hold is left: it has no negative ones, and none for all
// others but those of associations.
func (w *writer) prioritised(kind, name, of string, r ir.TableRow, p draft.Part, value, most float64) bool {
	why := ""
	switch {
	case r.Name == "DEFAULT" && (kind != "association" || of != "root"):
		why = "Slurm has no priority for all that are not named; give each its own"
	case strings.ContainsAny(of, ",= "):
		why = noName
	case value < 0 || value > most:
		why = fmt.Sprintf("Slurm's priorities are numbers from 0 to %.0f, and it would be %.10g", most, value)
	case value != 0 && math.Round(value) == 0:
		why = fmt.Sprintf("Slurm's priorities are whole numbers, and it would be %.4g", value)
	}
	if why != "" {
		w.Because(r.Span, why)
		w.Miss(cmp.Or(r.Source, "the priority of "+r.Name), r.Span)
		return false
	}
	w.Exact(p.Capped...)
	w.setSlurm(kind, of, draft.Set(name, fmt.Sprintf("%.0f", value), r.Span))
	if value != math.Round(value) {
		w.Near(r.Span, "Slurm's priorities are whole numbers", "%v points of %s become %.0f", value,
			cmp.Or(r.Source, r.Name), math.Round(value))
	}
	return true
}

// partition sees that there is one of that name, false if there cannot be.
func (w *writer) partition(name string, from source.Span) bool {
	if name != "DEFAULT" && strings.EqualFold(name, "DEFAULT") {
		w.Because(from,
			"PartitionName=DEFAULT, in whatever case, is no partition: it sets what those after it have; give the "+
				"class another name first")
		return false
	}
	if !canName(name) {
		w.Because(from, "no partition of Slurm can have such a name; give the class another name first")
		return false
	}
	if name != "DEFAULT" && w.recordOf("PartitionName", name, draft.Setting{Span: from}) == nil {
		w.Records = append(
			w.Records,
			draft.Record{
				Kind:     "PartitionName",
				Name:     name,
				Settings: []draft.Setting{draft.Set("Nodes", "ALL", from)},
				Span:     from,
			},
		)
	}
	return true
}

// canName reports a name that partitions and QOS of Slurm can have.
func canName(name string) bool { return name != "" && !strings.ContainsAny(name, " \t,=:'\"#\\") }

// noName is why canName says no.
const noName = "nothing in Slurm can have such a name; give it another name first"

// qos: every QOS that the policy names is there, if only to be asked for.
func (w *writer) qos() {
	for _, q := range w.written("qos", "QOSCFG") {
		if q.Name != "DEFAULT" && canName(q.Name) {
			w.recordOf("QOS", q.Name, draft.Setting{Span: q.Span})
		}
	}
}

// partitions: every class that the policy names is a partition; there must be one. Where partitions have
// priorities, one without has 0, as in Maui; Slurm's default is 1.
func (w *writer) partitions() {
	for _, r := range w.Rows("partition.walltime_default_seconds") {
		if r.Name == "DEFAULT" || r.Value.Int <= 0 {
			continue // left
		}
		if !w.partition(r.Name, r.Span) {
			continue
		}
		w.setSlurm("PartitionName", r.Name, draft.Set("DefaultTime", fmt.Sprint((r.Value.Int+59)/60), r.Span))
		if r.Value.Int%60 != 0 {
			w.Near(r.Span, "Slurm counts minutes, rounded up", "%s becomes DefaultTime=%d", cmp.Or(r.Source, r.Name),
				(r.Value.Int+59)/60)
		}
	}
	for _, c := range w.written("partition", "CLASSCFG") {
		if c.Name != "DEFAULT" {
			w.partition(c.Name, c.Span)
		}
	}
	if !w.HasRecord("PartitionName", "") {
		w.Records = append(
			w.Records,
			draft.Record{
				Kind: "PartitionName",
				Name: "batch",
				Settings: []draft.Setting{
					draft.Set("Nodes", "ALL", source.Span{}),
					draft.Set("Default", "YES", source.Span{}),
				},
			},
		)
	}
	w.defaultPartition()
	w.exclusive()
	weighed := w.Part("credential", "class").Weight != 0 && w.Has("PriorityWeightPartition")
	for i := range w.Records {
		if r := &w.Records[i]; weighed && r.Kind == "PartitionName" && r.Text("PriorityJobFactor") == "" {
			r.Change(draft.Set("PriorityJobFactor", "0", r.Span))
		}
	}
	w.placeholderNodes()
}

// exclusive: nodes that no two jobs share are what partitions say of theirs.
func (w *writer) exclusive() {
	p, set := w.IsSet("NODEACCESSPOLICY")
	if !set || !strings.EqualFold(p.Value.Str, "SINGLEJOB") {
		return
	}
	for i := range w.Records {
		if r := &w.Records[i]; r.Kind == "PartitionName" {
			r.Change(draft.Set("OverSubscribe", "EXCLUSIVE", p.Set))
		}
	}
	w.Near(p.Set, "Slurm gives a job all processors of its nodes, and counts them",
		"NODEACCESSPOLICY SINGLEJOB becomes OverSubscribe=EXCLUSIVE of all partitions")
}

// defaultPartition: a job of Maui's may have no class, one of Slurm's has a partition.
func (w *writer) defaultPartition() {
	usual := -1
	for i := range w.Records {
		r := &w.Records[i]
		if r.Kind != "PartitionName" {
			continue
		}
		if r.Text("Default") == "YES" {
			return
		}
		if usual < 0 || r.Name == "batch" {
			usual = i
		}
	}
	r := &w.Records[usual]
	r.Change(draft.Set("Default", "YES", r.Span))
	w.Diags.Infof("convert-incomplete", r.Span,
		"which nodes a %[1]s has, and which %[1]s a job has that names none, is no part of the policy: complete "+
			"Nodes of the partitions, and move Default=YES from %[2]s", w.From.Class, r.Name)
}

// normalised: before NO_NORMAL_ALL came with 19.05 Slurm divides priorities of QOS and partitions by the
// highest, so that the weight has to be that many times larger.
func (w *writer) normalised() {
	if !w.before("19.05") {
		return
	}
	for _, c := range match.Credentials[:2] { // of QOS and partitions
		i := slices.IndexFunc(w.Set, func(s draft.Setting) bool { return s.Name == c.Weight })
		if i < 0 {
			continue
		}
		highest := uint64(1)
		for _, r := range w.Records {
			if n, err := strconv.ParseUint(r.Text(c.Attribute), 10, 32); err == nil && r.Kind == c.Record {
				highest = max(highest, n)
			}
		}
		weight, err := strconv.ParseUint(w.Set[i].Text, 10, 32)
		if err != nil {
			continue
		}
		if weight*highest > draft.MaxWeight {
			w.Diags.Warnf("convert-not-said", w.Set[i].Span, "slurm.conf cannot say %s=%d: no weight is "+
				"above %d", c.Weight, weight*highest, int64(draft.MaxWeight)).
				Note("before Slurm 19.05 priorities are divided by the highest, here %d", highest)
			weight = draft.MaxWeight / highest
		}
		w.Set[i].Text = fmt.Sprint(weight * highest)
		w.Near(w.Set[i].Span,
			"before Slurm 19.05 priorities are divided by the highest there is, so a higher one changes what all "+
				"others give", "%s is %d, for priorities up to %d", c.Weight, weight*highest, highest)
	}
}

// before reports that the files are for a Slurm older than that.
func (w *writer) before(version string) bool {
	return w.Asked != "" && slurmconf.Older(w.Asked, version)
}

// nodes: jobs share nodes unless a partition says otherwise. Before 23.11 Slurm gives them whole nodes where
// nothing is given.
func (w *writer) nodes() {
	if !w.before("23.11") {
		return
	}
	plugin := "select/cons_tres"
	if w.before("19.05") {
		plugin = "select/cons_res"
	}
	w.Say("SelectType", plugin, w.Span("NODEACCESSPOLICY"))
}

// backfill: which jobs may overtake.
func (w *writer) backfill() {
	p, set := w.IsSet("BACKFILLPOLICY")
	if set && strings.EqualFold(p.Value.Str, "NONE") {
		w.Say("SchedulerType", "sched/builtin", p.Set)
		return
	}
	w.Say("SchedulerType", "sched/backfill", w.Span("BACKFILLPOLICY"))
	if set {
		w.Near(p.Set, "Slurm tries jobs in the order of their priorities", "BACKFILLPOLICY %s becomes sched/backfill",
			p.Value.Str)
	}
	for _, s := range w.Policy.Backfill {
		if strings.HasPrefix(s.Name, "RESERVATIONDEPTH") {
			w.Near(s.Span, "Slurm plans for every job that backfill looks at: bf_max_job_test",
				"RESERVATIONDEPTH has no counterpart")
		}
	}
}
