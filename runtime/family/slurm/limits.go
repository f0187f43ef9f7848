package slurm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/program"
)

// newGuard reads limits and partitions, and counts what runs.
func newGuard(r *evaluation.Result, previous *checkpoint.Checkpoint) *guard {
	g := &guard{result: r, rules: r.Program.Slurm, version: evaluation.VersionNumber(r.Program.Version),
		values: evaluation.NewValues(r.Program, r.Snapshot)}
	g.readPartitions()
	g.sayInferred()
	if !g.rules.Limits {
		return g
	}
	limits := g.allLimits()
	if len(limits) == 0 {
		g.noLimits()
		return g
	}
	o := slurmlimit.Options{Now: r.Now, Version: g.version, Safe: g.rules.Safe, TRES: g.rules.TRES, Limits: limits,
		RunMinutes: g.version >= 2405 || r.Program.Documented("run_minutes_per_user"),
		Parents:    g.values.Parents(r.Program.Tree), QOS: g.qos(), Used: g.used(shares.TreeState(previous) != nil),
		Full: fullNodes(r.Snapshot.Nodes),
		Jobs: g.billed(limits), RowJob: r.RowJob, JobRow: r.JobRow}
	rows := len(r.RowJob)
	o.Partition, o.Minutes = make([]string, rows), make([]int64, rows)
	o.Alone, o.WholeProcs = make([]bool, rows), make([]int64, rows)
	g.whole = g.newWholeNodes()
	for row, job := range r.RowJob {
		p := g.partition(row)
		o.Partition[row], o.Minutes[row], o.Alone[row] = p.qos, g.minutes(row, p), g.ownNodes(row)
		if state := r.Jobs.Text("job.state", int(job)); !evaluation.Active[state] && state != "done" {
			o.WholeProcs[row], _ = g.whole.procs(row)
		}
	}
	if r.Rows != r.Jobs {
		o.RowQOS = make([]string, len(r.RowJob))
		for row := range o.RowQOS {
			o.RowQOS[row] = r.Rows.Text("job.qos", row)
		}
	}
	var diags diag.List
	g.limits, diags = slurmlimit.New(o)
	r.Findings = append(r.Findings, diags...)
	for job := range r.Jobs.Rows {
		switch state := r.Jobs.Text("job.state", job); {
		case counted(state):
			g.limits.Add(job)
			g.limits.AddSubmitted(job)
		case state == "completing", state == "done", state == submitting:
			// A job that completes still has its nodes, but no limit counts it any more: slurmctld takes it
			// out when it begins to give them back (deallocate_nodes).
		default:
			g.limits.AddSubmitted(job)
		}
	}
	r.SlurmLimits = g.limits
	return g
}

// counted reports a state in which limits count a job as running.
func counted(state string) bool { return state == "running" || state == "suspended" }

// noLimits says that limits count but no input states any, or not those of QOS: a dump has these since 25.x.
func (g *guard) noLimits() {
	if len(g.rules.Complete) == 2 || g.result.Snapshot.Credentials["association"].Column("association.limits") != nil {
		return
	}
	if !slices.Contains(g.rules.Complete, "association") {
		g.result.Findings.Infof("slurm-limits-unknown", source.Span{},
			"limits count (AccountingStorageEnforce), but no input states any").
			Note("give the output of `sacctmgr dump` with the policy, or of `scontrol show assoc_mgr` with the snapshot")
		return
	}
	if g.listsQOS() || g.result.Snapshot.Credentials["qos"].Column("qos.limits") != nil {
		return
	}
	d := g.result.Findings.Infof("slurm-limits-unknown", source.Span{},
		"limits count (AccountingStorageEnforce), but no input states those of QOS")
	if !slices.ContainsFunc(g.result.Program.Limits, func(l program.Limit) bool { return l.Kind != "" }) {
		d.Note("the dump sets no limit of any association, and no limit stops a job here")
	}
	d.Note("give the output of `sacctmgr show qos -P`, or of `scontrol show assoc_mgr`, with the snapshot")
}

// allLimits are the policy's, and those that the snapshot recorded of what the policy does not list.
// Of a limit that both have, the policy's counts.
func (g *guard) allLimits() []program.Limit {
	var list []program.Limit
	type key struct{ object, row, kind, tres string }
	set := map[key]bool{}
	for _, l := range g.result.Program.Limits {
		if l.Kind != "" {
			list = append(list, l)
			set[key{l.Object, l.Row, l.Kind, l.Counts}] = true
		}
	}
	for _, object := range []string{"association", "qos"} {
		id := schema.ColumnID(object + ".limits")
		known := g.values.Set["association.parent"]
		for name := range evaluation.SortedNames(g.values.Rows(object)) {
			if slices.Contains(g.rules.Complete, object) && (object == "qos" || known != nil && evaluation.HasRow(known, name)) {
				continue
			}
			for _, text := range g.values.Of(id, name).List {
				l, err := recordedLimit(object, name, text)
				if err != nil {
					g.result.Findings.Warnf("slurm-limit-recorded", source.Span{},
						"the limit %q of %s %s cannot be read, so it does not count: %v", text, object, name, err).
						Note("it is of the form MaxJobs=4 or GrpTRES=cpu=100")
				} else if k := (key{object, name, l.Kind, l.Counts}); !set[k] {
					set[k] = true
					list = append(list, l)
				}
			}
		}
	}
	return list
}

// recordedLimit reads KIND=VALUE or KIND=TRES=VALUE.
func recordedLimit(object, row, text string) (program.Limit, error) {
	at := strings.LastIndexByte(text, '=')
	if at < 0 {
		return program.Limit{}, fmt.Errorf("it has no value")
	}
	n, err := strconv.ParseInt(text[at+1:], 10, 64)
	if err != nil || n < 0 {
		return program.Limit{}, fmt.Errorf("%q is no whole number", text[at+1:])
	}
	kind, tres, _ := strings.Cut(text[:at], "=")
	if !slurmlimit.IsKind(kind, tres != "") {
		return program.Limit{}, fmt.Errorf("no limit of Slurm is called %s", text[:at])
	}
	counts := tres
	switch {
	case tres != "":
	case strings.Contains(kind, "Wall"):
		counts = "walltime"
	default:
		counts = "jobs"
	}
	return program.Limit{Name: text[:at], Kind: kind, Object: object, Row: row, Counts: counts, Per: []string{object},
		Soft: n, Hard: n, When: program.NoReg, Source: "the snapshot's " + object + " " + row}, nil
}

// qos reads what QOS say besides limits.
func (g *guard) qos() map[string]*slurmlimit.QOS {
	all := map[string]*slurmlimit.QOS{}
	partitionOf := map[string]string{}
	for name := range evaluation.SortedNames(g.values.Names("partition")) {
		if q := g.values.Of("partition.qos", name).Str; q != "" {
			partitionOf[q] = name
		}
	}
	for name := range g.values.Names("qos") {
		flags := evaluation.FlagWords(g.values.Of("qos.flags", name).List)
		q := &slurmlimit.QOS{UsageFactor: math.NaN(), LimitFactor: g.values.Of("qos.limit_factor", name).Double,
			Overrides: slices.Contains(flags, "overpartqos"), Deny: slices.Contains(flags, "denyonlimit"),
			FactorSafe: slices.Contains(flags, "usagefactorsafe")}
		if f := g.values.Of("qos.usage_factor", name); f.Known() {
			q.UsageFactor = f.Double
		}
		if slices.Contains(flags, "relative") && g.version >= 2311 {
			q.RelativeTRES = g.totals(partitionOf[name])
		}
		all[name] = q
	}
	return all
}

// totals are what the percents of a relative QOS refer to: the partition whose QOS it is, else the
// cluster.
func (g *guard) totals(partition string) func(tres string) float64 {
	if partition != "" {
		return func(tres string) float64 { return g.values.Of(schema.TRES("partition", tres), partition).Double }
	}
	return func(tres string) float64 {
		id, ok := map[string]schema.ColumnID{"cpu": "cluster.procs", "node": "cluster.nodes", "mem": "cluster.mem_mb",
			"gres/gpu": "cluster.gpus"}[tres]
		if ok {
			if total, known := evaluation.ClusterTotal(g.values.Set[id], g.result.Snapshot.Nodes, id); known {
				return float64(total)
			}
		}
		sum := 0.0 // a resource that partitions have, each of which may be the whole cluster
		for name := range g.values.Names("partition") {
			sum = max(sum, g.values.Of(schema.TRES("partition", tres), name).Double)
		}
		return sum
	}
}

// used finds what was used up: as the snapshot recorded it, else as the fairshare model
// keeps it. From one evaluation to the next the model has it.
func (g *guard) used(resumed bool) func(object, name string) (slurmlimit.Used, bool) {
	ledger := func(object, name string) (slurmlimit.Used, bool) {
		t := g.result.Tree
		if t == nil {
			return slurmlimit.Used{}, false
		}
		usage, at := t.Ledger.Associations, -1
		if object == "qos" {
			usage, at = t.Ledger.QOS, slices.Index(t.QOS, name)
		} else if node, ok := t.Node(name); ok {
			at = node
		}
		if at < 0 || usage == nil {
			return slurmlimit.Used{}, false
		}
		return slurmlimit.Used{WallSeconds: usage.WallSeconds[at], TRESMinutes: func(tres string) float64 {
			if k := slices.Index(t.TRES, tres); k >= 0 {
				return usage.TRES[k][at] / 60
			}
			return 0
		}}, true
	}
	recorded := func(object, name string) (slurmlimit.Used, bool) {
		table := g.result.Snapshot.Credentials[object]
		row, ok := g.values.Rows(object)[name]
		wall := table.Column(schema.ColumnID(object + ".usage_wall_seconds"))
		if !ok || !recordsUse(table, object) {
			return slurmlimit.Used{}, false
		}
		u := slurmlimit.Used{TRESMinutes: func(tres string) float64 {
			return table.Value(schema.ColumnID(object+".usage_tres_minutes("+tres+")"), row).Double
		}}
		if wall != nil {
			u.WallSeconds = wall.Value(row).Double
		}
		return u, true
	}
	return func(object, name string) (slurmlimit.Used, bool) {
		if resumed {
			return ledger(object, name)
		}
		if u, ok := recorded(object, name); ok {
			return u, true
		}
		if g.result.Tree != nil && recordsUse(g.result.Snapshot.Credentials[object], object) {
			return ledger(object, name)
		}
		return slurmlimit.Used{}, false
	}
}

// recordsUse reports a table that states what was used of each resource, or of time.
func recordsUse(t *column.Table, object string) bool {
	if t == nil {
		return false
	}
	return slices.ContainsFunc(t.Columns(), func(c *column.Column) bool {
		return strings.HasPrefix(string(c.ID), object+".usage_tres_minutes(") || string(c.ID) == object+".usage_wall_seconds"
	})
}

// billed is the table of jobs, with billing by the policy's weights where limits count it.
func (g *guard) billed(limits []program.Limit) *column.Table {
	r := g.result
	if r.Program.Tree == nil || !slices.ContainsFunc(limits, func(l program.Limit) bool { return l.Counts == "billing" }) {
		return r.Jobs
	}
	id := schema.TRES("job", "billing")
	out := column.NewTable(r.Jobs.Name, r.Jobs.Rows)
	for _, c := range r.Jobs.Columns() {
		out.Put(c)
	}
	b := shares.NewBiller(r.Program.Tree, r.Jobs, g.values)
	billing := &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, r.Jobs.Rows)}
	for job := range billing.Doubles {
		billing.Doubles[job] = math.Trunc(b.Of(r.Jobs.Text("job.partition", job), b.Counts(job)))
	}
	out.Put(billing)
	return out
}

// fullNodes are those without a free processor, where the snapshot says so.
func fullNodes(nodes *column.Table) func(host string) bool {
	ids, free := nodes.Column("node.id"), nodes.Column("node.procs_available")
	if ids == nil || free == nil {
		return nil
	}
	full := map[string]bool{}
	for i := range nodes.Rows {
		full[ids.Dict[ids.Codes[i]]] = !free.Missing.Get(i) && free.Ints[i] <= 0
	}
	return func(host string) bool { return full[host] }
}

// minutes is how long a row's job may run: its own limit, else the partition's default or
// maximum; −1 where no input says.
func (g *guard) minutes(row int, p *partition) int64 {
	job := int(g.result.RowJob[row])
	v := g.result.Jobs.Value("job.walltime_seconds", job)
	switch {
	case v.Known():
		return (v.Int + 59) / 60
	case g.result.Jobs.Int("job.walltime_unlimited", job) != 0:
		return slurmlimit.UnlimitedMinutes
	case p.defaultSeconds >= 0:
		return (p.defaultSeconds + 59) / 60
	case p.maxSeconds >= 0:
		return (p.maxSeconds + 59) / 60
	}
	return -1
}

// NodesFree is when a limit on nodes has room for a job, if no other starts, and the job whose end makes it. Of jobs
// that share a node of their group the last one to end gives it back. The job is counted with nodes of its own, as a
// plan counts it: which ones it may share is known only when they are chosen.
func NodesFree(r *evaluation.Result, job int, stop *slurmlimit.Stop) (at int64, by int, ok bool) {
	row := int(r.JobRow[job])
	for i, end := r.Entries(job); i < end; i++ {
		if b := r.Barred[int32(i)]; b != nil && b.Slurm == stop {
			row = i
		}
	}
	var rows []int
	var ids []int32
	var ends []int64
	for other := range r.Jobs.Rows {
		end, known := plannedEnd(r, other)
		if r.Jobs.Text("job.state", other) == "running" && known {
			rows, ids, ends = append(rows, int(r.JobRow[other])), append(ids, int32(other)), append(ends, end)
		}
	}
	line := r.SlurmLimits.Timeline(r.Now)
	line.AddRunning(rows, ids, ends)
	for _, h := range line.Holdings(row, timeline.Got{}, r.Now, profile.Forever, 1) {
		if h.Limit == stop.Limit && h.Whose == stop.Whose() {
			return h.Until, int(h.By), h.Until < profile.Forever
		}
	}
	return 0, -1, false
}

// plannedEnd is when a running job's limit ends it: after now, as it runs.
func plannedEnd(r *evaluation.Result, job int) (int64, bool) {
	end := r.Jobs.Value("job.end_time", job)
	if !end.Known() {
		start, seconds := r.Jobs.Value("job.start_time", job), r.Jobs.Value("job.walltime_seconds", job)
		if !start.Known() || !seconds.Known() {
			return 0, false
		}
		end.Int = profile.End(start.Int, seconds.Int)
	}
	return max(end.Int, r.Now+1), true
}
