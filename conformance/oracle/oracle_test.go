package oracle

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestByHand: priorities worked out on paper. The oracle judges everything else, so its own
// judge is a person.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		name, policy, queue string
		want                string // id:stored of every row, then the order
	}{
		{"caps and weights", `policy "p" {
  component "a" {
    weight = 2
    cap    = 50
    term "procs" {
      weight = 10
      cap    = 4
      factor = "job.procs"
    }
    term "gpus" { factor = "job.gpus" }
  }
  component "b" {
    weight = -1
    term "nice" { factor = "job.nice" }
  }
}`, `{"id": "1", "procs": 3, "gpus": 5}, {"id": "2", "procs": 9, "gpus": 100}, {"id": "3", "procs": 9, "nice": 7}`,
			// 2·(10·3+5) = 70; 2·min(50, 10·4+100) = 100; 2·40 − 7 = 73
			"1:70 2:100 3:73; 2 3 1"},
		{"weight 0 reads nothing", `policy "p" {
  component "a" {
    weight = 0
    term "t" { factor = "1 / job.procs" }
  }
  component "b" {
    term "zero" {
      weight = "param.NONE"
      factor = "1 / job.procs"
    }
    term "one" { factor = "1" }
  }
  param "NONE" {
    type    = "integer"
    default = 0
  }
}`, `{"id": "1", "procs": 0}`, "1:1; 1"},
		{"finish", `policy "p" {
  component "a" {
    term "t" { factor = "double(job.procs) / 2.0" }
  }
  finish {
    floor    = 1
    ceiling  = 10
    rounding = "nearest"
    override "gpu" {
      when  = "job.gpus == 1"
      value = "score + 100.0"
    }
    override "gpus" {
      when  = "job.gpus > 0"
      value = "1 / (job.gpus - 2)"
    }
  }
  hold "many" { when = "score == 10.0" }
}`, `{"id": "1", "procs": 1}, {"id": "2", "procs": 5}, {"id": "3", "procs": 99}, {"id": "4", "procs": 5, "gpus": 1}, {"id": "5", "procs": 5, "gpus": 2}, {"id": "6"}`,
			// max(1, 0.5), round(2.5), min(10, 49.5) and held, 2.5 + 100 rounded, 1/0, unknown processors
			"1:1 2:3 3:10 4:103 5:none 6:none; 4 2 1"},
		{"credentials and partitions", `policy "p" {
  component "a" {
    term "t" { factor = "user.priority + 10 * (has(partition.priority_tier) ? partition.priority_tier : 0)" }
  }
  user "amy" { priority = 3 }
  user "DEFAULT" { priority = 1 }
  class "x" { priority_tier = 2 }
}`, `{"id": "1", "user": "amy", "partitions": ["x", "y"]}, {"id": "2", "user": "bob", "partition": "x"}`,
			"1:23 1:3 2:21; 1 2"},
		{"the best live entry ranks a job", `policy "p" {
  component "a" {
    term "t" { factor = "partition.priority_tier == 9 ? 1 / (job.procs - 1) : partition.priority_tier" }
  }
  hold "x" { when = "job.partition == 'held'" }
  class "low" { priority_tier = 1 }
  class "high" { priority_tier = 7 }
  class "held" { priority_tier = 8 }
  class "DEFAULT" { priority_tier = 9 }
}`, `{"id": "1", "procs": 1, "partitions": ["low", "fails"]}, {"id": "2", "procs": 3, "partition": "high"}, {"id": "3", "procs": 1, "partitions": ["fails", "low", "held", "high"]}, {"id": "4", "procs": 1, "partitions": ["fails", "held"]}`,
			// 1/0 fails; 3 is with its second best, by 7, after 2 as both are equal; 4 has nothing left
			"1:1 1:none 2:7 3:none 3:1 3:8 3:7 4:none 4:8; 2 3 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, diags := parse(c.policy)
			if p == nil {
				t.Fatal(diags)
			}
			got, err := Evaluate(p, queueOf(t, c.queue))
			if err != nil {
				t.Fatal(err)
			}
			if text := got.text(); text != c.want {
				t.Errorf("got %s\nwant %s", text, c.want)
			}
		})
	}
}

// TestNeeds: a column that no input has is asked for only where something weighs it.
func TestNeeds(t *testing.T) {
	const text = `policy "p" {
  component "a" {
    weight = %d
    term "t" { factor = "cluster.procs" }
  }
}`
	for weight, ok := range []bool{true, false} {
		p, diags := parse(fmt.Sprintf(text, weight))
		if p == nil {
			t.Fatal(diags)
		}
		if _, err := Evaluate(p, queueOf(t, `{"id": "1"}`)); (err == nil) != ok {
			t.Errorf("weight %d: %v", weight, err)
		}
	}
}

func TestStored(t *testing.T) {
	for _, c := range []struct {
		x    float64
		how  string
		want int64
	}{
		{2.5, "truncate", 2}, {-2.5, "truncate", -2}, {-2.5, "floor", -3}, {2.5, "nearest", 3}, {-2.5, "nearest", -3},
		{-2.4, "nearest", -2},
		{-1 << 63, "floor", math.MinInt64}, {1<<63 - 1024, "nearest", 1<<63 - 1024},
	} {
		if got := stored(c.x, c.how); got != c.want {
			t.Errorf("%v %s is %d, want %d", c.x, c.how, got, c.want)
		}
	}
}

func parse(text string) (p *ir.Policy, diags any) {
	unit, list := lower.Parse(source.NewFile("p.hcl", []byte(text)), lower.HCL, lower.Files{})
	out, more := lower.Lower([]lower.Unit{unit}, lower.Options{})
	return out, append(list, more...)
}

func queueOf(t *testing.T, jobs string) *snapshot.Snapshot {
	jobs = strings.ReplaceAll(jobs, `{"id"`, `{"state": "pending", "id"`)
	files := fstest.MapFS{"q.json": &fstest.MapFile{Data: []byte(`{"format_version": 1, "now": 1700000000, "jobs": [` +
		jobs + `]}`)}}
	s, diags, err := snapshot.Read(files, []string{"q.json"}, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return s
}

func (a *Answer) text() string {
	var b strings.Builder
	for i, r := range a.Rows {
		stored := fmt.Sprint(r.Stored)
		if r.Priority.Err != nil {
			stored = "none"
		}
		fmt.Fprintf(&b, "%s:%s ", a.Value("job.id", i).Str, stored)
	}
	out := strings.TrimSpace(b.String()) + ";"
	for _, job := range a.Order {
		out += " " + a.queue.jobs[job].text("job.id")
	}
	return out
}
