package lower

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/compiler/lower/slurm"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/slurmfiles"
	"github.com/fairway-sched/fairway/lang/source"
)

// Lang is a language of policies.
type Lang string

// The languages. Dump is what `sacctmgr dump` writes.
const (
	HCL   Lang = "hcl"
	Maui  Lang = "maui"
	Slurm Lang = "slurm"
	Dump  Lang = "sacctmgr"
)

// Language is one of them.
type Language struct {
	Lang  Lang
	Doc   string
	sniff func([]byte) int
}

// Langs lists the languages with what recognises each by content, as a
// confidence from 0 to 100.
var Langs = []Language{
	{HCL, "Fairway's policy language, *.fairway.hcl", policy.Sniff},
	{Maui, "maui.cfg", mauicfg.Sniff},
	{Slurm, "slurm.conf", slurmconf.Sniff},
	{Dump, "output of sacctmgr dump", sacctmgr.Sniff},
}

// headBytes is how much of a text is looked at first: sniffing parses, and the
// first screens of a file tell its language.
const headBytes = 4 << 10

// Detect says which language a text is in, or "".
func Detect(text []byte) Lang {
	if len(text) > headBytes {
		if lang := sniff(text[:bytes.LastIndexByte(text[:headBytes], '\n')+1]); lang != "" {
			return lang
		}
	}
	return sniff(text)
}

// langOf says which language a file is in: by its content, or by its name where the content says
// nothing. A maui.cfg without settings is a policy: Maui's defaults.
func langOf(f *source.File) Lang {
	if slurmfiles.Of(f) != "" {
		return ""
	}
	return policyLang(f)
}

// policyLang is langOf for a file that is none of those beside a slurm.conf.
func policyLang(f *source.File) Lang {
	lang, base := Detect(f.Text), path.Base(f.Name)
	switch {
	case lang != "" || looksRecorded(f.Text):
		return lang
	case base == "maui.cfg" || strings.HasSuffix(base, ".cfg") && onlyComments(f.Text) && !isEmpty(f.Text):
		return Maui
	}
	return ""
}

func isEmpty(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

func onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// certain is a confidence that no other language's could exceed: no text looks like two of them.
const certain = 90

// sniff asks the languages in an order in which the one with the largest tables comes last.
func sniff(text []byte) Lang {
	best, confidence := Lang(""), 0
	for _, l := range []Lang{HCL, Slurm, Dump, Maui} {
		i := slices.IndexFunc(Langs, func(k Language) bool { return k.Lang == l })
		if c := Langs[i].sniff(text); c > confidence {
			best, confidence = l, c
		}
		if confidence >= certain {
			break
		}
	}
	return best
}

// Unit is one parsed file; the field of its language is set.
type Unit struct {
	Lang   Lang
	Source *source.File
	HCL    *policy.File
	Maui   *mauicfg.File
	Slurm  []*slurmconf.Line // the logical lines, included files' too
	Dump   *sacctmgr.File

	Topology *source.File // the topology.conf beside a slurm.conf; nil if there is none

	lowered *front.Front // what a dump says, which depends on nothing else; nil until it was asked for
}

// Keep is the unit with what does not depend on options, for who lowers it again and again.
func (u Unit) Keep() Unit {
	if u.Dump != nil {
		u.lowered = slurm.ReadDump(u.Dump)
	}
	return u
}

// String is what `--dump=parse` prints of a unit.
func (u Unit) String() string {
	return fmt.Sprintf("%s: %s, %d bytes\n", u.Source.Name, u.Lang, len(u.Source.Text))
}

// Files is where included files are looked up: FS from the root of the file system, Dir
// the folder that relative names start from. A nil FS makes an include an error.
type Files struct {
	FS  fs.FS
	Dir string
}

func (f Files) path(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)[1:]
	}
	return path.Join(f.Dir, name)
}

// Parse reads a file in the given language, or in the one its content looks like.
func Parse(f *source.File, lang Lang, files Files) (Unit, diag.List) {
	if lang == "" {
		lang = langOf(f)
	}
	u := Unit{Lang: lang, Source: f}
	var diags diag.List
	switch lang {
	case HCL:
		u.HCL, diags = policy.Parse(f)
	case Maui:
		u.Maui, diags = mauicfg.Load(files.FS, files.path(f.Name), f)
	case Slurm:
		u.Slurm, diags = slurmconf.Load(files.FS, files.path(f.Name), f)
		if u.Slurm == nil {
			u.Slurm = []*slurmconf.Line{} // an empty file is one too
		}
		u.Topology = topologyBeside(files, f.Name)
	case Dump:
		u.Dump, diags = sacctmgr.Parse(f)
	default:
		if isEmpty(f.Text) {
			diags.Errorf("unknown-language", f.Span(0, 0), "%s is empty", f.Name).
				Note("the command that should have written it printed nothing; leave the file out, or say what it "+
					"is: --lang %s", langNames())
			break
		}
		if isArchive(f.Text) {
			diags.Errorf("unknown-language", f.Span(0, 0), "%s is an archive or compressed, and no policy", f.Name).
				Note("a captured snapshot is policy and queue for eval, plan, explain, diff, verify, lint, expr and desk, and "+
					"convert, replay and usage take its policy").
				Note("here give the files of the policy themselves: unpack it, as with tar -xf %s", f.Name)
			break
		}
		d := diags.Errorf("unknown-language", f.Span(0, 0), "%s is in no language Fairway knows", f.Name)
		if isUTF16(f.Text) {
			d.Note("it is UTF-16; save it as UTF-8, as with iconv -f UTF-16 -t UTF-8")
			break
		}
		switch kind := slurmfiles.Of(f); kind {
		case "":
		case slurmfiles.Output:
			d.Note("it is %s: give it with --snapshot, and the slurm.conf itself as the policy", kind)
			return u, diags
		default:
			d.Note("it is a %s, which `fairway lint` reads, and no policy", kind)
			return u, diags
		}
		if looksRecorded(f.Text) {
			d.Note("it looks like output of the resource manager: give it with --snapshot")
		}
		d.Note("a policy is a maui.cfg, a slurm.conf, the output of sacctmgr dump, or *.fairway.hcl").
			Note("if it is one of these, say which: --lang %s", langNames())
	}
	if (lang == Maui || lang == Slurm) && onlyComments(f.Text) {
		diags.Warnf("file-without-settings", f.Span(0, 0), "the file has no setting").
			Note("it is read as the defaults of %s; is it the right file?",
				map[Lang]string{Maui: "Maui", Slurm: "Slurm"}[lang])
	}
	return u, diags
}

// isArchive recognises what is packed: zstd, gzip, xz, bzip2, zip, and tar by the mark in its header.
func isArchive(text []byte) bool {
	const tarMark = 257
	for _, mark := range []string{"\x28\xb5\x2f\xfd", "\x1f\x8b", "\xfd7zXZ\x00", "BZh", "PK\x03\x04"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return true
		}
	}
	return len(text) > tarMark && bytes.HasPrefix(text[tarMark:], []byte("ustar"))
}

// isUTF16 recognises what some editors save: a mark of the byte order, or every other byte a NUL.
func isUTF16(text []byte) bool {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return true
	}
	return len(text) > 3 && len(text)%2 == 0 && (text[0] == 0 && text[2] == 0 || text[1] == 0 && text[3] == 0)
}

// looksRecorded recognises JSON and tables, which are snapshots and no policies.
func looksRecorded(text []byte) bool {
	trimmed := bytes.TrimSpace(text)
	return bytes.HasPrefix(trimmed, []byte("{")) || bytes.HasPrefix(trimmed, []byte("[")) || sacctmgr.IsTable(text)
}

func langNames() string {
	names := make([]string, len(Langs))
	for i, l := range Langs {
		names[i] = string(l.Lang)
	}
	return strings.Join(names, "|")
}

// Format writes a file in the canonical form of its language. With an error among
// the diagnostics the text is nil.
func Format(f *source.File, lang Lang) ([]byte, diag.List) {
	if lang == "" {
		lang = langOf(f)
	}
	var text []byte
	var diags diag.List
	switch lang { // included files are not its business, so Parse and not Load
	case HCL:
		_, diags = policy.Parse(f)
		text = policy.Format(f.Text)
	case Maui:
		file, list := mauicfg.Parse(f)
		text, diags = mauicfg.Format(file), list
	case Slurm:
		file, list := slurmconf.Parse(f)
		text, diags = slurmconf.Format(file), list
	case Dump:
		file, list := sacctmgr.Parse(f)
		text, diags = sacctmgr.Format(file), list
	default:
		_, diags = Parse(f, lang, Files{})
	}
	if diags.HasErrors() {
		return nil, diags
	}
	return text, diags
}
