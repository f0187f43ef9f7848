package synth

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// machine is the given machine side by side with copies of itself.
type machine struct {
	tiles  []map[string]string // by copy: the name of each node, by that of its model; the first is the given machine
	upEach map[string]int      // nodes that take jobs, by partition
}

// numbered is the number at the end of a node's name.
func numbered(name string) (base, digits string) {
	base = strings.TrimRight(name, "0123456789")
	return base, name[len(base):]
}

// enlarge makes a machine of n nodes: the given ones over and over, numbered on, in the same partitions and states.
// Each copy of the machine has copies of its running jobs, begun at other times.
func enlarge(s *snapshot.Snapshot, n int, draw *rand.Rand) (*snapshot.Snapshot, *machine, error) {
	if s.Nodes == nil || s.Nodes.Rows == 0 || s.Nodes.Column("node.id") == nil {
		return nil, nil, errors.New("the snapshot has no nodes to make a machine like")
	}
	if n < s.Nodes.Rows {
		return nil, nil, fmt.Errorf("the snapshot has %d nodes: a machine like it has at least as many", s.Nodes.Rows)
	}
	out, m := *s, &machine{upEach: map[string]int{}}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i % s.Nodes.Rows
	}
	out.Nodes = s.Nodes.Pick(rows)
	putTexts(out.Nodes, "node.id", m.names(texts(s.Nodes, "node.id"), n))
	m.countUp(out.Nodes)
	out.Credentials = map[string]*column.Table{}
	maps.Copy(out.Credentials, s.Credentials)
	if parts := s.Credentials["partition"]; parts != nil {
		out.Credentials["partition"] = enlarged(parts, s.Nodes, out.Nodes)
	}
	if s.Jobs != nil && s.Jobs.Column("job.id") != nil {
		out.Jobs = m.occupy(s, draw)
	}
	return &out, m, nil
}

// names numbers n nodes: the given ones keep their names.
func (m *machine) names(given []string, n int) []string {
	taken, last := map[string]bool{}, map[string]int{}
	for _, name := range given {
		taken[name] = true
		base, digits := numbered(name)
		number, _ := strconv.Atoi(digits) // none is 0
		last[base] = max(last[base], number)
	}
	list := make([]string, n)
	for i := range list {
		model := given[i%len(given)]
		if i%len(given) == 0 {
			m.tiles = append(m.tiles, make(map[string]string, len(given)))
		}
		list[i] = model
		if i >= len(given) {
			base, digits := numbered(model)
			for {
				last[base]++
				if list[i] = fmt.Sprintf("%s%0*d", base, len(digits), last[base]); !taken[list[i]] {
					break
				}
			}
			taken[list[i]] = true
		}
		m.tiles[len(m.tiles)-1][model] = list[i]
	}
	return list
}

// countUp counts the nodes of each partition that take jobs; "" is all of them.
func (m *machine) countUp(nodes *column.Table) {
	for row := range nodes.Rows {
		if up := nodes.Value("node.up", row); up.Known() && up.Int == 0 {
			continue
		}
		m.upEach[""]++
		for _, part := range nodes.Value("node.partitions", row).List {
			m.upEach[part]++
		}
	}
}

// enlarged are partitions that have grown with the nodes.
func enlarged(parts, given, nodes *column.Table) *column.Table {
	was, is := countNodes(given), countNodes(nodes)
	out := parts.Copy()
	for _, c := range parts.Columns() {
		name := string(c.ID)
		if name != "partition.nodes" && name != "partition.procs" && !strings.HasPrefix(name, "partition.tres(") {
			continue
		}
		c = c.Copy()
		for row := range parts.Rows {
			part := parts.Value("partition.name", row).Str
			v := c.Value(row)
			if !v.Known() || was[part] == 0 {
				continue
			}
			c.Set(row, scaled(v, float64(is[part])/float64(was[part])))
		}
		out.Put(c)
	}
	return out
}

func countNodes(nodes *column.Table) map[string]int {
	count := map[string]int{}
	for row := range nodes.Rows {
		for _, part := range nodes.Value("node.partitions", row).List {
			count[part]++
		}
	}
	return count
}

// scaled is a number so many times as large, whole if it was.
func scaled(v schema.Value, times float64) schema.Value {
	switch v.Type {
	case schema.Int:
		return schema.IntValue(int64(float64(v.Int)*times + 0.5))
	case schema.Double:
		return schema.DoubleValue(v.Double * times)
	}
	return v
}

// occupy is the list of jobs with copies of the running ones, on the nodes of each copy of the machine that has them
// all.
func (m *machine) occupy(s *snapshot.Snapshot, draw *rand.Rand) *column.Table {
	active, _ := split(s.Jobs)
	kept := make([]int, s.Jobs.Rows)
	for row := range kept {
		kept[row] = row
	}
	var copies []copied
	var tiles []int
	rows := kept
	for k := 1; k < len(m.tiles); k++ {
		for _, row := range active {
			if !m.whole(k, s.Jobs.Value("job.allocated_hosts", row).List) {
				continue
			}
			rows, tiles = append(rows, row), append(tiles, k)
			copies = append(copies, copied{row: row})
		}
	}
	jobs := s.Jobs.Pick(rows)
	number(s.Jobs, jobs, kept, copies)
	for i := range copies {
		moveRunning(jobs, len(kept)+i, s.Now, draw)
	}
	m.rename(jobs, len(kept), func(i int) int { return tiles[i] })
	return jobs
}

func (m *machine) whole(tile int, hosts []string) bool {
	for _, host := range hosts {
		if m.tiles[tile][host] == "" {
			return false
		}
	}
	return len(hosts) > 0
}

// ran are the times of a job that runs which move together.
var ran = append([]schema.ColumnID{"job.start_time", "job.end_time"}, shifted...)

// moveRunning moves the times of a running job, to any at which it still runs now.
func moveRunning(jobs *column.Table, row int, now int64, draw *rand.Rand) {
	start, end := jobs.Value("job.start_time", row), jobs.Value("job.end_time", row)
	if !start.Known() || !end.Known() || start.Int > now || end.Int <= now {
		return
	}
	earliest := now - end.Int + 1 // it ends in a second
	later := earliest + draw.Int64N(now-start.Int-earliest+1)
	for _, id := range ran {
		switch c := jobs.Column(id); {
		case c == nil || c.Missing.Get(row):
		case id == "job.start_time" || id == "job.end_time" || later < 0:
			c.Ints[row] += later
		}
	}
}

// named are columns that list nodes.
var named = []schema.ColumnID{"job.hosts", "job.excluded_hosts", "job.allocated_hosts"}

// rename gives jobs from a row on the nodes of a copy of the machine.
func (m *machine) rename(jobs *column.Table, from int, tile func(i int) int) {
	for _, id := range named {
		c := jobs.Column(id)
		if c == nil || jobs.Rows == from {
			continue
		}
		c = c.Copy()
		c.Lists = append([][]string{}, c.Lists...)
		type renamed struct {
			code uint32
			tile int
		}
		codes := map[renamed]uint32{}
		for row := from; row < jobs.Rows; row++ {
			key := renamed{c.Codes[row], tile(row - from)}
			if c.Missing.Get(row) || len(c.Lists[key.code]) == 0 || !m.whole(key.tile, c.Lists[key.code]) {
				continue
			}
			code, ok := codes[key]
			if !ok {
				code = uint32(len(c.Lists))
				codes[key] = code
				list := make([]string, len(c.Lists[key.code]))
				for i, host := range c.Lists[key.code] {
					list[i] = m.tiles[key.tile][host]
				}
				c.Lists = append(c.Lists, list)
			}
			c.Codes[row] = code
		}
		jobs.Put(c)
	}
}

// grows reports an amount of the whole job, which grows with its nodes.
func grows(id schema.ColumnID) bool {
	switch id {
	case "job.tasks", "job.procs", "job.nodes", "job.nodes_max", "job.mem_mb", "job.swap_mb", "job.disk_mb", "job.gpus":
		return true
	}
	return strings.HasPrefix(string(id), "job.tres(")
}

// widen makes jobs from a row on larger, as a larger machine has them: half of them stay as they are, a quarter are
// twice as large, and so on, up to half of the nodes of the smallest of their partitions.
func (m *machine) widen(jobs *column.Table, from int, draw *rand.Rand) {
	times := make([]int64, jobs.Rows-from)
	for i := range times {
		times[i] = 1
		row := from + i
		if len(jobs.Value("job.hosts", row).List) > 0 {
			continue // the nodes that it names do not become more
		}
		most := int64(m.upEach[""])
		for _, part := range jobs.Value("job.partitions", row).List {
			if up, ok := m.upEach[part]; ok {
				most = min(most, int64(up))
			}
		}
		nodes := max(1, jobs.Value("job.nodes", row).Int)
		for 4*times[i]*nodes <= most && draw.IntN(2) == 0 {
			times[i] *= 2
		}
	}
	for _, c := range jobs.Columns() {
		if !grows(c.ID) {
			continue
		}
		c = c.Copy()
		for i, n := range times {
			if v := c.Value(from + i); n > 1 && v.Known() {
				c.Set(from+i, scaled(v, float64(n)))
			}
		}
		jobs.Put(c)
	}
}
