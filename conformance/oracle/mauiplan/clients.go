package mauiplan

import "fmt"

// Showstart answers showstart for a waiting job: the start of its reservation or the earliest time, its processors
// and the partition (§5.5).
func (r *Result) Showstart(id string) string {
	t := r.t
	for k := range t.Jobs {
		j := &t.Jobs[k]
		if j.ID != id {
			continue
		}
		best, on, ok := t.anywhere(j, true)
		if h, has := t.reservation(j); has {
			best, on, ok = h.start, h.on, true
		}
		if !ok {
			return "never"
		}
		return fmt.Sprintf("%d %d %s", best, t.size(j), t.Nodes[on[0].Node].Partition)
	}
	return "unknown"
}

// size is the job's processors (P8).
func (t *twin) size(j *Job) int64 {
	if t.Rules.Access == "SINGLETASK" {
		return j.Tasks * t.Nodes[0].Procs
	}
	return j.Tasks * j.ProcsPerTask
}

// Showbf answers showbf: the windows.
func (r *Result) Showbf() []string {
	var out []string
	longer := int64(0)
	for {
		var all window
		all.seconds = Forever
		for _, partition := range r.t.partitions() {
			if w, ok := r.t.window(&Job{Tasks: 1, ProcsPerTask: 1}, partition, longer); ok {
				all.procs += w.procs
				all.seconds = min(all.seconds, w.seconds)
			}
		}
		if all.procs == 0 {
			break
		}
		word := "procs"
		if all.procs == 1 {
			word = "proc"
		}
		if all.seconds > 100*86400 {
			out = append(out, fmt.Sprintf("%d %s available with no timelimit", all.procs, word))
			break
		}
		out = append(out, fmt.Sprintf("%d %s available for %s", all.procs, word, clock(all.seconds)))
		longer = all.seconds
	}
	if out == nil {
		return []string{"no procs available"}
	}
	return out
}

// clock writes seconds as Maui does: [[D:]H:]MM:SS with two digits of hours below one hour.
func clock(s int64) string {
	h := s / 3600
	switch {
	case h >= 24:
		return fmt.Sprintf("%d:%02d:%02d:%02d", h/24, h%24, s/60%60, s%60)
	case h > 0:
		return fmt.Sprintf("%d:%02d:%02d", h, s/60%60, s%60)
	}
	return fmt.Sprintf("00:%02d:%02d", s/60%60, s%60)
}
