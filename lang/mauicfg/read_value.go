package mauicfg

import "github.com/fairway-sched/fairway/lang/source"

// ReadValue reads text as the value of a parameter; false if there is no such
// parameter or Maui would not take the text.
func ReadValue(name, text string) (Value, bool) {
	file, _ := Parse(source.NewFile(name, []byte(name+" "+text+"\n")))
	cfg, _ := Evaluate(file, Options{})
	if p := cfg.Param(name, ""); p != nil {
		return p.Value, true
	}
	return Value{}, false
}
