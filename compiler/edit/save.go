package edit

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// Saved is what the files would say of a change, with all else as it is.
type Saved struct {
	Files    []SavedFile
	Override string // a policy file beside them, for parameters that no file sets in a place of its own; "" for none
}

// SavedFile is a file before and with a change.
type SavedFile struct {
	File *source.File
	Text []byte
}

// Save makes the text of all files that a change is in. The error names a setting that no file can say.
func Save(p *ir.Policy, files []*source.File, settings []Setting, c Change) (*Saved, error) {
	s := &saving{policy: p, settings: settings, out: &Saved{}, byFile: map[*source.File][]replacement{}}
	for _, f := range files {
		if lang := lower.Detect(f.Text); s.main == nil && (lang == lower.Slurm || lang == lower.Maui) {
			s.main = f
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c)) {
		i := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == key })
		if i < 0 {
			return nil, fmt.Errorf("the policy has no setting %s", source.Plain(key))
		}
		if err := s.add(&settings[i], c[key]); err != nil {
			return nil, err
		}
	}
	done := &Changed{spans: map[string]source.Span{}}
	for file, list := range s.byFile {
		s.out.Files = append(s.out.Files, SavedFile{file, done.replace(file, list).Text})
	}
	slices.SortFunc(s.out.Files, func(a, b SavedFile) int { return strings.Compare(a.File.Name, b.File.Name) })
	if len(s.params) > 0 {
		s.out.Override = fmt.Sprintf("policy %s {\n  override = true\n  params = {\n%s  }\n}\n", hclQuoted(p.Name),
			strings.Join(s.params, ""))
	}
	return s.out, nil
}

// EmptyOverride is a policy file that sets nothing, in the place of one that did.
func EmptyOverride(p *ir.Policy) string {
	return fmt.Sprintf("policy %s {\n  override = true\n}\n", hclQuoted(p.Name))
}

// Commands tell a running slurmdbd the same as its dump would say with a change.
func Commands(c Change) (list []string) {
	for _, key := range slices.Sorted(maps.Keys(c)) {
		if command := sacctmgr(key, c[key]); command != "" {
			list = append(list, command)
		}
	}
	return list
}

// saving is a change on its way into files.
type saving struct {
	policy   *ir.Policy
	settings []Setting
	main     *source.File // of a scheduler; nil without one
	byFile   map[*source.File][]replacement
	params   []string // lines of the override
	out      *Saved
}

func (s *saving) add(x *Setting, text string) error {
	switch {
	case x.recorded: // Commands say it
	case !x.Span.IsZero() && strings.HasPrefix(x.Span.File.Name, "--param "):
		return &Mistake{x.Key, x.Key +
			" is set on the command line, which wins over every file: leave out --param to save it"}
	case x.param && strings.TrimSpace(text) == "" && !x.Span.IsZero():
		line, ok := wholeLine(x)
		if !ok {
			return &Mistake{x.Key, x.Key + " without a value is to be taken out, and its line has more than that"}
		}
		s.byFile[x.Span.File] = append(s.byFile[x.Span.File], replacement{x.Key, line, ""})
	case !x.Span.IsZero():
		if was := x.Span.Text(); x.param && strings.HasPrefix(was, `"`) && strings.HasSuffix(was, `"`) {
			text = strconv.Quote(text)
		}
		s.byFile[x.Span.File] = append(s.byFile[x.Span.File], replacement{x.Key, x.Span, text})
	case s.main != nil:
		at, end := s.after(x.Group)
		separator := map[bool]string{true: "=", false: " "}[s.policy.Family == "slurm"]
		line := x.Key + separator + text + end
		if at == len(s.main.Text) && at > 0 && s.main.Text[at-1] != '\n' {
			line = end + strings.TrimSuffix(line, end)
		}
		s.byFile[s.main] = append(s.byFile[s.main], replacement{x.Key, s.main.Span(at, at), line})
	default:
		value := text
		if x.Form != Number && text != "true" && text != "false" {
			value = hclQuoted(text) // as the scheduler's own file has it
		}
		s.params = append(s.params, fmt.Sprintf("    %s = %s\n", x.Key, value))
	}
	return nil
}

// wholeLine is the line of a parameter that has it alone, without a comment.
func wholeLine(x *Setting) (line source.Span, ok bool) {
	text := x.Span.File.Text
	start, end := bytes.LastIndexByte(text[:x.Span.Start], '\n')+1, len(text)
	if n := bytes.IndexByte(text[x.Span.End:], '\n'); n >= 0 {
		end = int(x.Span.End) + n + 1
	}
	before, rest := strings.TrimSpace(string(text[start:x.Span.Start])), strings.TrimSpace(string(text[x.Span.End:end]))
	name := strings.TrimSpace(strings.TrimSuffix(before, "="))
	return x.Span.File.Span(start, end), rest == "" && strings.EqualFold(name, x.Key)
}

// after is where a new line of the main file comes: after the last one that sets a parameter of the same group, else
// at the end. The line's end is that of its neighbours.
func (s *saving) after(g Group) (at int, end string) {
	text, last := s.main.Text, -1
	for i := range s.settings {
		if x := &s.settings[i]; x.param && x.Group == g && !x.Span.IsZero() && x.Span.File == s.main {
			last = max(last, int(x.Span.End))
		}
	}
	end = "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	if last < 0 {
		return len(text), end
	}
	for at = last; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text), end
		}
		line := strings.TrimRight(string(text[at:at+n]), "\r \t")
		if at += n + 1; !strings.HasSuffix(line, `\`) {
			return at, end
		}
	}
}

// shortened has the names of limits that dumps write and sacctmgr does not take otherwise: of its help 22.05 takes the
// short ones alone.
var shortened = strings.NewReplacer("MaxTRESRunMinsPerAccount", "MaxTRESRunMinsPA", "MaxTRESRunMinsPerUser",
	"MaxTRESRunMinsPU")

// sacctmgr is the command that has slurmdbd say what a changed dump says; "" for what is in no dump.
func sacctmgr(key, text string) string {
	kind, rest, _ := strings.Cut(key, " ")
	at := strings.LastIndexByte(rest, ' ')
	if at < 0 {
		return ""
	}
	name, attribute := rest[:at], rest[at+1:]
	if strings.TrimSpace(text) == "" {
		text = "-1" // as sacctmgr clears a value
	}
	set := " set " + shortened.Replace(attribute) + "=" + quoted(text)
	account, member, isUser := strings.Cut(name, "/")
	user, partition, inPartition := strings.Cut(member, "/")
	switch {
	case kind == "QOS":
		return "sacctmgr -i modify qos " + quoted(name) + set
	case kind != "association":
		return ""
	case !isUser:
		return "sacctmgr -i modify account " + quoted(account) + set
	case inPartition:
		return "sacctmgr -i modify user " + quoted(user) + " where account=" + quoted(account) + " partition=" +
			quoted(partition) + set
	}
	return "sacctmgr -i modify user " + quoted(user) + " where account=" + quoted(account) + set
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./,:=+%@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
