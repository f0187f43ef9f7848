package convert_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// restLines are settings of Maui of which slurm.conf and the rest together say all.
var restLines = []string{"XFACTORWEIGHT 40\n", "XFACTORCAP 6\n", "XFMINWCLIMIT 0:30:00\n", "RESWEIGHT 3\n",
	"RESCAP 900\n", "PROCWEIGHT 5\nPROCCAP 12\n", "NODEWEIGHT -7\n", "PSWEIGHT 2\n", "WALLTIMEWEIGHT -3\n",
	"GROUPWEIGHT 4\n", "GROUPCFG[staff] PRIORITY=11\n", "GROUPCFG[DEFAULT] PRIORITY=-3\n",
	"QOSCFG[high] QTWEIGHT=2\n", "QOSCFG[low] XFWEIGHT=9\n", "QOSCFG[high] PRIORITY=70\n", "CREDWEIGHT 3\n",
	"USERCFG[amy] PRIORITY=12\n", "ACCOUNTCFG[bio] PRIORITY=8\n", "QUEUETIMECAP 100\n"}

// TestConvertRest: what slurm.conf, its accounts and the rest give a job is what Maui gives, point for point.
func TestConvertRest(t *testing.T) {
	queue := lawQueue(1)
	var members []convert.Member
	for _, m := range lawNames.Members {
		members = append(members, convert.Member{Account: m[0], User: m[1], Jobs: 1})
	}
	said := 0
	for seed := range uint64(60) {
		d := rand.New(rand.NewPCG(seed, 5))
		main := "SERVERHOST head\nQUEUETIMEWEIGHT 0\nUSERWEIGHT 1\nACCOUNTWEIGHT 2\nQOSWEIGHT 1\n" +
			"ENABLENEGJOBPRIORITY TRUE\nSYSCFG QLIST=high,low\n"
		for _, line := range restLines {
			if d.IntN(3) > 0 {
				main += line
			}
		}
		unit, _ := lower.Parse(source.NewFile("maui.cfg", []byte(main)), lower.Maui, lower.Files{})
		out, found := convert.With(lower.Slurm, []lower.Unit{unit}, lower.Options{},
			convert.Beside{Members: members, Rest: "rest.fairway.hcl"})
		lost := ""
		for _, f := range found {
			if f.Code == "convert-not-said" && !strings.Contains(f.Message, "floor") &&
				!strings.Contains(f.Message, "ENABLENEG") {
				lost = f.Message
			}
		}
		if lost != "" {
			if !strings.Contains(main, "RESCAP") { // over terms of which slurm.conf says some
				t.Errorf("seed %d: %s\n%s", seed, lost, main)
			}
			continue
		}
		if len(out.Rest) > 0 {
			said++
		}
		files := []*source.File{source.NewFile("slurm.conf", out.Text), source.NewFile("assoc.cfg", out.Accounts)}
		if len(out.Rest) > 0 {
			files = append(files, source.NewFile("rest.fairway.hcl", out.Rest))
		}
		own := sumsOf(t, compiler.Input{Files: []*source.File{unit.Source}}, main)
		other := sumsOf(t, compiler.Input{Files: files}, main)
		for job := range own {
			if queue.Jobs.Column("job.state").Value(job).Str != "pending" {
				continue // it has its priority no more
			}
			// nice values count in Slurm, and are no part of Maui's sum
			nice := float64(queue.Jobs.Column("job.nice").Value(job).Int)
			if math.Abs(own[job]-other[job]-nice) > 1e-6*math.Max(1, math.Abs(own[job])) {
				t.Fatalf("seed %d: job %d has %v in Maui and %v in Slurm with the rest\n%s\n%s\n%s\n%s", seed, job+1,
					own[job], other[job]+nice, main, out.Text, out.Accounts, out.Rest)
			}
		}
	}
	if said < 30 {
		t.Errorf("only %d of 60 policies have a rest", said)
	}
}

// sumsOf is what the components give each job of the law's queue.
func sumsOf(t *testing.T, in compiler.Input, main string) []float64 {
	t.Helper()
	out := compiler.Compile(in)
	if out.Program == nil {
		t.Fatalf("%s\n%s", out.Diags[0].Message, main)
	}
	queue := lawQueue(1)
	result, err := engine.Run(out.Program, queue, evaluation.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed.Any() {
		t.Fatalf("jobs cannot be evaluated\n%s", main)
	}
	list := make([]float64, queue.Jobs.Rows)
	for n := range result.Sums {
		for job := range list {
			list[job] += result.Sums[n].Value[result.RankRow[job]]
		}
	}
	return list
}
