package check_test

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/check"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurmLimits is a policy for Slurm with a limit, which nothing enforces unless the parameter says so.
const slurmLimits = `policy "p" {
  use = "slurm"
  qos "normal" {
    limit "MaxJobsPU" { hard = 4 }
  }
}`

// planned is a policy from scratch with a backfill block.
func planned(attributes string) string {
	return `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
  backfill { ` + attributes + ` }
}`
}

// windows is a policy from scratch that reads what its fairshare windows give.
func windows(setting string) string {
	return `policy "p" {
  component "c" {
    term "t" { factor = "user.fairshare_delta" }
  }
  fairshare "windows" { ` + setting + ` }
}`
}

// stating is a policy with a usage block.
func stating(model, used string) string {
	return `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
  fairshare "` + model + `" {}
  usage "u" {
    at = 0
    ` + used + `
  }
}`
}

// TestCheck: what is refused, and what is not although it looks alike: a model behind a dead
// branch or a weight of 0 is not needed.
func TestCheck(t *testing.T) {
	reported := map[string]bool{}
	for _, c := range []struct {
		name, text string
		without    []string
		want       []string
	}{
		{name: "fine", text: `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
}`},
		{name: "nothing to add", text: `policy "p" {}`, want: []string{"empty-policy"}},
		{name: "everything left out", text: `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
}`, without: []string{"c"}, want: []string{"empty-policy"}},
		{name: "fairshare without FSPOLICY", text: "SERVERHOST h\nFSUSERWEIGHT 10\n"},
		{name: "fairshare without a weight", text: "SERVERHOST h\nFSPOLICY DEDICATEDPS\n"},
		{name: "fairshare in a component without one",
			text: "SERVERHOST h\nFSPOLICY DEDICATEDPS\nFSUSERWEIGHT 10\nFSWEIGHT 0\n"},
		{name: "fairshare", text: "SERVERHOST h\nFSPOLICY DEDICATEDPS\nFSUSERWEIGHT 10\nFSGROUPWEIGHT 1\n"},
		{name: "windows without length", text: "SERVERHOST h\nFSPOLICY DEDICATEDPS\nFSINTERVAL 0\n",
			want: []string{"fairshare-interval"}},
		{name: "windows without length, switched off", text: "SERVERHOST h\nFSINTERVAL 0\nFSDEPTH 0\nFSDECAY 0\n"},
		{name: "no windows", text: "SERVERHOST h\nFSPOLICY DEDICATEDPS\nFSDEPTH 0\n", want: []string{"fairshare-depth"}},
		{name: "decay 0", text: "SERVERHOST h\nFSPOLICY DEDICATEDPS\nFSDECAY 0\n", want: []string{"fairshare-decay"}},
		{name: "fairshare left out", text: "SERVERHOST h\nFSPOLICY DEDICATEDPS\nFSUSERWEIGHT 10\n",
			without: []string{"fairshare"}},
		{name: "fairshare in a weight", text: `policy "p" {
  component "c" {
    term "t" {
      weight = "user.fairshare_delta"
      factor = "job.procs"
    }
  }
}`, want: []string{"fairshare-without-model"}},
		{name: "fairshare in a hold", text: `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
  hold "h" { when = "user.fairshare_percent > 50.0" }
}`, want: []string{"fairshare-without-model"}},
		{name: "fairshare of nobody's concern", text: `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
    term "f" {
      weight = 0
      factor = "user.fairshare_delta"
    }
  }
}`},
		{name: "windows from scratch", text: windows(`decay = 0.5`)},
		{name: "windows that grow", text: windows(`decay = 2`), want: []string{"fairshare-decay"}},
		{name: "windows of changing sign", text: windows(`decay = -0.5`), want: []string{"fairshare-decay"}},
		{name: "too many windows", text: windows(`depth = 1001`), want: []string{"fairshare-depth"}},
		{name: "windows without length from scratch", text: windows(`interval = 0`), want: []string{"fairshare-interval"}},
		{name: "a tree", text: `policy "p" {
  component "c" {
    term "t" { factor = "association.fairshare_factor" }
  }
  fairshare "fair_tree" { half_life = "7d" }
}`},
		{name: "an unknown model", text: `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
  fairshare "lottery" { half_life = "7d" }
}`, want: []string{"unsupported-fairshare"}},
		{name: "a target without a model", text: `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
  user "amy" {
    fairshare { target = 5 }
  }
}`, want: []string{"fairshare-target-unused"}},
		{name: "usage of windows", text: stating("windows", `user = { ana = 5, bo = 0 }`)},
		{name: "usage of windows and others",
			text: stating("windows", "total = 9\n user = { ana = 5 }\n qos = { high = 9 }")},
		{name: "usage of a tree", text: stating("classic", "account = { a = 6 }\n association = { \"a/ana\" = 5 }")},
		{name: "usage of an association in windows", text: stating("windows", `association = { "a/ana" = 5 }`),
			want: []string{"usage-object"}},
		{name: "usage of a user in a tree", text: stating("fair_tree", `user = { ana = 5 }`), want: []string{"usage-object"}},
		{name: "usage without a model", text: `policy "p" {
  component "c" {
    term "t" { factor = "job.procs" }
  }
  usage "u" {
    at   = 0
    user = { ana = 5 }
  }
}`, want: []string{"usage-without-model"}},
		{name: "negative usage", text: stating("windows", `user = { ana = -5 }`), want: []string{"usage-amount"}},
		{name: "no usage", text: stating("windows", ``), want: []string{"usage-amount"}},
		{name: "a total below its users", text: stating("windows", "total = 9\n user = { ana = 5, bo = 5 }"),
			want: []string{"usage-amount"}},
		{name: "an account below its users", text: stating("fair_tree",
			"account = { a = 9 }\n association = { \"a/ana\" = 5, \"a/bo\" = 5 }"), want: []string{"usage-amount"}},
		{name: "backfill", text: planned(`algorithm = "bestfit", metric = "seconds", reservation_depth = "unlimited", window = "2d", resolution = 60, node_access = "single_job"`)},
		{name: "a negative depth", text: planned(`reservation_depth = -1`), want: []string{"backfill-number"}},
		{name: "backfill beside Maui's parameters", text: `policy "p" {
  use = "maui"
  params = { BACKFILLPOLICY = "NONE" }
  backfill { algorithm = "none" }
}`, want: []string{"backfill-not-used"}},
		{name: "limits of Maui", text: "SERVERHOST h\nUSERCFG[amy] MAXJOB=4\nUSERCFG[bob] MAXPROC=4\n"},
		{name: "limits of Slurm", text: slurmLimits, want: []string{"limits-not-enforced"}},
		{name: "limits of Slurm left out", text: slurmLimits, without: []string{"limits"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := compiler.Input{Files: []*source.File{source.NewFile("policy", []byte(c.text))},
				Options: lower.Options{Without: c.without}}
			_, out, err := compiler.Dump(in, "fold")
			if err != nil || out.Diags.HasErrors() {
				t.Fatal(err, out.Diags)
			}
			var got []string
			for _, d := range check.Policy(out.Policy) {
				got = append(got, d.Code)
				reported[d.Code] = true
				if len(d.Notes) == 0 {
					t.Errorf("%s says no advice", d.Code)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	for _, c := range pages.In("checks") {
		if !reported[c.Code] {
			t.Errorf("%s is never reported", c.Code)
		}
	}
}
