package push

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// FormatVersion is that of plan files. A change of meaning makes a new one.
const FormatVersion = 1

// planFormat tells a plan file from other JSON.
const planFormat = "fairway-push-plan"

type planFile struct {
	Format string `json:"format"`
	*Plan
	SHA256 string `json:"sha256"` // of the plan, so that one that was changed is not carried out
}

// sum is the hash of all that a plan says, however it is laid out.
func (p *Plan) sum() string {
	text, _ := json.Marshal(p) // of plain values, which cannot fail
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// Write writes a plan file.
func (p *Plan) Write(w io.Writer) error {
	e := json.NewEncoder(source.PlainJSON(w))
	e.SetIndent("", " ")
	return e.Encode(planFile{planFormat, p, p.sum()})
}

// Read reads a plan file. A plan is carried out as it stands or not at all.
func Read(f *source.File) (*Plan, diag.List) {
	var diags diag.List
	whole := f.Span(0, min(len(f.Text), 1))
	fail := func(code, format string, args ...any) (*Plan, diag.List) {
		diags.Errorf(code, whole, format, args...)
		return nil, diags
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"format_version"`
	}
	if err := json.Unmarshal(f.Text, &head); err != nil {
		return fail("push-plan-torn", "the plan ends too early or is no JSON: %v", err)
	}
	switch {
	case head.Format != planFormat:
		return fail("push-plan-foreign", "this is no plan of push")
	case head.Version != FormatVersion:
		return fail("push-plan-version", "the plan has format version %d, and this is %d", head.Version, FormatVersion)
	}
	in := planFile{Plan: &Plan{}}
	d := json.NewDecoder(bytes.NewReader(f.Text))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return fail("push-plan-value", "the plan cannot be read: %v", err)
	}
	if err := in.Plan.check(); err != nil {
		return fail("push-plan-value", "the plan cannot be: %v", err)
	}
	if in.SHA256 != in.Plan.sum() {
		return fail("push-plan-changed", "the plan is not as push wrote it: its sha256 is that of another one")
	}
	return in.Plan, diags
}

// check finds what no plan of push holds.
func (p *Plan) check() error {
	if p.Run == "" || p.Made == "" || p.Target.To == "" {
		return errors.New("it lacks its run, its time or its target")
	}
	seen := map[key]bool{}
	for _, c := range p.Changes {
		k := key{c.Job, c.Submitted}
		switch {
		case c.Job == "" || c.Name == "":
			return errors.New("a change is of no job")
		case seen[k]:
			return errors.New("job " + c.Job + " changes twice")
		case c.Keep || c.Through != nil:
			return errors.New("job " + c.Job + " is marked as only a journal marks jobs")
		}
		seen[k] = true
	}
	return nil
}
