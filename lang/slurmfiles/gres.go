package slurmfiles

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// device is a record of gres.conf.
type device struct {
	nodes      []int // of slurm.conf; all: of every node that has the resource
	all        bool
	name, kind string
	count      uint64
	span       source.Span
}

// gres compares what gres.conf says of nodes with what slurm.conf gives them (gres.conf(5): a node with fewer than
// slurm.conf says is drained, more are ignored).
func (c *checker) gres(lines []*slurmconf.Line) {
	var devices []device
	detected := map[int]bool{} // nodes whose devices are found by themselves
	everywhere := false
	for _, l := range lines {
		if l.Include != nil || len(l.Pairs) == 0 {
			everywhere = everywhere || l.Include != nil // what it holds is not known
			continue
		}
		d := device{all: true}
		if hosts, ok := get(l, "NodeName"); ok {
			d.nodes, d.all = c.hosts(hosts), false
		}
		if auto, ok := get(l, "AutoDetect"); ok && !strings.EqualFold(auto.Text, "off") {
			c.detector(auto)
			everywhere = everywhere || d.all
			for _, n := range d.nodes {
				detected[n] = true
			}
		}
		name, ok := get(l, "Name")
		if !ok {
			continue
		}
		d.name, d.span = name.Text, name.Span
		if kind, ok := get(l, "Type"); ok {
			d.kind = kind.Text
		}
		if d.count, ok = deviceCount(l); !ok {
			everywhere = true // no guess
			continue
		}
		c.named(d)
		devices = append(devices, d)
	}
	if c.main != nil && !everywhere {
		c.counts(devices, detected)
	}
}

// detectors are what AutoDetect may name, of all releases. Slurm looks for them within the value.
var detectors = []string{"nvml", "nvidia", "rsmi", "oneapi", "nrt", "full", "off"}

func (c *checker) detector(w slurmconf.Word) {
	if slices.ContainsFunc(detectors, func(name string) bool {
		return name != "off" && strings.Contains(strings.ToLower(w.Text), name)
	}) {
		return
	}
	c.diags.Warnf("beside-autodetect", w.Span, "AutoDetect does not know %q, so no device is found", w.Text).
		Note("it is one of %s", strings.Join(detectors, ", ")).
		DidYouMean(w.Span, w.Text, detectors)
}

// hosts finds the nodes of a list in slurm.conf.
func (c *checker) hosts(w slurmconf.Word) (list []int) {
	names, err := slurmtext.ExpandHostlist(w.Text)
	if err != nil {
		c.diags.Errorf("beside-hosts", w.Span, "the host list is wrong: %v", err).Note("write for instance n[01-16,20]")
		return nil
	}
	if c.main == nil {
		return nil
	}
	var missing []string
	for _, n := range names {
		if i, ok := c.nodes[n]; ok {
			list = append(list, i)
		} else if !containsFold([]string{"ALL", "DEFAULT"}, n) && len(c.main.Nodes) > 0 {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 {
		d := c.diags.Warnf("beside-unknown-node", w.Span, "%s names %s, which slurm.conf does not define", c.kind,
			several(missing))
		if len(names) == 1 {
			all := make([]string, 0, min(len(c.main.Nodes), 1000))
			for _, n := range c.main.Nodes[:cap(all)] {
				all = append(all, n.Name)
			}
			d.DidYouMean(w.Span, names[0], all)
		}
	}
	return list
}

func several(names []string) string {
	if len(names) == 1 {
		return "the node " + names[0]
	}
	return strconv.Itoa(len(names)) + " nodes such as " + names[0]
}

// deviceCount is Count, or how many files there are; false if it is not plain.
func deviceCount(l *slurmconf.Line) (uint64, bool) {
	if text, ok := get(l, "Count"); ok {
		n, err := strconv.ParseUint(text.Text, 10, 32)
		return n, err == nil
	}
	if _, ok := get(l, "MultipleFiles"); ok {
		return 0, false
	}
	file, ok := get(l, "File")
	if !ok {
		return 1, true
	}
	names, err := slurmtext.ExpandHostlist(file.Text)
	return uint64(len(names)), err == nil
}

// named looks for the resource in GresTypes.
func (c *checker) named(d device) {
	if c.main == nil {
		return
	}
	types, ok := c.main.Param("GresTypes")
	if !ok {
		c.diags.Warnf("beside-gres-type", d.span, "slurm.conf has no GresTypes, so Slurm does not know %s", d.name).
			Note("write GresTypes=%s in slurm.conf", d.name)
		return
	}
	list := strings.Split(types.Text, ",")
	if !containsFold(list, d.name) {
		c.diags.Warnf("beside-gres-type", d.span, "GresTypes of slurm.conf does not name %s", d.name).
			NoteAt(types.Span, "it has %s", types.Text)
	}
}

// counts compares numbers, once for each record of nodes.
func (c *checker) counts(devices []device, detected map[int]bool) {
	type seen struct {
		record *slurmconf.Record
		name   string
	}
	told := map[seen]bool{}
	for i, n := range c.main.Nodes {
		if detected[i] {
			continue
		}
		for _, g := range n.Gres {
			has, found, at := devicesOf(devices, g, i)
			key := seen{n.Record, g.Name + ":" + g.Type}
			if !found || has >= g.Count || told[key] {
				continue
			}
			told[key] = true
			note := n.Record.Span
			if v, ok := n.Record.Get("Gres"); ok {
				note = v.Span
			}
			const advice = "a node with fewer than slurm.conf says is drained; correct the one that is wrong"
			if what := resource(g.Name, g.Type); has > 0 {
				c.diags.Warnf("beside-gres-count", at.span, "%s has %d %s here and %d in slurm.conf", n.Name, has, what, g.Count).
					NoteAt(note, "slurm.conf says %d", g.Count).Note(advice)
			} else {
				c.diags.Warnf("beside-gres-count", at.span, "%s has %s here, and %s in slurm.conf", n.Name,
					resource(at.name, at.kind), what).
					NoteAt(note, "slurm.conf says %s", what).
					Note("devices of another type are ignored; correct the one that is wrong")
			}
		}
	}
}

func resource(name, kind string) string {
	if kind == "" {
		return name
	}
	return name + ":" + kind
}

// devicesOf counts what gres.conf has of a resource of a node; false if it has nothing, or does not give its type. at
// is the last record of it, or else one of another type.
func devicesOf(devices []device, g slurmconf.Gres, node int) (has uint64, found bool, at device) {
	for _, d := range devices {
		if d.name != g.Name || !d.all && !slices.Contains(d.nodes, node) {
			continue
		}
		if g.Type != "" && d.kind == "" {
			return 0, false, at
		}
		found = true
		if own := g.Type == "" || strings.EqualFold(d.kind, g.Type); own || has == 0 {
			at = d
			if own {
				has += d.count
			}
		}
	}
	return has, found, at
}
