package stdlib

import (
	"regexp"
	"slices"
	"testing"
)

// mauiTypes are the value types of Maui's tables, with the form of a default.
var mauiTypes = map[string]*regexp.Regexp{
	"attrs": nil, "none": nil, "term": nil, "acl": nil, "expression": nil,
	"bool":      regexp.MustCompile(`^(TRUE|FALSE)$`),
	"enum":      regexp.MustCompile(`^[A-Z]+$`),
	"float":     regexp.MustCompile(`^\d+(\.\d+)?$`),
	"fstarget":  regexp.MustCompile(`^\d+$`),
	"int":       regexp.MustCompile(`^-?\d+$`),
	"limit":     regexp.MustCompile(`^\d+$`),
	"list":      regexp.MustCompile(`\S`),
	"memory":    regexp.MustCompile(`^\d+$`),
	"path":      regexp.MustCompile(`^\S+$`),
	"resources": regexp.MustCompile(`^[A-Z]+=-?\d+(;[A-Z]+=-?\d+)*$`),
	"string":    regexp.MustCompile(`^\S+$`),
	"time":      regexp.MustCompile(`^(INFINITY|-?\d+|(\d+:)?\d+:\d\d:\d\d)$`),
	"weight":    regexp.MustCompile(`^\d+$`),
}

// mauiEffects are the ways in which Maui treats a parameter or an attribute.
var mauiEffects = []string{
	"yes", "partial", "limited", "alias", "superseded", "broken", // set, with or without a twist
	"run-priority", "run-priority-shifted", "own-entry-only", // count in one place only
	"parsed-unused", "stored-unused", "stored-not-enforced", "not-implemented", // kept, but nothing looks
	// known, not set
	"not-dispatched", "no-storage", "ignored", "name-only", "not-configurable", "never-loaded", "private-file-only",
	"documented-only", // in the manual alone
}

// TestMauiTables checks Maui's tables: no name twice, types and effects known,
// defaults of their type, values within bounds, and old names that lead to
// parameters which work.
func TestMauiTables(t *testing.T) {
	params := MauiParams.Params()
	byName := map[string]Param{}
	for _, p := range params {
		if p.Record != "" {
			t.Errorf("%s: a parameter has no record", p.Name)
		}
		byName[p.Name] = p
	}
	seen := map[string]bool{}
	for _, p := range append(slices.Clone(params), MauiAttributes.Params()...) {
		key := p.Record + " " + p.Name
		if seen[key] {
			t.Errorf("%s stands twice", key)
		}
		seen[key] = true
		form, ok := mauiTypes[p.Type]
		if !ok {
			t.Errorf("%s: unknown type %q", key, p.Type)
		}
		if p.Default != "" && (form == nil || !form.MatchString(p.Default)) {
			t.Errorf("%s: default %q is no %s", key, p.Default, p.Type)
		}
		if p.Type == "enum" && p.Default != "" && len(p.Enum) > 0 && !slices.Contains(p.Enum, p.Default) {
			t.Errorf("%s: default %s is none of %v", key, p.Default, p.Enum)
		}
		if !slices.Contains(mauiEffects, p.Effective) {
			t.Errorf("%s: unknown effect %q", key, p.Effective)
		}
		if p.Doc == "" || p.Category == "" {
			t.Errorf("%s: no doc or no category", key)
		}
		if p.Type == "time" && p.Unit != "seconds" {
			t.Errorf("%s: times are stored in seconds", key)
		}
		if _, known := byName[p.Record]; p.Record != "" && p.Record != "NODECFG.PRIORITYF" && !known {
			t.Errorf("%s: no such family", key)
		}
	}
	for _, p := range params {
		for _, alias := range p.Aliases {
			if old := byName[alias]; old.Effective != "alias" || old.ReplacedBy != p.Name {
				t.Errorf("%s: alias %s does not lead back", p.Name, alias)
			}
		}
		if p.ReplacedBy == "" {
			continue
		}
		now, ok := byName[p.ReplacedBy]
		if !ok || now.ReplacedBy != "" && now.Effective != "not-dispatched" {
			t.Errorf("%s: replaced by %s, which is no current name", p.Name, p.ReplacedBy)
		}
		if p.Effective == "alias" && !slices.Contains(now.Aliases, p.Name) {
			t.Errorf("%s does not list its old name %s", now.Name, p.Name)
		}
	}
}
