package mauicfg

import (
	"io/fs"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/stdlib"
)

// vocabulary is the parameter tables, ready to look names up in.
type vocabulary struct {
	params     map[string]stdlib.Param
	attrs      map[string]map[string]stdlib.Param // family → attribute
	paramNames []string                           // names that have an effect, for suggestions
	attrNames  map[string][]string
	moab       map[string]bool // NAME, or FAMILY.ATTRIBUTE
}

// vocab is built once; the tables it reads are embedded.
var vocab = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{
		params:    map[string]stdlib.Param{},
		attrs:     map[string]map[string]stdlib.Param{},
		attrNames: map[string][]string{},
		moab:      moabNames(),
	}
	for _, p := range stdlib.MauiParams.Params() {
		v.params[p.Name] = p
		if p.Effective == "yes" {
			v.paramNames = append(v.paramNames, p.Name)
		}
	}
	for _, a := range stdlib.MauiAttributes.Params() {
		if v.attrs[a.Record] == nil {
			v.attrs[a.Record] = map[string]stdlib.Param{}
		}
		v.attrs[a.Record][a.Name] = a
		if a.Effective == "yes" {
			v.attrNames[a.Record] = append(v.attrNames[a.Record], a.Name)
		}
	}
	return v
})

// moabNames reads the list of names that Moab, Maui's successor, added.
func moabNames() map[string]bool {
	text, err := fs.ReadFile(stdlib.Files, "maui/moab_names.txt")
	if err != nil {
		panic("INVARIANT: embedded table maui/moab_names.txt: " + err.Error())
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		family, rest, attrs := strings.Cut(line, ":")
		if !attrs {
			family, rest = "", line
		}
		for _, name := range strings.Fields(rest) {
			if attrs {
				name = strings.TrimSpace(family) + "." + name
			}
			names[name] = true
		}
	}
	return names
}

// IsFamily reports whether a parameter holds attributes of objects (USERCFG …).
func IsFamily(p stdlib.Param) bool { return p.Type == "attrs" }

// needsIndex: only these two families describe a single object; a line of any
// other family without [name] is skipped.
func needsIndex(family string) bool { return family != "SYSCFG" && family != "SCHEDCFG" }
