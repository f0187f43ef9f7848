package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

// TestLongFor: for within for ends with an error where it visits more than any policy needs.
func TestLongFor(t *testing.T) {
	list := "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
	inside, over := "1", list
	for range 8 {
		inside = "[for x in " + list + ": " + inside + "]"
		over = "[for x in flatten([for y in " + over + ": " + list + "]): x]"
	}
	for name, x := range map[string]string{"inside": inside, "over": over,
		"template": strings.Repeat("%{ for x in "+list+" }", 8) + "x" + strings.Repeat("%{ endfor }", 8)} {
		if name == "template" {
			x = `"` + x + `"`
		} else {
			x = "length(" + x + ")"
		}
		p, _ := Parse(source.NewFile("p.fairway.hcl",
			[]byte("policy \"p\" {\n  locals {\n    a = "+x+"\n  }\n  component \"c\" {\n    weight = local.a\n  }\n}\n")))
		if len(p.Policies) != 1 {
			t.Fatalf("%s: the file does not parse", name)
		}
		_, found := p.Policies[0].Evaluate(Scope{})
		text := ""
		for _, d := range found {
			text += fmt.Sprint(d.Message, d.Notes)
		}
		if !strings.Contains(text, "the for expressions visit more than 100000 elements") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestHeavyFor: few elements can weigh more than memory holds.
func TestHeavyFor(t *testing.T) {
	big := `"` + strings.Repeat("a", 1<<16) + `"`
	ten := "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
	p, _ := Parse(source.NewFile("p.fairway.hcl",
		[]byte("policy \"p\" {\n  locals {\n    big = "+big+"\n    a = length([for i in "+ten+": [for j in "+ten+
			": [for k in "+ten+": \"${local.big}${i}\"]]])\n  }\n}\n")))
	_, found := p.Policies[0].Evaluate(Scope{})
	if len(found) != 1 || !strings.Contains(fmt.Sprint(found[0].Message, found[0].Notes),
		"the for expressions make more than about") {
		t.Error(found)
	}
}

// TestGrowingCalls: functions that multiply their arguments are refused before they do.
func TestGrowingCalls(t *testing.T) {
	text := `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`
	for range 6 {
		text = `replace(` + text + `, "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")`
	}
	p, _ := Parse(source.NewFile("p.fairway.hcl",
		[]byte("policy \"p\" {\n  locals {\n    a = length("+text+")\n  }\n}\n")))
	_, found := p.Policies[0].Evaluate(Scope{})
	if len(found) != 1 || !strings.Contains(fmt.Sprint(found[0].Message, found[0].Notes), "a constant may have about") {
		t.Error(found)
	}
}
