package mauicfg

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// ReadValue reads text as the value of a parameter, the way a line of maui.cfg
// would be read; false if there is no such parameter or Maui would not take it.
func ReadValue(name, text string) (Value, bool) {
	if strings.ContainsAny(name+text, "\n\\") {
		return Value{}, false // these would begin another line or join two
	}
	file, _ := Parse(source.NewFile(name, []byte(name+" "+text)))
	cfg, _ := Evaluate(file, Options{})
	if len(cfg.Params) != 1 || cfg.Params[0].Name != name {
		return Value{}, false
	}
	return cfg.Params[0].Value, true
}
