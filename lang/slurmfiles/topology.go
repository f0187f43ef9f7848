package slurmfiles

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// topology compares topology.conf with itself and with slurm.conf (topology.conf(5)).
func (c *checker) topology(lines []*slurmconf.Line) {
	switches := map[string]source.Span{}
	reached := map[int]source.Span{}
	whole := true
	for _, l := range lines {
		whole = whole && l.Include == nil
		for _, kind := range []string{"SwitchName", "BlockName"} {
			name, ok := get(l, kind)
			if !ok {
				continue
			}
			if old, twice := switches[name.Text]; twice {
				c.diags.Errorf("beside-switch-twice", name.Span, "%s is defined twice", name.Text).NoteAt(old, "here before")
			}
			switches[name.Text] = name.Span
		}
		if hosts, ok := get(l, "Nodes"); ok {
			for _, i := range c.hosts(hosts) {
				c.onTwoSwitches(i, reached, hosts)
			}
			whole = whole && !strings.EqualFold(hosts.Text, "ALL")
		}
	}
	if !whole {
		return
	}
	for _, l := range lines {
		below, ok := get(l, "Switches")
		names, err := slurmtext.ExpandHostlist(below.Text)
		if !ok || err != nil {
			continue
		}
		for _, n := range names {
			if _, known := switches[n]; !known {
				c.diags.Errorf("beside-unknown-switch", below.Span, "the switch %s is not defined", n).
					Note("write a line SwitchName=%s with what is below it", n)
				break
			}
		}
	}
	c.leftOut(lines, reached)
}

// onTwoSwitches notes where a node is, and reports it once for a line that has it again.
func (c *checker) onTwoSwitches(node int, reached map[int]source.Span, hosts slurmconf.Word) {
	old, again := reached[node]
	if !again {
		reached[node] = hosts.Span
	}
	if again && !c.told[hosts.Span] {
		c.told[hosts.Span] = true
		c.diags.Warnf("beside-node-twice", hosts.Span, "the node %s is on two switches", c.main.Nodes[node].Name).
			NoteAt(old, "it is here already").Note("Slurm warns of it and places jobs as if it were on both; keep one")
	}
}

// Switch is a line of topology.conf: what is below a switch, as host lists.
type Switch struct{ Name, Nodes, Switches string }

// Switches reads a topology.conf.
func Switches(f *source.File) (list []Switch) {
	tree, _ := slurmconf.Parse(f)
	for _, l := range tree.Lines {
		name, ok := get(l, "SwitchName")
		if !ok {
			continue
		}
		nodes, _ := get(l, "Nodes")
		below, _ := get(l, "Switches")
		list = append(list, Switch{name.Text, nodes.Text, below.Text})
	}
	return list
}

// leftOut looks for nodes that no switch reaches, and for a file that nothing reads.
func (c *checker) leftOut(lines []*slurmconf.Line, reached map[int]source.Span) {
	if c.main == nil || len(lines) == 0 {
		return
	}
	at := lines[0].Span.Sub(0, 0)
	for _, l := range lines {
		if len(l.Pairs) > 0 {
			at = l.Pairs[0].Key.Span
			break
		}
	}
	plugin := c.main.Text("TopologyPlugin")
	if !strings.Contains(plugin, "tree") && !strings.Contains(plugin, "block") {
		c.diags.Infof("beside-topology-unread", at,
			"nothing reads topology.conf: TopologyPlugin is neither topology/tree nor topology/block").
			Note("write TopologyPlugin=topology/tree in slurm.conf, or remove the file")
		return
	}
	var left []string
	for i, n := range c.main.Nodes {
		if _, ok := reached[i]; !ok {
			left = append(left, n.Name)
		}
	}
	if len(left) > 0 && len(reached) > 0 {
		c.diags.Warnf("beside-node-left-out", at, "no switch reaches %s of slurm.conf", several(left)).
			Note("name all nodes, so that jobs are placed by the network everywhere")
	}
}
