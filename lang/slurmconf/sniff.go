package slurmconf

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// enough bytes to recognise a file by.
const enough = 1 << 16

const hostDecides = 60

// Sniff says from 0 to 100 how much a text looks like a slurm.conf: the share
// of its lines that begin with a known Key=, a little less when no key that
// only Slurm has is among them. The first few hundred lines decide. A SlurmctldHost says it for any file, for
// what is then unknown are misspelt keys.
func Sniff(text []byte) int {
	tree := parseTree(source.NewFile("", text[:min(len(text), enough)]))
	known, lines, typical, host := 0, 0, false, false
	for _, l := range tree.Lines {
		switch {
		case l.Include != nil && !l.Include.Path.IsZero():
			known, lines = known+1, lines+1
		case len(l.Pairs) > 0:
			lines++
			key := l.Pairs[0].Key.Text
			if Known("global", key) != nil {
				known++
				typical = typical || isTypical(key)
				host = host || strings.EqualFold(key, "SlurmctldHost")
			}
		case !l.Junk.IsZero():
			lines++
			if key := strings.TrimRight(l.Junk.Span.Text(), "= \t\r\n"); Known("global", key) != nil {
				known++ // a key left blank
			}
		}
	}
	if lines == 0 {
		return 0
	}
	score := 100 * known / lines
	if !typical {
		score = score * 3 / 4
	}
	if host {
		return max(score, hostDecides)
	}
	return score
}

// isTypical reports keys that name the program itself or begin its records.
func isTypical(key string) bool {
	return RecordKind(key) != "" || strings.HasPrefix(strings.ToLower(key), "slurm") ||
		strings.EqualFold(key, "ClusterName")
}

// IsWhole reports a file that says what every slurm.conf has to say: the cluster, or the host of slurmctld.
func (f *File) IsWhole() bool {
	return slices.ContainsFunc(f.Lines, func(l *Line) bool {
		return slices.ContainsFunc(l.Pairs, func(p Pair) bool {
			return containsFold([]string{"ClusterName", "SlurmctldHost", "ControlMachine"}, p.Key.Text)
		})
	})
}
