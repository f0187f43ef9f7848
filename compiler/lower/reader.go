package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/maui"
	"github.com/fairway-sched/fairway/compiler/lower/slurm"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// reader reads settings of a scheduler's parameters that are outside its own
// file, in `params` or on the command line, as the file's reader would: what the
// scheduler refuses or ignores is reported there too.
type reader struct {
	family  string
	maui    mauicfg.Options
	slurm   slurmconf.Options
	tracked string // AccountingStorageTRES as the site has it
}

// read gives a setting the type of its parameter. Text is in the notation of the scheduler's
// file; a bare number is in the unit in which the parameter is stored.
func (r *reader) read(p *ir.Param, s policy.ParamSetting, diags *diag.List) (schema.Value, bool) {
	text, ok := r.text(p, s.Value)
	if !ok {
		return wrongType(p, s, diags)
	}
	v, found, ok := r.readText(p, text)
	for _, d := range found {
		*diags = append(*diags, moved(d, s, text, ok))
	}
	switch {
	case !ok && len(found) == 0:
		diags.Errorf("param-refused", s.Span, "%s cannot be %q", p.Name, text).
			Note("it has a character that ends or joins lines, or %s sets it otherwise than by one value",
				fileOf[r.family])
	case !ok:
	case v.Type != p.Type:
		return wrongType(p, s, diags)
	case s.Value.Type == schema.Int && v.Type == schema.Int && v.Int != s.Value.Int && len(found) == 0:
		diags.Warnf("param-rounded", s.Span, "%s becomes %d %s", p.Name, v.Int, p.Unit).
			Note("the scheduler keeps whole minutes and rounds up")
	}
	return v, ok
}

// fileOf is the file that a scheduler's parameters are in.
var fileOf = map[string]string{"maui": "maui.cfg", "slurm": "slurm.conf"}

func wrongType(p *ir.Param, s policy.ParamSetting, diags *diag.List) (schema.Value, bool) {
	diags.Errorf("param-type", s.Span, "%s is %s, not %s", p.Name, article[p.Type], s.Raw).Note("%s", p.Doc)
	return schema.Value{}, false
}

// readText asks the front end of the family.
func (r *reader) readText(p *ir.Param, text string) (schema.Value, diag.List, bool) {
	if r.family == "maui" {
		v, found, ok := mauicfg.ReadSetting(p.Name, text, r.maui)
		boxed := maui.Value(v)
		if ok && v.Text == "" && boxed.Type == schema.String { // a word such as NONE, which leaves it unset
			return schema.Value{Type: p.Type}, found, true
		}
		return boxed, found, ok
	}
	v, found, ok := slurmconf.ReadSetting(p.Name, text, r.slurm, r.tracked)
	return slurm.Value(p.Name, v), found, ok
}

// text writes a value as the scheduler's file would have it; false for a value
// of another type.
func (r *reader) text(p *ir.Param, v schema.Value) (string, bool) {
	switch {
	case v.Type == schema.String:
		return v.Str, true
	case v.Type == schema.Bool && p.Type == schema.Bool:
		return map[bool]string{true: "yes", false: "no"}[v.Int != 0], true
	case v.Type == schema.Int && p.Type == schema.Int:
		return r.whole(p, v.Int), true
	case v.Type == schema.Int && p.Type == schema.Double:
		return strconv.FormatInt(v.Int, 10), true
	case v.Type == schema.Double && p.Type == schema.Double:
		return strconv.FormatFloat(v.Double, 'f', -1, 64), true
	case v.Type == schema.Double && p.Type == schema.Int && v.Double == float64(int64(v.Double)):
		return r.whole(p, int64(v.Double)), true
	case v.Type == schema.Double && p.Type == schema.Int && (v.Double >= 1<<63 || v.Double < -1<<63):
		return strconv.FormatFloat(v.Double, 'f', 0, 64), true
	case v.Type == schema.StringList && p.Type == schema.String:
		return strings.Join(v.List, ","), true
	case v.Type == schema.StringList && p.Type == schema.StringList:
		return strings.Join(v.List, " "), true
	}
	return "", false
}

// whole writes a number in the parameter's stored unit. Slurm's times are stored in
// seconds, but a number alone would be minutes; four fields say what they mean.
func (r *reader) whole(p *ir.Param, n int64) string {
	if row := slurm.Param(
		p.Name,
	); r.family == "slurm" && row != nil && row.Type == "time" && row.Unit == "seconds" &&
		n >= 0 {
		return fmt.Sprintf("%d-%02d:%02d:%02d", n/86400, n/3600%24, n/60%60, n%60)
	}
	return strconv.FormatInt(n, 10)
}

// moved gives a finding of a front end its place in the policy file. A value that
// is not taken is an error: unlike in the scheduler's file no one would see what
// counts instead.
func moved(d *diag.Diagnostic, s policy.ParamSetting, text string, taken bool) *diag.Diagnostic {
	out := *d
	if !taken && out.Severity == diag.Warning {
		out.Severity = diag.Error
	}
	place := func(old source.Span) (source.Span, bool) {
		if old.File == nil || old.File != d.Span.File || s.Span.File == nil {
			return source.Span{}, false
		}
		base := len(old.File.Text) - len(text) // the file holds the name, one character and the text
		at := 0
		switch s.Span.Text() {
		case text:
		case strconv.Quote(text):
			at = 1
		default:
			return s.Span, false
		}
		if int(old.Start) < base {
			return s.Name.Span, false
		}
		return s.Span.Sub(int(old.Start)-base+at, int(old.End)-base+at), true
	}
	out.Span, _ = place(d.Span)
	out.Notes, out.Fix = nil, nil
	for _, n := range d.Notes {
		n.Span, _ = place(n.Span)
		out.Notes = append(out.Notes, n)
	}
	if d.Fix != nil {
		if span, ok := place(d.Fix.Span); ok {
			out.Fix = &diag.Fix{Span: span, NewText: d.Fix.NewText}
		}
	}
	return &out
}
