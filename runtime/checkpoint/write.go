package checkpoint

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// kind tells a state file from other JSON.
const kind = "fairway-state"

// The file's form. A job is one line, so that two states can be compared with diff.
type header struct {
	FormatVersion   int    `json:"format_version"`
	Kind            string `json:"kind"`
	Family          string `json:"family"`
	Time            int64  `json:"time"`
	IntervalSeconds int64  `json:"interval_seconds"`
}

type window struct {
	Start int64                         `json:"start"`
	Total float64                       `json:"total"`
	Usage map[string]map[string]float64 `json:"usage"`
}

type job struct {
	ID              string `json:"id"`
	SubmitTime      int64  `json:"submit_time,omitempty"`
	FirstSeen       int64  `json:"first_seen"`
	State           string `json:"state"`
	QueueStart      int64  `json:"queue_start_time"`
	EligibleSeconds int64  `json:"eligible_seconds,omitempty"`
	Bypass          int64  `json:"bypass_count,omitempty"`
	OverSoftLimit   bool   `json:"soft_policy_violation,omitempty"`
	Priority        int64  `json:"priority,omitempty"`
	DeferredUntil   int64  `json:"deferred_until,omitempty"`

	Reservation *Reservation `json:"reservation,omitempty"`
}

type used struct {
	Name        string             `json:"name"`
	Parent      string             `json:"parent,omitempty"`
	Seconds     float64            `json:"usage_seconds"`
	WallSeconds float64            `json:"usage_wall_seconds,omitempty"`
	TRES        map[string]float64 `json:"usage_tres_seconds,omitempty"`
}

// Write writes the file. Equal states give equal bytes.
func (c *Checkpoint) Write(w io.Writer) error {
	p := &printer{w: bufio.NewWriter(w)}
	p.text("{")
	head := header{FormatVersion, kind, c.Family, c.Time, c.IntervalSeconds}
	for i, m := range head.members() {
		if i > 0 {
			p.text(",\n ")
		}
		p.text(`"` + m.name + `":`)
		p.value(m.value)
	}
	p.text(",\n \"windows\":")
	list(p, c.Usage, func(u snapshot.UsageWindow) any {
		usage := u.Usage
		if usage == nil {
			usage = map[string]map[string]float64{}
		}
		return window{u.StartTime, u.Total, usage}
	})
	if t := c.Tree; t != nil {
		p.text(",\n \"last_reset\":")
		p.value(t.LastReset)
		p.text(",\n \"associations\":")
		list(p, t.Associations, func(u Used) any { return used(u) })
		p.text(",\n \"qos\":")
		list(p, t.QOS, func(u Used) any { return used(u) })
	}
	if c.ChunkUntil > 0 {
		p.text(",\n \"chunk_until\":")
		p.value(c.ChunkUntil)
	}
	if c.Standing != nil {
		p.text(",\n \"standing\":")
		list(p, c.Standing, func(s Standing) any { return s })
	}
	p.text(",\n \"jobs\":")
	list(p, c.Jobs, func(j Job) any { return job(j) })
	p.text("}\n")
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}

type member struct {
	name  string
	value any
}

func (h *header) members() []member {
	return []member{
		{"format_version", h.FormatVersion}, {"kind", h.Kind}, {"family", h.Family}, {"time", h.Time},
		{"interval_seconds", h.IntervalSeconds},
	}
}

type printer struct {
	w   *bufio.Writer
	err error
}

func (p *printer) text(s string) {
	if p.err == nil {
		_, p.err = p.w.WriteString(s)
	}
}

func (p *printer) value(v any) {
	text, err := json.Marshal(v) // sorts the keys of maps
	if p.err == nil {
		p.err = err
	}
	p.text(string(text))
}

// list writes an array, an element a line.
func list[T any](p *printer, items []T, form func(T) any) {
	p.text("[")
	for i, item := range items {
		if i > 0 {
			p.text(",")
		}
		p.text("\n  ")
		p.value(form(item))
	}
	p.text("]")
}
