package engine

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler/lower"
)

// siteExpressions are what sites write: conditions, lists, texts, arithmetic.
var siteExpressions = []string{
	`job.account == "a7" && job.tres("gres/gpu") > 0.0 ? 1000.0 * job.tres("gres/gpu") : 0.0`,
	`job.user in ["u1", "u2", "u3", "u4"] ? 1.0 : 0.0`,
	`job.qos.startsWith("q1") ? 1.0 : 0.0`,
	`math.least(10.0 * job.queue_minutes, 14400.0) + math.greatest(double(job.nodes), 8.0)`,
	`pow(double(job.nodes), 0.5) * 100.0`,
	`job.partition in ["p1", "p2"] ? 500.0 : 0.0`,
	`!job.held && (job.queue_minutes > 60.0 || job.procs > 64) ? 1.0 : 0.0`,
	`job.user.matches("^u1[0-9]+$") ? 10.0 : 0.0`,
	`clamp(job.queue_minutes / 60.0, 0.0, 100.0) + double(job.procs) / 64.0`,
}

// BenchmarkExpressions is goal C1: how many times as long cel-go takes, row by row, for each expression, as geometric
// mean and for the one where it takes the least.
func BenchmarkExpressions(b *testing.B) {
	const jobs = 100_000
	s := queueOf(jobs)
	product, least := 1.0, math.Inf(1)
	for b.Loop() {
		product, least = 1, math.Inf(1)
		for _, text := range siteExpressions {
			out := benchProgram(b, lower.HCL, fmt.Sprintf(`policy "p" {
  finish {
    floor   = 0
    ceiling = 1000000
  }
  component "c" {
    term "t" {
      weight = 1
      factor = <<-CEL
        %s
        CEL
    }
  }
}
`, text))
			machine, binding := bound(b, out.Fused, s)
			row := celPriority(b, out.Policy, binding)
			ours, peer := time.Hour, time.Hour
			for range 5 {
				begun := time.Now()
				for range 10 {
					if _, err := machine.Run(binding, out.Fused.Scored(), 1); err != nil {
						b.Fatal(err)
					}
				}
				ours = min(ours, time.Since(begun)/10)
			}
			for range 2 {
				begun := time.Now()
				for i := range jobs {
					row(i)
				}
				peer = min(peer, time.Since(begun))
			}
			ratio := float64(peer) / float64(ours)
			b.Logf("%5.1f ns and %5.1f ns a row, %.0f times: %s", float64(ours)/jobs, float64(peer)/jobs, ratio, text)
			product *= ratio
			least = min(least, ratio)
		}
	}
	b.ReportMetric(math.Pow(product, 1/float64(len(siteExpressions))), "x-mean")
	b.ReportMetric(least, "x-least")
}
