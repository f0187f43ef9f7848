package vm

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// The workload of all benchmarks: a Maui-like priority, by the machine, by a loop
// that a person wrote for this one policy, and by interpreting it row by row.
func BenchmarkMauiLike(b *testing.B) {
	p := mauiLike(b)
	for _, rows := range []int{100_000, 1_000_000} {
		bind := mauiRows(rows)
		perRow := func(b *testing.B, fn func()) {
			b.ReportAllocs()
			for b.Loop() {
				fn()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
		}
		b.Run(fmt.Sprintf("rows=%d/machine", rows), func(b *testing.B) {
			quick := optimized(p, 90)
			m, err := Load(quick)
			if err != nil {
				b.Fatal(err)
			}
			perRow(b, func() {
				if _, err := m.Run(bind, quick.Kept(), 1); err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run(fmt.Sprintf("rows=%d/loop", rows), func(b *testing.B) {
			perRow(b, func() { handWritten(bind) })
		})
		if rows > 100_000 {
			continue
		}
		b.Run(fmt.Sprintf("rows=%d/naive", rows), func(b *testing.B) {
			perRow(b, func() {
				for row := range rows {
					naive(p, bind, row)
				}
			})
		})
	}
}

// The three evaluators of the benchmark agree to the bit, so that they do the same work.
func TestMauiLikeAgrees(t *testing.T) {
	p, bind := mauiLike(t), mauiRows(3*BlockRows+17)
	quick := optimized(p, 90)
	m, err := Load(quick)
	if err != nil {
		t.Fatal(err)
	}
	for workers := 1; workers <= 4; workers++ {
		out, err := m.Run(bind, quick.Kept(), workers)
		if err != nil {
			t.Fatal(err)
		}
		loop := handWritten(bind)
		for row := range bind.Rows {
			want := naive(p, bind, row)
			got := out.Vectors[0].Double(row)
			if math.Float64bits(got) != math.Float64bits(want) || math.Float64bits(loop[row]) != math.Float64bits(want) {
				t.Fatalf("row %d: machine %v, loop %v, naive %v", row, got, loop[row], want)
			}
		}
	}
}

// With FAIRWAY_COLUMNS=FOLDER, the jobs of BenchmarkMauiLike and their priorities are written there, a file of
// little-endian doubles a column, for conformance/bench/peers: names as their codes, values of credentials joined to the
// jobs.
func TestColumnsForPeers(t *testing.T) {
	folder := os.Getenv("FAIRWAY_COLUMNS")
	if folder == "" {
		t.Skip("FAIRWAY_COLUMNS names no folder to write to")
	}
	const rows = 100_000
	bind := mauiRows(rows)
	write := func(name string, value func(row int) float64) {
		data := make([]byte, 0, 8*rows)
		for row := range rows {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(value(row)))
		}
		if err := os.WriteFile(filepath.Join(folder, name+".f64"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for id, c := range bind.Columns {
		entry := func(row int) int { return row }
		if s := program.ShapeOf(id); s.Level == program.Dict {
			codes := bind.Columns[s.Key].Codes
			entry = func(row int) int { return int(codes[row]) }
		}
		write(strings.ReplaceAll(string(id), ".", "_"), func(row int) float64 {
			switch c.Type {
			case schema.Double:
				return c.Doubles[entry(row)]
			case schema.String:
				return float64(c.Codes[row])
			default:
				return float64(c.Ints[entry(row)])
			}
		})
	}
	loop := handWritten(bind)
	write("priority", func(row int) float64 { return loop[row] })
}

func mauiLike(tb testing.TB) *program.Program {
	text, err := os.ReadFile("testdata/bench/maui.txt")
	if err != nil {
		tb.Fatal(err)
	}
	return assemble(tb, string(text))
}

var mauiKeys = []struct {
	key     schema.ColumnID
	entries int
	ints    []schema.ColumnID
	doubles []schema.ColumnID
}{
	{"job.user", 5000, []schema.ColumnID{"user.priority"}, []schema.ColumnID{"user.fairshare_delta"}},
	{"job.group", 400, []schema.ColumnID{"group.priority"}, []schema.ColumnID{"group.fairshare_delta"}},
	{"job.account", 1200, []schema.ColumnID{"account.priority"}, []schema.ColumnID{"account.fairshare_delta"}},
	{"job.qos", 16, []schema.ColumnID{"qos.priority", "qos.xfactor_weight"}, []schema.ColumnID{"qos.fairshare_delta"}},
	{"job.partition", 40, []schema.ColumnID{"partition.priority"}, nil},
}

// mauiRows makes a queue of rows jobs.
func mauiRows(rows int) Binding {
	r := rand.New(rand.NewSource(1))
	b := Binding{Rows: rows, Columns: map[schema.ColumnID]*column.Column{}}
	ints := func(id schema.ColumnID, t schema.Type, n, limit int) {
		c := &column.Column{ID: id, Type: t, Ints: make([]int64, n)}
		for i := range c.Ints {
			c.Ints[i] = int64(r.Intn(limit))
		}
		b.Columns[id] = c
	}
	doubles := func(id schema.ColumnID, n int, from, to float64) {
		c := &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, n)}
		for i := range c.Doubles {
			c.Doubles[i] = from + r.Float64()*(to-from)
		}
		b.Columns[id] = c
	}
	for _, k := range mauiKeys {
		c := &column.Column{ID: k.key, Type: schema.String, Codes: make([]uint32, rows)}
		for i := range k.entries {
			c.Dict = append(c.Dict, fmt.Sprint("name", i))
		}
		for i := range c.Codes {
			c.Codes[i] = uint32(r.Intn(k.entries))
		}
		b.Columns[k.key] = c
		for _, id := range k.ints {
			ints(id, schema.Int, k.entries, 200)
		}
		for _, id := range k.doubles {
			doubles(id, k.entries, -50, 50)
		}
	}
	for _, id := range []schema.ColumnID{"job.queue_minutes", "job.queue_s", "job.swap", "job.disk", "job.ps", "job.pe",
		"job.target"} {
		doubles(id, rows, 0, 20000)
	}
	for _, id := range []schema.ColumnID{"job.bypass_count", "job.nodes", "job.procs", "job.mem_mb"} {
		ints(id, schema.Int, rows, 2000)
	}
	ints("job.walltime_seconds", schema.Int, rows, 86400)
	for i := range b.Columns["job.walltime_seconds"].Ints {
		b.Columns["job.walltime_seconds"].Ints[i]++
	}
	ints("job.held", schema.Bool, rows, 2)
	return b
}

// handWritten is the loop that the machine competes with: everything known beforehand, per
// name work done per name, one pass, no branch that data decides.
func handWritten(b Binding) []float64 {
	table := func(id schema.ColumnID, w float64) []float64 {
		c := b.Columns[id]
		t := make([]float64, c.Len())
		for i := range t {
			if c.Type == schema.Double {
				t[i] = float64(w * c.Doubles[i])
			} else {
				t[i] = float64(w * float64(c.Ints[i]))
			}
		}
		return t
	}
	up, gp, ap := table("user.priority", 2), table("group.priority", 2), table("account.priority", 2)
	qp, pp := table("qos.priority", 10), table("partition.priority", 10)
	uf, gf, af := table("user.fairshare_delta", 100), table("group.fairshare_delta", 10),
		table("account.fairshare_delta", 100)
	qf, qx := table("qos.fairshare_delta", 10), table("qos.xfactor_weight", 1)
	n := b.Rows
	out := make([]float64, n)
	us, gs, as := b.Columns["job.user"].Codes[:n], b.Columns["job.group"].Codes[:n], b.Columns["job.account"].Codes[:n]
	qs, ps := b.Columns["job.qos"].Codes[:n], b.Columns["job.partition"].Codes[:n]
	minutes, queue, wall := b.Columns["job.queue_minutes"].Doubles[:n], b.Columns["job.queue_s"].Doubles[:n],
		b.Columns["job.walltime_seconds"].Ints[:n]
	bypass, nodes, procs := b.Columns["job.bypass_count"].Ints[:n], b.Columns["job.nodes"].Ints[:n],
		b.Columns["job.procs"].Ints[:n]
	mem, swap, disk := b.Columns["job.mem_mb"].Ints[:n], b.Columns["job.swap"].Doubles[:n],
		b.Columns["job.disk"].Doubles[:n]
	procSeconds, pe, target := b.Columns["job.ps"].Doubles[:n], b.Columns["job.pe"].Doubles[:n],
		b.Columns["job.target"].Doubles[:n]
	held := b.Columns["job.held"].Ints[:n]
	for i := range out {
		u, g, a, q, p := us[i], gs[i], as[i], qs[i], ps[i]
		credential := up[u] + gp[g] + ap[a] + qp[q] + pp[p]
		fairshare := uf[u] + gf[g] + af[a] + qf[q]
		w := float64(wall[i])
		service := float64(10 * min(minutes[i], 1000))
		service += float64(qx[q] * min((queue[i]+w)/w, 100))
		service += float64(10 * min(float64(bypass[i]), 100))
		resource := float64(10 * min(float64(nodes[i]), 100))
		resource += float64(2 * min(float64(procs[i]), 1000))
		resource += float64(0.5 * min(float64(mem[i]), 5000))
		resource += float64(0.5 * min(swap[i], 5000))
		resource += float64(0.5 * min(disk[i], 5000))
		resource += float64(0.5 * min(procSeconds[i], 40000))
		resource += float64(10 * min(pe[i], 1000))
		resource += float64(0.5 * target[i])
		x := min(credential, 5000)
		x += float64(2 * min(fairshare, 5000))
		x += min(service, 40000)
		x += min(resource, 40000)
		x = max(x, 0)
		out[i] = math.Float64frombits(math.Float64bits(x) & (uint64(held[i]) - 1))
	}
	return out
}

// naive interprets a program on one row, an instruction a time on boxed values: the
// slow twin of everything else here.
func naive(p *program.Program, b Binding, row int) float64 {
	regs := make([]schema.Value, len(p.Regs))
	for _, in := range p.Instrs {
		arg := func(i int) float64 { return regs[in.Args[i]].Double }
		v := schema.Value{Type: schema.Double}
		switch in.Op {
		case program.OpConst:
			v = in.Value
		case program.OpColumn:
			entry := row
			if s := program.ShapeOf(in.Column); s.Level == program.Dict {
				entry = int(b.Columns[s.Key].Codes[row])
			}
			v = b.Columns[in.Column].Value(entry)
		case program.OpGather:
			v = regs[in.Args[0]]
		case program.OpCond:
			v = regs[in.Args[2]]
			if regs[in.Args[0]].Int != 0 {
				v = regs[in.Args[1]]
			}
		case "int64_to_double":
			v.Double = float64(regs[in.Args[0]].Int)
		case "add_double":
			v.Double = arg(0) + arg(1)
		case "divide_double":
			v.Double = arg(0) / arg(1)
		case "clamp_double_double_double":
			v.Double = clamp(arg(0), arg(1), arg(2))
		case program.OpCapMul, program.OpCapSum, program.OpWeighSum:
			at, sum := 0, 0.0
			if in.Op != program.OpCapMul {
				at, sum = 1, arg(0)
			}
			x := arg(at + 1)
			if len(in.Args) > at+2 && arg(at+2) > 0 && x > arg(at+2) {
				x = arg(at + 2)
			}
			v.Double = float64(arg(at) * x)
			if at == 1 {
				v.Double += sum
			}
		default:
			panic("naive: " + in.Op)
		}
		regs[in.Dst] = v
	}
	return regs[len(regs)-1].Double
}
