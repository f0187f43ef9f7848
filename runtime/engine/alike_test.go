package engine

import (
	"reflect"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Models are the same where all values are; for what columns are derived from, it does not matter where they are from.
func TestComparison(t *testing.T) {
	of := func(file, text string, shares int64) *program.Program {
		at := source.NewFile(file, []byte(text)).Span(0, 3)
		return &program.Program{
			Limits: []program.Limit{{Name: "MaxJobs", Hard: 4, Span: at, Source: file}},
			Tree:   &program.Tree{Span: at, Associations: []program.Association{{Account: "a", Shares: shares, Span: at}}},
			Settings: []program.Setting{{Column: "qos.priority", Rows: map[string]program.SettingRow{
				"high": {Value: schema.IntValue(shares), Source: file, Span: at}}}},
		}
	}
	base := of("a.conf", "one", 3)
	for _, c := range []struct {
		name          string
		other         *program.Program
		alike, placed bool
	}{
		{"the same text, read twice", of("a.conf", "one", 3), true, true},
		{"another file", of("b.conf", "one", 3), true, false},
		{"another text", of("a.conf", "two", 3), true, false},
		{"another value", of("a.conf", "one", 4), false, false},
	} {
		x, y := reflect.ValueOf(modelsOf(base)), reflect.ValueOf(modelsOf(c.other))
		if got := (comparison{}).same(x, y); got != c.alike {
			t.Errorf("%s: alike is %v", c.name, got)
		}
		if got := (comparison{places: true}).same(x, y); got != c.placed {
			t.Errorf("%s: alike with places is %v", c.name, got)
		}
	}
}
