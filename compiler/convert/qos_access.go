package convert

import (
	"slices"
	"strings"
)

// qosForAll is what Slurm changes about a QOS of Maui that no list and no default gives to anybody; "" if one does.
func (w *writer) qosForAll(name string) string {
	if w.policy.Family != "maui" || name == "DEFAULT" {
		return ""
	}
	for i := range w.policy.Tables {
		t := &w.policy.Tables[i]
		if column := t.Column.Name(); column != "qos_list" && column != "qos_default" {
			continue
		}
		for _, r := range w.rows(t.Column) {
			if r.Value.Str == name || slices.ContainsFunc(r.Value.List, func(q string) bool { return strings.TrimRight(q, "&^") == name }) {
				return ""
			}
		}
	}
	return "no QLIST and no QDEF gives the QOS to a job in Maui; in Slurm a job has the one it asks for"
}
