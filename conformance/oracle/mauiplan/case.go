package mauiplan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// words are a line of maui.cfg: name, index, and the rest in words.
func words(line string) (name, index string, rest []string) {
	fields := strings.Fields(line)
	name, index, _ = strings.Cut(fields[0], "[")
	return name, strings.TrimSuffix(index, "]"), fields[1:]
}

// Machine reads the case. Standing reservations without a period are those of maui.cfg; of others the caller adds the
// occurrences, with what Machine has in Admits.
func (c *Case) Machine() (*Machine, error) {
	m := &Machine{Admits: map[string][]Admission{}}
	r := &m.Rules
	*r = Rules{
		Backfill: "FIRSTFIT", Reservations: "CURRENTHIGHEST", Access: "SHARED", Available: "COMBINED",
		Allocation: map[string]string{},
	}
	depth, lists := map[int]int64{0: 1}, map[int][]string{}
	weights := map[string]float64{"QUEUETIME": 1}
	prio, priority := map[string]float64{}, map[string]float64{}
	qdef, flags := map[string]string{}, map[string][]string{}
	plist, pdef := map[string][]string{}, map[string]string{}
	hosts, endless := map[string][]string{}, []string(nil)
	for _, line := range c.Cfg {
		name, index, rest := words(line)
		number := func() int64 { n, _ := strconv.ParseInt(rest[0], 10, 64); return n }
		bucket, _ := strconv.Atoi(index)
		switch name {
		case "BACKFILLPOLICY":
			r.Backfill = rest[0]
		case "BACKFILLMETRIC":
			r.Metric = rest[0]
		case "BACKFILLDEPTH":
			r.BackfillDepth = int(number())
		case "RESERVATIONPOLICY":
			r.Reservations = rest[0]
		case "RESERVATIONDEPTH":
			depth[bucket] = number()
		case "RESERVATIONQOSLIST":
			lists[bucket] = rest
		case "RESERVATIONTHRESHOLDTYPE":
			r.Threshold = rest[0]
		case "RESERVATIONTHRESHOLDVALUE":
			r.ThresholdValue = number()
		case "NODEALLOCATIONPOLICY":
			r.Allocation[""], r.Allocation["DEFAULT"] = rest[0], rest[0]
		case "NODEACCESSPOLICY":
			r.Access = rest[0]
		case "NODEAVAILABILITYPOLICY":
			r.Available = rest[0]
		case "JOBNODEMATCHPOLICY":
			r.ExactNode = rest[0] == "EXACTNODE"
		case "USERWEIGHT", "QOSWEIGHT", "MEMWEIGHT", "PROCWEIGHT", "PEWEIGHT", "WALLTIMEWEIGHT", "XFACTORWEIGHT",
			"QUEUETIMEWEIGHT":
			weights[strings.TrimSuffix(name, "WEIGHT")] = float64(number())
		default:
			if !strings.HasSuffix(name, "CFG") {
				return nil, fmt.Errorf("no rule reads %q", line)
			}
			for _, attribute := range rest {
				key, value, _ := strings.Cut(attribute, "=")
				value = strings.Trim(value, "'")
				kind := strings.ToLower(strings.TrimSuffix(name, "CFG"))
				switch {
				case name == "NODECFG" && key == "PRIORITY":
					priority[index], _ = strconv.ParseFloat(value, 64)
				case name == "NODECFG" && key == "PRIORITYF":
					_, text, _ := strings.Cut(line, "PRIORITYF=")
					r.Factors = factors(strings.Trim(text, "'"))
				case key == "PRIORITY":
					prio[kind+index], _ = strconv.ParseFloat(value, 64)
				case key == "QDEF":
					qdef[index] = value
				case key == "QFLAGS":
					flags[index] = strings.Split(value, ",")
				case key == "PLIST":
					plist[index] = strings.Split(value, ":")
				case key == "PDEF":
					pdef[index] = value
				case name == "SRCFG" && strings.HasSuffix(key, "LIST") && key != "HOSTLIST":
					for _, one := range strings.Split(value, ",") {
						bare := strings.TrimRight(one, "+-=")
						of := strings.ToLower(strings.TrimSuffix(key, "LIST"))
						m.Admits[index] = append(m.Admits[index], Admission{of, bare, one[len(bare):]})
					}
				case name == "SRCFG" && key == "PERIOD" && value == "INFINITY":
					endless = append(endless, index)
				case name == "SRCFG" && key == "HOSTLIST":
					hosts[index] = strings.Split(value, ",")
				case strings.HasPrefix(key, "MAX"):
					soft, hard, both := strings.Cut(value, ",")
					l := Limit{Per: kind, Name: index, Of: strings.TrimPrefix(key, "MAX")}
					if strings.HasSuffix(l.Of, "PERUSER") {
						l.Per, l.Of = "class+user", strings.TrimSuffix(l.Of, "PERUSER")
					}
					l.Soft, _ = strconv.ParseInt(soft, 10, 64)
					l.Hard = l.Soft
					if both {
						l.Hard, _ = strconv.ParseInt(hard, 10, 64)
					}
					r.Limits = append(r.Limits, l)
				}
			}
		}
	}
	for k := range 2 {
		r.Buckets = append(r.Buckets, Bucket{depth[k], lists[k]})
	}
	index := map[string]int{}
	partitions := map[string]bool{}
	procs, mem := int64(0), int64(0)
	for k, n := range c.Nodes {
		index[n.ID] = k
		if n.Partition == "" {
			n.Partition = "DEFAULT"
		}
		if !partitions[n.Partition] {
			partitions[n.Partition] = true
			r.Partitions = append(r.Partitions, n.Partition)
		}
		if n.Speed == 0 {
			n.Speed = 1
		}
		m.Nodes = append(m.Nodes, Node{
			Name: n.ID, Partition: n.Partition, State: n.State, Procs: n.Procs, MemMB: n.MemMB,
			AvailableProcs: n.AvailableProcs, AvailableMemMB: n.AvailableMemMB, Load: n.Load, Speed: n.Speed,
			Priority: priority[n.ID], Features: n.Features, Slots: n.Slots, AvailableSlots: n.AvailableSlots,
		})
		procs, mem = procs+n.Procs, mem+n.MemMB
	}
	if !partitions["DEFAULT"] {
		r.Partitions = plist[""] // in the order in which maui.cfg first names them
	}
	for _, j := range c.Jobs {
		if j.Arrives > c.Now {
			continue
		}
		if j.ProcsPerTask == 0 {
			j.ProcsPerTask = 1
		}
		if j.QOS == "" {
			j.QOS = qdef[j.User]
		}
		if j.QOS == "" {
			j.QOS = "DEFAULT"
		}
		job := Job{
			ID: j.ID, User: j.User, Group: j.Group, Class: j.Class, QOS: j.QOS,
			Tasks: j.Tasks, ProcsPerTask: j.ProcsPerTask, MemMBPerTask: j.MemMBPerTask, Seconds: j.Seconds,
			TasksPerNode: j.TasksPerNode, NodeCount: j.NodeCount, MinMemMB: j.MinMemMB,
			Features: j.Features, Hosts: j.Hosts, Submitted: j.Submitted - c.Now, Flags: flags[j.QOS],
		}
		if !partitions["DEFAULT"] {
			job.Partitions = slices.Concat(plist[""], plist[j.User]) // they add up
			job.DefaultPartition = pdef[""]
			if own := pdef[j.User]; own != "" {
				job.DefaultPartition = own
			}
		}
		if j.State == "running" {
			job.Started = j.Started - c.Now
			for _, s := range j.On {
				job.RunsOn = append(job.RunsOn, Share{index[s.Node], s.Tasks})
			}
		}
		queued := float64(-job.Submitted)
		size := job.Tasks * job.ProcsPerTask
		xfactor := (queued + float64(j.Seconds)) / max(120, float64(j.Seconds))
		p := weights["QUEUETIME"]*queued/60 + weights["XFACTOR"]*xfactor +
			weights["USER"]*prio["user"+j.User] + weights["QOS"]*prio["qos"+j.QOS] + weights["MEM"]*float64(j.Tasks*j.MemMBPerTask) +
			weights["PROC"]*float64(size) + weights["WALLTIME"]*float64(j.Seconds) +
			weights["PE"]*float64(j.Tasks)*max(float64(j.ProcsPerTask)/float64(procs), float64(j.MemMBPerTask)/float64(mem))*float64(procs)
		job.Priority = int64(max(1, p))
		m.Jobs = append(m.Jobs, job)
	}
	for _, name := range endless {
		m.Standing = append(m.Standing, m.Occurrence(name, 0, Forever, hosts[name]))
	}
	return m, nil
}

// Occurrence is a standing reservation of maui.cfg for a time, on the named nodes.
func (m *Machine) Occurrence(name string, start, end int64, hosts []string) Standing {
	s := Standing{Name: name, Start: start, End: end, Admits: m.Admits[name]}
	for _, host := range hosts {
		s.Nodes = append(s.Nodes, slices.IndexFunc(m.Nodes, func(n Node) bool { return n.Name == host }))
	}
	return s
}

// factors of a PRIORITYF.
func factors(text string) (out []Factor) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), "-", "+-")
	for _, term := range strings.Split(text, "+") {
		if term == "" {
			continue
		}
		weight := 1.0
		if strings.HasPrefix(term, "-") {
			weight, term = -1, term[1:]
		}
		if number, of, ok := strings.Cut(term, "*"); ok {
			n, _ := strconv.ParseFloat(number, 64)
			weight, term = weight*n, of
		}
		out = append(out, Factor{weight, term})
	}
	return out
}
