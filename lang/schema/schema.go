// Package schema is the vocabulary of Fairway: every column of a job, a node
// and a credential, every function of the expression language, with type,
// unit, both schedulers' names and a sentence of documentation.
//
// The CEL environment, the snapshot readers, the views, the generated
// reference and the linter all read these tables, so a column is named once.
package schema

import (
	_ "embed" // the table of columns
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Type is the type of a value in the expression language.
type Type uint8

// The types. Timestamp is epoch seconds, Duration nanoseconds, both held as
// int64. Strings and string lists are held as dictionary codes in columns.
const (
	Invalid Type = iota
	Bool
	Int
	Double
	String
	Timestamp
	Duration
	StringList
)

var typeNames = []string{"invalid", "bool", "int", "double", "string", "timestamp", "duration", "list(string)"}

func (t Type) String() string { return typeNames[t] }

// Value is one boxed value, used where speed does not matter: constants, function
// calls per row or per dictionary entry, explanations. The zero Value is "unknown".
type Value struct {
	Type   Type
	Int    int64   // Int; Bool as 0 or 1; Timestamp in epoch seconds; Duration in nanoseconds
	Double float64 // Double
	Str    string  // String
	List   []string
}

// BoolValue boxes a bool.
func BoolValue(b bool) Value {
	if b {
		return Value{Type: Bool, Int: 1}
	}
	return Value{Type: Bool}
}

// IntValue boxes an int.
func IntValue(i int64) Value { return Value{Type: Int, Int: i} }

// DoubleValue boxes a double.
func DoubleValue(f float64) Value { return Value{Type: Double, Double: f} }

// StringValue boxes a string.
func StringValue(s string) Value { return Value{Type: String, Str: s} }

// ListValue boxes a list of strings.
func ListValue(l []string) Value { return Value{Type: StringList, List: l} }

// TimestampValue boxes epoch seconds.
func TimestampValue(epochSeconds int64) Value { return Value{Type: Timestamp, Int: epochSeconds} }

// Known reports whether the value is known.
func (v Value) Known() bool { return v.Type != Invalid }

// Number is the value as a double: of a bool 0 or 1, of a time its seconds.
func (v Value) Number() float64 {
	if v.Type == Double {
		return v.Double
	}
	return float64(v.Int)
}

// Func is an expression evaluated on boxed values: what the compiler could not
// turn into kernels. Arguments come in the order of the inputs it was declared with; an
// unknown argument is a Value with Type Invalid. The result has the declared type.
type Func func(args []Value) (Value, error)

// ColumnID names a column as the expression language writes it: "job.procs",
// "qos.priority", "cluster.nodes", and for resources "job.tres(gres/gpu)".
type ColumnID string

// Object is the part before the dot.
func (id ColumnID) Object() string {
	object, _, _ := strings.Cut(string(id), ".")
	return object
}

// Name is the part after the dot, without a key.
func (id ColumnID) Name() string {
	_, name, _ := strings.Cut(string(id), ".")
	name, _, _ = strings.Cut(name, "(")
	return name
}

// Key is the text in parentheses, as in "job.tres(gres/gpu)", or "".
func (id ColumnID) Key() string {
	_, key, ok := strings.Cut(string(id), "(")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(key, ")")
}

// TRES is the column of one trackable resource of an object: its count for a
// job (allocated, else requested), a node, a partition or the cluster.
func TRES(object, resource string) ColumnID {
	return ColumnID(object + ".tres(" + resource + ")")
}

// Keyed reports a column that exists once for each key, as in job.tres(cpu), by its name without the object.
func Keyed(name string) bool {
	return name == "tres" || name == "class_slots" || name == "usage_tres_minutes"
}

// Unit says what a number counts.
type Unit string

// The units that column names end in.
const (
	None        Unit = ""
	Count       Unit = "count"
	Seconds     Unit = "seconds"
	Minutes     Unit = "minutes"
	MB          Unit = "MB"
	Epoch       Unit = "epoch seconds (UTC)"
	ProcSeconds Unit = "processor-seconds"
	Percent     Unit = "percent"
	Ratio       Unit = "ratio"
)

// Origin says who fills a column.
type Origin uint8

// The origins. A Model column is the output of an algorithm that a policy names
// (fairshare windows, fair tree): reading one switches the model on.
const (
	Snapshot Origin = iota
	Policy
	Derived
	Model
)

var originNames = []string{"snapshot", "policy or snapshot", "derived", "model"}

func (o Origin) String() string { return originNames[o] }

// Absent says what it means when a snapshot does not have a column at all.
type Absent uint8

// AbsentError: reading it is an error that names the column. AbsentUnknown:
// every row is unknown (has() is false). AbsentZero: every row is zero, because
// resource managers leave the column out when it is not used.
const (
	AbsentError Absent = iota
	AbsentUnknown
	AbsentZero
)

var absentNames = []string{"error", "unknown", "0"}

func (a Absent) String() string { return absentNames[a] }

// Column documents one column.
type Column struct {
	ID     ColumnID
	Type   Type
	Unit   Unit
	Origin Origin
	Absent Absent
	Maui   string // what Maui calls it
	Slurm  string // what Slurm calls it
	Doc    string
}

// Object is a thing expressions can name. A credential is joined to a job by
// the job column Key; an object without Key has one value per run.
type Object struct {
	Name    string
	Alias   string // the other family's word for the same thing
	Plural  string // names the table's aggregates: qoses.max_priority
	Key     ColumnID
	Columns []Column
	Doc     string
	Apart   bool // has several rows for a job: expressions cannot read it
}

//go:embed columns.txt
var columnText string

// columns are the lines of columns.txt by object.
var columns = func() map[string][]Column {
	by := map[string][]Column{}
	for line := range strings.Lines(columnText) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(line, "  ") {
			if cell = strings.TrimSpace(cell); cell == "-" {
				cells = append(cells, "")
			} else if cell != "" {
				cells = append(cells, cell)
			}
		}
		if len(cells) != 8 {
			panic("INVARIANT: a line of columns.txt has eight cells: " + line)
		}
		word := func(cell int, known []string) int {
			i := slices.Index(known, cells[cell])
			if i < 0 {
				panic("INVARIANT: schema.go has each word of columns.txt: " + cells[cell])
			}
			return i
		}
		c := Column{ColumnID(cells[0]), Type(word(1, typeNames)), Unit(cells[2]), Origin(word(3, originNames)),
			Absent(word(4, absentNames)), cells[5], cells[6], cells[7]}
		by[c.ID.Object()] = append(by[c.ID.Object()], c)
	}
	return by
}()

// Now is the run's clock as a column of its own: `now` in expressions.
const Now ColumnID = "now"

// Objects lists every object in documentation order.
var Objects = []*Object{
	{Name: "job", Columns: columns["job"], Doc: "The job being ranked; for Slurm one row per job and partition."},
	{Name: "user", Key: "job.user", Plural: "users", Columns: columns["user"], Doc: "The job's user."},
	{Name: "group", Key: "job.group", Plural: "groups", Columns: columns["group"], Doc: "The job's Unix group."},
	{Name: "account", Key: "job.account", Plural: "accounts", Columns: columns["account"],
		Doc: "The account the job is charged to."},
	{Name: "qos", Key: "job.qos", Plural: "qoses", Columns: columns["qos"], Doc: "The job's quality of service."},
	{Name: "partition", Alias: "class", Key: "job.partition", Plural: "partitions", Columns: columns["partition"],
		Doc: "The job's partition; Maui says class, PBS queue."},
	{Name: "association", Key: "job.association", Plural: "associations", Columns: columns["association"],
		Doc: "Slurm's account, user (and partition) combination that shares and limits hang on."},
	{Name: "node", Apart: true, Columns: columns["node"], Doc: "A compute node."},
	{Name: "reservation", Apart: true, Columns: columns["reservation"],
		Doc: "Resources kept for some jobs, or for none, during a time: an advance or standing reservation, a maintenance " +
			"window."},
	{Name: "license", Apart: true, Columns: columns["license"], Doc: "A licence that jobs count against."},
	{Name: "cluster", Columns: columns["cluster"], Doc: "Totals over all configured nodes."},
}

// ObjectByName finds an object by name or alias.
func ObjectByName(name string) *Object {
	for _, o := range Objects {
		if o.Name == name || (o.Alias != "" && o.Alias == name) {
			return o
		}
	}
	return nil
}

// Column finds a column of the object by its name without the object, or nil.
func (o *Object) Column(name string) *Column { return columnsByName()[o][name] }

// columnsByName indexes the columns of all objects: readers ask for one at every field of every job.
var columnsByName = sync.OnceValue(func() map[*Object]map[string]*Column {
	index := make(map[*Object]map[string]*Column, len(Objects))
	for _, o := range Objects {
		index[o] = make(map[string]*Column, len(o.Columns))
		for i := range o.Columns {
			index[o][o.Columns[i].ID.Name()] = &o.Columns[i]
		}
	}
	return index
})

// Lookup finds the documentation of a column; keyed resources share one entry.
func Lookup(id ColumnID) *Column {
	o := ObjectByName(id.Object())
	if o == nil {
		return nil
	}
	return o.Column(id.Name())
}

// Aggregate splits the id of a table aggregate: "qoses.max_priority" is the largest
// qos.priority over every row of the table, whether a job uses it or not.
func Aggregate(id ColumnID) (object *Object, column *Column, ok bool) {
	name, isMax := strings.CutPrefix(id.Name(), "max_")
	if !isMax {
		return nil, nil, false
	}
	for _, o := range Objects {
		if o.Plural != "" && o.Plural == id.Object() {
			c := o.Column(name)
			return o, c, c != nil && (c.Type == Int || c.Type == Double)
		}
	}
	return nil, nil, false
}

// String prints a boxed value as CEL would write it.
func (v Value) String() string {
	switch v.Type {
	case Bool:
		return strconv.FormatBool(v.Int != 0)
	case Int:
		return strconv.FormatInt(v.Int, 10)
	case Double:
		s := strconv.FormatFloat(v.Double, 'g', -1, 64)
		if !strings.ContainsAny(s, ".eIN") {
			s += ".0"
		}
		return s
	case String:
		return strconv.Quote(v.Str)
	case Timestamp:
		return fmt.Sprintf("timestamp(%d)", v.Int)
	case Duration:
		return fmt.Sprintf("duration(%dns)", v.Int)
	case StringList:
		return fmt.Sprintf("%q", v.List)
	}
	return "unknown"
}
