package slurm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// limitList is the limits of an association or a QOS as the database has them, each as
// NAME=VALUE or NAME=TRES=VALUE: names as in dumps, minutes and MB as numbers. They
// count for what the policy does not define itself.
type limitList struct {
	stated bool
	list   []string
}

// limitNames is the table of limits.
var limitNames = fieldsOf("limits")

// limit is a line of it: what dumps call it and how its value is written.
type limit struct{ name, kind string }

// limitsInText are the names that sacctmgr's columns and scontrol show assoc_mgr have for limits.
func limitsInText() map[string]limit {
	limits := map[string]limit{}
	limitNames.each("sacctmgr and assoc_mgr", func(s slot, name, kind string) {
		limits[name] = limit{limitNames.lines[s][0], kind}
	})
	return limits
}

// read takes the text of a limit; N is none.
func (l *limitList) read(known limit, text string) error {
	l.stated = true
	if text == "" || text == "N" {
		return nil
	}
	switch known.kind {
	case "tres":
		list, err := textTRES(text)
		for _, t := range list {
			l.add(known.name, t.Name, t.Count)
		}
		return err
	case "minutes":
		n, err := slurmtext.ParseTimeMinutes(text)
		if err == nil && n != slurmtext.Infinite {
			l.add(known.name, "", n)
		}
		return err
	}
	n, err := ParseCount(text)
	if err == nil && n != infinite32 {
		l.add(known.name, "", n)
	}
	return err
}

func (l *limitList) add(name, tres string, n int64) {
	if tres != "" {
		name += "=" + tres
	}
	l.list = append(l.list, name+"="+strconv.FormatInt(n, 10))
}

// managed reads what scontrol show assoc_mgr writes: limit(used), N for none, of TRES a list.
func (l *limitList) managed(known limit, text string) error {
	if known.kind != "tres" {
		text, _, _ = strings.Cut(text, "(")
		return l.read(known, strings.TrimSpace(text))
	}
	var set []string
	for entry := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		tres, value, _ := strings.Cut(entry, "=")
		if limit, _, _ := strings.Cut(value, "("); limit != "" && limit != "N" {
			set = append(set, tres+"="+limit)
		}
	}
	return l.read(known, strings.Join(set, ","))
}

// withinQOS are the limits that assoc_mgr writes for each user and account of a QOS, all alike.
var withinQOS = source.Pattern(`\b(Max\w+P[UA])=([^\s{}]*)`)

// within reads the first of each; a QOS without jobs shows none.
func (l *limitList) within(text string, limits map[string]limit) error {
	seen := map[string]bool{}
	for _, m := range withinQOS().FindAllStringSubmatch(text, -1) {
		known, ok := limits[m[1]]
		if !ok || seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		if err := l.managed(known, m[2]); err != nil {
			return fieldError(m[1], "%s", err)
		}
	}
	return nil
}

// HeldLimits is the column for what the controller itself holds of a QOS. It is joined with what the
// database has once all inputs are merged, and is gone when Read is done.
const HeldLimits schema.ColumnID = "qos.limits_held"

// joinHeldLimits: of a limit that both have the database's counts, because the controller shows those of
// users and accounts only where somebody uses the QOS. A Relative QOS has percentages in the database;
// the controller has made counts (assoc_mgr.c: assoc_mgr_set_qos_tres_relative_cnt). What one has alone is kept.
func joinHeldLimits(t *column.Table) {
	held := t.Column(HeldLimits)
	if held == nil {
		return
	}
	joined := &column.Column{ID: limitsColumn("qos"), Type: schema.StringList}
	dict := column.NewDictionary(joined)
	for row := range t.Rows {
		base, more := t.Value(joined.ID, row).List, held.Lists[held.Codes[row]]
		if isRelative(t.Value("qos.flags", row).List) {
			base, more = more, base
		}
		list := joinLimits(base, more)
		joined.Codes = append(joined.Codes, dict.Code(strings.Join(list, "\x00"), list))
	}
	t.Put(joined)
}

// joinLimits adds the limits that the list has not.
func joinLimits(list, more []string) []string {
	list = slices.Clone(list)
	has := map[string]bool{}
	for _, limit := range list {
		has[limitKey(limit)] = true
	}
	for _, limit := range more {
		if !has[limitKey(limit)] {
			list = append(list, limit)
		}
	}
	return list
}

// limitKey is a limit without its value.
func limitKey(limit string) string { return limit[:max(strings.LastIndexByte(limit, '='), 0)] }

func isRelative(flags []string) bool {
	return slices.ContainsFunc(flags, func(f string) bool { return strings.EqualFold(f, "Relative") })
}

func limitsColumn(object string) schema.ColumnID { return schema.ColumnID(object + ".limits") }
