package slurmconf

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
)

// Versions are the release branches, oldest first; the last is the default.
var Versions = []string{"2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "14.03", "14.11", "15.08", "16.05", "17.02",
	"17.11",
	"18.08", "19.05", "20.02", "20.11", "21.08", "22.05", "23.02", "23.11", "24.05", "24.11", "25.05", "25.11", "26.05"}

// Newest is the version assumed when none is named.
func Newest() string { return Versions[len(Versions)-1] }

var branchText = source.Pattern(`^(?:slurm[- ])?(\d+\.\d+)(?:[.-].*)?$`)

// Branch reduces a version such as "22.05.8" or "slurm 22.05.8" to its release
// branch. "" is the newest. It reports false for a branch that never was.
func Branch(version string) (string, bool) {
	if version == "" {
		return Newest(), true
	}
	m := branchText().FindStringSubmatch(version)
	if m == nil || !slices.Contains(Versions, m[1]) {
		return "", false
	}
	return m[1], true
}

// Older reports that one version of Slurm came before another. "" is the newest.
func Older(a, b string) bool {
	left, _ := Branch(a)
	right, _ := Branch(b)
	return before(left, right)
}

// before reports whether branch a is older than branch b; "" as in the tables
// is the oldest.
func before(a, b string) bool { return order(a) < order(b) }

// order is a branch as a number, 2205 for 22.05; what is none is as old as the oldest. It is asked
// several times for each key of a file.
func order(branch string) int {
	n := 0
	for i := range len(branch) {
		switch c := branch[i]; {
		case c >= '0' && c <= '9':
			n = n*10 + int(c-'0')
		case c != '.':
			return 200
		}
	}
	if len(branch) == 3 { // 2.6 is 206
		n = n/10*100 + n%10
	}
	return max(n, 200)
}
