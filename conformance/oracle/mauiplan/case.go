package mauiplan

import (
	"cmp"
	"encoding/json"
	"slices"
)

// A Case is a queue in the form of the recordings (oracle/maui-random-nodes): the policy lines of maui.cfg, nodes
// and jobs in the order of the resource manager, times in epoch seconds.
type Case struct {
	Cfg   []string   `json:"cfg"`
	Now   int64      `json:"now"`
	Nodes []CaseNode `json:"nodes"`
	Jobs  []CaseJob  `json:"jobs"`
}

// A CaseNode is a node of a Case.
type CaseNode struct {
	ID             string           `json:"id"`
	Procs          int64            `json:"procs"`
	MemMB          int64            `json:"mem_mb"`
	State          string           `json:"state"`
	Features       []string         `json:"features,omitempty"`
	Slots          map[string]int64 `json:"classes"`
	AvailableProcs int64            `json:"avail_procs"`
	AvailableMemMB int64            `json:"avail_mem_mb"`
	AvailableSlots map[string]int64 `json:"avail_classes"`
	Load           float64          `json:"load"`
	Speed          float64          `json:"speed,omitempty"`
	Partition      string           `json:"partition,omitempty"`
}

// A CaseJob is a job of a Case; running ones have an allocation.
type CaseJob struct {
	ID           string      `json:"id"`
	User         string      `json:"user"`
	Group        string      `json:"group"`
	Class        string      `json:"class"`
	QOS          string      `json:"qos,omitempty"`
	State        string      `json:"state"`
	Submitted    int64       `json:"submit_time"`
	Started      int64       `json:"start_time,omitempty"`
	Seconds      int64       `json:"wclimit"`
	Tasks        int64       `json:"tasks"`
	ProcsPerTask int64       `json:"procs_per_task,omitempty"`
	MemMBPerTask int64       `json:"mem_mb_per_task,omitempty"`
	MinMemMB     int64       `json:"req_node_mem_mb,omitempty"`
	TasksPerNode int64       `json:"tasks_per_node,omitempty"`
	NodeCount    int64       `json:"nodes,omitempty"`
	Features     []string    `json:"features,omitempty"`
	Hosts        []string    `json:"hosts,omitempty"`
	On           []CaseShare `json:"alloc,omitempty"`
	Arrives      int64       `json:"arrival_time,omitempty"`
}

// A CaseShare is [node, tasks].
type CaseShare struct {
	Node  string
	Tasks int64
}

// UnmarshalJSON reads [node, tasks].
func (s *CaseShare) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.Node, &s.Tasks})
}

// Machine reads the case. Standing reservations without a period are those of maui.cfg; of others the caller adds the
// occurrences, with what Machine has in Admits.
func (c *Case) Machine() (*Machine, error) {
	cfg, err := readCfg(c.Cfg)
	if err != nil {
		return nil, err
	}
	m := &Machine{Rules: cfg.Rules, Admits: cfg.admits}
	size := c.nodes(m, cfg)
	for _, j := range c.Jobs {
		if j.Arrives <= c.Now {
			job := c.job(m, cfg, j)
			job.Priority = cfg.points(&job, size)
			m.Jobs = append(m.Jobs, job)
		}
	}
	for _, name := range cfg.endless {
		m.Standing = append(m.Standing, m.Occurrence(name, 0, Forever, cfg.hosts[name]))
	}
	return m, nil
}

// total is how much all nodes have.
type total struct{ procs, memMB int64 }

// nodes adds the nodes, with their partitions to the rules.
func (c *Case) nodes(m *Machine, cfg *cfg) (size total) {
	for _, n := range c.Nodes {
		if n.Partition == "" {
			n.Partition = "DEFAULT"
		}
		if !slices.Contains(m.Rules.Partitions, n.Partition) {
			m.Rules.Partitions = append(m.Rules.Partitions, n.Partition)
		}
		if n.Speed == 0 {
			n.Speed = 1
		}
		m.Nodes = append(m.Nodes, Node{
			Name: n.ID, Partition: n.Partition, State: n.State, Procs: n.Procs, MemMB: n.MemMB,
			AvailableProcs: n.AvailableProcs, AvailableMemMB: n.AvailableMemMB, Load: n.Load, Speed: n.Speed,
			Priority: cfg.nodePriority[n.ID], Features: n.Features, Slots: n.Slots, AvailableSlots: n.AvailableSlots,
		})
		size.procs, size.memMB = size.procs+n.Procs, size.memMB+n.MemMB
	}
	if cfg.parted = !slices.Contains(m.Rules.Partitions, "DEFAULT"); cfg.parted {
		m.Rules.Partitions = cfg.plist[""] // in the order in which maui.cfg first names them
	}
	return size
}

// job is a job of the case, all but its priority.
func (c *Case) job(m *Machine, cfg *cfg, j CaseJob) Job {
	qos := cmp.Or(j.QOS, cfg.qdef[j.User], "DEFAULT")
	job := Job{
		ID: j.ID, User: j.User, Group: j.Group, Class: j.Class, QOS: qos,
		Tasks: j.Tasks, ProcsPerTask: max(1, j.ProcsPerTask), MemMBPerTask: j.MemMBPerTask, Seconds: j.Seconds,
		TasksPerNode: j.TasksPerNode, NodeCount: j.NodeCount, MinMemMB: j.MinMemMB,
		Features: j.Features, Hosts: j.Hosts, Submitted: j.Submitted - c.Now, Flags: cfg.flags[qos],
	}
	if cfg.parted {
		job.Partitions = slices.Concat(cfg.plist[""], cfg.plist[j.User]) // they add up
		job.DefaultPartition = cmp.Or(cfg.pdef[j.User], cfg.pdef[""])
	}
	if j.State == "running" {
		job.Started = j.Started - c.Now
		for _, s := range j.On {
			job.RunsOn = append(job.RunsOn, Share{m.node(s.Node), s.Tasks})
		}
	}
	return job
}

// node is the place of a node in the list.
func (m *Machine) node(name string) int {
	return slices.IndexFunc(m.Nodes, func(n Node) bool { return n.Name == name })
}

// Occurrence is a standing reservation of maui.cfg for a time, on the named nodes.
func (m *Machine) Occurrence(name string, start, end int64, hosts []string) Standing {
	s := Standing{Name: name, Start: start, End: end, Admits: m.Admits[name]}
	for _, host := range hosts {
		s.Nodes = append(s.Nodes, m.node(host))
	}
	return s
}
