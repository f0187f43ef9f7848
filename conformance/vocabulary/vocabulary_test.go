package vocabulary_test

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/vocabulary"
	"github.com/fairway-sched/fairway/lang/source"
)

// What a list does with those above it is no part of a name: a job cannot ask for the QOS high^.
func TestNamesOfLists(t *testing.T) {
	const text = "SERVERHOST h\nUSERCFG[amy] QLIST=normal,high^\nUSERCFG[bob] QLIST=low& QDEF=low\n"
	unit, _ := lower.Parse(source.NewFile("maui.cfg", []byte(text)), lower.Maui, lower.Files{})
	p, diags := lower.Lower([]lower.Unit{unit}, lower.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	dump, _ := lower.Parse(source.NewFile("assoc.cfg", []byte("QOS - 'normal'\nCluster - 'c'\nParent - 'root'\nAccount - 'a':QOS='+extra,-normal'\n")), lower.Dump, lower.Files{})
	accounts, _ := lower.Lower([]lower.Unit{dump}, lower.Options{})
	got := vocabulary.Of(p, accounts).QOS
	if want := []string{"extra", "high", "low", "normal"}; !slices.Equal(got, want) {
		t.Errorf("QOS are %q, not %q", got, want)
	}
}
