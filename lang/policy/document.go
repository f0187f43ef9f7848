package policy

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Document is one evaluated policy, or several merged into one: plain values
// with the place of each. Apply and Merge make Documents out of Documents; the
// compiler's lowering reads the fields.
type Document struct {
	Name       Text
	Use        Text // the base to inherit, "" for none
	Version    Text
	Semantics  Text
	Doc        Text
	Deviations []Text // those switched to "documented" one by one
	Params     []ParamSetting

	ParamDecls     []ParamDecl
	DeviationDecls []DeviationDecl
	Credentials    []Credential
	Defines        []Define    // in the order in which they may read each other
	Components     []Component // in summation order
	Limits         []Limit     // of the whole policy; those of credentials are in Credentials
	Fairshare      []Fairshare
	Usage          []Usage // that the policy states
	Holds          []Hold
	Finish         Finish
	Backfill       []Setting
	Reservations   []Reservation
	Span           source.Span

	root *node // what the fields were made from, and what merging works on
}

// Text is a constant string with its place. The zero Text is "not set".
type Text struct {
	Value string
	Span  source.Span
}

// IsSet reports whether the policy sets it.
func (t Text) IsSet() bool { return !t.Span.IsZero() }

// Scalar is a constant, or the text of a CEL expression when CEL is not nil.
// The zero Scalar is "not set".
type Scalar struct {
	Value  schema.Value
	CEL    *CEL
	Span   source.Span
	Params []string // the parameters a constant was made from, sorted; the CEL compiler finds its own
}

// IsSet reports whether the policy sets it.
func (s Scalar) IsSet() bool { return !s.Span.IsZero() }

// CEL is the text of an expression and the bytes it stands for in the file.
type CEL struct {
	Text string
	Span source.Span // from the first to the last byte of the expression, white space around it left out

	// Offsets is nil when Text is the very bytes of Span. When the text has escapes, Offsets[i] is where
	// byte i of Text begins, counted from Span's start, and Offsets[len(Text)] is the end.
	Offsets []int

	// Each holds each.key and each.value inside a for_each block, as "key" and "value"; the attributes of an object
	// are "value.NAME". Numbers are doubles, so that the type does not depend on the number.
	Each       map[string]schema.Value
	EachParams []string // the parameters that Each was made from
}

// At is the place in the file of bytes [start, end) of Text.
func (c *CEL) At(start, end int) source.Span {
	start = min(max(start, 0), len(c.Text))
	end = min(max(end, start), len(c.Text))
	if c.Offsets != nil {
		start, end = c.Offsets[start], c.Offsets[end]
	}
	return c.Span.Sub(start, end)
}

// Block is what every named block has.
type Block struct {
	Name  string
	Label string // as the file has it: what Name was before for_each
	Doc   Text
	Span  source.Span // the block's header, in the file that introduced it

	Override bool // marked override = true: it may change what an earlier file says
}

// Setting is a named constant: a credential's column, a model's setting.
type Setting struct {
	Name string
	Unit schema.Unit
	Scalar
}

// Component is a weighted sum of terms.
type Component struct {
	Block
	Weight, Cap Scalar
	Terms       []Term
}

// Term is a weighted factor.
type Term struct {
	Block
	Weight, Cap, Factor Scalar
}

// Credential is one row of a credential's table.
type Credential struct {
	Block
	Object  string    // as the schema names it: a class is a partition
	Word    string    // as the file does
	Parent  string    // the account it is in, "" at the top
	Columns []Setting // Name is the column without the object; tres has one setting for each resource: tres(cpu)
	Shares  []Setting // Name is target, floor, ceiling, cap, relative_cap or shares
	Limits  []Limit
}

// Limit is one throttle. A bound below zero says "explicitly none".
type Limit struct {
	Block
	Soft, Hard Scalar
	Count      Text
	Per        []Text
	Phase      Text
	When       Scalar
	Reason     Text
}

// Fairshare is a usage model with its settings.
type Fairshare struct {
	Block    // Name is the model
	Settings []Setting
}

// Usage is what was used at some time before now.
type Usage struct {
	Block
	At    schema.Value // a timestamp
	Total Scalar
	Used  []Used // by kind of credential, in the order of the language, then as the file has them
}

// Used is what one credential used.
type Used struct {
	Object string
	Setting
}

// Reservation keeps nodes or licences for some jobs when jobs are planned.
type Reservation struct {
	Block
	Settings []Setting
}

// Define names an expression.
type Define struct {
	Block
	Value Scalar
}

// Hold keeps jobs from starting.
type Hold struct {
	Block
	When                                  Scalar
	Reason, Phase, Setting, Text, Rejects Text
	Passes                                []Text
}

// Finish turns the sum into the priority.
type Finish struct {
	Floor, Ceiling Scalar
	Rounding       Text
	Overrides      []Override
	Doc            Text
	Span           source.Span // zero if no file has the block
}

// Override replaces the priority of some jobs.
type Override struct {
	Block
	When, Value Scalar
}

// DeviationDecl is a known difference between the manual and the program.
type DeviationDecl struct {
	Block
	Number, Observed, Documented, Changes Text
}
