package sacctmgr

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// qosFlags reports names that are no flag and leaves them out, as sacctmgr does.
func (e *evaluator) qosFlags(s Setting) []string {
	return slices.DeleteFunc(splitNames(s.Text), func(word string) bool {
		if slurmtext.IsQOSFlag(word) {
			return false
		}
		e.ds.Warnf("sacctmgr-qos-flag", s.Span, "no QOS has a flag %s", word).
			Note("it has no effect; the flags are %s", strings.Join(slurmtext.QOSFlags, ", ")).
			DidYouMean(s.Span, word, slurmtext.QOSFlags)
		return true
	})
}
