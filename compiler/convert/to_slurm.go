package convert

import (
	"fmt"
	"math"
	"slices"
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
	host := w.word("SERVERHOST")
	w.say("ClusterName", "cluster", source.Span{})
	if host == "" {
		host = "head"
		w.diags.Infof("convert-incomplete", w.policy.Span, "the host and the nodes are no part of the policy: complete SlurmctldHost and NodeName")
	} else {
		w.diags.Infof("convert-incomplete", w.span("SERVERHOST"), "the nodes are no part of the policy: complete NodeName")
	}
	w.say("SlurmctldHost", host, w.span("SERVERHOST"))
	w.say("AccountingStorageType", "accounting_storage/slurmdbd", source.Span{})
	w.say("PriorityType", "priority/multifactor", source.Span{})
	w.say("PriorityFlags", "NO_NORMAL_ALL", source.Span{})
	w.slurmBackfill()
	w.slurmAge()
	w.slurmResources()
	w.slurmCredentials()
	w.slurmShares()
	for i := range w.policy.Limits {
		w.limitToSlurm(&w.policy.Limits[i])
	}
	if len(w.policy.Limits) > 0 {
		w.say("AccountingStorageEnforce", "associations,limits,qos", source.Span{})
	}
	w.slurmPartitions()
}

// weight of a term of Maui: its component's times its own. Caps of a term that is weighed are not said.
func (w *writer) weight(component, term string) float64 {
	own := w.number(term)
	if own == 0 {
		return 0
	}
	return w.number(component) * own
}

// points is a weight as Slurm has it: not negative, not above 2^32-1, and whole.
func (w *writer) points(name string, weight float64, from source.Span) {
	switch {
	case weight < 0 || weight > maxWeight:
		w.diags.Warnf("convert-not-said", from, "%s cannot be %v in slurm.conf", name, weight).Note("weights are whole numbers from 0 to %d", uint32(maxWeight))
	case weight != math.Round(weight):
		w.near(from, "weights of Slurm are whole numbers", "%s of %v becomes %.0f", name, weight, math.Round(weight))
		w.say(name, int64(math.Round(weight)), from)
	case weight > 0:
		w.say(name, int64(weight), from)
	}
}

// slurmAge: Maui gives points a minute without end, or up to QUEUETIMECAP; Slurm up to PriorityMaxAge.
func (w *writer) slurmAge() {
	weight, from := w.weight("SERVICEWEIGHT", "QUEUETIMEWEIGHT"), w.span("QUEUETIMEWEIGHT")
	if weight == 0 {
		return
	}
	if weight < 0 {
		w.points("PriorityWeightAge", weight, from)
		return
	}
	minutes := float64(365 * 24 * 60)
	if top := w.number("QUEUETIMECAP"); top > 0 {
		minutes = top
	}
	minutes = math.Max(1, math.Min(minutes, math.Floor(maxWeight/weight)))
	w.say("PriorityMaxAge", fmt.Sprintf("%d", int64(minutes)), from)
	w.say("PriorityWeightAge", int64(weight*minutes), from)
	w.near(from, fmt.Sprintf("it stops growing after %s, and Slurm counts the time in which a job may accrue age, not Maui's queue time", days(minutes)),
		"%v points a minute in the queue become PriorityWeightAge=%d over PriorityMaxAge of %s", weight, int64(weight*minutes), days(minutes))
}

func days(minutes float64) string {
	if minutes >= 1440 && math.Mod(minutes, 1440) == 0 {
		return fmt.Sprintf("%d days", int64(minutes/1440))
	}
	return fmt.Sprintf("%d minutes", int64(minutes))
}

// slurmResources: the bare counts of resources are weighed.
func (w *writer) slurmResources() {
	var list []string
	var from source.Span
	for _, r := range []struct{ param, tres string }{{"PROCWEIGHT", "CPU"}, {"NODEWEIGHT", "Node"}, {"MEMWEIGHT", "Mem"}} {
		weight := w.weight("RESWEIGHT", r.param)
		switch {
		case weight < 0:
			w.points("PriorityWeightTRES", weight, w.span(r.param))
		case weight > 0:
			from = w.span(r.param)
			list = append(list, fmt.Sprintf("%s=%v", r.tres, weight))
			if r.tres != "CPU" {
				w.near(from, "Slurm counts what it gives to the job, also where the job asked for none", "%s becomes a weight of %s in PriorityWeightTRES", r.param, r.tres)
			}
		}
	}
	if list != nil {
		w.say("PriorityWeightTRES", strings.Join(list, ","), from)
	}
}

// slurmCredentials: priorities of QOS and classes are Slurm's of QOS and partitions; those of users and accounts
// those of associations.
func (w *writer) slurmCredentials() {
	if weight := w.weight("CREDWEIGHT", "QOSWEIGHT"); weight != 0 {
		w.points("PriorityWeightQOS", weight, w.span("QOSWEIGHT"))
		for _, r := range w.rows("qos.priority") {
			w.priority("QOS", "Priority", r, 1, maxWeight)
		}
	}
	if weight := w.weight("CREDWEIGHT", "CLASSWEIGHT"); weight != 0 {
		w.points("PriorityWeightPartition", weight, w.span("CLASSWEIGHT"))
		for _, r := range w.rows("partition.priority") {
			w.partition(r.Name, r.Span)
			w.priority("PartitionName", "PriorityJobFactor", r, 1, math.MaxUint16)
		}
	}
	accounts := w.weight("CREDWEIGHT", "ACCOUNTWEIGHT")
	users := w.weight("CREDWEIGHT", "USERWEIGHT")
	if accounts == 0 && users == 0 {
		return
	}
	w.say("PriorityWeightAssoc", 1, w.span("USERWEIGHT"))
	for _, r := range w.rows("account.priority") {
		if accounts != 0 {
			w.priority("association", "Priority", r, accounts, maxWeight)
		}
	}
	for _, r := range w.rows("user.priority") {
		if users == 0 {
			break
		}
		if r.Name == "DEFAULT" {
			r.Name = "root"
		} else {
			r.Name = usersAccount + "/" + r.Name
		}
		w.priority("association", "Priority", r, users, maxWeight)
		w.near(r.Span, "Slurm has the priority on a user's association; which accounts users are in is no part of the policy, so move them from the account "+usersAccount,
			"%s becomes the priority of an association", r.Source)
	}
}

// usersAccount holds the users of a policy that does not say which accounts they are in.
const usersAccount = "users"

// priority writes a row's number times a weight.
func (w *writer) priority(kind, name string, r ir.TableRow, weight, most float64) {
	value := float64(r.Value.Int) * weight
	if r.Value.Type == schema.Double {
		value = r.Value.Double * weight
	}
	if value < 0 || value > most || value != math.Round(value) || kind != "association" && r.Name == "DEFAULT" {
		return // left
	}
	w.exact(r.Span)
	w.setSlurm(kind, r.Name, setting{name, fmt.Sprint(int64(value)), r.Span})
}

// partition sees that there is one of that name.
func (w *writer) partition(name string, from source.Span) {
	if name != "DEFAULT" && w.slurmRecord("PartitionName", name, setting{span: from}) == nil {
		w.records = append(w.records, record{kind: "PartitionName", name: name, settings: []setting{{"Nodes", "ALL", from}}, span: from})
	}
}

// slurmPartitions: every class that the policy names is a partition; there must be one.
func (w *writer) slurmPartitions() {
	for _, column := range []schema.ColumnID{"partition.walltime_default_seconds"} {
		for _, r := range w.rows(column) {
			w.partition(r.Name, r.Span)
			w.exact(r.Span)
			w.setSlurm("PartitionName", r.Name, setting{"DefaultTime", fmt.Sprint((r.Value.Int + 59) / 60), r.Span})
		}
	}
	if !slices.ContainsFunc(w.records, func(r record) bool { return r.kind == "PartitionName" }) {
		w.records = append(w.records, record{kind: "PartitionName", name: "batch", settings: []setting{{"Nodes", "ALL", source.Span{}}, {"Default", "YES", source.Span{}}}})
	}
	node := record{kind: "NodeName", name: "n[1-16]", settings: []setting{{"CPUs", "64", source.Span{}}}}
	w.records = append([]record{node}, w.records...)
}

// slurmShares: targets become shares, and the windows a half-life.
func (w *writer) slurmShares() {
	var windows *ir.Fairshare
	for i := range w.policy.Fairshare {
		if w.policy.Fairshare[i].Model == "windows" {
			windows = &w.policy.Fairshare[i]
		}
	}
	if windows == nil || windows.Setting("usage").Value.Str == "" {
		return
	}
	w.isSet("FSPOLICY")
	user, account := w.weight("FSWEIGHT", "FSUSERWEIGHT"), w.weight("FSWEIGHT", "FSACCOUNTWEIGHT")
	weight, from := user, w.span("FSUSERWEIGHT")
	if account > weight {
		weight, from = account, w.span("FSACCOUNTWEIGHT")
	}
	if user != account && user != 0 && account != 0 {
		w.near(w.span("FSACCOUNTWEIGHT"), "Slurm has one weight for the place in the tree", "of the fairshare weights %v of users and %v of accounts the larger is taken", user, account)
	}
	if weight > 0 && weight <= maxWeight/100 {
		w.say("PriorityWeightFairshare", int64(weight*100), from)
		w.near(from, "Maui's factor is the distance to a target in percent, which may be negative; Slurm's lies between 0 and 1 and orders users by shares over usage",
			"%v points a percent below the target become PriorityWeightFairshare=%d", weight, int64(weight*100))
	}
	interval, depth, decay := w.number("FSINTERVAL"), w.number("FSDEPTH"), w.number("FSDECAY")
	half := interval * depth / 2
	if decay > 0 && decay < 1 {
		half = interval * math.Ln2 / -math.Log(decay)
	}
	if minutes := int64(math.Round(half / 60)); minutes > 0 {
		w.say("PriorityDecayHalfLife", minutes, w.span("FSDECAY"))
		w.near(w.span("FSPOLICY"), "Slurm's usage decays steadily and never ends, Maui's by window", "windows of %v s, %v of them, each worth %v of the next, become PriorityDecayHalfLife=%d minutes", interval, depth, decay, minutes)
	}
	for _, t := range windows.Targets {
		name := map[string]string{"account": t.Name, "user": usersAccount + "/" + t.Name}[t.Object]
		shares := int64(math.Round(t.Value * 10))
		if name == "" || t.Name == "DEFAULT" || t.Caps() || shares < 1 {
			continue
		}
		w.setSlurm("association", name, setting{"Fairshare", fmt.Sprint(shares), t.Span})
		how := "shares are relative to those of siblings, ten for each percent"
		if t.Kind != "target" {
			how += "; that it is only a " + t.Kind + " is lost"
		}
		w.near(t.Span, how, "%s becomes Fairshare=%d", t.Source, shares)
	}
}

// slurmBackfill: which jobs may overtake.
func (w *writer) slurmBackfill() {
	p, set := w.isSet("BACKFILLPOLICY")
	if !set {
		w.say("SchedulerType", "sched/backfill", source.Span{})
	} else if strings.EqualFold(p.Value.Str, "NONE") {
		w.say("SchedulerType", "sched/builtin", p.Set)
	} else {
		w.say("SchedulerType", "sched/backfill", p.Set)
		w.near(p.Set, "Slurm tries jobs in the order of their priorities", "BACKFILLPOLICY %s becomes sched/backfill", p.Value.Str)
	}
	if d, ok := w.isSet("RESERVATIONDEPTH"); ok {
		w.near(d.Set, "Slurm plans for every job that backfill looks at: bf_max_job_test", "RESERVATIONDEPTH has no counterpart")
	}
	for _, s := range w.policy.Backfill {
		if strings.HasPrefix(s.Name, "RESERVATIONDEPTH") && !w.taken[s.Span] {
			w.near(s.Span, "Slurm plans for every job that backfill looks at: bf_max_job_test", "RESERVATIONDEPTH has no counterpart")
		}
	}
}
