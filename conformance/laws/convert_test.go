package laws

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/impact"
)

// drawDialect writes the files of a scheduler, with the choices that are made beside them.
func drawDialect(t *rapid.T) (in compiler.Input, texts []string) {
	switch rapid.IntRange(0, 3).Draw(t, "dialect") {
	case 0:
		in.Deviations = drawDeviations(t, "maui")
		return in, []string{drawMaui(t)}
	case 1:
		return in, []string{drawThrottled(t)}
	case 2:
		return in, []string{drawDump(t)}
	}
	in.Version = rapid.SampledFrom(slurmconf.Versions).Draw(t, "version")
	texts = []string{acceptable(in, drawSlurm(t))}
	if rapid.Bool().Draw(t, "dump") {
		texts = append(texts, drawDump(t))
	}
	return in, texts
}

func units(t *rapid.T, in *compiler.Input, texts []string) (list []lower.Unit) {
	for _, text := range texts {
		f := source.NewFile("policy", []byte(text))
		in.Files = append(in.Files, f)
		u, diags := lower.Parse(f, "", lower.Files{})
		if diags.HasErrors() {
			t.Fatalf("%s\n%s", diags[0].Message, text)
		}
		list = append(list, u)
	}
	return list
}

// asRecord finds records that the language has blocks for.
var asRecord = source.Pattern(
	`record "(NodeName|PartitionName|Cluster|Parent|Account|User|QOS|(USER|GROUP|ACCOUNT|QOS|CLASS)CFG)"`)

// TestConvert: meaning(convert P) = meaning P, and eval(convert P) = eval P on any queue; and P's nodes,
// partitions, accounts and QOS are in the language's own blocks.
func TestConvert(t *testing.T) {
	compared := 0
	draws.Check(t, func(t *rapid.T) {
		in, texts := drawDialect(t)
		x := compile(t, in, texts...)
		if x == nil {
			return
		}
		written, found := convert.HCL(units(t, &in, texts), in.Options)
		if found.HasErrors() {
			t.Fatalf("%s %v\n%s", found[0].Message, found[0].Notes, texts)
		}
		if record := asRecord().Find(written); record != nil {
			t.Fatalf("%s\nbecomes\n%s\nwith %s for what the language has a block for", texts, written, record)
		}
		y := compile(t, compiler.Input{}, string(written))
		if y == nil || y.Policy.Meaning() != x.Policy.Meaning() {
			t.Fatalf("%s\nbecomes\n%s\nwhich means something else", texts, written)
		}
		back, found := convert.To(lower.Lang(x.Policy.Family), units(t, &compiler.Input{}, []string{string(written)}),
			lower.Options{})
		for _, d := range found {
			if d.Code == "convert-not-said" || d.Severity == diag.Error {
				t.Fatalf("%s %v\n%s\nbecomes\n%s\nand back\n%s%s", d.Message, d.Notes, texts, written, back.Text, back.Accounts)
			}
		}
		s := drawSnapshot(t, true, rapid.IntRange(0, 10).Draw(t, "rows"))
		before, after := run(t, x.Program, s, 1), run(t, y.Program, s, 1)
		if (before == nil) != (after == nil) {
			t.Fatalf("one of them misses an input\n%s", written)
		}
		if before == nil {
			return
		}
		if c, err := impact.Results(impact.Side{Result: before}, impact.Side{Result: after}); err != nil || !c.Same() {
			t.Fatalf("%v %+v\n%s\nbecomes\n%s", err, c, texts, written)
		}
		compared++
	})
	if compared < 20 && !t.Failed() {
		t.Errorf("only %d policies were evaluated", compared)
	}
}
