package sweep

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

func points(n int) (list []Point) {
	for i := range n {
		list = append(list, Point{Policy: 0, Params: []Param{{Name: "W", Value: fmt.Sprint(i)}}})
	}
	return list
}

// made is a manifest whose cells come to the values given: per point the wait and the utilisation.
func made(values [][2]float64) (*Manifest, []*Result) {
	m := &Manifest{FormatVersion: FormatVersion, Policies: []Policy{{Name: "p", Params: []Range{{Name: "W"}}}},
		Sources: []Source{{Name: "s", Kind: Snapshot, Zone: "UTC"}}, Points: points(len(values)),
		Metrics: []Metric{{Name: "wait", Of: "wait_seconds.mean"}, {Name: "use", Of: "utilisation", High: true}}}
	m.Fill()
	var results []*Result
	for i, v := range values {
		r := &Result{FormatVersion: FormatVersion, Cell: m.Cells[i].ID, All: Values{}}
		r.All.set("wait_seconds.mean", v[0])
		r.All.set("utilisation", v[1])
		results = append(results, r)
	}
	return m, results
}

// TestFront: a point is on the front unless another is as good in all and better in one; twins both are.
func TestFront(t *testing.T) {
	m, results := made([][2]float64{{10, 0.5}, {20, 0.9}, {20, 0.8}, {30, 0.9}, {10, 0.5},
		{5, math.NaN()}, {40, math.NaN()}})
	var got []int
	for _, o := range m.Outcomes(results) {
		if o.Front {
			got = append(got, o.Point)
		}
	}
	if fmt.Sprint(got) != "[0 1 4 5]" {
		t.Errorf("the front is %v", got)
	}
	// The slow twin asks for each pair.
	outcomes := m.Outcomes(results)
	for i := range outcomes {
		beaten := false
		for k := range outcomes {
			x, y := outcomes[i].Values, outcomes[k].Values
			worseUse := func(a, b float64) bool { return math.IsNaN(a) && !math.IsNaN(b) || a < b }
			asGood := y[0] <= x[0] && !worseUse(y[1], x[1])
			beaten = beaten || asGood && (y[0] < x[0] || worseUse(x[1], y[1]))
		}
		if outcomes[i].Front == beaten {
			t.Errorf("point %d: front %v, beaten %v", i, outcomes[i].Front, beaten)
		}
	}
}

// TestGoals: a bound that is missed counts by its share, and an unknown figure meets none.
func TestGoals(t *testing.T) {
	four, high := 4.0, 0.9
	for _, c := range []struct {
		m    Metric
		x    float64
		want float64
	}{
		{Metric{AtMost: &four}, 4, 0}, {Metric{AtMost: &four}, 5, 0.25}, {Metric{AtLeast: &high}, 0.45, 0.5},
		{Metric{AtLeast: &high}, 0.95, 0}, {Metric{AtMost: &four}, math.NaN(), 1}, {Metric{}, 7, 0},
	} {
		if got := c.m.Excess(c.x); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v against %v: %v, want %v", c.x, c.m, got, c.want)
		}
	}
}

// TestSensitivity: a parameter that decides explains all, and one that does nothing explains none of it.
func TestSensitivity(t *testing.T) {
	m, _ := made(make([][2]float64, 9))
	m.Policies[0].Params = []Range{{Name: "A"}, {Name: "B"}}
	var results []*Result
	for i := range m.Points {
		m.Points[i].Params = []Param{{Name: "A", Value: fmt.Sprint(i / 3)}, {Name: "B", Value: fmt.Sprint(i % 3)}}
	}
	m.Fill()
	for i := range m.Points {
		r := &Result{FormatVersion: FormatVersion, Cell: m.Cells[i].ID, All: Values{}}
		r.All.set("wait_seconds.mean", float64(i/3)*10)
		results = append(results, r)
	}
	got := ""
	for _, s := range m.Sensitivities(m.Outcomes(results)) {
		got += fmt.Sprintf("%s %.2f %d;", s.Param, s.Share, len(s.Bins))
	}
	if got != "A 1.00 3;B 0.00 3;" {
		t.Error(got)
	}
}

// TestName: everything that goes into a cell changes its name, and what does not leaves it.
func TestName(t *testing.T) {
	m, _ := made([][2]float64{{1, 1}, {2, 2}})
	m.Files = []File{{Name: "/a/maui.cfg", SHA256: "1"}, {Name: "/a/queue", SHA256: "2"}}
	m.Policies[0].Reads, m.Policies[0].Files = []string{"/a/maui.cfg"}, []string{"maui.cfg"}
	m.Sources[0].Reads, m.Sources[0].Files = []string{"/a/queue"}, []string{"queue"}
	seen := map[string]string{}
	names := func(what string, change func(*Manifest)) string {
		copied := *m
		copied.Files, copied.Policies, copied.Sources = append([]File(nil), m.Files...),
			append([]Policy(nil), m.Policies...),
			append([]Source(nil), m.Sources...)
		copied.Points = append([]Point(nil), m.Points...)
		c := Cell{}
		change(&copied)
		if what == "seed" {
			c.Seed = 3
		}
		return copied.Name(&c)
	}
	same := names("nothing", func(*Manifest) {})
	for what, change := range map[string]func(*Manifest){
		"program": func(m *Manifest) { m.Program = "2" }, "policy text": func(m *Manifest) { m.Files[0].SHA256 = "3" },
		"queue": func(m *Manifest) { m.Files[1].SHA256 = "3" }, "seed": func(*Manifest) {},
		"param":    func(m *Manifest) { m.Points[0].Params = []Param{{Name: "W", Value: "9"}} },
		"version":  func(m *Manifest) { m.Policies[0].Version = "22.05" },
		"plan":     func(m *Manifest) { m.Sources[0].Plan = true },
		"kept":     func(m *Manifest) { m.KeepJobs = true },
		"arrivals": func(m *Manifest) { m.Sources[0].Arrivals = "scaled=2" },
	} {
		got := names(what, change)
		if got == same || seen[got] != "" {
			t.Errorf("%s does not change the name, or as %s does", what, seen[got])
		}
		seen[got] = what
	}
	for what, change := range map[string]func(*Manifest){
		"study": func(m *Manifest) { m.Study = "x" }, "policy": func(m *Manifest) { m.Policies[0].Name = "x" },
		"source": func(m *Manifest) { m.Sources[0].Name = "x" },
		"folder": func(m *Manifest) {
			m.Folder, m.Files[0].Name, m.Policies[0].Reads = "/b", "/b/maui.cfg", []string{"/b/maui.cfg"}
		},
	} {
		if names(what, change) != same {
			t.Errorf("%s changes the name", what)
		}
	}
}

func FuzzDecode(f *testing.F) {
	m, results := made([][2]float64{{1, 0.5}, {2, 0.9}})
	text, _ := m.Encode()
	f.Add(text)
	f.Add([]byte(strings.Replace(string(text), `"point": 0`, `"point": 7`, 1)))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Decode(text)
		if err != nil {
			return
		}
		again, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(again); err != nil {
			t.Errorf("what was read cannot be read again: %v", err)
		}
		list := make([]*Result, len(m.Cells))
		if len(list) > 0 {
			list[0] = results[0]
		}
		m.Sensitivities(m.Outcomes(list))
		for i := range m.Points {
			m.Settings(i)
			_ = m.Choice(i)
		}
	})
}

func FuzzResult(f *testing.F) {
	_, results := made([][2]float64{{1, 0.5}})
	text, _ := results[0].Encode()
	f.Add(text, results[0].Cell)
	f.Add([]byte("{}"), "")
	f.Fuzz(func(t *testing.T, text []byte, cell string) {
		r, err := DecodeResult(text, cell)
		if err != nil {
			return
		}
		once, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeResult(once, cell)
		if err != nil {
			t.Fatal(err)
		}
		if twice, _ := again.Encode(); string(once) != string(twice) {
			t.Errorf("%s is not %s", once, twice)
		}
	})
}

// TestPack: every cell is in one task, in order; tasks are about as long as asked, and no more than may be.
func TestPack(t *testing.T) {
	m, _ := made(make([][2]float64, 50))
	var cells []*Cell
	for i := range m.Cells {
		cells = append(cells, &m.Cells[i])
	}
	cost := func(c *Cell) float64 { return float64(c.Point%7) + 0.5 }
	for _, most := range []int{1, 2, 7, 50, 1000} {
		for _, seconds := range []float64{0.1, 3, 10, 1e9} {
			tasks := Pack(cells, cost, seconds, most)
			var ids []string
			for _, task := range tasks {
				ids = append(ids, task...)
				sum := 0.0
				for _, id := range task {
					for _, c := range cells {
						if c.ID == id {
							sum += cost(c)
						}
					}
				}
				if len(task) > 1 && sum > seconds && most >= 50 || len(task) == 0 {
					t.Errorf("%d cells of %g s in a task of %g s", len(task), sum, seconds)
				}
			}
			for i, id := range ids {
				if id != cells[i].ID {
					t.Fatalf("cell %d is at another place", i)
				}
			}
			if len(ids) != len(cells) || len(tasks) > most {
				t.Errorf("%d cells in %d tasks, of no more than %d", len(ids), len(tasks), most)
			}
		}
	}
	if Pack(nil, cost, 10, 5) != nil {
		t.Error("nothing makes a task")
	}
}

// TestRound: chunks cover all tasks, and a task of an array is found again.
func TestRound(t *testing.T) {
	r := &Round{FormatVersion: FormatVersion, First: 100, Tasks: make([][]string, 45)}
	for i := range r.Tasks {
		r.Tasks[i] = []string{nameOf(i)}
	}
	for i, a := range r.Chunks(20) {
		a.Job = fmt.Sprint(7 + i)
		r.Arrays = append(r.Arrays, a)
	}
	if got := fmt.Sprint(r.Arrays); got != "[{7 100 20} {8 120 20} {9 140 5}]" {
		t.Error(got)
	}
	if r.Task("9", 4) != 144 || r.Task("9", 5) != -1 || r.Task("1", 0) != -1 || r.Cells(144)[0] != nameOf(44) ||
		r.Cells(145) != nil || r.Cells(99) != nil {
		t.Error("tasks are not where they are")
	}
	text, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeRound(text)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(r) {
		t.Errorf("%v %v", again, err)
	}
	for _, id := range []string{"", "a", "../../x", nameOf(1) + "0", strings.ToUpper(nameOf(10)),
		"../" + nameOf(1)[3:]} {
		r := &Round{FormatVersion: FormatVersion, Tasks: [][]string{{nameOf(1)}, {id}}}
		if text, err = r.Encode(); err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeRound(text); err == nil {
			t.Errorf("%q is the name of a cell", id)
		}
	}
}

// nameOf is a name of a cell.
func nameOf(i int) string { return fmt.Sprintf("%032x", i) }

func FuzzRound(f *testing.F) {
	text, _ := (&Round{FormatVersion: FormatVersion, First: 3, Tasks: [][]string{{nameOf(10)}, {nameOf(11)}},
		Arrays: []Array{{"17", 3, 2}}}).Encode()
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := DecodeRound(text)
		if err != nil {
			return
		}
		for i := range r.Tasks {
			for _, id := range r.Tasks[i] {
				if len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "" {
					t.Errorf("%q is the name of a cell", id)
				}
			}
		}
		for _, a := range r.Arrays {
			for index := range min(a.Count, 100) {
				if task := r.Task(a.Job, index); task < r.First || task >= r.First+len(r.Tasks) {
					t.Errorf("task %d of array %s is %d", index, a.Job, task)
				}
			}
		}
	})
}

// TestSearch: the search goes down a bowl to its bottom within its step, keeps to the condition, and stops at the edge
// of a range.
func TestSearch(t *testing.T) {
	goal := 0.001
	m := &Manifest{FormatVersion: FormatVersion, Sources: []Source{{Name: "s", Kind: Snapshot, Zone: "UTC"}},
		Policies: []Policy{{Name: "p", Params: []Range{{Name: "A", From: 0, To: 100},
			{Name: "B", From: 1, To: 10_000, Log: true},
			{Name: "C", Values: []string{"x", "y", "z"}}}}},
		Points: []Point{{Params: []Param{{Name: "H", Value: "1", Held: true}, {Name: "A", Value: "90"},
			{Name: "B", Value: "3"},
			{Name: "C", Value: "x"}}}},
		Metrics: []Metric{{Name: "m", Of: "wait_seconds.mean", AtMost: &goal}}}
	m.Fill()
	value := func(p *Point) float64 {
		a, b, c := number(p, "A"), number(p, "B"), map[string]float64{"x": 2, "y": 1, "z": 0}[valueOf(p, "C")]
		d := math.Log10(b) - 2
		return (a-30)*(a-30)/1e4 + d*d/16 + c
	}
	results := func() (list []*Result) {
		for i := range m.Cells {
			r := &Result{Cell: m.Cells[i].ID, All: Values{}}
			r.All.set("wait_seconds.mean", value(&m.Points[m.Cells[i].Point]))
			list = append(list, r)
		}
		return list
	}
	outcomes := m.Outcomes(results())
	s := NewSearch(m, outcomes, func(_ int, params []Param) bool { return number(&Point{Params: params}, "A") >= 35 })
	rounds := 0
	if got, now := s.Around(1), len(m.Points); fmt.Sprint(got) != "[1]" || now != 2 {
		t.Errorf("one more point is %v, and there are %d", got, now)
	}
	for points := s.Around(6); points != nil; points = s.Around(6) {
		outcomes = m.Outcomes(results())
		if rounds++; rounds > 100 || !s.Move(outcomes, points) {
			break
		}
	}
	best := &m.Points[s.At]
	if a, b := number(best, "A"), number(best, "B"); a < 35 || a > 38 || b < 70 || b > 140 || valueOf(best, "C") != "z" {
		t.Errorf("after %d rounds and %d points it is at %v", rounds, len(m.Points), best.Params)
	}
	for i := range m.Points {
		if p := &m.Points[i]; i > 0 && (number(p, "A") < 35 || number(p, "B") > 10_000 || valueOf(p, "H") != "1") {
			t.Errorf("it tried %v", p.Params)
		}
	}
}

func valueOf(p *Point, name string) string {
	for _, param := range p.Params {
		if param.Name == name {
			return param.Value
		}
	}
	return ""
}

func number(p *Point, name string) float64 {
	x, _ := strconv.ParseFloat(valueOf(p, name), 64)
	return x
}
