// Package stdlib is what Fairway knows about each scheduler, as text: the
// priority formulas as policies (*.fairway.hcl) and the parameter tables (*.csv).
//
// It imports nothing of ours. The formulas are read by lang/policy like any
// site's policy; the tables are read by the dialect front ends, the documentation
// and the linter, so that a name, its default and its meaning are in one place.
package stdlib

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strings"
	"sync"
)

// Files holds every policy and table of the library.
//
//go:embed maui slurm
var Files embed.FS

// Param is one row of a parameter table. All fields are text as written in
// the table; an empty field means "not stated".
type Param struct {
	Record     string // slurm: global or the record key (PartitionName …); maui attributes: the family (USERCFG …)
	Name       string
	Aliases    []string
	Index      string // maui: what may be in [brackets]; none, partition, user …
	Type       string // bool int float string enum list time memory … as the dialect names it
	Enum       []string
	Unit       string // unit of the stored value: seconds, minutes, mb …
	Default    string // what the program uses when the site says nothing
	DocDefault string // what the manual says, where it differs
	Min, Max   string
	Since      string // first version that knows it, as YY.MM; "" = always
	Until      string // first version that no longer does
	ReplacedBy string // in the file with >=YY.MM where a word of it is younger than its key
	NewSince   string // that version
	Documented string // where the manual has it, or "no"
	Effective  string // yes, or how the program treats it (alias, parsed-unused, not-dispatched, no …)
	Category   string
	Doc        string
	Notes      string
}

var header = []string{"record", "name", "aliases", "index", "type", "enum", "unit", "default", "doc_default", "min",
	"max",
	"since", "until", "replaced_by", "documented", "effective", "category", "doc", "notes"}

// Table names the tables; each is read once.
type Table string

// The parameter tables.
const (
	MauiParams          Table = "maui/params.csv"
	MauiAttributes      Table = "maui/attributes.csv"
	SlurmParams         Table = "slurm/params.csv"
	SlurmPartition      Table = "slurm/partition_options.csv"
	SlurmScheduler      Table = "slurm/scheduler_parameters.csv"
	SlurmPriorityFlags  Table = "slurm/priority_flags.csv"
	SlurmPendingReasons Table = "slurm/reasons.csv"
)

// Tables lists every table in the order documentation prints them.
var Tables = []Table{MauiParams, MauiAttributes, SlurmParams, SlurmPartition, SlurmScheduler, SlurmPriorityFlags,
	SlurmPendingReasons}

var cache sync.Map // Table → []Param

// Params returns the rows of a table. The slice is shared: do not change it.
// The tables are embedded and tested, so a fault in one is a bug and panics.
func (t Table) Params() []Param {
	if rows, ok := cache.Load(t); ok {
		return rows.([]Param)
	}
	rows, err := readTable(string(t))
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: embedded table %s: %v", t, err))
	}
	cache.Store(t, rows)
	return rows
}

// Names is what the rows of a table are called.
func (t Table) Names() map[string]bool {
	names := map[string]bool{}
	for _, row := range t.Params() {
		names[row.Name] = true
	}
	return names
}

func readTable(name string) ([]Param, error) {
	f, err := Files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 || strings.Join(records[0], ",") != strings.Join(header, ",") {
		return nil, fmt.Errorf("header must be %s", strings.Join(header, ","))
	}
	rows := make([]Param, 0, len(records)-1)
	for _, c := range records[1:] {
		replacedBy, newSince, _ := strings.Cut(c[13], ">=")
		rows = append(rows, Param{
			Record: c[0], Name: c[1], Aliases: list(c[2]), Index: c[3], Type: c[4], Enum: list(c[5]), Unit: c[6],
			Default: c[7], DocDefault: c[8], Min: c[9], Max: c[10], Since: c[11], Until: c[12], ReplacedBy: replacedBy,
			NewSince:   newSince,
			Documented: c[14], Effective: c[15], Category: c[16], Doc: c[17], Notes: c[18],
		})
	}
	return rows, nil
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}
