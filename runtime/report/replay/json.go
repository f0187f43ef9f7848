package replay

import (
	_ "embed"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report/encode"
)

//go:embed replay.schema.json
var schemaText string

// Schema describes what WriteJSON writes, as JSON Schema. The figures in it are those of replay.Metrics.
func Schema() string {
	text := schemaText
	for _, whole := range []bool{false, true} {
		mark := fmt.Sprintf("\"$metrics %t\": {}", whole)
		text = strings.Replace(text, mark, schemaOf(whole), 1)
	}
	return text
}

// schemaOf are the properties of the metrics of a replay as a whole, or of a group.
func schemaOf(whole bool) string {
	var b strings.Builder
	for i := range replay.Metrics {
		m := &replay.Metrics[i]
		if m.Whole != whole {
			continue
		}
		outer, inner, nested := strings.Cut(m.Name, ".")
		text := fmt.Sprintf(`"%s": {"type": ["number", "null"], "description": "%s (%s)"}`, m.Name, m.Doc, m.Unit)
		if nested {
			text = fmt.Sprintf(`"%s": {"type": ["number", "null"], "description": "%s (%s)"}`, inner, m.Doc, m.Unit)
		}
		opens := nested && (i == 0 || !strings.HasPrefix(replay.Metrics[i-1].Name, outer+"."))
		closes := nested && (i+1 == len(replay.Metrics) || !strings.HasPrefix(replay.Metrics[i+1].Name, outer+"."))
		if b.Len() > 0 {
			b.WriteString(",\n        ")
		}
		if opens {
			fmt.Fprintf(&b, `"%s": {"type": "object", "properties": {`, outer)
		}
		b.WriteString(text)
		if closes {
			b.WriteString("}}")
		}
	}
	return b.String()
}

// FormatVersion is the version of the JSON.
const FormatVersion = 1

// job is one job in JSON. Times are epoch seconds.
type job struct {
	ID              string   `json:"id"`
	User            string   `json:"user"`
	Account         string   `json:"account"`
	QOS             string   `json:"qos"`
	Partition       string   `json:"partition"`
	Procs           int64    `json:"procs"`
	WalltimeSeconds *int64   `json:"walltime_seconds"`
	Submit          int64    `json:"submit"`
	Start           *int64   `json:"start"`
	End             *int64   `json:"end"`
	WaitSeconds     *int64   `json:"wait_seconds"`
	Slowdown        any      `json:"bounded_slowdown"`
	By              string   `json:"by" form:"ornull"`
	Nodes           []string `json:"nodes"`
	Tasks           []int64  `json:"tasks"`
	Cancelled       bool     `json:"cancelled"`
	Never           string   `json:"never" form:"ornull"`
	Earlier         []run    `json:"earlier"`
}

// run is one after which a job was requeued.
type run struct {
	Start int64    `json:"start"`
	End   int64    `json:"end"`
	By    string   `json:"by"`
	Nodes []string `json:"nodes"`
}

func (r *Report) job(o *replay.Outcome) *job {
	started := o.By != ""
	j := &job{ID: o.ID, User: o.User, Account: o.Account, QOS: o.QOS, Partition: o.Partition, Procs: o.Procs,
		WalltimeSeconds: encode.Some(o.Limit, o.Limit > 0), Submit: o.Submit,
		Start: encode.Some(o.Start, started), End: encode.Some(o.End, started),
		WaitSeconds: encode.Some(o.Wait(), started), By: string(o.By), Cancelled: o.Cancelled, Never: o.Never}
	if started {
		j.Slowdown = replay.Slowdown(float64(o.Wait()), float64(o.End-o.Start))
	}
	for _, before := range o.Earlier {
		x := run{Start: before.Start, End: before.End, By: string(before.By)}
		for _, share := range before.Nodes {
			x.Nodes = append(x.Nodes, r.Nodes[share.Node])
		}
		j.Earlier = append(j.Earlier, x)
	}
	for _, share := range o.Nodes {
		j.Nodes, j.Tasks = append(j.Nodes, r.Nodes[share.Node]), append(j.Tasks, share.Tasks)
	}
	return j
}

func (r *Report) jobs() iter.Seq[*job] {
	return func(yield func(*job) bool) {
		for i := range r.Outcomes {
			if !yield(r.job(&r.Outcomes[i])) {
				return
			}
		}
	}
}

// figures are the metrics of a group, or of the replay as a whole. A dot in a name begins an inner object.
type figures struct {
	values replay.Figures
	whole  bool
}

// WriteMembers writes them in the order of replay.Metrics.
func (f figures) WriteMembers(j *encode.JSON, _ string) {
	outer, members := "", encode.Object(nil)
	flush := func() {
		if len(members) > 0 {
			j.Key(outer).Value(members)
		}
		members = nil
	}
	for i := range replay.Metrics {
		m := &replay.Metrics[i]
		if m.Whole != f.whole {
			continue
		}
		name, inner, nested := strings.Cut(m.Name, ".")
		if name != outer {
			flush()
		}
		if outer = name; nested {
			members = append(members, encode.Member{Name: inner, Value: f.values[i]})
		} else {
			j.Key(name).Value(f.values[i])
		}
	}
	flush()
}

type all struct {
	Figures figures `json:"figures"`
}

type group struct {
	Kind    string  `json:"kind"`
	Name    string  `json:"name"`
	Figures figures `json:"figures"`
}

type share struct {
	Kind   string  `json:"kind"`
	Name   string  `json:"name"`
	Target float64 `json:"target"`
	Used   float64 `json:"used"`
}

type metrics struct {
	From    int64            `json:"from"`
	Whole   figures          `json:"whole"`
	All     all              `json:"all"`
	Groups  iter.Seq[*group] `json:"groups" form:"lines"`
	Targets []share          `json:"targets"`
}

type shareSeries struct {
	Kind   string    `json:"kind"`
	Name   string    `json:"name"`
	Target float64   `json:"target"`
	Used   []float64 `json:"used"`
	All    []float64 `json:"used_so_far"`
}

type series struct {
	Begin       int64         `json:"begin"`
	StepSeconds int64         `json:"step_seconds"`
	Busy        []float64     `json:"busy_procs"`
	Queued      []float64     `json:"queued_jobs"`
	Age         []float64     `json:"queue_age_seconds"`
	Oldest      []float64     `json:"oldest_seconds"`
	Shares      []shareSeries `json:"shares" form:"lines"`
}

func (r *Report) series() series {
	s := r.Measured.Series
	out := series{Begin: s.Begin, StepSeconds: s.StepSeconds, Busy: s.Busy, Queued: s.Queued, Age: s.Age,
		Oldest: s.Oldest}
	for i := range s.Shares {
		out.Shares = append(out.Shares, shareSeries(s.Shares[i]))
	}
	return out
}

type leftOut struct {
	Why   string   `json:"why"`
	Count int      `json:"count"`
	Jobs  []string `json:"jobs"`
}

// WriteJSON writes the whole replay as one JSON document.
func WriteJSON(w io.Writer, r *Report) error {
	m := r.Measured
	groups := make([]*group, len(m.Groups))
	for i := range m.Groups {
		g := &m.Groups[i]
		groups[i] = &group{g.Kind, g.Name, figures{g.Figures, false}}
	}
	shares := make([]share, len(m.Shares))
	for i := range m.Shares {
		shares[i] = share(m.Shares[i])
	}
	left := make([]leftOut, len(r.Workload.Left))
	for i, l := range r.Workload.Left {
		left[i] = leftOut{l.Why, len(l.IDs), l.IDs}
	}
	return encode.Write(w, struct {
		FormatVersion int            `json:"format_version"`
		Scheduler     string         `json:"scheduler" form:"ornull"`
		Begin         int64          `json:"begin"`
		End           int64          `json:"end"`
		Procs         *int64         `json:"procs"`
		Jobs          iter.Seq[*job] `json:"jobs" form:"lines"`
		Metrics       metrics        `json:"metrics"`
		Series        series         `json:"series"`
		Against       *against       `json:"against"`
		LeftOut       []leftOut      `json:"left_out"`
	}{FormatVersion, r.Policy, r.Begin, r.End, encode.Some(r.Procs, r.Procs > 0), r.jobs(),
		metrics{m.From, figures{m.All, true}, all{figures{m.All, false}}, slices.Values(groups), shares}, r.series(),
		r.against(), left})
}

// WriteLines writes one job object on each line.
func WriteLines(w io.Writer, r *Report) error {
	j := encode.New(w)
	for job := range r.jobs() {
		j.Record(job)
	}
	return j.Close()
}
