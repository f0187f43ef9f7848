package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// BenchmarkDeskRank is a move of a slider in a long queue: all that the server does for it, up to the text of its
// answer.
func BenchmarkDeskRank(b *testing.B) {
	for _, jobs := range []int{10_000, 100_000} {
		for _, c := range []struct {
			name  string
			q     deskRequest
			users int // beside those of the example
		}{
			{"all", deskRequest{Rows: 50}, 0},
			{"filtered", deskRequest{Rows: 50, Filter: map[string][]string{"states": {"pending"}, "account": {"physics"}}}, 0},
			{"sorted", deskRequest{Rows: 50, Sort: "-moved", Filter: map[string][]string{"states": {"pending"}}}, 0},
			{"associations", deskRequest{Rows: 50}, 5000},
		} {
			b.Run(fmt.Sprintf("%d/%s", jobs, c.name), func(b *testing.B) {
				d := longDesk(b, jobs, c.users)
				var evaluating time.Duration
				i := 0
				d.options.Workers = 1
				d.state.Choose(d.options)
				for b.Loop() {
					i++
					c.q.Change = map[string]string{"PriorityWeightAge": fmt.Sprint(1000 + 10*i)}
					begun := processTime(b)
					if _, err := d.side(c.q.Change, ""); err != nil {
						b.Fatal(err)
					}
					evaluating += processTime(b) - begun
					if _, err := d.answerRank(b.Context(), &c.q); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(evaluating.Microseconds())/1000/float64(i), "engine-cpu-ms/op")
			})
		}
	}
}

// longDesk is the queue of an example, over and over. More users share the jobs, each in one of 250 accounts.
func longDesk(b *testing.B, jobs, users int) *deskServer {
	b.Helper()
	files := slices.Clone(meadow.files)
	account := func(user int) string { return fmt.Sprintf("a%d", user%250) }
	if users > 0 {
		dump, err := os.ReadFile(files[1])
		if err != nil {
			b.Fatal(err)
		}
		for i := range min(users, 250) {
			dump = fmt.Appendf(dump, "Parent - 'root'\nAccount - '%s':Fairshare=%d:GrpTRES='cpu=%d'\n", account(i), 1+i%7, 999+i)
		}
		for i := range users {
			dump = fmt.Appendf(dump, "Parent - '%s'\nUser - 'u%d':Fairshare=%d\n", account(i), i, 1+i%3)
		}
		files[1] = filepath.Join(b.TempDir(), "assoc.cfg")
		if err := os.WriteFile(files[1], dump, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	d, err := meadow.flags().open(files)
	if err != nil {
		b.Fatal(err)
	}
	old := d.before.result.Snapshot
	t := column.NewBuilder("jobs")
	for i := range jobs {
		t.Row()
		for _, c := range old.Jobs.Columns() {
			v := c.Value(2 + i%10)
			switch {
			case !v.Known():
			case c.ID == "job.user" && users > 0:
				t.String(c.ID, fmt.Sprintf("u%d", i%users))
			case c.ID == "job.account" && users > 0:
				t.String(c.ID, account(i%users))
			case c.ID == "job.id":
				t.String(c.ID, fmt.Sprint(10000+i))
			case c.ID == "job.submit_time" || c.ID == "job.accrue_time" || c.ID == "job.eligible_time":
				t.Time(c.ID, v.Int-int64(i%5000))
			case v.Type == schema.String:
				t.String(c.ID, v.Str)
			case v.Type == schema.Int:
				t.Int(c.ID, v.Int)
			case v.Type == schema.Double:
				t.Double(c.ID, v.Double)
			case v.Type == schema.Timestamp:
				t.Time(c.ID, v.Int)
			}
		}
	}
	long := *old
	long.Jobs = t.Table()
	d.snapshot = &long
	r, err := d.evaluate(d.before.out.Program, &long)
	if err != nil {
		b.Fatal(err)
	}
	d.before = &deskSide{out: d.before.out, queue: &long, result: r}
	d.now = d.before
	return d
}

// processTime is the processor time that this process has used: what does not depend on who else works here.
func processTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
