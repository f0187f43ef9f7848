// Package program is the contract between compiler and runtime: a flat list of
// instructions over typed registers, with the policy's names and places beside
// it. It is data; it can be printed, compared and run, and holds no policy text.
package program

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Reg is a register; NoReg means "none".
type Reg int32

// NoReg is the absent register.
const NoReg Reg = -1

// Level says how often a register is computed.
type Level uint8

// Once per run; once per entry of a dictionary column (each user, each QOS …);
// once per row.
const (
	Once Level = iota
	Dict
	Row
)

// Shape is the level of a register and, for Dict, the row column whose dictionary
// it runs over, such as job.user. What depends on one credential only is computed
// once per credential and gathered by code where rows need it.
type Shape struct {
	Level Level
	Key   schema.ColumnID
}

// Register describes one register. Those that have a Buffer above 0 in common are never needed at the same time;
// 0 is memory of its own.
type Register struct {
	Type   schema.Type
	Shape  Shape
	Buffer int
}

// Instr is one instruction: Dst = Op Args. Op is the overload id of a
// schema.Functions entry or one of the Op constants.
type Instr struct {
	Op     string
	Dst    Reg
	Args   []Reg
	Column schema.ColumnID // OpColumn, OpPresent
	Value  schema.Value    // OpConst
	Call   int             // OpCall: index into Program.Calls
	Span   source.Span
}

// The instructions that are not functions. OpCapMul is w·min(cap, x) with arguments w, x and
// optionally cap, where a cap that is not above zero is none. Cond takes condition, then, else.
//
// The sums add up to MaxTerms terms in one pass, in the order of their arguments, and round as the additions one
// by one do. OpCapSum and OpWeighSum begin with their first argument and add w·min(cap, x) for each w, x, cap that
// follows, or w·x for each w, x; x may be an int. OpTakeSum begins with its first argument and adds the
// rows' entries of dictionary registers; OpTake adds such entries alone.
//
// OpFinite passes a score on and fails where it is infinite or NaN; OpNumber does so with what a cap bounds,
// since the cap would make an infinity points. OpStorable passes a priority on and
// fails where no 64-bit integer can hold it.
const (
	OpConst   = "const"
	OpColumn  = "column"
	OpPresent = "present"
	OpGather  = "gather" // Dict register to Row
	OpCall    = "call"   // a boxed function of Program.Calls; boxes its arguments where they are, ungathered
	OpAnd     = "and"
	OpOr      = "or"
	OpCond    = "cond"
	OpCapMul  = "capmul"

	OpCapSum   = "capsum"
	OpWeighSum = "weighsum"
	OpTakeSum  = "takesum"
	OpTake     = "take"

	OpFinite   = "finite"
	OpNumber   = "number"
	OpStorable = "storable"
)

// MaxTerms is how many terms one pass adds, the beginning of OpTakeSum being one. More would run out
// of a processor's registers for the weights and caps.
const MaxTerms = 5

// Call is a boxed function that has no kernels.
type Call struct {
	Fn     schema.Func
	Text   string // with the constants that it was compiled with: functions of equal text compute the same
	Reason string
	Span   source.Span
}

// Source names one thing that gave a number its value.
type Source struct {
	Name  string
	Value schema.Value
	Span  source.Span
}

// Number is a register with what it was made from.
type Number struct {
	Reg     Reg
	Sources []Source
}

// Term is one factor of a component. Value is weight · min(cap, factor).
type Term struct {
	Name   string
	Doc    string
	Weight Number
	Cap    Number
	Factor Number
	Value  Reg
	Reads  []schema.ColumnID // columns the factor and the weight read
	// Defines are the policy's own columns that the factor and the weight read, where they are computed.
	Defines []Define
	Span    source.Span
}

// Define is a named expression of the policy. Span is zero where the library has it.
type Define struct {
	Name string
	Doc  string
	Reg  Reg
	Span source.Span
}

// Component is a part of the sum. Sum is Σ of its terms' values; Value is
// weight · min(cap, Sum).
type Component struct {
	Name   string
	Doc    string
	Weight Number
	Cap    Number
	Terms  []Term
	Sum    Reg
	Value  Reg
	Span   source.Span
}

// Flag is a named condition: an override of the finish, or a hold.
type Flag struct {
	Name   string
	Doc    string
	Reason string
	When   Reg
	Span   source.Span
}

// EntryHold refuses entries of jobs when they are asked at its phase.
type EntryHold struct {
	Flag
	Entry
	Reads []schema.ColumnID
}

// Entry is what a hold has that refuses entries of jobs.
type Entry struct {
	Phase   Phase
	Setting schema.ColumnID // of a credential; "" if none decides
	Word    Template        // the reason, with values of the job
	Text    Template        // what is reported of a job that it refuses
	Passes  []string        // what would let such a job pass
	Rejects string          // the words that reject it at submission; "" where it is not asked then
	Library bool            // no file of the site has a part in it
}

// Phase is when an entry of a job is asked.
type Phase string

// The phases, in the order in which they come.
const (
	AtSubmit Phase = "submit"
	AtQueue  Phase = "queue"
	AtStart  Phase = "start"
)

// Template is text with values of a job in it.
type Template []Part

// Part is text, a column, or a function of columns.
type Part struct {
	Text   string // of a function its expression
	Column schema.ColumnID
	Fn     schema.Func
	Args   []schema.ColumnID
}

// Same reports a text that says the same of each job. A function is known by its expression, unless that reads a
// parameter.
func (t Template) Same(other Template) bool {
	return slices.EqualFunc(t, other, func(a, b Part) bool {
		return a.Text == b.Text && a.Column == b.Column && slices.Equal(a.Args, b.Args) &&
			(a.Fn == nil) == (b.Fn == nil) && (a.Fn == nil || !strings.Contains(a.Text, "param."))
	})
}

// Columns are those that the text has values of.
func (t Template) Columns() (ids []schema.ColumnID) {
	for i := range t {
		if ids = append(ids, t[i].Args...); t[i].Column != "" {
			ids = append(ids, t[i].Column)
		}
	}
	return ids
}

// Fill writes the values of one job; value gives those of its columns.
func (t Template) Fill(value func(schema.ColumnID) schema.Value) string {
	if len(t) == 1 && t[0].Column == "" && t[0].Fn == nil {
		return t[0].Text
	}
	var b strings.Builder
	for i := range t {
		p, v := &t[i], schema.Value{}
		switch {
		case p.Column != "":
			v = value(p.Column)
		case p.Fn != nil:
			args := make([]schema.Value, len(p.Args))
			for k, id := range p.Args {
				args[k] = value(id)
			}
			v, _ = p.Fn(args) // unknown where it fails
		default:
			b.WriteString(p.Text)
			continue
		}
		b.WriteString(plain(v))
	}
	return b.String()
}

// plain is a value as a person writes it.
func plain(v schema.Value) string {
	switch v.Type {
	case schema.Invalid:
		return "unknown"
	case schema.String:
		return v.Str
	case schema.StringList:
		return strings.Join(v.List, ",")
	case schema.Double:
		return strconv.FormatFloat(v.Double, 'g', 6, 64)
	}
	return v.String()
}

// Setting is one credential column as the policy set it.
type Setting struct {
	Column schema.ColumnID
	Rows   map[string]SettingRow
	Others *SettingRow
}

// SettingRow is the value of one name with its origin.
type SettingRow struct {
	Value  schema.Value
	Source string
	Span   source.Span
}

// Program is a compiled policy. Registers are assigned once. In Fused programs the registers
// of terms, components and overrides are NoReg: Score, Priority and other conditions are all there is.
type Program struct {
	Policy     string
	Family     string
	Version    string
	Semantics  string
	Deviations []string // points in which the manual is followed
	Without    []string // what the user asked to leave out
	Params     []Given  // what the user set for this run
	Regs       []Register
	Instrs     []Instr
	Calls      []Call
	Components []Component
	Score      Reg // the sum, a double
	Priority   Reg // after floor, ceiling and overrides, a double
	Rounding   string
	Overrides  []Flag
	Holds      []Flag
	Admission  []EntryHold       // in the order in which they are asked
	Asked      []schema.ColumnID // what admission alone reads
	Windows    *Windows          // Maui's fairshare; nil without
	Dormant    *Windows          // what is set of it while it is switched off (FSPOLICY unset): for reports, never counted
	Tree       *Tree             // Slurm's fairshare; nil without
	Usage      []Usage           // that the policy states
	Limits     []Limit
	Counting   Counting
	Queue      *Queue // Maui's queue walk; nil for other families
	Slurm      *Slurm // what slurmctld enforces; nil for other families
	Plan       *Plan  // how jobs are placed; nil: the family's defaults
	Settings   []Setting
	Fused      bool
}

// Given is a parameter that was set beside the policy's files, as it was written.
type Given struct{ Name, Value string }

// Documented reports whether the manual is followed in a named point. Models that are Go, not
// policy text, ask by the name of the deviation in the library.
func (p *Program) Documented(deviation string) bool {
	return slices.Contains(p.Deviations, deviation)
}

// Inputs lists the columns the program reads, in first-use order.
func (p *Program) Inputs() []schema.ColumnID {
	var ids []schema.ColumnID
	seen := map[schema.ColumnID]bool{}
	read := func(list ...schema.ColumnID) {
		for _, id := range list {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	for i := range p.Instrs {
		if in := &p.Instrs[i]; in.Op == OpColumn || in.Op == OpPresent {
			read(in.Column)
		}
	}
	read(p.Asked...) // its texts too
	return ids
}

// ByRow reports an instruction with an argument that may differ from row to row. One of dictionaries alone is
// computed once for each combination of their entries.
func (p *Program) ByRow(in *Instr) bool {
	return slices.ContainsFunc(in.Args, func(r Reg) bool { return p.Regs[r].Shape.Level == Row })
}

// ShapeOf is the shape in which a column enters a program: run-wide totals,
// aggregates and the clock once; credential columns per entry of the job column
// that joins them; the job's own strings and lists per entry of their
// dictionary; all other job columns per row.
func ShapeOf(id schema.ColumnID) Shape {
	if id == schema.Now {
		return Shape{Level: Once}
	}
	o := schema.ObjectByName(id.Object())
	switch {
	case o == nil: // an aggregate such as qoses.max_priority
		return Shape{Level: Once}
	case o.Key != "":
		return Shape{Level: Dict, Key: o.Key}
	case o.Name == "cluster":
		return Shape{Level: Once}
	}
	if c := o.Column(id.Name()); c != nil && (c.Type == schema.String || c.Type == schema.StringList) {
		return Shape{Level: Dict, Key: id}
	}
	return Shape{Level: Row}
}
