package slurmconf

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// ReadSetting reads text as the value of a global key the way a line of slurm.conf is
// read, with all that Evaluate says of it; false if slurmctld would refuse it. The
// findings stand in a file that holds "name=text".
//
// tracked is AccountingStorageTRES as the site has it, "" for the default. What else depends on
// other keys is read as if they were set so that this one counts.
func ReadSetting(name, text string, opt Options, tracked string) (Value, diag.List, bool) {
	if strings.ContainsAny(text, "\n\x00") {
		return Value{}, nil, false // these would end the line
	}
	var lines []*Line
	beside := []struct{ name, text string }{
		{"PriorityType", "priority/multifactor"},
		{"AccountingStorageType", "accounting_storage/slurmdbd"},
		{"AccountingStorageTRES", tracked},
	}
	for _, b := range beside {
		if b.text != "" && b.name != name {
			lines = append(lines, settingLine(b.name, b.text))
		}
	}
	line := settingLine(name, text)
	cfg, found := Evaluate(append(lines, line), opt)
	var own diag.List
	for _, d := range found {
		if d.Span.File == line.Span.File {
			own = append(own, d)
		}
	}
	p, ok := cfg.Param(name)
	return p.Value, own, ok && !own.HasErrors()
}

// settingLine is the line name=text, whatever the text has in it.
func settingLine(name, text string) *Line {
	whole := name + "=" + text
	f := source.NewFile(name, []byte(whole))
	word := func(start, end int) Word { return Word{Text: whole[start:end], Span: f.Span(start, end)} }
	n := len(name)
	return &Line{
		Span: f.Span(0, len(whole)), file: &File{Source: f}, logical: &logicalLine{text: []byte(whole), end: len(whole), eol: len(whole)},
		Pairs: []Pair{{Key: word(0, n), Op: word(n, n+1), Value: word(n+1, len(whole))}},
	}
}
