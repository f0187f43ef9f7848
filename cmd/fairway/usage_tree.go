package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/slurm"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/usage"
)

// runTree works out the usage of an account tree.
func (f *usageFlags) runTree(d *disk, p *program.Program, paths []string, format, path string) error {
	if f.usage != "" || f.interval != "" || f.depth != 0 || len(f.nodes) > 0 || f.force {
		return failf(exitUsage, "--usage, --interval, --depth, --nodes and --force are of Maui's windows, and the policy "+
			"shares by an account tree")
	}
	now, err := f.when()
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(f.zone)
	if err != nil {
		return failf(exitUsage, "--timezone: %v", err)
	}
	iter := iterationFlags{state: f.state, dir: f.dir, fairshare: "computed", readOnly: f.dryRun, optional: true}
	defer iter.unlock()
	if _, err := iter.enter("usage"); err != nil {
		return err
	}
	previous, err := iter.recorded(d, p, now)
	if err != nil {
		return err
	}
	records, list, err := f.records(d, paths)
	if err != nil {
		return err
	}
	told := usage.Settings{Now: now, Told: records.Told}
	if err := f.sinceWhen(&told); err != nil {
		return err
	}
	u, err := shares.UsageOfRuns(p, records.Jobs, shares.RunsOptions{Now: now, Place: zone, Previous: previous})
	if err != nil {
		return failf(exitUsage, "%v", err)
	}
	out := &treeOutput{RunsUsage: u, program: p, records: records, told: told.Told}
	list = append(append(list, u.Findings...), out.known(f.since != "", previous).Findings()...)
	if list.HasErrors() {
		printDiags(notable(list))
		return &exitError{code: exitUnreadable}
	}
	outputs := []use{{what: "--to", path: f.to}, {what: "-o " + format, path: path}}
	if err := nothingWritten(outputs, append(f.uses(paths, records), iter.uses()...)); err != nil {
		return err
	}
	printDiags(notable(list))
	if !f.dryRun {
		if err := out.keep(f, iter.opened); err != nil {
			return err
		}
	}
	err = writeOutput(path, func(w io.Writer) error {
		if format == "json" {
			return snapshot.WriteJSON(w, out.snapshot())
		}
		return out.writeTable(w)
	})
	bad := usageOutput{sources: records.Sources}
	if err == nil && bad.bad() > 0 {
		return &exitError{code: exitFindings}
	}
	return err
}

// treeOutput is the usage of an account tree with what it was made of.
type treeOutput struct {
	*shares.RunsUsage
	program *program.Program
	records *snapshot.Records
	told    snapshot.Span
}

// known is what there is to say about the records. complete: the user says that nothing is missing.
func (o *treeOutput) known(complete bool, previous *checkpoint.Checkpoint) *usage.Tree {
	t := &usage.Tree{Now: o.Now, Told: o.told, Runs: o.Runs, Overdue: o.Overdue, Strangers: o.Strangers,
		Stranger: o.Stranger}
	switch {
	case previous != nil:
		t.Since = previous.Time
	case o.told.Known && !complete:
		t.Left = tree.DecayFactor(o.program.Tree.HalfLifeSeconds, o.Now-o.told.First)
	}
	return t
}

// keep writes the files that were asked for.
func (o *treeOutput) keep(f *usageFlags, dir *stateDir) error {
	if dir != nil {
		return dir.replace(stateAssociations, o.Next.Write)
	}
	if f.to != "" {
		if err := writeOutput(f.to, func(w io.Writer) error { return snapshot.WriteJSON(w, o.snapshot()) }); err != nil {
			return err
		}
	}
	if f.state == "" {
		return nil
	}
	return writeOutput(f.state, func(w io.Writer) error { return o.Next.Write(w) })
}

// snapshot is the usage in the form that every command reads. It states no time: with a queue,
// the queue's time counts, and since all usage decays alike its shares stay what they are.
func (o *treeOutput) snapshot() *snapshot.Snapshot {
	s := &snapshot.Snapshot{Family: o.program.Family, Credentials: map[string]*column.Table{}}
	b := column.NewBuilder("association")
	for node := range o.Tree.Len() {
		a := &o.Tree.Associations[node]
		b.Row()
		b.String("association.name", o.Key(node))
		b.String("association.parent", a.Parent)
		if a.Shares != tree.ParentShares {
			b.Int("association.shares", a.Shares)
		}
		addUsed(b, "association", o.Ledger.Associations, node, o.TRES)
	}
	s.Credentials["association"] = b.Table()
	if len(o.QOS) > 0 {
		b := column.NewBuilder("qos")
		for row, name := range o.QOS {
			b.Row()
			b.String("qos.name", name)
			addUsed(b, "qos", o.Ledger.QOS, row, o.TRES)
		}
		s.Credentials["qos"] = b.Table()
	}
	return s
}

func addUsed(b *column.Builder, object string, u *tree.Usage, row int, tres []string) {
	b.Double(schema.ColumnID(object+".usage_seconds"), u.Billing[row])
	b.Double(schema.ColumnID(object+".usage_wall_seconds"), u.WallSeconds[row])
	for k, name := range tres {
		if x := u.TRES[k][row]; x != 0 {
			b.Double(schema.ColumnID(object+".usage_tres_minutes("+name+")"), x/60)
		}
	}
}

// writeTable shows the tree as sshare does.
func (o *treeOutput) writeTable(w io.Writer) error {
	m := o.program.Tree
	decay := "no decay"
	if m.HalfLifeSeconds > 0 {
		decay = "half-life " + time.Duration(m.HalfLifeSeconds*int64(time.Second)).String()
	}
	fmt.Fprintf(w, "usage of %s as of %s; %s, passes of %ds, reset %s\n", count(o.Tree.Users, "user association"),
		utc(o.Now), decay, m.PassSeconds, m.Reset)
	fmt.Fprintf(w, "%s in it, %d still running; %s", count(o.Runs, "run"), o.Running,
		count(len(o.records.Sources), "file"))
	if o.told.Known {
		fmt.Fprintf(w, " from %s to %s", utc(o.told.First), utc(o.told.Last))
	}
	fmt.Fprint(w, "\n\n")
	return slurm.WriteSshare(w, &evaluation.Result{Program: o.program, Tree: o.TreeShares, Now: o.Now},
		eval.Options{Partitions: o.partitions()})
}

// partitions reports associations of single partitions.
func (o *treeOutput) partitions() bool {
	for i := range o.Tree.Associations {
		if o.Tree.Associations[i].Partition != "" {
			return true
		}
	}
	return false
}

// usageFrom gives a snapshot the usage that job records come to by the policy's own windows, or by its account tree, as
// of the time of the snapshot: what `fairway usage` would write, without the files.
func usageFrom(d *disk, paths []string, p *program.Program, s *snapshot.Snapshot, place *time.Location,
	list *diag.List) error {
	switch {
	case p.Windows == nil && p.Tree == nil:
		return failf(exitUsage, "--usage-from is for a policy that counts usage, and this one has no fairshare block")
	case snapshot.HasUsage(s):
		return failf(exitUsage, "the snapshot has recorded usage already: leave it out, or --usage-from")
	case len(p.Usage) > 0:
		return failf(exitUsage, "the policy states usage already: remove its usage blocks, or leave out --usage-from")
	}
	records, found, err := snapshot.ReadRecords(d, paths, snapshot.Options{Location: place})
	if err != nil {
		return &exitError{code: exitIO, err: err}
	}
	if found.HasErrors() {
		return complain(found)
	}
	told := usage.Settings{Now: s.Now, Told: records.Told}
	if p.Windows == nil {
		u, err := shares.UsageOfRuns(p, records.Jobs, shares.RunsOptions{Now: s.Now, Place: place})
		if err != nil {
			return failf(exitUsage, "%v", err)
		}
		out := &treeOutput{RunsUsage: u, program: p, records: records, told: told.Told}
		found = slices.Concat(found, u.Findings, out.known(false, nil).Findings())
		snapshot.Add(s, out.snapshot())
	} else {
		w := p.Windows
		told.Usage, told.IntervalSeconds, told.Depth = w.Usage, w.IntervalSeconds, w.Depth
		if s.Nodes != nil {
			told.Cluster = usage.ClusterOf(s.Nodes)
		}
		if records.Jobs != nil {
			records.Jobs.Put(maui.EffectiveQOS(records.Jobs, p))
		}
		report := usage.Build(records.Jobs, told)
		found = append(found, report.Findings()...)
		part := &snapshot.Snapshot{}
		for _, window := range report.Windows {
			part.Usage = append(part.Usage, window.UsageWindow)
		}
		snapshot.Add(s, part)
	}
	if found.HasErrors() {
		return complain(found)
	}
	*list = append(*list, found...)
	return nil
}
