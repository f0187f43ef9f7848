package draft

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// ResultOf is a policy in another language.
type ResultOf struct {
	Text     []byte
	Accounts []byte // the dump of accounts that goes with a slurm.conf, nil if there is none

	Rest []byte // a policy file of what the others cannot say, to be pushed; nil if there is none or none is asked for

	Read lower.Options // with what the files are to be read, as they cannot state it
}

func NewWriter(p *ir.Policy, diags *diag.List) *Writer {
	return &Writer{Policy: p, params: ParamsOf(p), Diags: diags, From: schedulerOf(p), Made: map[string]bool{},
		translation: translation{Taken: map[source.Span]bool{}, Reasons: map[source.Span]string{},
			Spelt: map[source.Span]string{}, Collided: map[source.Span]bool{}, Overridden: map[string]bool{}}}
}

// Unit gathers what a scheduler's file says.
func (w *Writer) Unit(u lower.Unit, opt lower.Options) {
	switch {
	case u.Maui != nil:
		w.maui(u.Maui, opt)
	case u.Slurm != nil:
		w.slurm(u.Slurm, opt)
	case u.Dump != nil:
		w.dump(u.Dump)
	}
}

// number reports text that is a whole number as it stands: it needs no quotes.
func number(text string, p *ir.Param) bool {
	if p != nil &&
		(p.Type != schema.Int && p.Type != schema.Double || p.Unit != "" && p.Unit != "jobs" && p.Unit != "MB") {
		return false // a bare number would be in the unit that is stored, not in that of the file
	}
	digits := strings.TrimPrefix(text, "-")
	return len(digits) > 0 && len(digits) < 16 && strings.Trim(digits, "0123456789") == "" &&
		(digits[0] != '0' || text == "0")
}

// Base gathers what is in the scheduler's words already: its own files, and what policy files say in params
// and records.
func (w *Writer) Base(units []lower.Unit, opt lower.Options) {
	var site []lower.Unit
	own := false
	for _, u := range units {
		w.Remarks.See(u.Source)
		switch {
		case u.HCL != nil:
			site = append(site, u)
			for _, p := range u.HCL.Policies {
				w.Version = w.Version || p.Version.IsSet()
			}
		default:
			own = own || u.Dump == nil
			w.File = own
			w.Unit(u, opt)
		}
	}
	w.dumpsQOS = w.HasRecord("QOS", "")
	if own || len(site) == 0 { // what params set beside a file is added as native
		return
	}
	written, _ := lower.SchedulerFiles(site, opt)
	found := diag.List{}
	quiet := NewWriter(w.Policy, &found)
	for _, f := range []struct {
		lang lower.Lang
		file *source.File
	}{{lower.Lang(w.Use), written.Main}, {lower.Dump, written.Dump}} {
		if f.file != nil {
			unit, _ := lower.Parse(f.file, f.lang, lower.Files{})
			quiet.Unit(unit, w.AsStated(opt)) // with what the policy's header states
		}
	}
	*w.Diags = append(*w.Diags, written.Moved(found)...)
	w.Set, w.Records = append(w.Set, quiet.Set...), append(w.Records, quiet.Records...)
}

// Files writes what was gathered. It goes by way of HCL, whose lowering knows how the files say it.
func (w *Writer) Files(opt lower.Options) (out ResultOf) {
	plain := &Writer{Policy: w.Policy, params: w.params, Diags: w.Diags, gathered: w.gathered,
		page: page{Heads: []string{"use = " + Quote(LibraryName(w.Policy, w.Use))}, bare: true, quoted: true}}
	unit, found := lower.Parse(source.NewFile("policy", []byte(plain.Text(Unformatted))), lower.HCL, lower.Files{})
	var written lower.Written
	if !found.HasErrors() {
		written, found = lower.SchedulerFiles([]lower.Unit{unit}, w.AsStated(opt))
	}
	if found.HasErrors() {
		for _, d := range found {
			if d.Severity == diag.Error && (d.Code == "record-text" || strings.HasPrefix(d.Code, "policy-")) {
				w.Diags.Errorf("convert-refused", source.Span{}, "%s has no way to write a value", w.To.File).
					Note("%s: %s", strings.TrimSpace(d.Span.File.Shown(d.Span.Position().Line)), d.Message)
				return out
			}
		}
	}
	if written.Dump == nil || len(w.Set)+len(w.Conf()) > 0 {
		out.Text = w.formatted(written.Main, lower.Lang(w.Use))
	}
	if written.Dump != nil {
		out.Accounts = w.formatted(written.Dump, lower.Dump, w.qosCommands()...)
	}
	return out
}

// formatted is a written file in canonical form, with where it is from.
func (w *Writer) formatted(f *source.File, lang lower.Lang, comments ...string) []byte {
	text := []byte("# Made by `fairway convert`.\n")
	for _, c := range comments {
		text = append(text, "# "+OneLine(c)+"\n"...)
	}
	if f != nil {
		text = append(text, bytes.TrimPrefix(f.Text, []byte("#\n"))...)
	}
	if canonical, diags := lower.Format(source.NewFile("written", text), lang); !diags.HasErrors() {
		return canonical
	}
	return text
}

// AsStated are the options that a policy file's header states, as the scheduler's file cannot.
func (w *Writer) AsStated(opt lower.Options) lower.Options {
	if w.Foreign() {
		return lower.Options{Version: opt.Version, NodeFacts: true}
	}
	stated := lower.Options{
		Version:         w.Policy.Version,
		Semantics:       opt.Semantics,
		NodeFacts:       true,
		SnapshotVersion: opt.SnapshotVersion,
	}
	if w.Policy.Semantics == "documented" {
		stated.Semantics = "documented"
	}
	for _, d := range w.Policy.Deviations {
		if d.Documented && stated.Semantics == "" {
			stated.Deviations = append(stated.Deviations, d.Name)
		}
	}
	return stated
}

// Read lowers what was written.
func (w *Writer) Read(out ResultOf, opt lower.Options) (*ir.Policy, diag.List) {
	var units []lower.Unit
	for _, part := range []struct {
		name string
		lang lower.Lang
		text []byte
	}{{w.To.File, lower.Lang(w.Use), out.Text}, {"accounts", lower.Dump, out.Accounts}} {
		if part.text == nil || w.To.Database && part.lang != lower.Dump && len(w.Set)+len(w.Conf()) == 0 {
			continue // a dump alone
		}
		u, _ := lower.Parse(source.NewFile(part.name, part.text), part.lang, lower.Files{})
		units = append(units, u)
	}
	stated := w.AsStated(opt)
	stated.Lenient = true
	return lower.Lower(units, stated)
}

// Reread is what has been gathered so far, without findings.
func (w *Writer) Reread(opt lower.Options) *ir.Policy {
	quiet := len(*w.Diags)
	p, _ := w.Read(w.Files(opt), opt)
	*w.Diags = (*w.Diags)[:quiet]
	if p == nil {
		p = &ir.Policy{}
	}
	return p
}
