package mauiplan

import (
	"fmt"
	"strconv"
	"strings"
)

// cfg is what the lines of a maui.cfg say, in the words of the rules where there is one.
type cfg struct {
	Rules
	depth        map[int]int64 // of the buckets of reservations
	lists        map[int][]string
	weights      map[string]float64
	priority     map[string]float64 // by kind and name, as in userana
	nodePriority map[string]float64
	qdef, pdef   map[string]string
	flags, plist map[string][]string
	hosts        map[string][]string
	admits       map[string][]Admission
	endless      []string // standing reservations without a period
	parted       bool     // no node is in the default partition
}

// settings are the parameters that a rule reads: the value in words, and the bucket that the index says.
var settings = map[string]func(c *cfg, value []string, bucket int){
	"BACKFILLPOLICY":            func(c *cfg, value []string, _ int) { c.Backfill = value[0] },
	"BACKFILLMETRIC":            func(c *cfg, value []string, _ int) { c.Metric = value[0] },
	"BACKFILLDEPTH":             func(c *cfg, value []string, _ int) { c.BackfillDepth = int(whole(value[0])) },
	"RESERVATIONPOLICY":         func(c *cfg, value []string, _ int) { c.Reservations = value[0] },
	"RESERVATIONDEPTH":          func(c *cfg, value []string, bucket int) { c.depth[bucket] = whole(value[0]) },
	"RESERVATIONQOSLIST":        func(c *cfg, value []string, bucket int) { c.lists[bucket] = value },
	"RESERVATIONTHRESHOLDTYPE":  func(c *cfg, value []string, _ int) { c.Threshold = value[0] },
	"RESERVATIONTHRESHOLDVALUE": func(c *cfg, value []string, _ int) { c.ThresholdValue = whole(value[0]) },
	"NODEALLOCATIONPOLICY": func(c *cfg, value []string, _ int) {
		c.Allocation[""], c.Allocation["DEFAULT"] = value[0], value[0]
	},
	"NODEACCESSPOLICY":       func(c *cfg, value []string, _ int) { c.Access = value[0] },
	"NODEAVAILABILITYPOLICY": func(c *cfg, value []string, _ int) { c.Available = value[0] },
	"JOBNODEMATCHPOLICY":     func(c *cfg, value []string, _ int) { c.ExactNode = value[0] == "EXACTNODE" },
	"USERWEIGHT":             weight("USER"),
	"QOSWEIGHT":              weight("QOS"),
	"MEMWEIGHT":              weight("MEM"),
	"PROCWEIGHT":             weight("PROC"),
	"PEWEIGHT":               weight("PE"),
	"WALLTIMEWEIGHT":         weight("WALLTIME"),
	"XFACTORWEIGHT":          weight("XFACTOR"),
	"QUEUETIMEWEIGHT":        weight("QUEUETIME"),
}

func weight(of string) func(*cfg, []string, int) {
	return func(c *cfg, value []string, _ int) { c.weights[of] = float64(whole(value[0])) }
}

// attributes are those of a line NAMECFG[index] that a rule reads. One of a kind alone is KIND.NAME.
var attributes = map[string]func(c *cfg, kind, index, value string){
	"PRIORITY":      func(c *cfg, kind, index, value string) { c.priority[kind+index] = number(value) },
	"node.PRIORITY": func(c *cfg, _, index, value string) { c.nodePriority[index] = number(value) },
	"QDEF":          func(c *cfg, _, index, value string) { c.qdef[index] = value },
	"QFLAGS":        func(c *cfg, _, index, value string) { c.flags[index] = strings.Split(value, ",") },
	"PLIST":         func(c *cfg, _, index, value string) { c.plist[index] = strings.Split(value, ":") },
	"PDEF":          func(c *cfg, _, index, value string) { c.pdef[index] = value },
	"sr.HOSTLIST":   func(c *cfg, _, index, value string) { c.hosts[index] = strings.Split(value, ",") },
	"sr.PERIOD": func(c *cfg, _, index, value string) {
		if value == "INFINITY" {
			c.endless = append(c.endless, index)
		}
	},
}

func whole(text string) int64    { n, _ := strconv.ParseInt(text, 10, 64); return n }
func number(text string) float64 { n, _ := strconv.ParseFloat(text, 64); return n }

// readCfg reads the lines.
func readCfg(lines []string) (*cfg, error) {
	c := &cfg{
		Rules: Rules{
			Backfill: "FIRSTFIT", Reservations: "CURRENTHIGHEST", Access: "SHARED", Available: "COMBINED",
			Allocation: map[string]string{},
		},
		depth: map[int]int64{0: 1}, lists: map[int][]string{}, weights: map[string]float64{"QUEUETIME": 1},
		priority: map[string]float64{}, nodePriority: map[string]float64{},
		qdef: map[string]string{}, pdef: map[string]string{}, flags: map[string][]string{},
		plist: map[string][]string{}, hosts: map[string][]string{}, admits: map[string][]Admission{},
	}
	for _, line := range lines {
		name, index, rest := words(line)
		family, isFamily := strings.CutSuffix(name, "CFG")
		switch set := settings[name]; {
		case set != nil:
			bucket, _ := strconv.Atoi(index)
			set(c, rest, bucket)
		case isFamily:
			for _, attribute := range rest {
				c.attribute(strings.ToLower(family), index, attribute, line)
			}
		default:
			return nil, fmt.Errorf("no rule reads %q", line)
		}
	}
	for k := range 2 {
		c.Buckets = append(c.Buckets, Bucket{c.depth[k], c.lists[k]})
	}
	return c, nil
}

// words are a line of maui.cfg: name, index, and the rest in words.
func words(line string) (name, index string, rest []string) {
	fields := strings.Fields(line)
	name, index, _ = strings.Cut(fields[0], "[")
	return name, strings.TrimSuffix(index, "]"), fields[1:]
}

// attribute reads NAME=VALUE of a line.
func (c *cfg) attribute(kind, index, text, line string) {
	key, value, _ := strings.Cut(text, "=")
	value = strings.Trim(value, "'")
	read := attributes[kind+"."+key]
	if read == nil {
		read = attributes[key]
	}
	list, isList := strings.CutSuffix(key, "LIST")
	of, isLimit := strings.CutPrefix(key, "MAX")
	switch {
	case kind == "node" && key == "PRIORITYF": // it has blanks in it
		_, text, _ := strings.Cut(line, "PRIORITYF=")
		c.Factors = factors(strings.Trim(text, "'"))
	case read != nil:
		read(c, kind, index, value)
	case kind == "sr" && isList:
		for _, one := range strings.Split(value, ",") {
			bare := strings.TrimRight(one, "+-=")
			c.admits[index] = append(c.admits[index], Admission{strings.ToLower(list), bare, one[len(bare):]})
		}
	case isLimit:
		c.limit(Limit{Per: kind, Name: index, Of: of}, value)
	}
}

// limit adds SOFT or SOFT,HARD.
func (c *cfg) limit(l Limit, value string) {
	if of, perUser := strings.CutSuffix(l.Of, "PERUSER"); perUser {
		l.Per, l.Of = "class+user", of
	}
	soft, hard, both := strings.Cut(value, ",")
	l.Soft = whole(soft)
	if l.Hard = l.Soft; both {
		l.Hard = whole(hard)
	}
	c.Limits = append(c.Limits, l)
}

// points are a job's priority.
func (c *cfg) points(job *Job, all total) int64 {
	queued, seconds := float64(-job.Submitted), float64(job.Seconds)
	xfactor := (queued + seconds) / max(120, seconds)
	procs, mem := float64(all.procs), float64(all.memMB)
	w := c.weights
	p := w["QUEUETIME"]*queued/60 + w["XFACTOR"]*xfactor +
		w["USER"]*c.priority["user"+job.User] + w["QOS"]*c.priority["qos"+job.QOS] +
		w["MEM"]*float64(job.Tasks*job.MemMBPerTask) +
		w["PROC"]*float64(job.Tasks*job.ProcsPerTask) + w["WALLTIME"]*seconds +
		w["PE"]*float64(job.Tasks)*max(float64(job.ProcsPerTask)/procs, float64(job.MemMBPerTask)/mem)*procs
	return int64(max(1, p))
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
		if count, of, ok := strings.Cut(term, "*"); ok {
			weight, term = weight*number(count), of
		}
		out = append(out, Factor{weight, term})
	}
	return out
}
