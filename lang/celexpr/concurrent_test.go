package celexpr

import (
	"strings"
	"sync"
	"testing"

	"github.com/fairway-sched/fairway/lang/expr"
)

// TestConcurrent compiles and evaluates in several goroutines at once: one Env
// serves all, and so does one compiled expression (run it with -race).
func TestConcurrent(t *testing.T) {
	const text = `job.user.startsWith("a") && job.name.matches("^run_[0-9]+$") ? double(size(job.partitions)) * job.queue_minutes : 0.0`
	shared, _ := fixture.Compile(sourceOf(text), WantNumber)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			own, list := fixture.Compile(sourceOf(text), WantNumber)
			if own == nil {
				t.Error(list[0].Message)
				return
			}
			for range 50 {
				for _, e := range []*expr.Expr{own.Expr, shared.Expr} {
					if v, err := expr.Eval(e, fixtureRows[0].get); err != nil || v.Double != 15 {
						t.Errorf("got %v %v", v, err)
					}
				}
			}
		})
	}
	group.Wait()
}

// TestNesting: nested lists and macros stay small, whatever they would multiply to.
func TestNesting(t *testing.T) {
	list := "[" + strings.Repeat("1, ", 29) + "2]"
	membership, macros := "job.procs", "job.procs > 0"
	for range 12 {
		membership = "(" + membership + " in " + list + " ? 1 : 2)"
		macros = list + ".exists(n, " + macros + ")"
	}
	condition := "job.held"
	for range 30 {
		condition = "(" + condition + " ? job.held : job.exclusive)"
	}
	for _, text := range []string{membership + " == 1", macros, condition, strings.Repeat("job.held && ", 500) + "true"} {
		c, diags := fixture.Compile(sourceOf(text), WantBool)
		if c == nil {
			t.Fatalf("%.60s…: %s", text, diags[0].Message)
		}
		nodes := 0
		c.Expr.Walk(func(*expr.Expr) { nodes++ })
		if nodes > 4*maxCopied {
			t.Errorf("%.60s… becomes %d nodes", text, nodes)
		}
	}
}
