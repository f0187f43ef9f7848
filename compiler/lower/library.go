package lower

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// libraries are the policies that `use` may name. One has the blocks of its base, if it has one, before its own.
var libraries = map[string]struct{ family, file, base string }{
	"maui":        {"maui", "maui/priority.fairway.hcl", ""},
	"slurm":       {"slurm", "slurm/multifactor.fairway.hcl", "slurm/admission.fairway.hcl"},
	"slurm_basic": {"slurm", "slurm/basic.fairway.hcl", "slurm/admission.fairway.hcl"},
}

func libraryNames() []string { return slices.Sorted(maps.Keys(libraries)) }

// libraryPrefix marks the names of embedded files in positions.
const libraryPrefix = "stdlib:"

// FromLibrary reports whether a place is in the library rather than in the site's files.
func FromLibrary(s source.Span) bool {
	return s.File != nil && strings.HasPrefix(s.File.Name, libraryPrefix)
}

// library is an embedded policy. All who ask share one, which is never changed.
func library(name string) *policy.Policy { return parsed[libraries[name].file]() }

// libraryBase is what an embedded policy is laid over; nil if nothing.
func libraryBase(name string) *policy.Policy {
	if base := libraries[name].base; base != "" {
		return parsed[base]()
	}
	return nil
}

// parsed parses each file when it is first asked for.
var parsed = func() map[string]func() *policy.Policy {
	m := map[string]func() *policy.Policy{}
	for _, lib := range libraries {
		for _, file := range []string{lib.file, lib.base} {
			m[file] = sync.OnceValue(func() *policy.Policy { return parseLibrary(file) })
		}
	}
	return m
}()

// parseLibrary parses an embedded policy. Its text is tested, so a fault is a bug.
func parseLibrary(file string) *policy.Policy {
	text, err := stdlib.Files.ReadFile(file)
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: library policy %s is embedded: %v", file, err))
	}
	f, diags := policy.Parse(source.NewFile(libraryPrefix+file, text))
	if diags.HasErrors() || len(f.Policies) != 1 {
		panic(fmt.Sprintf("INVARIANT: library policy %s parses: %v", file, diags[0].Message))
	}
	return f.Policies[0]
}

// Library lists the library's policies for documentation.
func Library() []*policy.Policy {
	var out []*policy.Policy
	for _, name := range libraryNames() {
		out = append(out, library(name))
	}
	return out
}

// overrideValue reads a value from the command line for a parameter that a policy file
// declares. The type decides what the text is: 10 may be a number, a word or a list.
func overrideValue(text string, t policy.Type) schema.Value {
	switch t {
	case policy.String:
		return schema.StringValue(text)
	case policy.List:
		return schema.ListValue(strings.Split(text, ","))
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return schema.IntValue(i)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
		return schema.DoubleValue(f)
	}
	if text == "true" || text == "false" {
		return schema.BoolValue(text == "true")
	}
	return schema.StringValue(text)
}
