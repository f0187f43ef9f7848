package vm

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// The table of kernels and the table of functions are the same set, and a
// kernel looks for failures if and only if its function may fail.
func TestKernelsAreTheFunctions(t *testing.T) {
	for _, f := range schema.Functions {
		k := kernels[f.Overload]
		if k == nil {
			t.Errorf("%s has no kernel", f.Overload)
			continue
		}
		if (k.check != nil) != f.CanFail {
			t.Errorf("%s: the function may fail: %v, the kernel checks: %v", f.Overload, f.CanFail, k.check != nil)
		}
	}
	for overload := range kernels {
		if schema.FunctionByOverload(overload) == nil {
			t.Errorf("%s is no function", overload)
		}
	}
}

// A program that codegen would not make is refused, not run.
func TestLoadRefuses(t *testing.T) {
	const columns = `
		r0:f64@row = column job.a
		r1:i64@row = column job.b
		r2:f64@dict(job.qos) = column qos.weight
		r3:string@dict(job.user) = column job.user
		r4:bool@row = present job.a
		r5:f64@once = const 1.0
`
	for _, c := range []struct{ instr, want string }{
		{"r6:f64@row = no_such_thing r0", "there is no such operation"},
		{"r6:f64@row = add_double r0 r1", "the types are not"},
		{"r6:f64@row = add_double r0", "the types are not"},
		{"r6:i64@row = add_double r0 r0", "the types are not"},
		{"r6:f64@row = add_double r0 r2", "needs a gather"},
		{"r6:f64@once = negate_double r0", "changes more often than the result"},
		{"r6:f64@row = negate_double r5", "no argument changes as often"},
		{"r6:f64@row = negate_double r7", "read before it is assigned"},
		{"r6:f64@row = negate_double r6", "read before it is assigned"},
		{"r6:f64@row = gather r0", "a dictionary's register goes to one of rows"},
		{"r6:string@row = gather r3", "a dictionary's register goes to one of rows"},
		{"r6:f64@row = cond r0 r0 r0", "a bool and two values"},
		{"r6:bool@row = and r4", "two bools"},
		{"r6:f64@row = capmul r0", "a weight, a double"},
		{"r6:f64@row = capsum r0 r0", "a sum, and for each term a weight"},
		{"r6:f64@row = column qos.priority", "another shape"},
		{"r6:i64@row = present job.a", "a column and a bool"},
		{"r6:f64@row = call {nobody} r0", "a function of the program's calls"},
	} {
		p := assemble(t, columns+c.instr)
		_, err := Load(p)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.instr, err, c.want)
		}
	}

	twice := assemble(t, columns)
	twice.Instrs[1].Dst = 0
	if _, err := Load(twice); err == nil || !strings.Contains(err.Error(), "assigned twice") {
		t.Errorf("assigned twice: %v", err)
	}
	beyond := assemble(t, columns)
	beyond.Instrs[1].Dst = 99
	if _, err := Load(beyond); err == nil || !strings.Contains(err.Error(), "there is no register") {
		t.Errorf("beyond the registers: %v", err)
	}
}

// A binding that does not fit is refused with the column's name.
func TestRunRefuses(t *testing.T) {
	const text = `
		r0:f64@row = column job.a
		r1:i64@dict(job.qos) = column qos.priority
		r2:timestamp@once = column now
`
	const good = "job.a f64: 1 2\njob.qos string: high low\nqos.priority i64: 1 2\nnow timestamp: 5\n"
	keep := []program.Reg{0, 1, 2}
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"job.a f64: 1 2\n", "", "column job.a is missing"},
		{"job.qos string: high low\n", "", "column job.qos is missing"},
		{"job.a f64", "job.a i64", "column job.a is int, the program wants double"},
		{"job.a f64: 1 2\njob.qos", "job.a f64: 1 2 3\njob.qos", "column job.a has 3 entries, not 2"},
		{"qos.priority i64: 1 2", "qos.priority i64: 1", "column qos.priority has 1 entries, not 2"},
		{"job.qos string: high low", "job.qos i64: 1 2", "column job.qos is int and has no dictionary"},
		{"now timestamp: 5", "now timestamp: 5 6", "column now has 2 entries, not 1"},
	} {
		m, err := Load(assemble(t, text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Run(bind(t, strings.Replace(good, c.old, c.new, 1)), keep, 1)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%q for %q: got %v, want %q", c.new, c.old, err, c.want)
		}
	}
	m, err := Load(assemble(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(bind(t, good), []program.Reg{7}, 1); err == nil {
		t.Error("a register that is not there was kept")
	}
	if _, err := m.Run(bind(t, good), []program.Reg{program.NoReg}, 1); err == nil {
		t.Error("no register was kept as if it were one")
	}
}
