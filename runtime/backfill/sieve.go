package backfill

import (
	"fmt"
	"strings"
)

// Sieve are the tests that nodes must pass, one after the other.
type Sieve []Stage

// Stage is a test in words that begin with what the nodes have or are, and how many nodes passed it.
type Stage struct {
	Words string
	Nodes int64
}

// Lacks says which is the first test that leaves fewer nodes than are needed; "" if none does.
func (s Sieve) Lacks(asks string, least int64) string {
	for _, at := range s {
		switch {
		case at.Nodes >= least:
		case at.Nodes == 0:
			return fmt.Sprintf("%s, no node %s", asks, agreeing(1, at.Words))
		default:
			return fmt.Sprintf("%s, %d %s", asks, at.Nodes, agreeing(at.Nodes, at.Words))
		}
	}
	return ""
}

// Asks says how large a job is; Nodes is what it needs at least.
func Asks(tasks, nodes int64) string {
	asks := "it asks for " + Count(tasks, "task")
	if nodes > 1 {
		asks += " on " + Count(nodes, "node")
	}
	return asks
}

// SizeWords say what of a node is asked, with the names of generic resources.
func SizeWords(least *Amounts, gres []string) string {
	words := []string{Count(least.Procs, "processor")}
	for _, is := range []struct {
		amount int64
		name   string
	}{{least.MemMB, "MB of memory"}, {least.SwapMB, "MB of swap"}, {least.DiskMB, "MB of disk"}} {
		if is.amount > 0 {
			words = append(words, fmt.Sprintf("%d %s", is.amount, is.name))
		}
	}
	for i, name := range gres {
		if i < len(least.Gres) && least.Gres[i] > 0 {
			words = append(words, fmt.Sprintf("%d %s", least.Gres[i], name))
		}
	}
	return "have " + strings.Join(words, ", ")
}

// Words name the alternatives that are not counted.
func (f *Features) Words() string {
	var words []string
	for _, s := range f.Alternatives {
		if s.Count == 0 {
			words = append(words, strings.Join(s.All, " and "))
		}
	}
	return strings.Join(words, " or ")
}
