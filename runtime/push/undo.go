package push

// Undo is the plan that takes a run back: each job gets the value that it had before, if it still has
// the one that the run gave it. ok is false if the journal has no such run.
func Undo(journal []Entry, run string) (p *Plan, ok bool) {
	p = &Plan{FormatVersion: FormatVersion, Undoes: run}
	at := map[key]int{}
	for _, e := range journal {
		if e.Run != run {
			continue
		}
		if ok = true; e.Target != nil {
			p.Target = *e.Target
		}
		for _, c := range e.Changes { // of intents; which took, the resource manager tells
			k := key{c.Job, c.Submitted}
			i, again := at[k]
			switch {
			case c.Keep:
			case again:
				p.Changes[i].Old = c.New
			default:
				at[k] = len(p.Changes)
				p.Changes = append(p.Changes, c.back())
			}
		}
	}
	return p, ok
}

// back is the change that takes a change back.
func (c Change) back() Change {
	return Change{Job: c.Job, Name: c.Name, Submitted: c.Submitted, User: c.User, Old: c.New, New: c.Old}
}

// Run is a run as the journal tells it.
type Run struct {
	ID      string `json:"run"`
	Began   string `json:"began"`
	Target  Target `json:"target"`
	Undoes  string `json:"undoes,omitempty"`
	Ended   bool   `json:"ended"` // it came to its end
	Changed int    `json:"changed"`
	Missed  int    `json:"missed"`
	Error   string `json:"error,omitempty"` // with which it ended
}

// Runs lists the runs of a journal, oldest first.
func Runs(journal []Entry) []Run {
	var runs []Run
	at := map[string]int{}
	for _, e := range journal {
		i, ok := at[e.Run]
		if !ok {
			i = len(runs)
			at[e.Run] = i
			runs = append(runs, Run{ID: e.Run, Began: e.Time})
		}
		r := &runs[i]
		switch e.Event {
		case Begin:
			r.Ended, r.Undoes, r.Error = false, e.Undoes, ""
			if e.Target != nil {
				r.Target = *e.Target
			}
		case Done:
			r.Changed += len(e.Took)
			r.Missed += len(e.Missed)
		case End:
			r.Ended, r.Error = true, e.Error
		}
	}
	return runs
}
