package format

import (
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Values of the right type can still be none that any scheduler has: -4
// processors, a time in milliseconds. They are bad values like letters in a
// number, because a priority computed from them would look like any other.

// MaxNice is how far a nice value reaches to either side: NICE_OFFSET is 2^31
// and the three values next to it have meanings of their own (slurm.h).
const MaxNice = math.MaxInt32 - 2

// LastSecond is the last time that Slurm and most file formats can hold: 2106,
// 32 bits without sign. Milliseconds since 1970 are far above it.
const LastSecond = math.MaxUint32

// MostCount is more processors, nodes or tasks than any machine has, and as many as a plan counts.
const MostCount = 1 << 28

// columnRule is what the values of a column must be.
type columnRule struct {
	kind        schema.Type
	Bounded     bool
	Least, Most float64 // of bounded columns
}

// ruleOf bounds what is counted or measured, in what inputs state. Derived
// columns are differences and may be negative; so may priorities and weights.
func ruleOf(c *schema.Column) columnRule {
	rule := columnRule{kind: c.Type}
	stated := c.Origin == schema.Snapshot || c.Origin == schema.Policy
	switch {
	case !stated:
	case c.ID == "job.nice":
		rule.Bounded, rule.Least, rule.Most = true, -MaxNice, MaxNice
	case c.ID == "license.free": // a difference too: below 0 where more are in use than there are
	case c.Type == schema.Timestamp:
		rule.Bounded, rule.Most = true, LastSecond
	case c.Type == schema.Int && c.Unit == schema.Count && (c.ID.Object() == "job" || c.ID.Object() == "node"):
		rule.Bounded, rule.Most = true, MostCount
	case c.Unit == schema.Count, c.Unit == schema.MB, c.Unit == schema.Seconds:
		rule.Bounded, rule.Most = true, math.Inf(1)
	}
	return rule
}

// columnRules saves looking through the vocabulary for each cell.
var columnRules = func() map[schema.ColumnID]columnRule {
	rules := map[schema.ColumnID]columnRule{}
	for _, o := range schema.Objects {
		for i := range o.Columns {
			rules[o.Columns[i].ID] = ruleOf(&o.Columns[i])
		}
	}
	return rules
}()

// ColumnRuleOf is the rule of the vocabulary, except for the recorded factors,
// which only this package knows.
func ColumnRuleOf(id schema.ColumnID) columnRule {
	if rule, ok := columnRules[id]; ok {
		return rule
	}
	if id.Object() == "sprio" {
		return columnRule{kind: sprioType(id.Name())}
	}
	return ruleOf(schema.Lookup(id)) // a column with a key
}

// outOfBounds says what is wrong with a value that cannot be, or "".
func (f *field) outOfBounds(v schema.Value) string {
	rule, id, n := &f.rule, f.id, v.Number()
	switch {
	case !rule.Bounded || !v.Known() || n >= rule.Least && n <= rule.Most:
		return ""
	case rule.kind == schema.Timestamp:
		return fmt.Sprintf("%s should be seconds since 1970 up to the year 2106, not %d", id.Name(), v.Int)
	case id == "job.nice":
		return fmt.Sprintf("nice should be from %d to %d, not %d", -MaxNice, MaxNice, v.Int)
	}
	if n > rule.Most {
		return fmt.Sprintf("%s cannot be more than %d: %d", shownName(id), MostCount, v.Int)
	}
	return fmt.Sprintf("%s cannot be negative: %v", shownName(id), n)
}

// shownName is the name of a column with its key, if it has one.
func shownName(id schema.ColumnID) string {
	if key := id.Key(); key != "" {
		return id.Name() + "(" + key + ")"
	}
	return id.Name()
}

// ValidTime: 0 is how inputs say that they do not know a time.
func ValidTime(epochSeconds int64) bool { return epochSeconds >= 0 && epochSeconds <= LastSecond }
