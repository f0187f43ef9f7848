// Package front holds what a scheduler's own file says in terms of the library's policy, before it is laid under
// that of the policy files; its readers are in folders of their own, one a scheduler.
package front

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Front is what a dialect's file says, in terms of the library's policy of that
// family: values of parameters, rows of credential tables, limits, models.
type Front struct {
	Base     string // library policy: maui, slurm, slurm_basic
	Family   string
	Version  string
	Params   []Setting
	Rows     []Row
	Others   []Row // Name "" : the value of every other name
	Limits   []ir.Limit
	Targets  []ir.Target // of fairshare windows
	Backfill []ir.Setting
	Diags    diag.List

	Written bool // it is the settings of policy files

	Complete     []string // objects that the file lists completely
	Associations []ir.Association
	Billing      []ir.Billing    // of each partition of slurm.conf, without weights too
	Switches     []ir.Switch     // of the topology.conf beside it
	NodeRecords  []ir.NodeRecord // of the nodes of slurm.conf
	Partition    string          // of slurm.conf, that jobs are in which name none

	Maui       *mauicfg.Config    // the file itself, for hints
	Facts      ir.Facts           // what it says, for lint
	Each       int                // rows that most of its tables will have
	Partitions []PartitionSetting // Maui's weights and caps of one partition of nodes
}

// Setting assigns a parameter.
type Setting struct {
	Name  string
	Value schema.Value
	Raw   string
	Span  source.Span
}

// Row assigns one column of one credential.
type Row struct {
	Column schema.ColumnID
	ir.TableRow
}

// Set gives a credential a value.
func (f *Front) Set(column schema.ColumnID, name string, v schema.Value, span source.Span, src string) {
	f.Rows = append(f.Rows, Row{column, ir.TableRow{Name: name, Value: v, Span: span, Source: src}})
}

// SetOthers gives one to all that have none of their own.
func (f *Front) SetOthers(column schema.ColumnID, v schema.Value, span source.Span, src string) {
	f.Others = append(f.Others, Row{column, ir.TableRow{Value: v, Span: span, Source: src}})
}

// PartitionSetting is a parameter's value for one partition of nodes.
type PartitionSetting struct {
	Partition string
	Setting
}

// Options are choices made outside the files; they win over what files say.
type Options struct {
	Version    string   // Slurm version as YY.MM; "" leaves it to the files, then to the snapshot
	Semantics  string   // "observed" or "documented"; "" leaves it to the policy
	Deviations []string // points in which to follow the manual
	Without    []string // components to leave out, or "limits"
	Params     []ParamOverride

	// SnapshotVersion is the version of the scheduler that the snapshot is of: taken when nothing
	// else states one. Without it the newest that accepts the slurm.conf is meant.
	SnapshotVersion string
	// Until is the newest release that the inputs beside can be of, by what later ones write: "" is the newest there is.
	Until string
	// SiteVersion is the version that the site's project file states: taken when the files state none.
	SiteVersion SiteVersion

	// Fragment is a part of a scheduler's file, without the rest.
	Fragment bool
	// Lenient goes on although a scheduler's file has errors: lint says what else is wrong with it.
	Lenient bool
	// SettingsOnly leaves the formula out: parameters, credentials, limits and facts are lowered, no
	// expression is compiled. It is for files of schedulers alone, and for those in a hurry.
	SettingsOnly bool
	// Unset are parameters that keep their default whatever the files say: who asks what a setting does compares.
	Unset []string
	// NodeFacts keeps all that the files say of nodes: who changes files compares it.
	NodeFacts bool
	// Queries are asked of each job beside the policy.
	Queries []Query
}

// Query is an expression that the user asks of each job.
type Query struct {
	Text      *source.File
	Condition bool // it must be one
}

// SiteVersion is a version and where it is stated.
type SiteVersion struct {
	Text string
	Span source.Span
}

// ParamOverride sets a parameter from outside the policy. Value is text, for a scheduler's
// parameter in the notation of its file; Typed, if known, is a value as in `params`.
type ParamOverride struct {
	Name, Value string
	Typed       schema.Value
	Span        source.Span
}

// Documented reports whether the manual is followed in a named point.
func (o Options) Documented(name string) bool {
	return o.Semantics == "documented" || slices.Contains(o.Deviations, name)
}
