package codegen

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/program"
)

// plan collects how jobs are placed.
func plan(p *ir.Policy) *program.Plan {
	out := &program.Plan{Native: nativePlan(p), Maui: mauiPlan(p), Slurm: slurmPlan(p), Licenses: licenses(p), NodeCores: nodeCores(p)}
	for i := range p.Reservations {
		out.Reservations = append(out.Reservations, program.Reservation(p.Reservations[i]))
	}
	return out
}

// licenses reads slurm.conf's Licenses=matlab:4,ansys, whose numbers are 1 if not written; nil without.
func licenses(p *ir.Policy) map[string]int64 {
	if p.Family != "slurm" {
		return nil
	}
	text := ""
	for i := range p.Params {
		if p.Params[i].Name == "Licenses" {
			text = p.Params[i].Value.Str
		}
	}
	var out map[string]int64
	for item := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == ';' }) {
		name, number, counted := strings.Cut(strings.TrimSpace(item), ":")
		n, ok := wholeNumber(number)
		if !counted {
			n, ok = 1, true
		}
		if name == "" || !ok {
			continue
		}
		if out == nil {
			out = map[string]int64{}
		}
		out[name] += n
	}
	return out
}

// nativePlan are the attributes of the policy's backfill block. What they leave out is what the scheduler's
// own settings come to, in a policy from scratch EASY backfill.
func nativePlan(p *ir.Policy) *program.NativePlan {
	n := &program.NativePlan{Algorithm: "firstfit", Metric: "procs", ReservationDepth: 1, NodeAccess: "shared"}
	set := func(name string) (schema.Value, bool) {
		for i := range p.Backfill {
			if p.Backfill[i].Name == name {
				return p.Backfill[i].Value, true
			}
		}
		return schema.Value{}, false
	}
	switch p.Family {
	case "maui":
		mauiAsNative(p, n)
	case "slurm":
		slurmAsNative(p.SlurmPlan, n)
	}
	if v, ok := set("algorithm"); ok {
		n.Algorithm = v.Str
	}
	if v, ok := set("metric"); ok {
		n.Metric = v.Str
	}
	if v, ok := set("reservation_depth"); ok {
		if n.ReservationDepth = v.Int; v.Int == slurmtext.Infinite {
			n.ReservationDepth = program.Unlimited
		}
	}
	if v, ok := set("max_combinations"); ok {
		n.Combinations = v.Int
	}
	if v, ok := set("node_access"); ok {
		n.NodeAccess = nodeAccess(v.Str)
	}
	if v, ok := set("window"); ok {
		n.WindowSeconds = v.Int
	}
	if v, ok := set("resolution"); ok {
		n.ResolutionSeconds = v.Int
	}
	return n
}

// nodeAccess: a node for a single task is no other job's either.
func nodeAccess(word string) string {
	switch strings.ToLower(strings.ReplaceAll(word, "_", "")) {
	case "singlejob", "singletask":
		return "single_job"
	case "singleuser":
		return "single_user"
	}
	return "shared"
}

// mauiAsNative: the first bucket's depth stands for all.
func mauiAsNative(p *ir.Policy, n *program.NativePlan) {
	v := values{}
	for i := range p.Params {
		v[p.Params[i].Name] = &p.Params[i]
	}
	if algorithm := v["BACKFILLPOLICY"]; algorithm != nil && algorithm.Value.Known() {
		switch word := strings.ToLower(algorithm.Value.Str); word {
		case "bestfit", "greedy", "preempt", "none":
			n.Algorithm = word
		}
	}
	if metric := v["BACKFILLMETRIC"]; metric != nil && metric.Value.Known() {
		switch word := strings.ToLower(metric.Value.Str); word {
		case "nodes", "seconds":
			n.Metric = word
		case "procseconds":
			n.Metric = "proc_seconds"
		}
	}
	if most := v["BACKFILLMAXSCHEDULES"]; most != nil && most.Value.Known() {
		n.Combinations = most.Value.Int
	}
	if access := v["NODEACCESSPOLICY"]; access != nil {
		n.NodeAccess = nodeAccess(access.Value.Str)
	}
	for _, s := range p.Backfill {
		if s.Name == "RESERVATIONDEPTH" || s.Name == "RESERVATIONDEPTH[0]" || s.Name == "RESERVATIONDEPTH[DEFAULT]" {
			if s.Value.Type == schema.Int {
				n.ReservationDepth = s.Value.Int
			}
		}
	}
	if policy := v["RESERVATIONPOLICY"]; policy != nil && policy.Value.Str == "NEVER" || n.Algorithm == "none" {
		n.ReservationDepth = 0
	}
}

// slurmAsNative: backfill plans every job, within its window and by its resolution; without it the queue is
// strict.
func slurmAsNative(s *ir.SlurmPlan, n *program.NativePlan) {
	if s.Linear {
		n.NodeAccess = "single_job"
	}
	if !s.Backfill {
		n.Algorithm, n.ReservationDepth = "none", 0
		return
	}
	n.ReservationDepth, n.WindowSeconds, n.ResolutionSeconds = program.Unlimited, s.WindowSeconds, s.ResolutionSeconds
}

// wholeNumber reads the digits that an option begins with, as slurmctld does (atoi).
func wholeNumber(text string) (n int64, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' || n > 1<<40 {
			break
		}
		n, ok = n*10+int64(c-'0'), true
	}
	return n, ok
}
