package stdlib

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var slurmTables = []Table{SlurmParams, SlurmPartition, SlurmScheduler, SlurmPriorityFlags, SlurmPendingReasons}

// slurmVersions are the release branches, oldest first; "" stands for 2.0.
var slurmVersions = []string{"", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "14.03", "14.11", "15.08", "16.05", "17.02",
	"17.11",
	"18.08", "19.05", "20.02", "20.11", "21.08", "22.05", "23.02", "23.11", "24.05", "24.11", "25.05", "25.11", "26.05"}

func TestSlurmTables(t *testing.T) {
	rows := map[Table]int{SlurmParams: 369, SlurmPartition: 47, SlurmScheduler: 93, SlurmPriorityFlags: 16,
		SlurmPendingReasons: 243}
	for _, table := range slurmTables {
		params := table.Params()
		if len(params) != rows[table] {
			t.Errorf("%s: %d rows, want %d", table, len(params), rows[table])
		}
		seen := map[string]bool{}
		for _, p := range params {
			// A pending reason may stand for several codes: its name is not unique, name and code are.
			key := strings.ToLower(p.Record + " " + p.Name + " " + strings.Join(p.Aliases, " "))
			if seen[key] {
				t.Errorf("%s: %s stands twice", table, key)
			}
			seen[key] = true
			for _, fault := range faultsOf(p) {
				t.Errorf("%s: %s %s: %s", table, p.Record, p.Name, fault)
			}
		}
	}
}

var (
	slurmTypes = []string{"bool", "uint16", "uint32", "uint64", "int64", "int", "string", "strings", "enum", "flag",
		"flags", "options", "time",
		"tres_weights", "hostlist", "record", "directive", "reason"}
	slurmUnits      = []string{"", "seconds", "minutes", "microseconds", "mb", "bytes", "percent", "nodes_per_minute"}
	slurmTimeText   = regexp.MustCompile(`^\d+(-\d*)?$|^UNLIMITED$|^INFINITE$`)
	slurmEffective  = regexp.MustCompile(`^(yes|no|ignored|alias|deprecated|fatal|defunct|(fatal|defunct)>=(\d\d\.\d\d))$`)
	slurmIdentifier = regexp.MustCompile(`^[A-Za-z_]+$`)
)

func faultsOf(p Param) (faults []string) {
	check := func(ok bool, fault string) {
		if !ok {
			faults = append(faults, fault)
		}
	}
	check(p.Record != "" && p.Name != "" && p.Doc != "" && p.Category != "",
		"record, name, category and doc must be stated")
	check(slices.Contains(slurmTypes, p.Type), "unknown type "+p.Type)
	check(slices.Contains(slurmUnits, p.Unit), "unknown unit "+p.Unit)
	check(slurmEffective.MatchString(p.Effective), "unknown effective "+p.Effective)
	check((p.Type == "enum") == (len(p.Enum) > 0), "an enum has words and nothing else has")
	since, until := slices.Index(slurmVersions, p.Since), slices.Index(slurmVersions, p.Until)
	check(since >= 0 && until >= 0, "since and until must be release branches")
	check(p.Until == "" || until > since, "until must come after since")
	check(p.Effective != "alias" || p.ReplacedBy != "", "an alias says of what")
	for _, bound := range []string{p.Min, p.Max} {
		_, err := strconv.ParseInt(bound, 10, 64)
		check(bound == "" || err == nil || slurmIdentifier.MatchString(bound),
			"bound "+bound+" is neither a number nor another name")
	}
	if p.Default != "" {
		check(slurmDefaultParses(p), "default "+p.Default+" is no "+p.Type)
	}
	return faults
}

func slurmDefaultParses(p Param) bool {
	switch p.Type {
	case "bool":
		return p.Default == "YES" || p.Default == "NO"
	case "flag":
		return p.Default == "on" || p.Default == "off"
	case "enum":
		return slices.Contains(p.Enum, p.Default)
	case "time":
		return slurmTimeText.MatchString(p.Default)
	case "uint16", "uint32", "uint64", "int", "int64":
		bits := map[string]int{"uint16": 16, "uint32": 32}[p.Type]
		if bits == 0 {
			bits = 63
		}
		_, err := strconv.ParseUint(p.Default, 10, bits)
		return err == nil || p.Default == "UNLIMITED" || p.Type == "int" && slurmIdentifier.MatchString(p.Default)
	}
	return true
}

// The partition options are in two tables; they must say the same.
func TestSlurmPartitionTablesAgree(t *testing.T) {
	byName := map[string]Param{}
	for _, p := range SlurmParams.Params() {
		if p.Record == "PartitionName" {
			byName[p.Name] = p
		}
	}
	for _, p := range SlurmPartition.Params() {
		q, ok := byName[p.Name]
		delete(byName, p.Name)
		if !ok || q.Type != p.Type || q.Default != p.Default || q.Since != p.Since || q.Until != p.Until ||
			q.ReplacedBy != p.ReplacedBy || q.Unit != p.Unit {
			t.Errorf("%s: %+v and %+v", p.Name, q, p)
		}
	}
	if len(byName) > 0 {
		t.Errorf("not in %s: %v", SlurmPartition, byName)
	}
}
