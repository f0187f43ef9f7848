package slurm

import (
	"cmp"
	"fmt"
	"github.com/fairway-sched/fairway/runtime/limit"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// builder lays out holders and rules for the jobs there are.
type builder struct {
	*Limits
	set   [][]rule // per holder: its own rules, with explicit lifts, unordered
	diags diag.List
}

func (b *builder) build() {
	b.countedTRES()
	b.hidden = make([]bool, int(kinds)*(1+len(b.tres)))
	for _, name := range slices.Sorted(maps.Keys(b.o.Parents)) { // holders are listed in this order
		b.association(name)
	}
	b.cutCircles()
	for i := range b.limits {
		b.place(i)
	}
	b.readJobs()
	b.readRows()
	b.order()
	b.counts, b.hosts = make([]int64, len(b.holders)*b.width()), make([]map[string]int32, len(b.holders))
	b.full, b.open = map[string]bool{}, make([]int64, len(b.holders))
	b.readUses()
}

// countedTRES lists the resources that limits are on, in Slurm's order.
func (b *builder) countedTRES() {
	place := func(name string) int {
		if i := slices.Index(b.o.TRES, name); i >= 0 {
			return i
		}
		return len(b.o.TRES)
	}
	for i := range b.limits {
		if k, ok := kindOf(b.limits[i].Kind); ok && kindDocs[k].tres &&
			!slices.Contains(b.tres, b.limits[i].Counts) {
			b.tres = append(b.tres, b.limits[i].Counts)
		}
	}
	slices.SortStableFunc(b.tres, func(x,
		y string) int {
		return cmp.Or(cmp.Compare(place(x), place(y)), cmp.Compare(x, y))
	})
	b.nodeAt, b.procAt = slices.Index(b.tres, "node"), slices.Index(b.tres, "cpu")
}

func (b *builder) holder(h holder) int32 {
	b.holders, b.set = append(b.holders, h), append(b.set, nil)
	return int32(len(b.holders) - 1)
}

// maxAbove bounds the way up, so that a circle of accounts ends.
const maxAbove = 1000

// association finds or makes an association and all above it.
func (b *builder) association(name string) int32 {
	first, below := int32(-1), int32(-1)
	for range maxAbove {
		h, known := b.associations[name]
		if !known {
			h = b.holder(holder{object: "association", name: name, above: -1})
			b.associations[name] = h
		}
		if first < 0 {
			first = h
		}
		if below >= 0 {
			b.holders[below].above = h
		}
		parent, above := b.o.Parents[name]
		if known || !above || parent == "" || parent == name {
			break
		}
		below, name = h, parent
	}
	return first
}

// cutCircles makes the way up end where accounts are above themselves.
func (b *builder) cutCircles() {
	ends := make([]bool, len(b.holders)) // the way up from here is known to end
	for h := range b.holders {
		var way []int32
		for at := int32(h); at >= 0 && !ends[at]; at = b.holders[at].above {
			if slices.Contains(way, at) || len(way) == maxAbove {
				b.diags.Warnf("limit-account-circle", source.Span{},
					"the accounts above %s lead back to it, so their limits count up to there", b.holders[at].name).
					Note("correct the parents; the way up from an account ends at the account root")
				b.holders[way[len(way)-1]].above = -1
				break
			}
			way = append(way, at)
		}
		for _, at := range way {
			ends[at] = true
		}
	}
}

func (b *builder) qosHolder(name string) int32 {
	h, known := b.qos[name]
	if !known {
		h = b.holder(holder{object: "qos", name: name, above: -1, q: b.o.QOS[name]})
		b.qos[name] = h
	}
	return h
}

// place enters a limit where it is set.
func (b *builder) place(i int) {
	l := &b.limits[i]
	k, ok := kindOf(l.Kind)
	if !ok || (k == maxRunMinsPA || k == maxRunMinsPU) && !b.o.RunMinutes {
		return
	}
	r := rule{kind: k, tres: -1, limit: int32(i), value: l.Hard}
	if kindDocs[k].tres {
		r.tres = int32(slices.Index(b.tres, l.Counts))
	}
	var h int32
	if l.Object == "qos" {
		h = b.qosHolder(l.Row)
		b.relative(b.holders[h].q, &r)
	} else {
		h = b.association(l.Row)
	}
	if at := slices.IndexFunc(b.set[h], func(old rule) bool { return old.kind == k && old.tres == r.tres }); at >= 0 {
		b.set[h][at] = r
		return
	}
	b.set[h] = append(b.set[h], r)
}

// relative turns a limit of a QOS with the flag Relative from percent into a count. Limits on
// minutes are as they stand.
func (b *builder) relative(q *QOS, r *rule) {
	if q == nil || q.RelativeTRES == nil || r.tres < 0 || r.kind.minutes() || r.value == program.NoLimit {
		return
	}
	r.value = limit.Truncate(q.RelativeTRES(b.tres[r.tres]) * float64(r.value) / 100)
}

// order makes the lists that are walked. What an association does not set of the limits that
// are handed down it has from the nearest account that does; a lift ends the way.
func (b *builder) order() {
	for h := range b.holders {
		holder := &b.holders[h]
		holder.rules, holder.submit = ordered(b.set[h],
			func(k limitKind) bool { return holder.object == "qos" || !k.inherited() })
	}
	for row := range b.entries {
		leaf := b.entries[row].association
		if _, done := b.chains[leaf]; !done && leaf >= 0 {
			b.chains[leaf] = b.chain(leaf)
		}
	}
}

// chain is the way from an association to the root, without the steps that limit nothing.
func (b *builder) chain(leaf int32) []level {
	own := slices.Clone(b.set[leaf])
	list := []level{{holder: leaf}}
	for h, n := b.holders[leaf].above, 0; h >= 0 && n < maxAbove; h, n = b.holders[h].above, n+1 {
		if holder := &b.holders[h]; len(holder.rules) > 0 {
			list = append(list, level{h, holder.rules, holder.submit})
		}
		for _, r := range b.set[h] {
			if r.kind.inherited() && !slices.ContainsFunc(own,
				func(old rule) bool { return old.kind == r.kind && old.tres == r.tres }) {
				own = append(own, r)
			}
		}
	}
	list[0].rules, list[0].submit = ordered(own, func(limitKind) bool { return true })
	return list
}

// ordered sorts rules as they are asked, and those of submission apart; lifted ones are gone.
func ordered(list []rule, fits func(limitKind) bool) (start, submit []rule) {
	for _, r := range list {
		if r.value == program.NoLimit || !fits(r.kind) {
			continue
		}
		start = append(start, r)
		if slices.Contains(submitOrder, r.kind) {
			submit = append(submit, r)
		}
	}
	slices.SortFunc(start, func(x, y rule) int { return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(x.tres, y.tres)) })
	slices.SortFunc(submit, func(x, y rule) int {
		return cmp.Or(cmp.Compare(slices.Index(submitOrder, x.kind), slices.Index(submitOrder, y.kind)),
			cmp.Compare(x.tres, y.tres))
	})
	return start, submit
}

// readJobs reads what each job asks for or has.
func (b *builder) readJobs() {
	jobs := b.o.Jobs
	b.jobs, b.requests = make([]job, jobs.Rows), make([]int64, jobs.Rows*len(b.tres))
	for t, name := range b.tres {
		b.readTRES(t, name)
	}
	limit, start := jobs.Column("job.walltime_seconds"), jobs.Column("job.start_time")
	tasks, hosts := jobs.Column("job.array_tasks"), jobs.Column("job.allocated_hosts")
	known := func(c *column.Column, i int) bool { return c != nil && !c.Missing.Get(i) }
	for i := range b.jobs {
		j := &b.jobs[i]
		j.tasks = 1
		if known(tasks, i) {
			j.tasks = max(1, tasks.Ints[i])
		}
		if known(hosts, i) {
			j.hosts = hosts.Lists[hosts.Codes[i]]
		}
		j.left = 60 * UnlimitedMinutes
		if known(limit, i) {
			j.left = limit.Ints[i]
		} else if minutes := b.o.Minutes[b.o.JobRow[i]]; minutes >= 0 { // which it got as it started
			j.left = 60 * minutes
		}
		if known(start, i) {
			j.left = max(0, j.left-max(0, b.o.Now-start.Ints[i]))
		}
	}
}

// sameColumns are the job columns that stand in for a TRES where the input does not state it.
var sameColumns = map[string]schema.ColumnID{"cpu": "job.procs", "node": "job.nodes", "mem": "job.mem_mb",
	"gres/gpu": "job.gpus"}

func (b *builder) readTRES(t int, name string) {
	exact, other := b.o.Jobs.Column(schema.TRES("job", name)), b.o.Jobs.Column(sameColumns[name])
	unknown := 0
	for i := range b.jobs {
		at := &b.requests[i*len(b.tres)+t]
		switch {
		case exact != nil && !exact.Missing.Get(i):
			*at = clamp(limit.Truncate(exact.Doubles[i]))
		case other != nil && !other.Missing.Get(i):
			*at = clamp(other.Ints[i])
		case sameColumns[name] != "" && name != "gres/gpu":
			unknown++
		}
		if name == "node" {
			*at = max(1, *at)
		}
	}
	if unknown > 0 {
		b.diags.Warnf("limit-amount-unknown", source.Span{}, "%d of %s do not state their %s, which a limit counts",
			unknown, diag.Count(len(b.jobs), "job"), name).
			Note("they count as 0, so the limit may let too many jobs pass")
	}
}

// readRows finds the association and the QOS of each row, and makes the counters of users and
// accounts within QOS.
func (b *builder) readRows() {
	jobs := b.o.Jobs
	text := func(c *column.Column, i int) string {
		if c == nil {
			return ""
		}
		return c.Dict[c.Codes[i]]
	}
	associations, qos := jobs.Column("job.association"), jobs.Column("job.qos")
	users, accounts := jobs.Column("job.user"), jobs.Column("job.account")
	within := map[[3]string]int32{}
	inside := func(q int32, object, name string) int32 {
		key := [3]string{b.holders[q].name, object, name}
		h, known := within[key]
		if !known {
			h = b.holder(holder{object: "qos", name: b.holders[q].name, who: object + " " + name, above: -1, q: b.holders[q].q})
			within[key] = h
		}
		return h
	}
	none := qosUse{-1, -1, -1}
	b.entries = make([]entry, len(b.o.RowJob))
	for row, job := range b.o.RowJob {
		i := int(job)
		e := &b.entries[row]
		*e = entry{association: -1, qos: [2]qosUse{none, none}, minutes: b.o.Minutes[row], factor: 1}
		e.stated = e.minutes >= 0
		if !e.stated {
			e.minutes = UnlimitedMinutes
		}
		if h, ok := b.associations[text(associations, i)]; ok {
			e.association = h
		}
		first, second := b.o.Partition[row], text(qos, i)
		if b.o.RowQOS != nil {
			second = b.o.RowQOS[row]
		}
		own := second
		e.partition = first != ""
		if q := b.o.QOS[second]; first == second || q != nil && q.Overrides && second != "" {
			first, second = second, first
			e.partition = false
		}
		if first == second {
			second = ""
		}
		if first == "" {
			first, second = second, ""
			e.partition = false
		}
		e.strict = first == ""
		for k, name := range []string{first, second} {
			if name == "" {
				continue
			}
			q := b.qosHolder(name)
			e.qos[k] = qosUse{q, inside(q, "user", text(users, i)), inside(q, "account", text(accounts, i))}
			e.strict = e.strict || b.holders[q].q != nil && b.holders[q].q.Deny
		}
		if q := b.o.QOS[own]; q != nil && !math.IsNaN(q.UsageFactor) {
			e.factor = q.UsageFactor
		}
		if int(b.o.JobRow[i]) == row {
			b.jobs[i].factor, b.jobs[i].noUsage = e.factor, e.factor == 0
		}
	}
}

// readUses enters what was used up, in whole minutes as slurmctld compares it.
func (b *builder) readUses() {
	for h := range b.holders {
		holder := &b.holders[h]
		if holder.who != "" || b.o.Used == nil {
			continue
		}
		use, ok := b.o.Used(holder.object, holder.name)
		if !ok {
			continue
		}
		holder.usageKnown, holder.wallMinutes = true, limit.Truncate(use.WallSeconds/60)
		for t, name := range b.tres {
			*b.used(int32(h), int32(t)) = clamp(limit.Truncate(use.TRESMinutes(name)))
		}
	}
	b.unknownUses()
}

// unknownUses reports limits on what was used up whose use no input states.
func (b *builder) unknownUses() {
	var names []string
	var first source.Span
	for h := range b.set {
		for _, r := range b.set[h] {
			if (r.kind == grpTRESMins || r.kind == grpWall) && r.value != program.NoLimit && !b.holders[h].usageKnown {
				if len(names) == 0 {
					first = b.limits[r.limit].Span
				}
				names = append(names, fmt.Sprintf("%s of %s %s", b.limits[r.limit].Name, b.holders[h].object, b.holders[h].name))
			}
		}
	}
	if len(names) == 0 {
		return
	}
	d := b.diags.Warnf("limit-usage-unknown", first, "no input says what was used up of %s, so it counts as 0",
		strings.Join(names[:min(3, len(names))], ", "))
	if len(names) > 3 {
		d.Note("so it is with %d limits", len(names))
	}
	d.Note("add the output of `scontrol show assoc_mgr`, or of `sshare -a -P -o " +
		"Account,User,Partition,RawShares,RawUsage,GrpTRESRaw,FairShare`, to the snapshot")
}
