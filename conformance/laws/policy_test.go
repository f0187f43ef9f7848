package laws

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
)

// written is a policy from scratch as text, with what was put into it.
type written struct {
	text    string
	out     string   // the same without defines: each is in parentheses where it is read
	factors []string // CEL of every term, in order, written out
}

// params are declared by every generated policy.
const params = `
  param "COUNT" {
    type    = "integer"
    default = 7
  }
  param "SPAN" {
    type    = "duration"
    default = "2h"
  }
  param "RATIO" {
    type    = "number"
    default = 0.1
  }
  param "SWITCH" {
    type    = "bool"
    default = true
  }
  param "WORD" {
    type    = "string"
    default = "amy"
  }
  param "WORDS" {
    type    = "list"
    default = ["amy", "a", ""]
  }
`

func drawPolicy(t *rapid.T) written {
	var w written
	b := &strings.Builder{}
	b.WriteString("policy \"p\" {\n" + params)
	if rapid.Bool().Draw(t, "params") {
		fmt.Fprintf(b, "  params = {\n    COUNT = %d\n    RATIO = %g\n    SWITCH = %t\n    WORD = %q\n  }\n",
			rapid.SampledFrom([]int{0, -1, 1000000}).Draw(t, "count"),
			rapid.SampledFrom([]float64{0, 1e9, -0.3}).Draw(t, "ratio"), rapid.Bool().
				Draw(t, "switch"), rapid.SampledFrom(words).Draw(t, "word"))
	}
	drawCredentials(t, b)
	head := b.Len()
	defines, writeOut := drawDefines(t, b)
	body := b.Len()
	for c := range rapid.IntRange(1, 3).Draw(t, "components") {
		fmt.Fprintf(b, "  component \"c%d\" {\n", c)
		drawWeight(t, b, "    ")
		for i := range rapid.IntRange(1, 4).Draw(t, "terms") {
			fmt.Fprintf(b, "    term \"t%d\" {\n", i)
			drawWeight(t, b, "      ")
			factor := expressions{t: t, job: true, defines: defines}.factor(rapid.IntRange(0, 4).Draw(t, "depth"))
			w.factors = append(w.factors, writeOut(factor))
			celAttribute(b, "      ", "factor", factor)
			b.WriteString("    }\n")
		}
		b.WriteString("  }\n")
	}
	drawFinish(t, b, defines)
	b.WriteString("}\n")
	w.text = b.String()
	w.out = w.text[:head] + writeOut(w.text[body:])
	return w
}

// drawDefines names some expressions, of all types and out of each other.
func drawDefines(t *rapid.T, b *strings.Builder) (byType map[byte][]string, writeOut func(string) string) {
	byType = map[byte][]string{}
	var pairs []string
	writeOut = func(text string) string { return strings.NewReplacer(pairs...).Replace(text) }
	for i := range rapid.IntRange(0, 3).Draw(t, "defines") {
		typ := rapid.SampledFrom([]byte(typeLetters)).Draw(t, "type")
		text := expressions{t: t, job: true, defines: byType}.text(typ, rapid.IntRange(0, 3).Draw(t, "depth"))
		name := fmt.Sprintf("define.d%d", i)
		fmt.Fprintf(b, "  define \"d%d\" {\n", i)
		celAttribute(b, "    ", "value", text)
		b.WriteString("  }\n")
		byType[typ] = append(byType[typ], name)
		pairs = append(pairs, name, "("+writeOut(text)+")")
	}
	return byType, writeOut
}

// celAttribute writes a CEL attribute as a heredoc, which needs no escapes.
func celAttribute(b *strings.Builder, indent, name, text string) {
	fmt.Fprintf(b, "%s%s = <<-CEL\n%s  %s\n%sCEL\n", indent, name, indent, text, indent)
}

func drawWeight(t *rapid.T, b *strings.Builder, indent string) {
	for _, name := range []string{"weight", "cap"} {
		switch rapid.IntRange(0, 4).Draw(t, name) {
		case 0, 1:
			fmt.Fprintf(b, "%s%s = %s\n", indent, name, rapid.SampledFrom([]string{"1", "10", "0.5", "-2", "0", "1e300", "100"}).
				Draw(t, "constant"))
		case 2:
			celAttribute(b, indent, name, expressions{t: t}.number(rapid.IntRange(0, 2).Draw(t, "depth")))
		}
	}
}

func drawFinish(t *rapid.T, b *strings.Builder, defines map[byte][]string) {
	if rapid.Bool().Draw(t, "finish") {
		b.WriteString("  finish {\n")
		for _, name := range []string{"floor", "ceiling"} {
			switch rapid.IntRange(0, 3).Draw(t, name) {
			case 0:
				fmt.Fprintf(b, "    %s = %s\n", name, rapid.SampledFrom([]string{"0", "1", "-100.5", "4294967295"}).
					Draw(t, "bound"))
			case 1:
				celAttribute(b, "    ", name, expressions{t: t}.number(1))
			}
		}
		fmt.Fprintf(b, "    rounding = %q\n", rapid.SampledFrom([]string{"truncate", "floor", "nearest"}).Draw(t, "rounding"))
		for i := range rapid.IntRange(0, 2).Draw(t, "overrides") {
			fmt.Fprintf(b, "    override \"o%d\" {\n", i)
			when := expressions{t: t, job: true, score: true, defines: defines}.condition(2)
			if rapid.IntRange(0, 3).Draw(t, "settled") == 0 { // whatever the job
				when = rapid.SampledFrom([]string{"true", "false", "param.SWITCH", "!param.SWITCH && job.nodes > 1"}).
					Draw(t, "when")
			}
			celAttribute(b, "      ", "when", when)
			celAttribute(b, "      ", "value", expressions{t: t, job: true, score: true, defines: defines}.number(2))
			b.WriteString("    }\n")
		}
		b.WriteString("  }\n")
	}
	for i := range rapid.IntRange(0, 1).Draw(t, "holds") {
		fmt.Fprintf(b, "  hold \"h%d\" {\n", i)
		celAttribute(b, "    ", "when", expressions{t: t, job: true, score: true, defines: defines}.condition(2))
		b.WriteString("  }\n")
	}
}

// drawCredentials sets a few values of a few names, and of all others.
func drawCredentials(t *rapid.T, b *strings.Builder) {
	for _, block := range []struct {
		object, attribute string
		values            []string
	}{
		{"user", "priority", []string{"5", "-3", "0", "9007199254740993"}},
		{"account", "priority", []string{"1", "1000000"}},
		{"qos", "priority", []string{"10", "-1"}},
		{"qos", "usage_factor", []string{"0.5", "2"}},
		{"class", "priority_tier", []string{"1", "3"}},
	} {
		for _, name := range append([]string{"DEFAULT"}, words[1:4]...) {
			if rapid.IntRange(0, 3).Draw(t, "set") == 0 &&
				!strings.Contains(b.String(), fmt.Sprintf("%s %q {", block.object, name)) {
				fmt.Fprintf(b, "  %s %q {\n    override = true\n    %s = %s\n  }\n", block.object, name, block.attribute,
					rapid.SampledFrom(block.values).Draw(t, "value"))
			}
		}
	}
}

// compile makes a program of texts; nil if the only objection is that some part fails
// for every job, which random expressions are free to do.
func compile(t *rapid.T, in compiler.Input, texts ...string) *compiler.Output {
	for i, text := range texts {
		in.Files = append(in.Files, source.NewFile(fmt.Sprintf("file%d", i), []byte(text)))
	}
	out := compiler.Compile(in)
	for _, d := range out.Diags {
		if d.Severity == 0 && d.Code != "constant-expression-fails" {
			t.Fatalf("%s: %s %s\n%s", d.Span, d.Code, d.Message, strings.Join(texts, "\n"))
		}
	}
	if out.Program == nil {
		return nil
	}
	return out
}
