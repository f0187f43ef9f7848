package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/lang/study"
	report "github.com/fairway-sched/fairway/runtime/report/sweep"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

func newSweepSuggest() *cobra.Command {
	var tries, jobs int
	cmd := &cobra.Command{
		Use:  "suggest DIR",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if tries < 1 || jobs < 1 && cmd.Flags().Changed("jobs") {
				return failf(exitUsage, "--tries and --jobs are at least 1")
			}
			return suggestSweep(args[0], tries, atOnce(jobs))
		},
	}
	cmd.Flags().IntVar(&tries, "tries", 60, "try no more than `N` further choices")
	cmd.Flags().IntVarP(&jobs, "jobs", "j", 0,
		"compute `N` cells at once (default: as many as there are processors)")
	return cmd
}

func suggestSweep(path string, tries, jobs int) error {
	dir, err := openSweep(path)
	if err != nil {
		return err
	}
	if err := dir.hold(sweepLock); err != nil {
		return err
	}
	defer dir.release()
	results, err := dir.complete(false)
	if err != nil {
		return err
	}
	before := len(dir.Points)
	outcomes := dir.Outcomes(results)
	search := sweep.NewSearch(dir.Manifest, outcomes, dir.allowed())
	if search == nil {
		return failf(exitUsage, "no policy of the study has a parameter that could be changed: add a param block")
	}
	for outcomes[search.At].Excess > 0 || !dir.hasGoals() {
		left := tries - (len(dir.Points) - before)
		if left < 1 {
			break
		}
		points := search.Around(left)
		if points == nil {
			break
		}
		if err := dir.save(); err != nil { // the choices are there whatever happens while they are computed
			return err
		}
		if _, err := dir.computeAll(dir.missing(), jobs); err != nil {
			return err
		}
		if results, err = dir.results(); err != nil {
			return err
		}
		outcomes = dir.Outcomes(results)
		if !search.Move(outcomes, points) {
			break
		}
	}
	best := &outcomes[search.At]
	if err := dir.suggested(best, len(dir.Points)-before); err != nil {
		return err
	}
	if len(best.Missed) > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

func (s *sweepDir) hasGoals() bool {
	for i := range s.Metrics {
		if s.Metrics[i].AtMost != nil || s.Metrics[i].AtLeast != nil {
			return true
		}
	}
	return false
}

// allowed asks the conditions of the policies.
func (s *sweepDir) allowed() func(policy int, params []sweep.Param) bool {
	var conditions []func([]study.Param) bool
	for i := range s.Policies {
		fractions := map[string]bool{}
		for _, r := range s.Policies[i].Params {
			fractions[r.Name] = !r.Whole && len(r.Values) == 0
			for _, v := range r.Values {
				x, err := strconv.ParseFloat(v, 64)
				fractions[r.Name] = fractions[r.Name] || err == nil && x != math.Trunc(x)
			}
		}
		conditions = append(conditions, study.Condition(s.Policies[i].Where, fractions))
	}
	return func(policy int, params []sweep.Param) bool {
		var list []study.Param
		for _, p := range params {
			list = append(list, study.Param{Name: p.Name, Value: p.Value})
		}
		return conditions[policy](list)
	}
}

// suggested says what was found.
func (s *sweepDir) suggested(best *sweep.Outcome, tried int) error {
	return writeOutput("", func(w io.Writer) error {
		verdict := "meets all goals"
		switch {
		case len(best.Missed) > 0:
			verdict = "is the nearest that was found to the goals"
		case !s.hasGoals():
			verdict = "is the best that was found"
		}
		if tried > 0 {
			verdict += ", after " + count(tried, "more choice")
		}
		fmt.Fprintf(w, "%s %s\n", source.Plain(s.Choice(best.Point)), verdict)
		for k := range s.Metrics {
			m := &s.Metrics[k]
			goal := ""
			if m.AtMost != nil {
				goal += ", at most " + report.Shown(m, *m.AtMost)
			}
			if m.AtLeast != nil {
				goal += ", at least " + report.Shown(m, *m.AtLeast)
			}
			if m.Excess(best.Values[k]) > 0 {
				goal += ": missed"
			}
			fmt.Fprintf(w, "  %s: %s%s\n", source.Plain(m.Name), report.Shown(m, best.Values[k]), goal)
		}
		for _, line := range s.Settings(best.Point) {
			if _, err := fmt.Fprintln(w, source.Plain(line)); err != nil {
				return err
			}
		}
		return nil
	})
}
