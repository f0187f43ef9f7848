package main

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

const sweepIntro = `Sweep answers which weights a site should have: it tries many policies on the same
workload or queue, and shows which of them no other beats. A study says what to try:

  study "weights" {
    policy "fair" {
      files = "maui.cfg"
      hold  = { RESERVATIONDEPTH = 4 }             # one value throughout
      param "FSWEIGHT" {
        values = [0, 10, 100]                      # a list
      }
      param "QUEUETIMEWEIGHT" {                    # or a range; scale = "log" for weights
        from = 1
        to   = 10
        step = 3
      }
      where = "param.FSWEIGHT >= param.QUEUETIMEWEIGHT"
    }
    workload "june" {                              # is replayed; a snapshot block is evaluated
      files = "june.swf.gz"
      nodes = "nodes.json"
    }
    metric "wait_seconds.mean" {}                  # what decides
    metric "physics waits less than four hours" {
      of      = "wait_seconds.p95"
      account = "physics"
      at_most = "4h"
    }
  }

With draws = 50 in a policy it tries random choices in the place of all combinations.

Plan makes a folder with a manifest and the texts of all files, so that nothing else is
needed later. Each cell is one policy with one choice of its parameters over one workload
or snapshot. Its name is the hash of all that goes into it; it is computed once, and a run
that was broken off goes on. The result depends neither on the order nor on the number of
workers. A study that has changed is planned into the same folder: cells that it still has
are kept.

  plan     make or renew the folder of a study
  run      compute what is missing, with all cores, or as job arrays of Slurm
  resume   go on with it: only what is missing, and in no task that waits or runs
  status   how many cells there are, and which are missing
  merge    all results as one file
  report   what they come to: the front, how much each parameter matters, settings to use
  suggest  look for weights that meet the goals, from the best choice that is known
  tasks    cut what is missing into tasks, for any batch system
  work     compute one task: what a batch system starts

The front is the set of choices that no other choice beats in all metrics at once.

With arrivals = "bootstrap" in a workload and seeds = 10 in the study ten workloads are drawn
from it and replayed, which shows whether a difference is more than luck.

"fairway doc metrics" lists what is measured of a replay. Of a snapshot it is
`

// sweepLong describes `fairway sweep`; what is measured of a snapshot is a table.
func sweepLong() string {
	var b strings.Builder
	b.WriteString(sweepIntro)
	for i := range sweep.QueueMetrics {
		m := &sweep.QueueMetrics[i]
		fmt.Fprintf(&b, "  %-11s %s\n", m.Name, m.Doc)
	}
	return strings.TrimSuffix(source.PlainLines(b.String()), "\n")
}

const sweepExamples = `  # plan, compute, show
  fairway sweep plan study.hcl -o sweep/
  fairway sweep run sweep/
  fairway sweep report sweep/

  # one page with plots, and every cell as data
  fairway sweep report sweep/ -o html=sweep.html
  fairway sweep merge sweep/ -o csv=cells.csv

  # on the site's own Slurm: submit, look, submit what was lost, and take the results
  fairway sweep run /shared/sweep --on slurm --sbatch=--partition=short
  fairway sweep status /shared/sweep
  fairway sweep resume /shared/sweep
  fairway sweep report /shared/sweep`
