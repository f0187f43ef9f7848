package convert_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestConvertMembers: for users of a queue who are placed in their accounts, Slurm's priority of the association is
// what Maui adds for user and account, in each account of each user.
func TestConvertMembers(t *testing.T) {
	for seed := range uint64(40) {
		d := rand.New(rand.NewPCG(seed, 3))
		main, members := drawnMembers(d)
		maui := source.NewFile("maui.cfg", []byte(main))
		unit, _ := lower.Parse(maui, lower.Maui, lower.Files{})
		out, found := convert.With(lower.Slurm, []lower.Unit{unit}, lower.Options{}, convert.Beside{Members: members})
		if found.HasErrors() {
			t.Fatal(found[0].Message)
		}
		queue := queueOf(members)
		own := creditOf(t, queue, "credential", maui)
		other := creditOf(t, queue, "assoc", source.NewFile("slurm.conf", out.Text),
			source.NewFile("assoc.cfg", out.Accounts))
		for i, m := range members {
			if own[i] != other[i] {
				t.Errorf("seed %d: %s in %s has %v in Maui and %v in Slurm\n%s\n%s", seed, m.User, m.Account, own[i],
					other[i], main, out.Accounts)
			}
		}
	}
}

// drawnMembers are priorities of some users and accounts, and users in one or more accounts each.
func drawnMembers(d *rand.Rand) (main string, members []convert.Member) {
	var b strings.Builder
	fmt.Fprintf(&b, "SERVERHOST head\nQUEUETIMEWEIGHT 0\nCREDWEIGHT %d\nUSERWEIGHT %d\nACCOUNTWEIGHT %d\n", 1+d.IntN(9),
		1+d.IntN(9), 1+d.IntN(9))
	if d.IntN(2) == 0 {
		fmt.Fprintf(&b, "USERCFG[DEFAULT] PRIORITY=%d\n", 1+d.IntN(50))
	}
	for _, account := range lawNames.Accounts {
		if d.IntN(2) == 0 {
			fmt.Fprintf(&b, "ACCOUNTCFG[%s] PRIORITY=%d\n", account, 1+d.IntN(50))
		}
	}
	for n := range 6 {
		user := fmt.Sprintf("u%d", n)
		if d.IntN(2) == 0 {
			fmt.Fprintf(&b, "USERCFG[%s] PRIORITY=%d\n", user, 1+d.IntN(50))
		}
		first := d.IntN(len(lawNames.Accounts))
		for k := range 1 + d.IntN(2) {
			account := lawNames.Accounts[(first+k)%len(lawNames.Accounts)]
			members = append(members, convert.Member{Account: account, User: user, Jobs: 1 + d.IntN(3)})
		}
	}
	return b.String(), members
}

// queueOf has a job of each member.
func queueOf(members []convert.Member) *snapshot.Snapshot {
	jobs := column.NewBuilder("jobs")
	const now = 1_800_000_000
	for i, m := range members {
		jobs.Row()
		for _, c := range []struct{ id, value string }{{"job.id", fmt.Sprint(i + 1)}, {"job.user", m.User},
			{"job.account", m.Account}, {"job.partition", "batch"}, {"job.state", "pending"}} {
			jobs.String(schema.ColumnID(c.id), c.value)
		}
		for _, id := range []schema.ColumnID{"job.submit_time", "job.queue_start_time", "job.eligible_time",
			"job.accrue_time"} {
			jobs.Value(id, schema.TimestampValue(now))
		}
		for _, id := range []schema.ColumnID{"job.procs", "job.tasks", "job.procs_per_task", "job.nodes"} {
			jobs.Int(id, 1)
		}
		jobs.Int("job.walltime_seconds", 3600)
		jobs.Int("job.nice", 0)
	}
	return &snapshot.Snapshot{Now: now, Jobs: jobs.Table()}
}

// creditOf is what a component adds for each job.
func creditOf(t *testing.T, queue *snapshot.Snapshot, component string, files ...*source.File) (list []float64) {
	t.Helper()
	out := compiler.Compile(compiler.Input{Files: files})
	if out.Program == nil {
		t.Fatal(out.Diags[0].Message)
	}
	result, err := engine.Run(out.Program, queue, evaluation.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	list = make([]float64, queue.Jobs.Rows)
	for n := range result.Sums {
		if c := &result.Sums[n]; result.Program.Components[c.Component].Name == component {
			for job := range list {
				list[job] = c.Value[result.RankRow[job]]
			}
		}
	}
	return list
}
