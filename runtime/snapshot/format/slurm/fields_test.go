package slurm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
)

// TestTablesOfFields: every field of the tables is a column or a step towards one, every kind can read what the output
// writes, and no output has one name for two fields.
func TestTablesOfFields(t *testing.T) {
	for _, object := range []string{"job", "node", "partition", "reservation", "license", "association", "qos"} {
		table := fieldsOf(object)
		if len(table.lines) > maxFields {
			t.Errorf("%s has %d fields", object, len(table.lines))
		}
		for i, id := range table.columns {
			if id != "" && schema.Lookup(id) == nil && id != HeldLimits {
				t.Errorf("%s: there is no column %s", object, id)
			}
			if len(table.lines[i]) > len(table.head) {
				t.Errorf("%s: the line of %s has too many columns", object, table.lines[i][0])
			}
		}
		for _, output := range table.head[2:] {
			seen := map[string]bool{}
			table.each(output, func(_ slot, name, word string) {
				k, ok := kinds[word]
				isJSON := output == "json" || output == "accounting" || output == "shares"
				if !ok || seen[name] || isJSON && k.json == nil || !isJSON && k.text == nil {
					t.Errorf("%s, %s: %s is read as %q", object, output, name, word)
				}
				seen[name] = true
			})
		}
		if len(table.slots) != len(table.lines) {
			t.Errorf("%s has a field twice", object)
		}
	}
	limitNames.each("sacctmgr and assoc_mgr", func(_ slot, name, kind string) {
		if !strings.Contains("number minutes tres", kind) {
			t.Errorf("the limit %s is read as %q", name, kind)
		}
	})
}

// TestArrayTasks: the tasks that a record stands for, and how many of them may run.
func TestArrayTasks(t *testing.T) {
	for text, want := range map[string]string{
		"3-9%3": "7 3", "1,3,7-9%1": "5 1", "0-8:2": "5 -", "5": "1 -", "1-3,...": "- -", "1-3,...%4": "- 4", "9-3": "- -",
		"1-x": "- -", "0-8:0": "- -", "a": "- -",
		"0-99999999999": "- -", "1-3%": "3 -", "1-3%x": "3 -",
	} {
		j := &slurmRecord{}
		j.tasksOf(text)
		number := func(s slot) string {
			if !j.known(s) {
				return "-"
			}
			return fmt.Sprint(j.int(s))
		}
		if got := number(jobArrayTasks) + " " + number(jobArrayMax); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
