package fairshare

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/program"
)

// Request is what a job would add to usage, as caps count it: processor-seconds of its
// whole limit. Where processor-equivalents count, Maui adds the equivalents themselves, cut
// to a whole number, with no time in it (MFSCheckCap; recorded: f20).
func Request(w *program.Windows, procs, walltimeSeconds int64, processorEquivalents float64) float64 {
	if w.Usage == DedicatedPESeconds {
		return math.Trunc(processorEquivalents)
	}
	return float64(procs) * float64(walltimeSeconds)
}

// Cap reports the first of a job's credentials whose cap the job would exceed.
func (s *WindowShares) Cap(names Names, request float64) (Violation, bool) {
	for o, name := range names {
		target := s.targets[o].capOf(name)
		if target == NoTarget {
			continue
		}
		if v, over := s.exceeds(target, s.Of(o, name).Usage, request); over {
			v.Object, v.Name = Objects[o], name
			return v, true
		}
	}
	return Violation{}, false
}

// exceeds compares with one cap. The share of a relative cap is of usage without the job, so
// that nothing is over it while no usage is recorded.
func (s *WindowShares) exceeds(target int32, usage, request float64) (Violation, bool) {
	t := &s.Model.Targets[target]
	v := Violation{Target: int(target), Value: t.Value, Usage: usage, Request: request}
	if t.Kind == "cap" {
		return v, usage+request > t.Value
	}
	if s.Total <= 0 {
		return v, false
	}
	v.Percent = 100 * (usage + request) / s.Total
	return v, v.Percent > t.Value
}

// Codes is who a job is, as codes into a Gate's dictionaries.
type Codes [objects]uint32

// Gate tests many jobs against the caps. It is Cap with the names looked up once.
type Gate struct {
	shares *WindowShares
	names  [objects][]string
	caps   [objects][]capRow // per code of the dictionary; nil for an object without caps
}

type capRow struct {
	target int32
	usage  float64
}

// Gate prepares the caps for jobs whose names are codes into these dictionaries, one for each
// of Objects; nil for a credential that no job has. Without any cap there is no gate.
func (s *WindowShares) Gate(dictionaries [objects][]string) *Gate {
	g, none := &Gate{shares: s, names: dictionaries}, true
	for o, dictionary := range dictionaries {
		for code, name := range dictionary {
			target := s.targets[o].capOf(name)
			if target == NoTarget {
				continue
			}
			if g.caps[o] == nil {
				g.caps[o] = make([]capRow, len(dictionary))
				for i := range g.caps[o] {
					g.caps[o][i].target = NoTarget
				}
			}
			g.caps[o][code] = capRow{target, s.Of(o, name).Usage}
			none = false
		}
	}
	if none {
		return nil
	}
	return g
}

// Concerns reports whether a job has a cap.
func (g *Gate) Concerns(job Codes) bool {
	for o, code := range job {
		if g.caps[o] != nil && g.caps[o][code].target != NoTarget {
			return true
		}
	}
	return false
}

// Check reports the first cap that a job would exceed.
func (g *Gate) Check(job Codes, request float64) (Violation, bool) {
	if g == nil {
		return Violation{}, false
	}
	for o, code := range job {
		if g.caps[o] == nil || g.caps[o][code].target == NoTarget {
			continue
		}
		row := g.caps[o][code]
		if v, over := g.shares.exceeds(row.target, row.usage, request); over {
			v.Object, v.Name = Objects[o], g.names[o][code]
			return v, true
		}
	}
	return Violation{}, false
}
