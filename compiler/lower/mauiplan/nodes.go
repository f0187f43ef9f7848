package mauiplan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/program"
)

// nodes are the NODECFG lines.
func (m *settings) nodes() []program.MauiNode {
	var list []program.MauiNode
	for _, o := range m.objects("NODECFG") {
		n := program.MauiNode{
			Name: o.name, Span: o.span, Access: o.attrs["ACCESS"].Str, Partition: o.attrs["PARTITION"].Str,
			Features: o.attrs["FEATURES"].List,
			Speed:    o.attrs["SPEED"].Double, ProcSpeed: o.attrs["PROCSPEED"].Int, Priority: o.attrs["PRIORITY"].Int,
			MaxLoad: o.attrs["MAXLOAD"].Double,
			MaxJobs: o.attrs["MAXJOB"].Int, MaxJobsPerUser: o.attrs["MAXJOBPERUSER"].Int,
			MaxProcs: o.attrs["MAXPROC"].Int, MaxProcsPerUser: o.attrs["MAXPROCPERUSER"].Int,
			PriorityF: priorityTerms(o.attrs["PRIORITYF"].Str),
		}
		if n.Name == "DEFAULT" {
			list = slices.Insert(list, 0, n)
			continue
		}
		list = append(list, n)
	}
	return list
}

// priorityTerms reads APROCS + 2*SPEED - LOAD; nil where there is none. What is no term of Maui's is left out.
func priorityTerms(text string) []program.PriorityTerm {
	var terms []program.PriorityTerm
	sign := 1.0
	for word := range strings.FieldsSeq(strings.NewReplacer("+", " + ", "-", " - ").Replace(strings.ToUpper(text))) {
		switch word {
		case "+":
			sign = 1
			continue
		case "-":
			sign = -1
			continue
		}
		factor, quantity, scaled := strings.Cut(word, "*")
		if !scaled {
			factor, quantity = "1", word
		}
		f, err := strconv.ParseFloat(factor, 64)
		if err == nil && slices.Contains(nodeQuantities, quantity) {
			terms = append(terms, program.PriorityTerm{Factor: sign * f, Quantity: quantity})
		}
		sign = 1
	}
	return terms
}

// nodeQuantities are what PRIORITYF may name.
var nodeQuantities = []string{
	"ADISK", "AMEM", "APROCS", "ASWAP", "CDISK", "CMEM", "CPROCS", "CSWAP", "JOBCOUNT", "LOAD", "PREF", "PRIORITY",
	"RESAFFINITY", "SPEED", "USAGE",
}
