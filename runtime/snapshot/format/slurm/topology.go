package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// networkSwitch is a record of scontrol show topology, or of topology.conf.
type networkSwitch struct {
	name            string
	nodes, switches []string // below it; a leaf has no switches
	start, end      int
}

// RecognizeTopology: records begin with the switch's name, after what topology.conf may have as comments.
func RecognizeTopology(h *format.Head) int {
	return max(startsWith(h, "SwitchName="), startsWith(h, "No topology information available"))
}

// ReadTopology reads which switches are over each node, its leaf first.
func ReadTopology(in *format.Input) error {
	in.Snapshot.Family = "slurm"
	var list []networkSwitch
	for at := 0; at < len(in.Text); {
		start := at
		var line string
		line, at = lineAt(in.Text, at)
		line, _, _ = strings.Cut(line, "#")
		if !strings.HasPrefix(strings.TrimSpace(line), "SwitchName=") {
			continue
		}
		s, err := switchOf(line)
		if err != nil {
			in.Bad("snapshot-bad-record", start, max(at, start+1), "%s", err).Note("the switch is left out")
			continue
		}
		s.start, s.end = start, at
		list = append(list, s)
	}
	above := map[string]string{}
	for _, s := range list {
		for _, below := range s.switches {
			above[below] = s.name
		}
	}
	for _, s := range list {
		if len(s.switches) > 0 {
			continue
		}
		path := []string{s.name}
		for up := above[s.name]; up != "" && !slices.Contains(path, up); up = above[up] {
			path = append(path, up)
		}
		for _, node := range s.nodes {
			r := in.Begin(s.start, s.end)
			r.Set("node.id", schema.StringValue(node))
			r.Set("node.switches", schema.ListValue(path))
			in.Write(in.Nodes(), r, "node.id")
		}
	}
	return nil
}

// switchOf reads SwitchName=s0 Level=1 LinkSpeed=1 Nodes=n[1-8] Switches=s[1-2].
func switchOf(line string) (s networkSwitch, err error) {
	for word := range strings.FieldsSeq(line) {
		key, value, _ := strings.Cut(word, "=")
		switch strings.ToLower(key) {
		case "switchname":
			s.name = value
		case "nodes":
			s.nodes, err = slurmtext.ExpandHostlist(value)
		case "switches":
			s.switches, err = slurmtext.ExpandHostlist(value)
		}
		if err != nil {
			return s, fieldError(key, "%s", err)
		}
	}
	return s, nil
}
