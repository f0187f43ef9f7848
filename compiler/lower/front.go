package lower

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// front is what a dialect's file says, in terms of the library's policy of that
// family: values of parameters, rows of credential tables, limits, models.
type front struct {
	base     string // library policy: maui, slurm, slurm_basic
	family   string
	version  string
	params   []setting
	rows     []row
	others   []row // Name "" : the value of every other name
	limits   []ir.Limit
	targets  []ir.Target // of fairshare windows
	backfill []ir.Setting
	diags    diag.List

	written bool // it is the settings of policy files

	complete     []string // objects of which the file lists all there are
	associations []ir.Association
	billing      []ir.Billing   // of each partition of slurm.conf, without weights too
	nodeCores    []ir.NodeCores // of each NodeName record of slurm.conf

	maui       *mauicfg.Config    // the file itself, for hints
	facts      ir.Facts           // what it says, for lint
	each       int                // rows that most of its tables will have
	partitions []partitionSetting // Maui's weights and caps of one partition of nodes
}

// setting assigns a parameter.
type setting struct {
	name  string
	value schema.Value
	raw   string
	span  source.Span
}

// row assigns one column of one credential.
type row struct {
	column schema.ColumnID
	ir.TableRow
}

func (f *front) set(column schema.ColumnID, name string, v schema.Value, span source.Span, src string) {
	f.rows = append(f.rows, row{column, ir.TableRow{Name: name, Value: v, Span: span, Source: src}})
}

func (f *front) setOthers(column schema.ColumnID, v schema.Value, span source.Span, src string) {
	f.others = append(f.others, row{column, ir.TableRow{Value: v, Span: span, Source: src}})
}
