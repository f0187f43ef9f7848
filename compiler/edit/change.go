package edit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// Change is what a person has set, by the keys of settings.
type Change map[string]string

// Key is the same text for the same change.
func (c Change) Key() string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&b, "%q=%q\n", key, c[key])
	}
	return b.String()
}

// paramFile begins the name of the text that a parameter is set by.
const paramFile = "the change of "

// Changed is what to compile in place of the files.
type Changed struct {
	Params   []lower.ParamOverride
	Texts    map[string]*source.File // by name: the files whose text is another
	Recorded Change                  // what the snapshot has otherwise
	spans    map[string]source.Span  // by key: where the changed text is in them
}

// Mistake is a text that a setting cannot have.
type Mistake struct{ Key, Message string }

func (m *Mistake) Error() string { return m.Message }

// Apply makes what a change comes to. The error is for a key that is no setting's, and for a text of several lines.
func Apply(settings []Setting, c Change) (*Changed, error) {
	out := &Changed{Texts: map[string]*source.File{}, Recorded: Change{}, spans: map[string]source.Span{}}
	byFile := map[*source.File][]replacement{}
	for _, key := range slices.Sorted(maps.Keys(c)) {
		i := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == key })
		if i < 0 {
			return nil, fmt.Errorf("the policy has no setting %s", source.Plain(key))
		}
		s, text := &settings[i], c[key]
		if s.Form == CEL {
			text = strings.ReplaceAll(text, "\r\n", "\n")
		} else if strings.IndexFunc(text, unicode.IsControl) >= 0 {
			return nil, &Mistake{key, "a value is one line of text"}
		}
		if s.param {
			f := source.NewFile(paramFile+key, []byte(text))
			out.Params = append(out.Params, lower.ParamOverride{Name: key, Value: text, Span: f.Span(0, len(text))})
			continue
		}
		if s.recorded {
			out.Recorded[key] = text
			continue
		}
		byFile[s.Span.File] = append(byFile[s.Span.File], replacement{key, s.Span, text})
	}
	for file, list := range byFile {
		out.Texts[file.Name] = out.replace(file, list)
	}
	return out, nil
}

// hclQuoted is a text as the policy language quotes it.
func hclQuoted(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(text))
}

// replacement is a text in the place of another.
type replacement struct {
	key  string
	span source.Span
	text string
}

// replace makes the text of a file with all its replacements.
func (c *Changed) replace(file *source.File, list []replacement) *source.File {
	slices.SortFunc(list, func(a, b replacement) int { return cmp.Compare(a.span.Start, b.span.Start) })
	var text []byte
	from := 0
	starts := make([]int, len(list))
	for i, r := range list {
		text = append(text, file.Text[from:r.span.Start]...)
		starts[i] = len(text)
		text = append(text, r.text...)
		from = int(r.span.End)
	}
	changed := source.NewFile(file.Name, append(text, file.Text[from:]...))
	for i, r := range list {
		c.spans[r.key] = changed.Span(starts[i], starts[i]+len(r.text))
	}
	return changed
}

// KeyAt is the setting that a person typed what is in a place; "" where no setting was changed.
func (c *Changed) KeyAt(at source.Span) string {
	if at.IsZero() {
		return ""
	}
	if key, ok := strings.CutPrefix(at.File.Name, paramFile); ok {
		return key
	}
	for key, span := range c.spans {
		if span.File.Name == at.File.Name && at.Start <= span.End && span.Start <= at.End {
			return key
		}
	}
	return ""
}

// Unread finds a changed text that is not read as the value of its setting alone, by the settings of the policy with
// the change: one with a colon would go on as the next attribute of a dump. It is nil if all are.
func (c *Changed) Unread(after []Setting) *Mistake {
	for _, key := range slices.Sorted(maps.Keys(c.spans)) {
		i := slices.IndexFunc(after, func(s Setting) bool { return s.Key == key })
		if typed := c.spans[key].Text(); i < 0 || after[i].Span.Text() != typed {
			return &Mistake{key, fmt.Sprintf("%s is not read as one value here", strconv.Quote(typed))}
		}
	}
	return nil
}
