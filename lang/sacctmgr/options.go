package sacctmgr

import (
	_ "embed" // the table of options
	"strconv"
	"strings"
	"sync"
)

// kind says how an option's value is read.
type kind string

const (
	text         kind = "text"
	name         kind = "name"         // of another object: lower case
	names        kind = "names"        // comma list, lower case
	number       kind = "number"       // whole number; -1 clears
	decimal      kind = "decimal"      // number with a fraction
	minutes      kind = "minutes"      // time string, rounded up to minutes; -1 clears
	seconds      kind = "seconds"      // time string in seconds
	shares       kind = "shares"       // number or parent
	tres         kind = "tres"         // TRES list
	oldTRES      kind = "oldTRES"      // number of one TRES, from before 15.08
	qosFlagNames kind = "qosFlagNames" // comma list of flags of a QOS
)

// isText: sacctmgr dump writes it in quotes.
func (k kind) isText() bool { return k == text || k == name || k == names }

// option is one option of a flat file, a line of options.txt. sacctmgr takes any beginning of the name
// that has at least short letters; where two options fit, the first listed.
type option struct {
	name  string
	short int
	kind  kind
	alias string // the option it stands for, if another
	tres  string // for oldTRES: which TRES of alias
}

//go:embed options.txt
var optionText string

// optionTables are options.txt: the options by object, and what each does by its name of today.
type optionTables struct {
	association, qos []option
	docs             map[string]string
}

var options = sync.OnceValue(func() *optionTables {
	t := &optionTables{docs: map[string]string{}}
	var table *[]option
	for line := range strings.Lines(optionText) {
		line, doc, documented := strings.Cut(line, ":")
		row := append(strings.Fields(line), "", "")
		switch row[0] {
		case "", "#":
		case "[association]":
			table = &t.association
		case "[QOS]":
			table = &t.qos
		default:
			short, err := strconv.Atoi(row[1])
			if err != nil {
				panic("INVARIANT: options.txt has numbers of letters: " + err.Error())
			}
			*table = append(*table, option{row[0], short, kind(row[2]), row[3], row[4]})
			if documented {
				t.docs[row[0]] = strings.TrimSpace(doc)
			}
		}
	}
	return t
})

func optionsOf(object string) []option {
	if object == "QOS" {
		return options().qos
	}
	return options().association
}

// findOption looks for the whole name first and then for what it may be short for.
func findOption(table []option, key string) (found option, abbreviated, ok bool) {
	for _, o := range table {
		if strings.EqualFold(o.name, key) {
			return o, false, true
		}
	}
	for _, o := range table {
		if len(key) >= o.short && len(key) < len(o.name) && strings.EqualFold(o.name[:len(key)], key) {
			return o, true, true
		}
	}
	return option{}, false, false
}

// canonical is the option's name in a dump of today.
func (o option) canonical() string {
	if o.alias != "" {
		return o.alias
	}
	return o.name
}

func optionNames(table []option) (list []string) {
	for _, o := range table {
		list = append(list, o.name)
	}
	return list
}
