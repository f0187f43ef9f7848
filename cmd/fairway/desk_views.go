package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/desk"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/impact"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/report/plan/gantt"
)

// answerGains is who wins and who loses.
func (d *deskServer) answerGains(_ context.Context, q *deskRequest) (any, error) {
	s, err := d.side(q.Change, q.Where)
	if err != nil {
		return nil, err
	}
	return desk.WhoGains(d.before.result, s.result), nil
}

// answerUse is what is used of shares and limits, before and now.
func (d *deskServer) answerUse(_ context.Context, q *deskRequest) (any, error) {
	s, err := d.side(q.Change, q.Where)
	if err != nil {
		return nil, err
	}
	both := map[string]json.RawMessage{}
	for name, side := range map[string]*deskSide{"before": d.before, "now": s} {
		var b bytes.Buffer
		if err := eval.WriteUse(&b, side.result); err != nil {
			return nil, err
		}
		both[name] = b.Bytes()
	}
	return both, nil
}

// deskPlan is a plan and its chart.
type deskPlan struct {
	schedule *backfill.Schedule
	chart    string // SVG
}

// planOf plans a side once. An interrupted plan is made anew when it is asked for again.
func (d *deskServer) planOf(ctx context.Context, s *deskSide) (*deskPlan, error) {
	s.asked.Lock()
	defer s.asked.Unlock()
	if s.plan != nil {
		return s.plan, nil
	}
	if s.result.Snapshot.Nodes == nil || s.result.Snapshot.Nodes.Rows == 0 {
		return nil, mistakes{{Message: "The snapshot has no nodes, so nothing is planned: add what `scontrol show node` " +
			"prints."}}
	}
	o := planning.Options{Place: d.options.Place, Context: ctx}
	r := *s.result // a plan adds findings
	schedule, err := engine.Plan(&r, o)
	if err != nil {
		return nil, mistakes{{Message: source.Plain(planFailed(err).Error())}}
	}
	var chart strings.Builder
	err = gantt.WriteGantt(&chart, &plan.Plan{Result: &r, Schedule: schedule, Planner: plannerOf(&r, o),
		Place: d.options.Place})
	if err == nil {
		s.plan = &deskPlan{schedule, chart.String()}
	}
	return s.plan, err
}

// plans plans both sides.
func (d *deskServer) plans(ctx context.Context, s *deskSide) (before, now *deskPlan, err error) {
	if before, err = d.planOf(ctx, d.before); err != nil {
		return nil, nil, err
	}
	now, err = d.planOf(ctx, s)
	return before, now, err
}

// mostStarts bounds the list of jobs that start at another time.
const mostStarts = 200

// answerPlan is the plan of both sides as charts, and who starts at another time.
func (d *deskServer) answerPlan(ctx context.Context, q *deskRequest) (any, error) {
	s, err := d.side(q.Change, q.Where)
	if err != nil {
		return nil, err
	}
	before, now, err := d.plans(ctx, s)
	if err != nil {
		return nil, err
	}
	c, err := d.compare(s, before.schedule, now.schedule)
	if err != nil {
		return nil, err
	}
	return map[string]any{"before": before.chart, "now": now.chart, "summary": c.Summary,
		"starts": c.Starts[:min(len(c.Starts), mostStarts)]}, nil
}

// compare is what diff reports of a change; schedules may be nil.
func (d *deskServer) compare(s *deskSide, before, now *backfill.Schedule) (*impact.Comparison, error) {
	return impact.Results(impact.Side{Result: d.before.result, Plan: before}, impact.Side{Result: s.result, Plan: now,
		Like: diff.Like(d.before.out.Policy, s.out.Policy)})
}

// answerReport is the page that diff writes of a change.
func (d *deskServer) answerReport(ctx context.Context, q *deskRequest) (any, error) {
	s, err := d.side(q.Change, q.Where)
	if err != nil {
		return nil, err
	}
	var schedules [2]*backfill.Schedule
	before, now, unplanned := d.plans(ctx, s)
	if unplanned == nil {
		schedules = [2]*backfill.Schedule{before.schedule, now.schedule}
	}
	c, err := d.compare(s, schedules[0], schedules[1])
	if err != nil {
		return nil, err
	}
	if unplanned != nil {
		c.Unplanned = unplanned.Error()
	}
	x, y := d.before.out.Policy, s.out.Policy
	policies := diff.Policies(diff.Weights(x, x, y), diff.Weights(y, x, y))
	policies.Differences = append(policies.Differences, d.recordedDifferences(s)...)
	r := &diffed{policies: policies, queue: c, shown: c, short: c, old: strings.Join(d.files, ","),
		new: "the desk's change"}
	var b strings.Builder
	err = writeDiffHTML(&b, r)
	return map[string]string{"html": b.String()}, err
}

// recordedDifferences are those of what the snapshot has.
func (d *deskServer) recordedDifferences(s *deskSide) (list []diff.Difference) {
	for _, key := range slices.Sorted(maps.Keys(s.recorded)) {
		cell, text := d.recorded[key], strings.TrimSpace(s.recorded[key])
		at := slices.IndexFunc(d.settings, func(x edit.Setting) bool { return x.Key == key })
		of := diff.Difference{Group: cell.group, Kind: diff.Changed, Name: key,
			Old: &diff.Side{Value: d.settings[at].Text, Source: "the snapshot"},
			New: &diff.Side{Value: text, Source: "sacctmgr"}}
		if text == "" {
			of.Kind, of.New = diff.Removed, nil
		}
		list = append(list, of)
	}
	return list
}
