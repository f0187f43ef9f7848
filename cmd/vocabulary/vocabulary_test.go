package vocabulary_test

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/cmd/vocabulary"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
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
	dump, _ := lower.Parse(source.NewFile("assoc.cfg",
		[]byte("QOS - 'normal'\nCluster - 'c'\nParent - 'root'\nAccount - 'a':QOS='+extra,-normal'\n")), lower.Dump,
		lower.Files{})
	accounts, _ := lower.Lower([]lower.Unit{dump}, lower.Options{})
	for _, c := range []struct {
		before, after *ir.Policy
		want          []string
	}{{p, accounts, []string{"high", "low", "normal"}}, {accounts, p, []string{"extra", "normal"}}} {
		if got := vocabulary.Of(c.before, c.after).QOS; !slices.Equal(got, c.want) {
			t.Errorf("QOS are %q, not %q", got, c.want)
		}
	}
}

// No job asks for a QOS that a translation makes up for the limits of a partition, or for its lists.
func TestNoQOSOfThePartition(t *testing.T) {
	lowered := func(lang lower.Lang, texts ...string) *ir.Policy {
		var units []lower.Unit
		for _, text := range texts {
			unit, _ := lower.Parse(source.NewFile("policy", []byte(text)), lang, lower.Files{})
			units, lang = append(units, unit), lower.Dump
		}
		p, diags := lower.Lower(units, lower.Options{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return p
	}
	before := lowered(lower.Maui, "SERVERHOST h\nQOSCFG[high] PRIORITY=1\nCLASSCFG[long] MAXPROCPERUSER=3\n")
	after := lowered(lower.Slurm, "ClusterName=c\nSlurmctldHost=h\nNodeName=n CPUs=4\nPartitionName=long Nodes=ALL "+
		"QOS=part_long\n",
		"QOS - 'high':Priority=1\nQOS - 'part_long':MaxTRESPerUser=cpu=3\nCluster - 'c'\n")
	if got := vocabulary.Of(before, after).QOS; !slices.Equal(got, []string{"high"}) {
		t.Errorf("QOS are %q", got)
	}
}
