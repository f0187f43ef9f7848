package slurm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

const qosDefault schema.ColumnID = "association.qos_default"

// defaultQOS gives a job that names no QOS the one that slurmctld gives it when it is submitted. A recorded queue has
// the outcome; one of another scheduler's, or one that is made up, has not. Where no QOS are known no job has one.
func defaultQOS(r *evaluation.Result) {
	asked := r.Jobs.Column("job.qos")
	if asked != nil && !slices.ContainsFunc(asked.Codes, func(code uint32) bool { return asked.Dict[code] == "" }) {
		return
	}
	g := &guard{result: r, values: evaluation.NewValues(r.Program, r.Snapshot), rules: r.Program.Slurm}
	g.qosNames = g.values.Names("qos")
	if g.rules == nil || len(g.qosNames) == 0 {
		return
	}
	b := column.NewBuilder("qos")
	b.Declare("job.qos", schema.String)
	given := map[string]string{}
	for i := range r.Jobs.Rows {
		qos := r.Jobs.Text("job.qos", i)
		if key := r.Jobs.Text("job.association", i); qos == "" && r.Jobs.Text("job.state_reason", i) != invalidQOS {
			known := false
			if qos, known = given[key]; !known {
				qos = g.defaultQOS(key)
				given[key] = qos
			}
		}
		b.Row()
		b.String("job.qos", qos)
	}
	r.Jobs.Put(b.Table().Column("job.qos"))
}

// defaultQOS is that of an association or of the nearest above it, as far as it may have that, else the only one that
// it may have, else normal (sacctmgr.1, DefaultQOS; _determine_and_validate_qos). A QOS that no input describes is
// none.
func (g *guard) defaultQOS(key string) string {
	may, qos := g.allowedQOS(key), ""
	if g.above == nil {
		g.above = g.values.Parents(g.result.Program.Tree)
	}
	at := key
	for range maxAccounts {
		if qos = strings.ToLower(g.values.Of(qosDefault, at).Str); qos != "" || at == "" {
			break
		}
		at = g.above[at]
	}
	if may.set && !slices.Contains(may.list, qos) {
		if qos = ""; len(may.list) == 1 {
			qos = may.list[0]
		}
	}
	qos = cmp.Or(qos, usualQOS)
	if _, known := g.qosNames[qos]; !known {
		return ""
	}
	return qos
}
