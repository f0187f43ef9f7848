package report_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// TestJSONMatchesSchema checks the samples, with infinite and unknown numbers,
// against the published schema.
func TestJSONMatchesSchema(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal([]byte(eval.Schema), &schema); err != nil {
		t.Fatal(err)
	}
	odd := sample()
	odd.Score[0], odd.Score[1], odd.Score[2] = math.Inf(1), math.Inf(-1), math.NaN()
	for name, r := range map[string]*evaluation.Result{"maui": sample(), "slurm": slurmSample(), "odd": odd,
		"blocked": blockedSample()} {
		var doc any
		if err := json.Unmarshal([]byte(text(t, eval.WriteJSON, r, eval.Options{})), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, fault := range validate(schema, schema, doc, name) {
			t.Error(fault)
		}
		job := schema["$defs"].(map[string]any)["job"].(map[string]any)
		for i, line := range strings.Split(strings.TrimSpace(text(t, eval.WriteJSONLines, r, eval.Options{})), "\n") {
			if err := json.Unmarshal([]byte(line), &doc); err != nil {
				t.Fatalf("%s line %d: %v", name, i+1, err)
			}
			for _, fault := range validate(schema, job, doc, fmt.Sprintf("%s line %d", name, i+1)) {
				t.Error(fault)
			}
		}
	}
	if faults := validate(schema, schema, map[string]any{"jobs": []any{map[string]any{"id": 1.0}}}, ""); len(faults) < 10 {
		t.Errorf("the check finds only %v", faults)
	}
}

// validate knows the part of JSON Schema that the document uses, and refuses any other.
func validate(root, schema map[string]any, v any, at string) (faults []string) {
	for keyword, arg := range schema {
		switch keyword {
		case "$schema", "$defs", "title", "description", "items", "properties", "additionalProperties":
		case "$ref":
			name := strings.TrimPrefix(arg.(string), "#/$defs/")
			def, ok := root["$defs"].(map[string]any)[name].(map[string]any)
			if !ok {
				return []string{at + ": no definition " + name}
			}
			faults = append(faults, validate(root, def, v, at)...)
		case "type":
			var names []any
			if list, ok := arg.([]any); ok {
				names = list
			} else {
				names = []any{arg}
			}
			if !slices.ContainsFunc(names, func(n any) bool { return isType(v, n.(string)) }) {
				faults = append(faults, fmt.Sprintf("%s: %v is no %v", at, v, arg))
			}
		case "const":
			if v != arg {
				faults = append(faults, fmt.Sprintf("%s: %v is not %v", at, v, arg))
			}
		case "enum":
			if !slices.Contains(arg.([]any), v) {
				faults = append(faults, fmt.Sprintf("%s: %v is not one of %v", at, v, arg))
			}
		case "anyOf":
			if !slices.ContainsFunc(arg.([]any),
				func(s any) bool { return len(validate(root, s.(map[string]any), v, at)) == 0 }) {
				faults = append(faults, fmt.Sprintf("%s: %v is none of %v", at, v, arg))
			}
		case "required":
			object, _ := v.(map[string]any)
			for _, name := range arg.([]any) {
				if _, ok := object[name.(string)]; !ok {
					faults = append(faults, fmt.Sprintf("%s: %v is missing", at, name))
				}
			}
		default:
			faults = append(faults, "the test does not know the keyword "+keyword)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	if object, ok := v.(map[string]any); ok && properties != nil {
		for name, value := range object {
			if s, ok := properties[name].(map[string]any); ok {
				faults = append(faults, validate(root, s, value, at+"."+name)...)
			} else if schema["additionalProperties"] == false {
				faults = append(faults, at+": "+name+" is not in the schema")
			}
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		list, _ := v.([]any)
		for i, value := range list {
			faults = append(faults, validate(root, items, value, fmt.Sprintf("%s[%d]", at, i))...)
		}
	}
	return faults
}

func isType(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

// TestCodes: every documented code is reported for some request, and no other.
func TestCodes(t *testing.T) {
	bare := sample()
	bare.Terms = nil
	var list diag.List
	if report.Find(report.Views, "spiro", slurmSample(), &list) != nil ||
		report.Find(report.Views, "sprio", sample(), &list) != nil ||
		report.Find(report.Views, "diagnose-p", bare, &list) != nil ||
		report.Find(report.Views, "diagnose-f", slurmSample(), &list) != nil ||
		report.Find(report.Views, "sshare", slurmSample(), &list) != nil {
		t.Error("a view that cannot be shown is found")
	}
	if _, ok := report.FindJob(sample(), "1011", &list); ok {
		t.Error("a job that is not there is found")
	}
	if plan.FindPlanned(planned(""), "44", &list) != nil {
		t.Error("a job that is not planned is found")
	}
	reported := map[string]bool{}
	for _, d := range list {
		reported[d.Code] = true
		if len(d.Notes) == 0 {
			t.Errorf("%s has no note", d.Code)
		}
	}
	for _, c := range pages.In("views") {
		if !reported[c.Code] {
			t.Errorf("%s is documented and not reported", c.Code)
		}
		delete(reported, c.Code)
	}
	if len(reported) > 0 {
		t.Errorf("not documented: %v", reported)
	}
	list = nil
	if v := report.Find(report.Views, "sprio", slurmSample(), &list); v == nil || v.Name != "sprio" || len(list) > 0 {
		t.Errorf("sprio is not found: %v", list)
	}
	if job, ok := report.FindJob(sample(), "103", &list); !ok || job != 2 {
		t.Errorf("job 103 is found at %d (%v)", job, ok)
	}
}

// TestListsAreSorted keeps help texts in a stable order.
func TestListsAreSorted(t *testing.T) {
	for _, names := range [][]report.View{report.Formats, report.Views[1:]} { // native comes first: it is the default
		if !slices.IsSortedFunc(names, func(a, b report.View) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("not sorted: %v", names)
		}
	}
}
