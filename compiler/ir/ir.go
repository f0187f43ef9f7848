// Package ir is the policy as the compiler understands it, whatever language it
// was written in: maui.cfg, slurm.conf and HCL all lower to one Policy.
//
// It is data only and not changed after the check pass; later passes build new
// values. Every value remembers the place where the site wrote it; a zero Span means
// "no line did: this is the default".
package ir

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Policy is one complete policy.
type Policy struct {
	Name         string
	Family       string // "maui", "slurm" or "" for a policy from scratch
	Version      string // scheduler version as YY.MM, Slurm only
	Assumed      bool   // nothing states the version
	Semantics    string // "observed" or "documented"
	Deviations   []Deviation
	Params       []Param
	Tables       []Table
	Defines      []Define    // each after those it reads
	Components   []Component // in summation order, which no pass changes
	Finish       Finish
	Holds        []Hold // that hold a job
	Admission    []Hold // that refuse entries of jobs, in the order in which they are asked
	Fairshare    []Fairshare
	Usage        []Usage // that policy files state
	Limits       []Limit
	Counting     program.Counting // how they are counted
	Backfill     []Setting        // what the files say of placing jobs, one by one
	Plan         program.Plan     // the same typed, with what parameters say: Native, Maui and Licenses of it
	Placed       string           // what its scheduler's policies write in place of a backfill block; "" from scratch
	Queue        *program.Queue   // Maui's queue walk; nil for other families
	Reservations []Reservation    // of policy files
	Without      []string         // parts the user asked to leave out
	Enforced     *Enforced        // what slurmctld enforces; nil for other families
	Options      []Option         // what SchedulerParameters comes to; none for other families
	SlurmPlan    *SlurmPlan       // how slurmctld places jobs; nil for other families
	Switches     []Switch         // of topology.conf, in its order
	NodeRecords  []NodeRecord     // of slurm.conf's nodes, in their order
	Partition    string           // of slurm.conf, that jobs are in which name none
	Facts        Facts            // what the files say besides, for lint
	Queries      []Query          // what the user asks of each job; no part of the policy
	Span         source.Span
}

// What the program takes as it is.
type (
	Enforced    = program.Slurm
	NodeRecord  = program.NodeRecord
	Source      = program.Source
	Association = program.Association
	Billing     = program.BillingWeights
	Target      = program.Target
	Usage       = program.Usage
	Switch      = program.Switch
)

// NodeIdle is NodeRecord.State of nodes that take jobs.
const NodeIdle = program.NodeIdle

// ParentShares as Association.Shares are those of the association above.
const ParentShares = program.ParentShares

// Query is an expression that the user asks of each job. A value that is no number or condition is a place that Text
// reads.
type Query struct {
	Value Scalar
	Type  schema.Type // as it is written
	Text  func(code int) schema.Value
	Span  source.Span
}

// Deviation is one named difference between the manual and the program, and
// which side this policy takes.
type Deviation struct {
	Name       string
	Number     string // "Δ10" in Maui's list; "" if it has none
	Documented bool   // true: follow the manual
	Doc        string
	Observed   string // what the program does
	Manual     string // what the manual says
	Span       source.Span
}

// Documented reports whether the policy follows the manual in a named point.
func (p *Policy) Documented(deviation string) bool {
	return slices.ContainsFunc(p.Deviations, func(d Deviation) bool { return d.Name == deviation && d.Documented })
}

// Param is a typed parameter with its value.
type Param struct {
	Name    string
	Type    schema.Type
	Unit    string
	Value   schema.Value
	Default schema.Value
	Doc     string
	Set     source.Span // where the site set it
	Raw     string      // as the site wrote it
}

// Scalar is a weight, cap or bound: a constant or an expression over credentials.
// Sources lists the parameters it was made from, Defines the names of the defines that are in it.
// A nil Expr means "none".
type Scalar struct {
	Expr    *expr.Expr
	Sources []Source
	Defines []string
	Text    source.Span // of the expression as a site's file writes it; zero of a constant, and of the library's
}

// IsSet reports whether there is a value at all.
func (s Scalar) IsSet() bool { return s.Expr != nil }

// IsZero reports a constant 0. A term or component of constant weight 0 is not
// evaluated: a rule of the language, so that what has no weight needs no input.
func (s Scalar) IsZero() bool {
	if !s.Expr.IsConst() {
		return false
	}
	v := s.Expr.Value
	return v.Type == schema.Double && v.Double == 0 || (v.Type == schema.Int || v.Type == schema.Bool) && v.Int == 0
}

// Component is one weighted part of the priority:
// weight · min(cap, Σ term weight · min(term cap, factor)). A cap that is not
// above zero is no cap.
type Component struct {
	Name   string
	Doc    string
	Weight Scalar
	Cap    Scalar
	Terms  []Term
	Span   source.Span
}

// Term is one weighted, capped factor of a component.
type Term struct {
	Name   string
	Doc    string
	Weight Scalar
	Cap    Scalar
	Factor Scalar
	Span   source.Span
}

// Finish turns the sum into the priority: floor, then ceiling, then the first override
// whose When holds, then rounding to an integer.
type Finish struct {
	Floor     Scalar
	Ceiling   Scalar
	Overrides []Override
	Rounding  string // "truncate", "floor" or "nearest"
	Span      source.Span
}

// Override replaces the priority; Value may read the column "score".
type Override struct {
	Name  string
	Doc   string
	When  Scalar
	Value Scalar
	Span  source.Span
}

// Constant as the name of a source is a number that a policy file writes in its place.
const Constant = "constant"

// Score is the pseudo column that an override's value reads: the sum after
// floor and ceiling.
const Score schema.ColumnID = "score"

// Table is one column of a credential: the value of each name the site wrote,
// after the dialect's inheritance, and the value of every other name.
type Table struct {
	Column schema.ColumnID
	Rows   []TableRow
	Others *TableRow // nil: other names take the snapshot's value, else the column's absent rule
}

// TableRow is the value of one name.
type TableRow struct {
	Name   string
	Value  schema.Value
	Span   source.Span
	Source string // what set it, as the site knows it: USERCFG[amy] PRIORITY
}

// Define is a named expression. What reads it has the expression itself, so it is kept for those who show its value.
type Define struct {
	Name  string
	Doc   string
	Value Scalar      // not set where it is no number and no condition
	Span  source.Span // zero where the library has it
}

// Hold keeps jobs from starting.
type Hold struct {
	Name   string
	Doc    string
	When   Scalar
	Reason string
	Entry  program.Entry // of those that refuse entries of jobs
	Span   source.Span
}

// Fairshare is a usage model with its settings and targets.
type Fairshare struct {
	Model        string // "windows", "fair_tree", "classic", "depth_oblivious"
	Settings     []Setting
	Targets      []Target
	Associations []Association // of a tree; none: those of the snapshot
	Billing      []Billing     // of a tree
	AnyDecay     bool          // of windows whose scheduler takes any decay; its own file's reader reports strange ones
	Span         source.Span
}

// Setting is a named value of a model.
type Setting struct {
	Name  string
	Value schema.Value
	Unit  string
	Span  source.Span
}

// SettingName names what maui.cfg says of placing jobs: NAME, NAME[index] or FAMILY[index] ATTRIBUTE.
func SettingName(family, index, attr string) string {
	switch {
	case attr != "":
		return family + "[" + index + "] " + attr
	case index != "":
		return family + "[" + index + "]"
	}
	return family
}

// Parts are what SettingName made the name of.
func (s *Setting) Parts() (family, index, attr string) {
	family, rest, _ := strings.Cut(s.Name, "[")
	if end := strings.LastIndex(rest, "]"); end >= 0 {
		index, attr = rest[:end], strings.TrimPrefix(rest[end+1:], " ")
	}
	return family, index, attr
}

// Setting finds a setting of the model by name; its zero is "not set".
func (f *Fairshare) Setting(name string) Setting {
	for _, s := range f.Settings {
		if s.Name == name {
			return s
		}
	}
	return Setting{}
}

// Limit is one throttle. Soft or Hard is nil when not set; a negative number means "explicitly none".
type Limit struct {
	Name    string   // idle_jobs, GrpTRES=cpu …
	Kind    string   // Slurm's name of a limit that slurmctld applies itself: GrpTRES, MaxJobsPU …; "" for all others
	Object  string   // credential the limit is written on, "" for the whole policy
	Row     string   // its name; of a limit for Others, DEFAULT
	Others  bool     // for every name of the object without one of its own
	Counts  string   // jobs, procs, nodes, proc_seconds, processor_equivalents, walltime, memory, gpus, submit, a TRES
	Per     []string // credentials the count is kept per, Object first
	Cross   []string // names of the further credentials of Per that it holds for; "" or missing: any
	Phase   string   // submit, idle, active, job
	Soft    *float64
	Hard    *float64
	AtLeast bool // the bounds are the least that a job must have
	When    Scalar
	Reason  string
	Source  string // what set it, as the site knows it: USERCFG[amy] MAXJOB
	Span    source.Span

	SoftAt, HardAt source.Span // where a policy file has the bounds; zero in other languages

	// Override: it replaces what the job's credentials say of the same count and phase. It
	// reaches limits written on the objects of Reach, all if nil; Existing: only where there is one.
	Override bool
	Reach    []string
	Existing bool
}
