package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

func newExplain() *cobra.Command {
	var (
		pol    policyFlags
		snap   snapshotFlags
		iter   = iterationFlags{readOnly: true}
		output string
		opt    eval.Options
		filter jobFilter
	)
	cmd := &cobra.Command{
		Use:               "explain POLICY... --snapshot SNAPSHOT [JOB [OTHER]]",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeJobs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := filter.check(cmd.Flags().Changed); err != nil {
				return err
			}
			chosen := filter.chooses() || filter.limit > 0
			if output != "text" && output != "json" {
				return failf(exitUsage, "-o is text or json, not %q", output)
			}
			files, jobs := splitFiles(args)
			switch {
			case len(files) == 0:
				return failf(exitUsage, "no policy: none of the arguments is a file")
			case len(jobs) == 0 && !chosen:
				return failf(exitUsage, "no job: give the id of one job, of two to compare them, or choose some with --user and "+
					"so on")
			case len(jobs) > 0 && (chosen || filter.sort != ""):
				return failf(exitUsage, "jobs are named or chosen by flags: leave out %q or the flags", strings.Join(jobs, " "))
			case len(jobs) > 2:
				return failf(exitUsage, "%q and %d others are no files; explain takes one job id or two", jobs[0], len(jobs)-1)
			}
			pol.filter = &filter
			r, findings, err := evaluate(&pol, &snap, &iter, files)
			if err != nil {
				return err
			}
			printDiags(findings)
			if chosen {
				return explainChosen(r, &filter, &snap, output, opt)
			}
			of, err := planToExplain(r, jobs, &snap)
			if err != nil {
				return err
			}
			return writeExplanation(r, jobs, output, of, opt)
		},
	}
	pol.add(cmd)
	snap.add(cmd, false)
	snap.addPass(cmd)
	iter.add(cmd, "what the last evaluation with this --state left; it is read only")
	iter.addUsageFrom(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	filter.add(cmd, 0, "explain only the first N of the chosen jobs, by rank or as --sort has them; 0 explains all")
	cmd.Flags().BoolVar(&opt.All, "all", false, "also show what has no effect")
	return cmd
}

// explainChosen explains each waiting job that the flags choose.
func explainChosen(r *evaluation.Result, filter *jobFilter, snap *snapshotFlags, output string,
	opt eval.Options) error {
	jobs, report, err := filter.jobs(r)
	if err != nil {
		return err
	}
	jobs = slices.DeleteFunc(jobs, func(job int) bool { return !eval.Waits(r, job) })
	report.Match = len(jobs)
	if filter.limit > 0 {
		jobs = jobs[:min(len(jobs), filter.limit)]
	}
	var of *plan.Plan
	for _, job := range jobs[:min(len(jobs), 1)] { // one plan for all of them
		if of, err = planToExplain(r, []string{eval.JobText(r, "job.id", job)}, snap); err != nil {
			return err
		}
	}
	opt.Filter = report
	err = writeOutput("", func(w io.Writer) error {
		if output == "json" {
			return explain.WriteExplainedJSON(w, r, jobs, of, opt)
		}
		for i, job := range jobs {
			if i > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := explain.WriteExplain(w, r, job, of, opt); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(jobs) == 0 {
		fmt.Fprintln(stderr, "fairway: no waiting job matches the filter")
	}
	if err == nil && slices.ContainsFunc(jobs, func(job int) bool { return lacksPriority(r, job) }) {
		return &exitError{code: exitFindings} // as eval ends
	}
	return err
}

// planToExplain plans the queue of a waiting job where the snapshot has nodes; nil where there is nothing to say.
func planToExplain(r *evaluation.Result, jobs []string, snap *snapshotFlags) (*plan.Plan, error) {
	if len(jobs) != 1 || r.Snapshot.Nodes == nil || r.Snapshot.Nodes.Rows == 0 {
		return nil, nil
	}
	var unknown diag.List // reported later
	if job, ok := report.FindJob(r, jobs[0], &unknown); !ok || r.State[job] == evaluation.Running ||
		r.State[job] == evaluation.Done {
		return nil, nil
	}
	place, err := snap.place()
	if err != nil {
		return nil, err
	}
	o := planning.Options{Place: place}
	s, err := engine.Plan(r, o)
	if err != nil {
		return nil, nil // such a queue has no plan; its priorities are explained all the same
	}
	return &plan.Plan{Result: r, Schedule: s, Planner: plannerOf(r, o), Place: place}, nil
}

// splitFiles separates policy files from job ids: files that exist come first.
func splitFiles(args []string) (files, jobs []string) {
	for _, a := range args {
		if len(jobs) == 0 && (a == "-" || exists(a)) {
			files = append(files, a)
		} else {
			jobs = append(jobs, a)
		}
	}
	return files, jobs
}

func writeExplanation(r *evaluation.Result, ids []string, output string, of *plan.Plan, opt eval.Options) error {
	index, err := findJobs(r, ids)
	if err != nil {
		return err
	}
	err = writeOutput("", func(w io.Writer) error {
		switch {
		case len(index) == 2 && output == "json":
			return explain.WriteExplainPairJSON(w, r, index[0], index[1], opt)
		case len(index) == 2:
			return explain.WriteExplainPair(w, r, index[0], index[1], opt)
		case output == "json":
			return explain.WriteExplainJSON(w, r, index[0], of, opt)
		}
		return explain.WriteExplain(w, r, index[0], of, opt)
	})
	if err == nil && slices.ContainsFunc(index, func(job int) bool { return lacksPriority(r, job) }) {
		return &exitError{code: exitFindings} // as eval ends
	}
	return err
}

// findJobs are the jobs of the given ids; those that are not there are reported.
func findJobs(r *evaluation.Result, ids []string) ([]int, error) {
	var diags diag.List
	var index []int
	for _, id := range ids {
		if i, ok := report.FindJob(r, id, &diags); ok {
			index = append(index, i)
		}
	}
	if len(index) < len(ids) {
		printDiags(diags)
		return nil, &exitError{code: exitUsage}
	}
	return index, nil
}

// lacksPriority reports a job without a priority in one of its partitions.
func lacksPriority(r *evaluation.Result, job int) bool {
	row, end := r.Entries(job)
	for ; row < end; row++ {
		if r.Failed.Get(row) {
			return true
		}
	}
	return false
}
