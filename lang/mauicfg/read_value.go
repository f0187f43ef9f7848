package mauicfg

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// ReadValue reads text as the value of a parameter, of those of the manual alone too, the way
// a line of maui.cfg would be read; false if there is no such parameter or the text is no value.
func ReadValue(name, text string) (Value, bool) {
	v, _, ok := ReadSetting(name, text, Options{ManualNames: true})
	return v, ok
}

// ReadSetting is ReadValue with all that there is to say of the line. The findings stand
// in a file that holds "name text". A word that leaves the parameter unset gives an empty
// value.
func ReadSetting(name, text string, opt Options) (Value, diag.List, bool) {
	if strings.ContainsAny(name+text, "\n\\") {
		return Value{}, nil, false // these would begin another line or join two
	}
	file, found := Parse(source.NewFile(name, []byte(name+" "+text)))
	if file.Template != "" {
		return Value{}, found, false
	}
	e := newEvaluator(opt)
	known := false
	for i := range file.Lines {
		if file.Lines[i].Kind != SettingLine {
			continue
		}
		st := newStatement(&file.Lines[i])
		if row, ok := e.known(st); ok && canonical(row) == name && !isFamily(row) {
			known = true
			e.layout(st, row)
			e.param(row, []*statement{st})
		}
	}
	found = append(found, e.diags.List()...)
	switch {
	case known && len(e.cfg.Params) == 1:
		return e.cfg.Params[0].Value, found, !found.HasErrors()
	case known && len(found) == 0:
		return Value{Kind: KindEnum}, nil, true
	}
	return Value{}, found, false
}
