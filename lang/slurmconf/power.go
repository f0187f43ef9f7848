package slurmconf

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// onlySome is how many of a list are to stay on: n[1-8]:2.
var onlySome = source.Pattern(`:[0-9]+`)

// suspendExcluded tests the nodes that power saving leaves on. Of a list with a name that is not there
// slurmctld takes none (22.05 logs: Invalid SuspendExcNodes … ignored).
func (e *evaluator) suspendExcluded() {
	p, ok := e.cfg.Param("SuspendExcNodes")
	if !ok || e.partial || len(e.cfg.Nodes) == 0 {
		return
	}
	// Blanks in the place of the counts keep all places.
	text := onlySome().ReplaceAllStringFunc(p.Text, func(count string) string { return strings.Repeat(" ", len(count)) })
	names, _ := e.hosts(Word{Text: text, Span: p.Span})
	for _, name := range names {
		if _, ok := e.byName[name]; ok {
			continue
		}
		at := p.Span
		if i := strings.Index(at.Text(), name); i >= 0 {
			at = at.Sub(i, i+len(name))
		}
		d := e.ds.Warnf("slurm-excluded-node", at, "SuspendExcNodes names a node that is not defined: %s", name).
			Note("slurmctld ignores the whole list, so all these nodes are powered down when they are idle")
		e.suggestNode(d, name)
		return
	}
}
