package slurmconf

import (
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/stdlib"
)

// recordKeys begin a line that carries further pairs of their own table; every
// other key stands alone on its line.
var recordKeys = []string{"NodeName", "PartitionName", "NodeSet", "DownNodes", "SlurmctldHost", "PowerAction",
	"FrontendName"}

// keyTable finds a row of stdlib's table by record and by name, in lower case or as the manual
// spells it, which is how most files do.
var keyTable = sync.OnceValue(func() map[string]map[string]*stdlib.Param {
	table := map[string]map[string]*stdlib.Param{}
	rows := stdlib.SlurmParams.Params()
	for i := range rows {
		p := &rows[i]
		if table[p.Record] == nil {
			table[p.Record] = map[string]*stdlib.Param{}
		}
		table[p.Record][strings.ToLower(p.Name)] = p
		table[p.Record][p.Name] = p
	}
	return table
})

// Known finds the row of a key, without regard to case. record is "global", or the key that begins the line.
func Known(record, key string) *stdlib.Param {
	names := keyTable()[record]
	if p := names[key]; p != nil {
		return p
	}
	return names[strings.ToLower(key)]
}

// RecordKind is the own spelling of a key that begins a record, such as NodeName; "" for every other
// key, which is alone on its line.
func RecordKind(key string) string {
	for _, k := range recordKeys {
		if strings.EqualFold(k, key) {
			return k
		}
	}
	return ""
}

// names lists the keys of a record that exist in a version, for suggestions.
func names(record, version string) []string {
	var list []string
	for _, p := range stdlib.SlurmParams.Params() {
		if p.Record == record && Exists(&p, version) {
			list = append(list, p.Name)
		}
	}
	return list
}

// Exists reports that a version of Slurm knows the row.
func Exists(p *stdlib.Param, version string) bool {
	return !before(version, p.Since) && (p.Until == "" || before(version, p.Until))
}

// recordsWith lists the records that know a key.
func recordsWith(key string) (kinds []string) {
	for _, kind := range recordKeys {
		if Known(kind, key) != nil {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// effectiveIn reports whether a table's treatment such as "fatal>=22.05" is the
// given one in this version.
func effectiveIn(p *stdlib.Param, treatment, version string) bool {
	kind, since, _ := strings.Cut(p.Effective, ">=")
	return kind == treatment && !before(version, since)
}
