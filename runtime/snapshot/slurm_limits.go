package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// slurmLimits are the limits of an association or a QOS as the database has them, each as
// NAME=VALUE or NAME=TRES=VALUE: names as in dumps, minutes and MB as numbers. They
// count for what the policy does not define itself.
type slurmLimits struct {
	stated bool
	list   []string

	threshold optional[int64] // MinPrioThresh: it keeps no job from starting, and others not from its nodes
}

// limitKind says how a limit's value is written.
type limitKind int

const (
	limitNumber limitKind = iota
	limitMinutes
	limitTRES
)

// slurmLimitNames are the names that sacctmgr's columns and scontrol show assoc_mgr have for limits.
var slurmLimitNames = map[string]struct {
	name string
	kind limitKind
}{
	"GrpJobs":       {"GrpJobs", limitNumber},
	"GrpJobsAccrue": {"GrpJobsAccrue", limitNumber},
	"GrpSubmit":     {"GrpSubmitJobs", limitNumber}, "GrpSubmitJobs": {"GrpSubmitJobs", limitNumber},
	"GrpWall":        {"GrpWall", limitMinutes},
	"GrpTRES":        {"GrpTRES", limitTRES},
	"GrpTRESMins":    {"GrpTRESMins", limitTRES},
	"GrpTRESRunMins": {"GrpTRESRunMins", limitTRES},
	"MaxJobs":        {"MaxJobs", limitNumber},
	"MaxJobsAccrue":  {"MaxJobsAccrue", limitNumber},
	"MaxSubmit":      {"MaxSubmitJobs", limitNumber}, "MaxSubmitJobs": {"MaxSubmitJobs", limitNumber},
	"MaxJobsPU": {"MaxJobsPU", limitNumber}, "MaxJobsPA": {"MaxJobsPA", limitNumber},
	"MaxJobsAccruePU": {"MaxJobsAccruePU", limitNumber}, "MaxJobsAccruePA": {"MaxJobsAccruePA", limitNumber},
	"MaxSubmitPU": {"MaxSubmitJobsPU", limitNumber}, "MaxSubmitJobsPU": {"MaxSubmitJobsPU", limitNumber},
	"MaxSubmitPA": {"MaxSubmitJobsPA", limitNumber}, "MaxSubmitJobsPA": {"MaxSubmitJobsPA", limitNumber},
	"MaxWall": {"MaxWallDurationPerJob", limitMinutes}, "MaxWallPJ": {"MaxWallDurationPerJob", limitMinutes},
	"MaxTRES": {"MaxTRESPerJob", limitTRES}, "MaxTRESPJ": {"MaxTRESPerJob", limitTRES}, "MaxTRESPerJob": {"MaxTRESPerJob", limitTRES},
	"MaxTRESPerNode": {"MaxTRESPerNode", limitTRES}, "MaxTRESPN": {"MaxTRESPerNode", limitTRES},
	"MaxTRESMins": {"MaxTRESMinsPerJob", limitTRES}, "MaxTRESMinsPJ": {"MaxTRESMinsPerJob", limitTRES},
	"MaxTRESPU": {"MaxTRESPerUser", limitTRES}, "MaxTRESPA": {"MaxTRESPerAccount", limitTRES},
	"MaxTRESRunMinsPU": {"MaxTRESRunMinsPerUser", limitTRES}, "MaxTRESRunMinsPA": {"MaxTRESRunMinsPerAccount", limitTRES},
	"MinTRES": {"MinTRESPerJob", limitTRES}, "MinTRESPJ": {"MinTRESPerJob", limitTRES},
}

// set writes what was read; an object without limits has an empty list.
func (l *slurmLimits) set(b *column.Builder, object string) {
	l.setThreshold(b, object)
	if l.stated {
		b.List(limitsColumn(object), l.list)
	}
}

// setThreshold writes what is no limit on jobs.
func (l *slurmLimits) setThreshold(b *column.Builder, object string) {
	setInt(b, schema.ColumnID(object+".priority_threshold"), l.threshold)
}

// cell reads a limit of a table or a record; other names are passed over.
func (l *slurmLimits) cell(name, text string) (err error) {
	if name == "MinPrioThresh" || name == "MinPrioThres" { // sacctmgr cuts its headings
		if l.threshold = open[int64](); text != "" && text != "N" {
			l.threshold, err = textCount(text)
		}
		return err
	}
	known, ok := slurmLimitNames[name]
	if !ok {
		return nil
	}
	l.stated = true
	if text == "" || text == "N" {
		return nil
	}
	switch known.kind {
	case limitTRES:
		return l.tres(known.name, text)
	case limitMinutes:
		n, err := slurmtext.ParseTimeMinutes(text)
		if err == nil && n != slurmtext.Infinite {
			l.add(known.name, "", n)
		}
		return err
	}
	n, err := parseCount(text)
	if err == nil && n != infinite32 {
		l.add(known.name, "", n)
	}
	return err
}

func (l *slurmLimits) tres(name, text string) error {
	list, err := textTRES(text)
	for _, t := range list.value {
		l.add(name, t.Name, t.Count)
	}
	return err
}

func (l *slurmLimits) add(name, tres string, n int64) {
	if tres != "" {
		name += "=" + tres
	}
	l.list = append(l.list, name+"="+strconv.FormatInt(n, 10))
}

// managed reads what scontrol show assoc_mgr writes: limit(used), N for none, of TRES a list.
func (l *slurmLimits) managed(name, text string) error {
	if name == "MinPrioThresh" {
		return l.cell(name, strings.TrimSpace(text))
	}
	known, ok := slurmLimitNames[name]
	if !ok {
		return nil
	}
	l.stated = true
	if known.kind != limitTRES {
		limit, _, _ := strings.Cut(text, "(")
		return l.cell(name, strings.TrimSpace(limit))
	}
	var set []string
	for entry := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		tres, value, _ := strings.Cut(entry, "=")
		if limit, _, _ := strings.Cut(value, "("); limit != "" && limit != "N" {
			set = append(set, tres+"="+limit)
		}
	}
	if len(set) == 0 {
		return nil
	}
	return l.tres(known.name, strings.Join(set, ","))
}

// withinQOS are the limits that assoc_mgr writes for each user and account of a QOS, all alike.
var withinQOS = source.Pattern(`\b(Max\w+P[UA])=([^\s{}]*)`)

// within reads the first of each; a QOS that nobody uses shows none.
func (l *slurmLimits) within(text string) error {
	seen := map[string]bool{}
	for _, m := range withinQOS().FindAllStringSubmatch(text, -1) {
		if seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		if err := l.managed(m[1], m[2]); err != nil {
			return fieldError(m[1], "%s", err)
		}
	}
	return nil
}

// heldLimits is the column for what the controller itself holds of a QOS. It is joined with what the
// database has once all inputs are merged, and is gone when Read is done.
const heldLimits schema.ColumnID = "qos.limits_held"

// joinHeldLimits: of a limit that both have the database's counts, because the controller shows those of
// users and accounts only where somebody uses the QOS. A Relative QOS has percentages in the database, of which
// the controller has made counts (assoc_mgr.c: assoc_mgr_set_qos_tres_relative_cnt). What one has alone is kept.
func joinHeldLimits(t *column.Table) {
	held := t.Column(heldLimits)
	if held == nil {
		return
	}
	joined := &column.Column{ID: limitsColumn("qos"), Type: schema.StringList}
	dict := newDictionary(joined)
	for row := range t.Rows {
		base, more := t.Value(joined.ID, row).List, held.Lists[held.Codes[row]]
		if isRelative(t.Value("qos.flags", row).List) {
			base, more = more, base
		}
		list := joinLimits(base, more)
		joined.Codes = append(joined.Codes, dict.code(strings.Join(list, "\x00"), list))
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
