package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// The words with which sbatch is refused (slurm_strerror).
const (
	errPartition     = "Invalid partition name specified"
	errAccount       = "Invalid account or account/partition combination specified"
	errManyPartition = "Multiple partition job request not supported when a partition is set in the association"
	errQOS           = "Invalid qos specification"
	errPolicy        = "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"
	errFeature       = "Invalid feature specification"
	errLicense       = "Invalid license specification"
	errConfiguration = "Requested node configuration is not available"
)

// submissions asks, in their order, about the jobs of state submitting whether slurmctld would
// accept them. One that it would counts for those after it and goes on as a waiting job.
func (g *guard) submissions() {
	r := g.result
	if !anySubmitting(r.Jobs) {
		return
	}
	for _, job := range rank.Falling(allJobs(r.Jobs.Rows),
		func(job int) int64 { return -r.Jobs.Int("job.submit_rank", job) }) {
		if r.Jobs.Text("job.state", int(job)) != submitting {
			continue
		}
		if b := g.rejected(int(job)); b != nil {
			b.Kind = evaluation.BlockSubmission
			r.State[job], r.Reason[job], r.Why[job] = evaluation.Rejected, b.Text, b
			continue
		}
		if g.limits != nil {
			g.limits.AddSubmitted(int(job))
		}
	}
}

func anySubmitting(jobs *column.Table) bool {
	c := jobs.Column("job.state")
	return c != nil && slices.Contains(c.Dict, submitting)
}

// rejected finds why a job would not be accepted, in the order of slurmctld (_job_create).
func (g *guard) rejected(job int) *evaluation.Block {
	r := g.result
	refuse := func(word, format string, args ...any) *evaluation.Block {
		return &evaluation.Block{Text: word, Refusal: &evaluation.Refusal{Text: fmt.Sprintf(format, args...)}}
	}
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		if p := g.partition(row); !p.known && len(g.values.Names("partition")) > 0 {
			return refuse(errPartition, "there is no partition %s", p.name)
		}
		if h := g.refusing(row, atSubmission); h != nil {
			b := g.refusedBy(h, row)
			b.Text = h.Reason
			return b
		}
	}
	key, qos := r.Jobs.Text("job.association", job), askedQOS(r, job)
	switch {
	case g.rules.Associations && g.knowsAssociations() && !g.hasAssociation(key):
		return refuse(errAccount, "there is no association %s", key)
	case end-first > 1 && g.ofPartition(job):
		return refuse(errManyPartition, "the user has an association for one of the partitions alone")
	}
	if x := g.refusedQOS(key, qos, true); x != nil {
		return &evaluation.Block{Text: errQOS, Refusal: x}
	}
	if b := g.rejectedResources(job); b != nil {
		return b
	}
	return g.rejectedLimits(job, refuse)
}

// rejectedLimits asks limits of accounting, then the partitions where EnforcePartLimits says so, then
// whether any nodes could ever do. The last is not asked of a job that its partition
// makes wait for ever anyway.
func (g *guard) rejectedLimits(job int,
	refuse func(word, format string, args ...any) *evaluation.Block) *evaluation.Block {
	first, end := g.result.Entries(job)
	if g.limits != nil {
		for row := first; row < end; row++ {
			if stop := g.limits.CheckSubmit(row); stop != nil {
				return &evaluation.Block{Text: errPolicy, Slurm: stop}
			}
		}
	}
	var refused *evaluation.Block
	n := 0
	for row := first; row < end; row++ {
		if h := g.refusing(row, rejects); h != nil {
			refused = &evaluation.Block{Text: h.Rejects,
				Refusal: &evaluation.Refusal{Text: g.result.Says(g.refusedBy(h, row).Refusal)}}
			n++
		} else if g.couldRun(row) {
			continue
		} else if g.rules.PartitionLimits == "ALL" || end-first == 1 {
			return refuse(errConfiguration, "no nodes of partition %s are large enough", g.partition(row).name)
		}
	}
	if refused == nil || g.rules.PartitionLimits == "NO" || g.rules.PartitionLimits == "ANY" && n < end-first {
		return nil
	}
	return refused
}

// atSubmission and rejects are the holds that are asked of a job that is submitted: first those of that phase, then,
// by EnforcePartLimits, those that reject it with words of their own.
func atSubmission(h *program.EntryHold) bool { return h.Phase == program.AtSubmit }

func rejects(h *program.EntryHold) bool { return h.Rejects != "" }

// knowsAssociations reports that some input lists associations.
func (g *guard) knowsAssociations() bool {
	return slices.Contains(g.rules.Complete, "association") || len(g.values.Rows("association")) > 0 ||
		g.result.Program.Tree != nil && len(g.result.Program.Tree.Associations) > 0
}

// ofPartition reports a user with an association for one of the job's partitions.
func (g *guard) ofPartition(job int) bool {
	account, user := strings.ToLower(g.result.Jobs.Text("job.account", job)), g.result.Jobs.Text("job.user", job)
	return slices.ContainsFunc(g.result.Jobs.Value("job.partitions", job).List, func(partition string) bool {
		return g.hasAssociation(account + "/" + user + "/" + partition)
	})
}

// rejectedResources asks for features that no node has and for more licences than there are.
func (g *guard) rejectedResources(job int) *evaluation.Block {
	r := g.result
	if c := r.Snapshot.Nodes.Column("node.features"); c != nil {
		for _, feature := range r.Jobs.Value("job.features", job).List {
			if !slices.ContainsFunc(c.Lists, func(have []string) bool { return slices.Contains(have, feature) }) {
				return &evaluation.Block{Text: errFeature, Refusal: &evaluation.Refusal{Text: "no node has the feature " + feature}}
			}
		}
	}
	for _, entry := range strings.Split(r.Jobs.Text("job.licenses", job), ",") {
		name, count, ok := strings.Cut(entry, ":")
		n, err := strconv.ParseFloat(count, 64)
		if !ok || err != nil {
			continue
		}
		most, known := 0.0, false
		for partition := range g.values.Names("partition") {
			if v := g.values.Of(schema.TRES("partition", "license/"+name), partition); v.Known() {
				most, known = max(most, v.Double), true
			}
		}
		if known && n > most {
			return &evaluation.Block{Text: errLicense,
				Refusal: &evaluation.Refusal{Text: fmt.Sprintf("it asks for %s of license %s, and there are %g", count, name,
					most)}}
		}
	}
	return nil
}

// couldRun reports whether the partition's nodes, all idle, would do for a job: enough of them that
// have the memory and GPUs asked for on each, and enough processors on the most that it may
// have. Where the snapshot does not list nodes they would.
func (g *guard) couldRun(row int) bool {
	p, r, job := g.partition(row), g.result, int(g.result.RowJob[row])
	nodes := r.Snapshot.Nodes
	ids, procs := nodes.Column("node.id"), nodes.Column("node.procs")
	in := nodes.Column("node.partitions")
	if ids == nil || in == nil || procs == nil {
		return true
	}
	least := max(1, r.Jobs.Int("job.nodes", job))
	most := r.Jobs.Int("job.nodes_max", job)
	asks := r.Jobs.Int("job.procs", job)
	mem := r.Jobs.Int("job.mem_mb", job) / least
	gpus := r.Jobs.Int("job.gpus", job)
	gpusPerNode := (gpus + least - 1) / least
	var sizes []int64
	listed := false
	for node := range nodes.Rows {
		if !slices.Contains(in.Lists[in.Codes[node]], p.name) {
			continue
		}
		if listed = true; procs.Missing.Get(node) {
			continue
		}
		if m := nodes.Value("node.mem_mb", node); m.Known() && m.Int < mem ||
			nodes.Value("node.gpus", node).Int < gpusPerNode {
			continue
		}
		size := procs.Ints[node]
		if p.procsPerNode >= 0 {
			size = min(size, p.procsPerNode)
		}
		sizes = append(sizes, size)
	}
	if !listed {
		return true
	}
	slices.SortFunc(sizes, func(a, b int64) int { return cmp.Compare(b, a) })
	if int64(len(sizes)) < least {
		return false
	}
	if most > 0 && most < int64(len(sizes)) {
		sizes = sizes[:most]
	}
	for _, size := range sizes {
		asks -= size
	}
	return asks <= 0
}
