// Package match says what of one scheduler is what of another.
//
// Each text file is a table with a row for each correspondence; what is to report about it, or why there is
// none, is in the row. The writers of convert walk them.
package match

import (
	"embed"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

//go:embed *.txt
var files embed.FS

// rows are the lines of a table, cut at each |.
func rows(table string) (list [][]string) {
	text, err := files.ReadFile(table + ".txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		list = append(list, cells)
	}
	return list
}

func number(text string) float64 {
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

var limits = rows("limits")

// SlurmLimit is Slurm's name of a limit, "" if it has none. A policy in its own words can have more than Maui's can.
func SlurmLimit(own bool, per []string, phase, counts string) string {
	for column := 3; column == 3 || own && column == 4; column++ {
		for _, row := range limits {
			if row[1] == phase && row[2] == counts &&
				slices.Contains(credentials(row[column]), strings.Join(per, " ")) {
				return row[0]
			}
		}
	}
	return ""
}

// MauiLimit is what a limit of Slurm's on a credential is to Maui; nothing if it has none.
func MauiLimit(object, slurm string) (phase, counts string, per []string) {
	for _, row := range limits {
		for _, p := range credentials(row[3]) {
			if first, _, _ := strings.Cut(p, " "); row[0] == slurm && first == object {
				return row[1], row[2], strings.Fields(p)
			}
		}
	}
	return "", "", nil
}

// credentials are those that a cell names, as Per has them: the whole cluster as "".
func credentials(cell string) []string {
	if cell == "" {
		return nil
	}
	list := strings.Split(cell, ", ")
	for i, name := range list {
		if name == "cluster" {
			list[i] = ""
		}
	}
	return list
}

// Count is a thing that limits count: Slurm's unit of it, and what a limit then means otherwise. In ToSlurm %s
// is who set the limit.
type Count struct {
	Unit                     int64
	ToSlurm, Rounded, ToMaui string
}

var counts = byName("counts", func(row []string) Count { return Count{int64(number(row[1])), row[2], row[3], row[4]} })

// CountOf is what a limit counts; one with nothing to report has the unit 1.
func CountOf(what string) Count {
	c := counts[what]
	c.Unit = max(1, c.Unit)
	return c
}

func byName[T any](table string, read func(row []string) T) map[string]T {
	m := map[string]T{}
	for _, row := range rows(table) {
		m[row[0]] = read(row)
	}
	return m
}

var noLimits = rows("no_limits")

// NoLimit says why Maui has no such limit of Slurm's, "" if it may have; and NoLimitHere why not of this,
// though of something else.
func NoLimit(slurm string) string { return why("anywhere", slurm) }

func NoLimitHere(slurm, object string) string { return why(object, slurm) }

func why(where, slurm string) string {
	for _, row := range noLimits {
		if (row[0] == where || row[0] == "here" && where != "anywhere") && is(row[1], slurm) {
			return row[2]
		}
	}
	return ""
}

// is reports a name that one of the patterns has, and none of those with !.
func is(patterns, name string) bool {
	name = strings.ReplaceAll(name, "/", ".") // which * would not match
	found := false
	for _, pattern := range strings.Fields(patterns) {
		pattern, not := strings.CutPrefix(pattern, "!")
		matches, _ := path.Match(pattern, name)
		if matches && not {
			return false
		}
		found = found || matches
	}
	return found
}

// Column is the setting of Slurm's records that sets a column.
type Column struct {
	Record, Setting string
	Unit            int64 // of the column in one of the setting
}

var columns = byName("columns", func(row []string) Column { return Column{row[1], row[2], int64(number(row[3]))} })

// SlurmColumn is the setting for a column, if there is one.
func SlurmColumn(id schema.ColumnID) (c Column, ok bool) {
	c, ok = columns[string(id)]
	return c, ok
}

// Resource is a resource whose amount both schedulers weigh; Maui lacks the weight of some.
type Resource struct {
	Term       string // of Maui's formula and of a policy's own
	TRES, Word string // of Slurm, and in PriorityWeightTRES
	Weight     string // Maui's parameter
	Cluster    schema.ColumnID
	Most       float64 // what the largest job is taken to have, where no file says what there is
	Units      string  // for a sentence
}

// Resources are in the order in which they are written.
var Resources = func() (list []Resource) {
	for _, row := range rows("resources") {
		list = append(list, Resource{row[0], row[1], row[2], row[3], schema.ColumnID(row[4]), number(row[5]), row[6]})
	}
	return list
}()

// ResourceOf finds a resource by Slurm's name or by Maui's parameter; its zero if there is none.
func ResourceOf(name string) (r Resource) {
	for _, r := range Resources {
		if name != "" && (r.TRES == name || r.Weight == name) {
			return r
		}
	}
	return r
}

// Credential is what brings points in Slurm, with what Maui has in its place.
type Credential struct {
	Part                      string // of Slurm's formula
	Family, MauiWeight        string
	Flag                      string // of PriorityFlags: priorities are not divided by the highest
	Column                    schema.ColumnID
	Weight, Record, Attribute string
}

// Credentials are in the order in which they are written.
var Credentials = func() (list []Credential) {
	for _, row := range rows("credentials") {
		list = append(list, Credential{row[0], row[1], row[2], row[3], schema.ColumnID(row[4]), row[5], row[6], row[7]})
	}
	return list
}()

var outside = byName("outside", func(row []string) string { return row[1] })

// Decides is what depends on a setting from which Fairway computes nothing, "" if no job is known to.
func Decides(name string) string {
	words := strings.Fields(name)
	for _, word := range []string{words[len(words)-1], words[0]} { // USERCFG amy PLIST; AMCFG bank
		word, _, _ = strings.Cut(word, "[")
		if what := outside[word]; what != "" {
			return what
		}
	}
	return ""
}

var backfill = byName("backfill", func(row []string) string { return row[1] })

// Backfill is Maui's parameter for a setting of a backfill block.
func Backfill(setting string) (param string, ok bool) {
	param, ok = backfill[setting]
	return param, ok
}
