package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Baseline is what a site has accepted: findings of these kinds are not shown again. They are known by
// rule, file and text of the line, not by its number, so that lines may move.
type Baseline struct {
	FormatVersion int        `json:"format_version"`
	Findings      []Accepted `json:"findings"`
}

// Accepted is one kind of finding, and how many there are.
type Accepted struct {
	Code  string `json:"code"`
	File  string `json:"file"`
	Text  string `json:"text"`
	Count int    `json:"count"`
}

const baselineVersion = 1

// NewBaseline accepts all findings of a list. called gives files the names that they have in the
// baseline, wherever the program is started; nil leaves them.
func NewBaseline(list diag.List, called func(file string) string) *Baseline {
	b := &Baseline{FormatVersion: baselineVersion, Findings: []Accepted{}}
	at := map[Accepted]int{}
	for _, d := range list {
		key := kindOf(d).in(called)
		i, ok := at[key]
		if !ok {
			i = len(b.Findings)
			at[key] = i
			b.Findings = append(b.Findings, key)
		}
		b.Findings[i].Count++
	}
	return b
}

func (a Accepted) in(called func(file string) string) Accepted {
	if called != nil && a.File != "" {
		a.File = called(a.File)
	}
	return a
}

func kindOf(d *diag.Diagnostic) Accepted {
	a := Accepted{Code: d.Code}
	if !d.Span.IsZero() {
		a.File = d.Span.File.Name
		a.Text = strings.Join(strings.Fields(d.Span.File.Shown(d.Span.Position().Line)), " ")
	}
	return a
}

// ReadBaseline reads what Write wrote.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	b := &Baseline{}
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(b); err != nil {
		return nil, fmt.Errorf("the baseline cannot be read: %w", err)
	}
	if b.FormatVersion != baselineVersion {
		return nil, fmt.Errorf("the baseline has the format version %d, this program reads %d", b.FormatVersion,
			baselineVersion)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("the baseline has text after its end")
	}
	for _, a := range b.Findings {
		if a.Count < 1 {
			return nil, fmt.Errorf("the baseline has %d findings of %s in %s; it is 1 or more", a.Count, a.Code, a.File)
		}
	}
	return b, nil
}

// Write prints the baseline.
func (b *Baseline) Write(w io.Writer) error {
	return source.WriteJSON(w, b)
}

// Filter keeps the findings that the baseline does not have. It says how many it took out, and how many of
// the baseline are not found any more.
func (b *Baseline) Filter(list diag.List, called func(file string) string) (kept diag.List, taken, gone int) {
	left := map[Accepted]int{}
	for _, a := range b.Findings {
		n := a.Count
		a.Count = 0
		left[a] += n
	}
	for _, d := range list {
		if key := kindOf(d).in(called); left[key] > 0 {
			left[key]--
			taken++
			continue
		}
		kept = append(kept, d)
	}
	for _, n := range left {
		gone += n
	}
	return kept, taken, gone
}

// Fingerprint names a finding in a way that stays the same while other lines move.
func Fingerprint(d *diag.Diagnostic) string {
	k := kindOf(d)
	h := fnv.New64a()
	for _, part := range []string{k.Code, k.File, k.Text} {
		_, _ = h.Write([]byte(part + "\x00")) // a hash takes everything
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
