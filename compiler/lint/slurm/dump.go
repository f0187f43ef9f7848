package slurm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// dumpRules are the rules about preemption and limits of a dump that do not go together.
var dumpRules = []rule.Rule{
	{Code: "slurm-qos-preempts-none", Check: qosPreemptsNone},
	{Code: "slurm-qos-preempt-unused", Check: unusedQOSPreempt},
	{Code: "slurm-qos-preempt-circle", Check: preemptCircle},
	{Code: "slurm-run-over-submit", Check: runOverSubmit},
	{Code: "slurm-job-over-group", Check: jobOverGroup},
	{Code: "slurm-child-over-parent", Check: childOverParent},
	{Code: "slurm-min-over-max", Check: minOverMax},
	{Code: "slurm-limit-untracked", Check: untrackedLimits},
	{Code: "slurm-limit-over-cluster", Check: limitsOverCluster},
}

func qosPreemptsNone(p *rule.Pass) {
	if !strings.EqualFold(p.Text("PreemptType"), "preempt/qos") || qosNames(p) == nil ||
		p.Flag("PreemptMode", "WITHIN") {
		return
	}
	for _, q := range p.Records["QOS"] {
		mode := q.Attr("PreemptMode")
		if len(q.Attr("Preempt").List()) > 0 || mode != nil && strings.Contains(strings.ToUpper(mode.Text), "WITHIN") {
			return
		}
	}
	p.Report(p.At("PreemptType"), "no QOS has Preempt, so nothing is ever preempted").
		Note("name the QOS that give way with `sacctmgr modify qos NAME set Preempt=LIST`, or write %s",
			noPreemption(p))
}

func unusedQOSPreempt(p *rule.Pass) {
	kind := p.Text("PreemptType")
	if !complete(p) || strings.EqualFold(kind, "preempt/qos") {
		return
	}
	for _, q := range p.Records["QOS"] {
		a := q.Attr("Preempt")
		if len(a.List()) == 0 {
			continue
		}
		d := p.Report(a.Span, "jobs of QOS %s preempt nothing", q.Name)
		if p.IsSet("PreemptType") {
			d.NoteAt(p.At("PreemptType"), "preempt/qos alone asks for the lists of QOS")
		} else {
			d.Note("PreemptType is not set, so there is no preemption")
		}
		mode := ""
		if text := p.Text("PreemptMode"); !p.IsSet("PreemptMode") || strings.EqualFold(text, "OFF") {
			mode = " and PreemptMode=REQUEUE"
		}
		d.Note("write PreemptType=preempt/qos%s, or clear the lists", mode)
		return // once says it
	}
}

func preemptCircle(p *rule.Pass) {
	list := map[string]*ir.Attr{}
	for _, q := range p.Records["QOS"] {
		if a := q.Attr("Preempt"); a != nil {
			list[q.Name] = a
		}
	}
	said := map[string]bool{}
	for _, q := range p.Records["QOS"] {
		path := circle(list, q.Name)
		if path == nil || said[q.Name] {
			continue
		}
		for _, name := range path {
			said[name] = true
		}
		a := list[q.Name]
		at := rule.WordAt(a.Span, path[1%len(path)])
		if len(path) == 1 {
			p.Report(at, "QOS %s preempts itself", q.Name).Note("slurmdbd refuses it; take %s out of the list", q.Name)
			continue
		}
		d := p.Report(at, "QOS preempt each other in a circle: %s", strings.Join(append(path, q.Name), ", "))
		for _, name := range path[1:] {
			d.NoteAt(list[name].Span, "the list of %s", name)
		}
		d.Note("slurmdbd refuses it; keep Preempt on the higher QOS alone")
	}
}

// circle is a way from a QOS by those that it preempts back to it, without its end; nil if there is none.
func circle(list map[string]*ir.Attr, from string) []string {
	before := map[string]string{} // by which QOS it was reached
	for next := []string{from}; len(next) > 0; next = next[1:] {
		for _, name := range list[next[0]].List() {
			name = strings.ToLower(strings.TrimLeft(name, "+"))
			if name == from {
				path := []string{next[0]}
				for path[0] != from {
					path = append([]string{before[path[0]]}, path...)
				}
				return path
			}
			if _, seen := before[name]; !seen && list[name] != nil {
				before[name] = next[0]
				next = append(next, name)
			}
		}
	}
	return nil
}

// running are the limits on running jobs, each with that on submitted ones.
var running = [][2]string{
	{"MaxJobs", "MaxSubmitJobs"},
	{"GrpJobs", "GrpSubmitJobs"},
	{"MaxJobsPU", "MaxSubmitJobsPU"},
	{"MaxJobsPA", "MaxSubmitJobsPA"},
}

func runOverSubmit(p *rule.Pass) {
	dumped(p, func(r *ir.Record) bool {
		for _, pair := range running {
			run, submit := r.Attr(pair[0]), r.Attr(pair[1])
			if run != nil && submit != nil && submit.Number() >= 0 && run.Number() > submit.Number() {
				p.Report(run.Span, "%s=%s of %s is never reached", run.Name, run.Text, r.Name).
					NoteAt(submit.Span, "no more than %s may be submitted, running ones among them",
						rule.Several(int(submit.Number()), "job")).
					Note("write a %s above it, or a lower %s", submit.Name, run.Name)
			}
		}
		return true
	})
}

// counts are the TRES of a limit; those of no limit, and of one that is cleared, are not among them.
func counts(a *ir.Attr) slurmtext.TRESList {
	if a == nil {
		return nil
	}
	list, err := slurmtext.ParseTRES(a.Text)
	if err != nil {
		return nil // the reader has reported it
	}
	return slices.DeleteFunc(list, func(t slurmtext.TRES) bool { return t.Count < 0 || t.Count == slurmtext.Infinite })
}

// above visits what of one limit is more than in another.
func above(a, b *ir.Attr, visit func(at source.Span, name string)) {
	limits := counts(b)
	for _, t := range counts(a) {
		if n, ok := limits.Get(t.Name); ok && t.Count > n {
			visit(entryAt(a.Span, t.Name), t.Name)
		}
	}
}

// entryAt is where NAME=COUNT is in a list; the whole list where it is not to be found.
func entryAt(list source.Span, name string) source.Span {
	at := rule.WordAt(list, name)
	text, start := list.Text(), int(at.Start-list.Start)
	if at == list || start+len(name) >= len(text) || text[start+len(name)] != '=' {
		return list
	}
	end := start + len(name)
	for end < len(text) && strings.IndexByte(`,:'" `, text[end]) < 0 {
		end++
	}
	return list.Sub(start, end)
}

// together are limits on one job, user or account, each with one on more of them.
var together = [][2]string{
	{"MaxTRESPerJob", "GrpTRES"},
	{"MaxTRESPerUser", "GrpTRES"},
	{"MaxTRESPerAccount", "GrpTRES"},
	{"MaxTRESPerJob", "MaxTRESPerUser"},
	{"MaxTRESPerJob", "MaxTRESPerAccount"},
	{"MaxTRESMinsPerJob", "GrpTRESRunMins"},
}

func jobOverGroup(p *rule.Pass) {
	dumped(p, func(r *ir.Record) bool {
		told := map[source.Span]bool{}
		for _, pair := range together {
			one, all := r.Attr(pair[0]), r.Attr(pair[1])
			above(one, all, func(at source.Span, name string) {
				if told[at] {
					return
				}
				told[at] = true
				p.Report(at, "%s of %s allows more %s than its %s", one.Name, r.Name, name, all.Name).
					NoteAt(entryAt(all.Span, name), "the lower limit counts").
					Note("what asks for more than that never runs; write no more than it in %s", one.Name)
			})
		}
		return true
	})
}

// childOverParent asks only accounts that have a limit, and takes the way up over those alone: trees may be deep.
func childOverParent(p *rule.Pass) {
	entries := []string{"GrpTRES", "GrpTRESMins", "GrpTRESRunMins"}
	numbers := []string{"GrpJobs", "GrpSubmitJobs", "GrpWall"}
	limited := func(r *ir.Record) bool {
		return r != nil &&
			slices.ContainsFunc(slices.Concat(entries, numbers), func(name string) bool { return r.Attr(name) != nil })
	}
	tree := tree(p)
	if len(tree) == 0 {
		return
	}
	records, parents := map[string]*ir.Record{}, map[string]string{}
	for _, r := range p.Records["association"] {
		if limited(r) {
			records[r.Name] = r
		}
	}
	for _, a := range tree {
		if a.User == "" {
			parents[a.Account] = a.Parent
		}
	}
	// from is the first account with a limit on the way up, this one included; what was passed points to it afterwards.
	from := func(account string) string {
		var passed []string
		for at := map[string]bool{}; account != "" && records[account] == nil; account = parents[account] {
			if at[account] {
				account = "" // a circle
				break
			}
			at[account], passed = true, append(passed, account)
		}
		for _, below := range passed {
			parents[below] = account
		}
		return account
	}
	for _, r := range p.Records["association"] {
		if records[r.Name] == nil {
			continue
		}
		account, _, user := strings.Cut(r.Name, "/")
		if !user {
			account = parents[account]
		}
		told := map[source.Span]bool{}
		seen := map[string]bool{}
		for account = from(account); account != "" && !seen[account]; account = from(parents[account]) {
			seen[account] = true
			upper := records[account]
			for _, name := range entries {
				a, b := r.Attr(name), upper.Attr(name)
				above(a, b, func(at source.Span, tres string) {
					if !told[at] {
						told[at] = true
						childOver(p, at, b, r, upper, name+" of "+tres, entryAt(b.Span, tres))
					}
				})
			}
			for _, name := range numbers {
				a, b := r.Attr(name), upper.Attr(name)
				if a != nil && b != nil && b.Number() >= 0 && a.Number() > b.Number() && !told[a.Span] {
					told[a.Span] = true
					childOver(p, a.Span, b, r, upper, name, b.Span)
				}
			}
		}
	}
}

func childOver(p *rule.Pass, at source.Span, b *ir.Attr, r, upper *ir.Record, what string, other source.Span) {
	p.Report(at, "%s of %s is more than that of %s above it", what, r.Name, upper.Name).
		NoteAt(other, "the lower number counts").Note("write no more than it, or leave %s out", b.Name)
}

func minOverMax(p *rule.Pass) {
	for _, q := range p.Records["QOS"] {
		low := q.Attr("MinTRESPerJob")
		told := map[source.Span]bool{}
		for _, name := range []string{"MaxTRESPerJob", "MaxTRESPerUser", "MaxTRESPerAccount", "GrpTRES"} {
			high := q.Attr(name)
			above(low, high, func(at source.Span, tres string) {
				if !told[at] {
					told[at] = true
					p.Report(at, "no job can run in QOS %s: it needs more %s than %s allows", q.Name, tres, name).
						NoteAt(entryAt(high.Span, tres), "the most it may have").Note("write a lower MinTRESPerJob")
				}
			})
		}
	}
}

func untrackedLimits(p *rule.Pass) {
	if !p.Since("15.08") { // TRES are not tracked before
		return
	}
	if !complete(p) || foreign(p) != nil || p.Enforced == nil {
		return
	}
	told := map[string]bool{}
	dumped(p, func(r *ir.Record) bool {
		for i := range r.Attrs {
			a := &r.Attrs[i]
			if !isLimit(a) || !strings.Contains(a.Name, "TRES") {
				continue
			}
			for _, t := range counts(a) {
				tracked := slices.ContainsFunc(p.Enforced.TRES,
					func(name string) bool { return strings.EqualFold(name, t.Name) })
				if tracked || !slurmtext.IsTRESType(t.Name) || told[t.Name] {
					continue
				}
				told[t.Name] = true
				d := p.Report(entryAt(a.Span, t.Name), "%s of %s limits %s, which is not tracked", a.Name, r.Name,
					t.Name)
				if p.IsSet("AccountingStorageTRES") {
					d.NoteAt(p.At("AccountingStorageTRES"), "%s is missing here", t.Name)
				}
				d.Note("write AccountingStorageTRES=…,%s in slurm.conf, or remove the limit", t.Name)
			}
		}
		return true
	})
}

// Totals are what the nodes of slurm.conf have together; without what not every record says, and nil where there may
// be more nodes.
func Totals(p *rule.Pass) map[string]int64 {
	list := p.Records["NodeName"]
	if len(list) == 0 || growing(p) || !complete(p) {
		return nil
	}
	sums := map[string]int64{}
	for _, r := range list {
		if r.Machine == nil {
			return nil
		}
		sums["node"] += int64(r.Count)
		sums["cpu"] += r.Machine.CPUs * int64(r.Count)
		sums["mem"] += r.Machine.MemoryMB.Number * int64(r.Count)
	}
	for _, r := range list {
		if r.Machine.CPUs <= 1 {
			delete(sums, "cpu")
		}
		if r.Machine.MemoryMB.Set.IsZero() {
			delete(sums, "mem")
		}
	}
	return sums
}

// BoundsOfAll are the limits on what runs at a time.
var BoundsOfAll = []string{"GrpTRES", "MaxTRESPerJob", "MaxTRESPerUser", "MaxTRESPerAccount"}

func limitsOverCluster(p *rule.Pass) {
	totals := Totals(p)
	if totals == nil || foreign(p) != nil {
		return
	}
	units := map[string]string{"node": "node", "cpu": "processor"}
	again := map[string]bool{"cpu": processorsShared(p), "mem": memoryFree(p)}
	dumped(p, func(r *ir.Record) bool {
		for _, name := range BoundsOfAll {
			a := r.Attr(name)
			for _, t := range counts(a) {
				if again[t.Name] && name != "MaxTRESPerJob" {
					continue
				}
				if total, ok := totals[t.Name]; ok && int64(t.Count) > total {
					have := strconv.FormatInt(total, 10) + " MB of memory"
					if unit := units[t.Name]; unit != "" {
						have = rule.Several(int(total), unit)
					}
					p.Report(entryAt(a.Span, t.Name), "%s of %s is never reached: the cluster has %s", name, r.Name,
						have).
						Note("write a lower number, or remove the limit")
				}
			}
		}
		return true
	})
}

// processorsShared reports processors that several jobs may have at a time. A partition can give them out more than
// once (OverSubscribe=FORCE or YES), and suspended jobs keep theirs. Each of these jobs is charged for them. A node
// counts once however many jobs it runs.
func processorsShared(p *rule.Pass) bool {
	if p.Flag("PreemptMode", "SUSPEND") || p.Flag("PreemptMode", "GANG") {
		return true
	}
	for _, r := range p.Records["PartitionName"] {
		mode := r.Attr("PreemptMode")
		if mode != nil && strings.Contains(strings.ToUpper(mode.Text), "SUSPEND") {
			return true
		}
	}
	return oversubscribed(p)
}

// oversubscribed reports a partition whose processors several jobs may have at a time.
func oversubscribed(p *rule.Pass) bool {
	t := p.Table("partition.oversubscribe")
	return t != nil &&
		slices.ContainsFunc(t.Rows, func(r ir.TableRow) bool { return strings.Contains(r.Value.Str, ":") })
}

// memoryFree reports a partition in which memory is no consumable, so that its jobs together may have more than
// there is.
func memoryFree(p *rule.Pass) bool {
	free := !memoryShared(p)
	for _, r := range p.Records["PartitionName"] {
		own := r.Attr("SelectTypeParameters")
		free = free || own != nil && !strings.Contains(strings.ToUpper(own.Text), "MEMORY")
	}
	return free
}
