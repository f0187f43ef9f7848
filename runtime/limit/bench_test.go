package limit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// BenchmarkGate walks a million jobs in the order of their priority through limits of five
// credentials on four counts, counting the jobs that pass; beside it the same with maps by
// name, as one would write it first.
func BenchmarkGate(b *testing.B) {
	const jobs = 1_000_000
	sizes := []int{2000, 200, 500, 20, 10}
	counts := []string{"jobs", "procs", "nodes", "proc_seconds"}
	random := rand.New(rand.NewPCG(1, 2))
	build := column.NewBuilder("jobs")
	for range jobs {
		build.Row()
		for k, o := range testObjects {
			build.String(schema.ColumnID("job."+o),
				fmt.Sprintf("%s%d", o, int(float64(sizes[k])*random.Float64()*random.Float64())))
		}
		build.Int("job.procs", 1+random.Int64N(64))
		build.Int("job.nodes", 1+random.Int64N(8))
		build.Int("job.walltime_seconds", 60*(1+random.Int64N(100)))
	}
	table := build.Table()
	order := random.Perm(jobs)
	p := &program.Program{Counting: cInts}
	for k, o := range testObjects {
		for c, counted := range counts {
			bound := []int64{4, 100, 16, 400000}[c] * int64(2000/sizes[k])
			p.Limits = append(p.Limits, limited(o, "DEFAULT", counted, limit.Active, bound, 2*bound))
		}
	}

	b.Run("gate", func(b *testing.B) {
		g, _ := limit.New(p, table, limit.Options{})
		b.ReportAllocs()
		for b.Loop() {
			g.ResetActive()
			passed := 0
			for _, job := range order {
				if _, over := g.CheckActive(job, limit.Hard); !over {
					g.AddActive(job)
					passed++
				}
			}
			b.ReportMetric(float64(passed), "passed")
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/jobs, "ns/job")
	})
	b.Run("make", func(b *testing.B) {
		for b.Loop() {
			limit.New(p, table, limit.Options{})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/jobs, "ns/job")
	})
	b.Run("maps", func(b *testing.B) {
		columns := make([]*column.Column, len(testObjects))
		for k, o := range testObjects {
			columns[k] = table.Column(schema.ColumnID("job." + o))
		}
		procs, nodes, seconds := table.Column("job.procs").Ints, table.Column("job.nodes").Ints,
			table.Column("job.walltime_seconds").Ints
		for b.Loop() {
			use, passed := map[string]*[4]int64{}, 0
			for _, job := range order {
				amounts := [4]int64{1, procs[job], nodes[job], procs[job] * seconds[job]}
				var rows [5]*[4]int64
				over := false
				for k, col := range columns {
					name := col.Dict[col.Codes[job]]
					if rows[k] = use[name]; rows[k] == nil {
						rows[k] = new([4]int64)
						use[name] = rows[k]
					}
					for c := range counts {
						over = over || rows[k][c]+amounts[c] > p.Limits[4*k+c].Hard
					}
				}
				if over {
					continue
				}
				passed++
				for _, row := range rows {
					for c := range row {
						row[c] += amounts[c]
					}
				}
			}
			b.ReportMetric(float64(passed), "passed")
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/jobs, "ns/job")
	})
}
