package maui

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Maui decides itself which QOS and which limit a job gets that names none; the
// snapshot holds only what was asked for. (Slurm's snapshots hold the outcome.)

// defaults sets job.account, job.qos and job.walltime_seconds as Maui does when it loads
// a job.
func defaults(t *column.Table, p *program.Program) {
	set := evaluation.SettingsOf(p)
	if set["user.account_default"] != nil {
		t.Put(effectiveAccount(t, set))
	}
	t.Put(effectiveQOS(t, set))
	t.Put(effectiveWalltime(t, set))
}

// effectiveAccount gives a job that names no account that of its user (ADEF; observed in whole simulations, whose usage
// counts for it).
func effectiveAccount(t *column.Table, set evaluation.Settings) *column.Column {
	b := column.NewBuilder("account")
	b.Declare("job.account", schema.String)
	users, accounts := t.Column("job.user"), t.Column("job.account")
	for i := range t.Rows {
		account := column.TextAt(accounts, i)
		if account == "" {
			account = set.Of("user.account_default", column.TextAt(users, i)).Str
		}
		b.Row()
		b.String("job.account", account)
	}
	return b.Table().Column("job.account")
}

// effectiveQOS gives a job the QOS it asked for if its credentials' QLISTs allow it, else
// the first default among user, group, account, class and system, else DEFAULT
// (Maui MQOS.c, MQOSGetAccess). It is found once for each combination of what the policy gives
// QOS to.
func effectiveQOS(t *column.Table, set evaluation.Settings) *column.Column {
	objects := []string{"user", "group", "account", "partition"}
	var columns [5]*column.Column
	for k, o := range append(slices.Clone(objects), "qos") {
		columns[k] = t.Column(schema.ColumnID("job." + o))
	}
	text := func(k, i int) string {
		if columns[k] == nil {
			return ""
		}
		return columns[k].Dict[columns[k].Codes[i]]
	}
	b := column.NewBuilder("qos")
	b.Declare("job.qos", schema.String)
	memo := map[[5]uint32]string{}
	counts := func(k int) bool {
		return k == len(objects) || set[schema.ColumnID(objects[k]+".qos_default")] != nil ||
			set[schema.ColumnID(objects[k]+".qos_list")] != nil
	}
	var keyed [5]*column.Column
	for k, c := range columns {
		if counts(k) {
			keyed[k] = c
		}
	}
	for i := range t.Rows {
		var key [5]uint32
		for k, c := range keyed {
			if c != nil {
				key[k] = c.Codes[i]
			}
		}
		qos, ok := memo[key]
		if !ok {
			names := []string{text(0, i), text(1, i), text(2, i), text(3, i)}
			qos = pickQOS(set, objects, names, text(4, i))
			memo[key] = qos
		}
		b.Row()
		b.String("job.qos", qos)
	}
	return b.Table().Column("job.qos")
}

func pickQOS(set evaluation.Settings, objects, names []string, asked string) string {
	if asked != "" && slices.Contains(allowedQOS(set, objects, names), asked) {
		return asked
	}
	for k, o := range objects {
		if v := set.Of(schema.ColumnID(o+".qos_default"), names[k]); v.Str != "" {
			return v.Str
		}
	}
	if v := set.Of("cluster.qos_default", ""); v.Str != "" {
		return v.Str
	}
	return "DEFAULT"
}

// allowedQOS combines the lists: plain ones add, a list ending in & keeps only what it
// has too, one ending in ^ stands alone.
func allowedQOS(set evaluation.Settings, objects, names []string) []string {
	allowed := slices.Clone(set.Of("cluster.qos_list", "").List)
	for k, o := range objects {
		list := set.Of(schema.ColumnID(o+".qos_list"), names[k]).List
		if len(list) == 0 {
			continue
		}
		last := list[len(list)-1]
		plain := slices.Clone(list)
		plain[len(plain)-1] = strings.TrimRight(last, "&^")
		switch {
		case strings.HasSuffix(last, "^"):
			return plain
		case strings.HasSuffix(last, "&"):
			allowed = slices.DeleteFunc(allowed, func(q string) bool { return !slices.Contains(plain, q) })
		default:
			allowed = append(allowed, plain...)
		}
	}
	return allowed
}

// effectiveWalltime gives a job without a limit the default of its QOS, else of
// its class; without either Maui counts with 0.
func effectiveWalltime(t *column.Table, set evaluation.Settings) *column.Column {
	out := &column.Column{ID: "job.walltime_seconds", Type: schema.Int, Ints: make([]int64, t.Rows)}
	for i := range t.Rows {
		v := t.Value("job.walltime_seconds", i)
		for _, o := range []string{"qos", "partition"} {
			if v.Int > 0 {
				break
			}
			if d := set.Of(schema.ColumnID(o+".walltime_default_seconds"),
				t.Value(schema.ColumnID("job."+o), i).Str); d.Known() {
				v = d
			}
		}
		out.Ints[i] = v.Int
	}
	return out
}

// EffectiveQOS is the QOS that Maui under this policy gives each job, for those
// who count jobs without ranking them.
func EffectiveQOS(jobs *column.Table, p *program.Program) *column.Column {
	return effectiveQOS(jobs, evaluation.SettingsOf(p))
}
