package tree

import (
	"encoding/json"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// example is a worked example of a manual page, a published unit test, or a case
// derived from a formula.
type example struct {
	ID, Kind  string
	Inputs    json.RawMessage
	Expected  json.RawMessage
	Tolerance json.RawMessage
}

func (e *example) inputs(t testing.TB, into any) { decode(t, e.ID, e.Inputs, into) }

func decode(t testing.TB, id string, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(id, err)
	}
}

// tolerance is one number or one for each result.
func (e *example) tolerance(t testing.TB, what string) float64 {
	var one float64
	if json.Unmarshal(e.Tolerance, &one) == nil {
		return one
	}
	each := map[string]any{}
	decode(t, e.ID, e.Tolerance, &each)
	return each[what].(float64)
}

func (e *example) compare(t *testing.T, what, name string, got, want float64) {
	t.Helper()
	if math.IsInf(want, 1) && math.IsInf(got, 1) {
		return
	}
	if !(math.Abs(got-want) <= e.tolerance(t, what)) {
		t.Errorf("%s: %s %s is %v, want %v", e.ID, what, name, got, want)
	}
}

func TestExamples(t *testing.T) {
	var file struct{ Examples []example }
	if !readJSON(t, beside.Files(t, "reference"), "slurm-examples.json", &file) {
		t.Skip("no examples")
	}
	kinds := map[string]func(*testing.T, *example){
		"normalized_shares":         equalShares,
		"usage_decay":               decayExample,
		"usage_accrual":             accrualExample,
		"tres_billing":              billingExample,
		"fairshare_classic":         classicExample,
		"fairshare_depth_oblivious": classicExample,
		"fair_tree":                 fairTreeExample,
	}
	missing := maps.Clone(kinds)
	for i := range file.Examples {
		e := &file.Examples[i]
		if run := kinds[e.Kind]; run != nil {
			run(t, e)
			delete(missing, e.Kind)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no examples of %v", missing)
	}
}

func equalShares(t *testing.T, e *example) {
	var in struct {
		Account float64 `json:"account_norm_shares"`
		Users   int
	}
	e.inputs(t, &in)
	rows := []Association{
		{Account: "root"},
		{Account: "A3", Parent: "root", Shares: int64(math.Round(in.Account * 1000))},
		{Account: "rest", Parent: "root", Shares: int64(math.Round((1 - in.Account) * 1000))},
	}
	for i := range in.Users {
		rows = append(rows, Association{Account: "A3", User: strconv.Itoa(i), Shares: 7})
	}
	tree, _ := New(rows)
	var c Classic
	c.Compute(tree, make([]float64, tree.Len()), ClassicOptions{})
	var want struct {
		User float64 `json:"user_norm_shares"`
	}
	decode(t, e.ID, e.Expected, &want)
	for row := 3; row < len(rows); row++ {
		e.compare(t, "norm shares", rows[row].User, c.NormShares[tree.Node(row)], want.User)
	}
}

func decayExample(t *testing.T, e *example) {
	var in struct {
		HalfLife int64   `json:"half_life_seconds"`
		Usage    float64 `json:"usage_raw"`
		Elapsed  int64   `json:"elapsed_seconds"`
	}
	e.inputs(t, &in)
	want := map[string]float64{}
	decode(t, e.ID, e.Expected, &want)
	factor := DecayFactor(in.HalfLife, in.Elapsed)
	for what, got := range map[string]float64{
		"decay_per_second": DecayPerSecond(in.HalfLife),
		"usage_after":      in.Usage * factor,
		"period_factor":    factor,
	} {
		if w, ok := want[what]; ok {
			e.compare(t, what, "", got, w)
		}
	}
}

func accrualExample(t *testing.T, e *example) {
	var in struct {
		HalfLife        int64 `json:"half_life_seconds"`
		Now             int64
		Period, Periods int64
		Billing         float64
		Job             struct{ Billing float64 }
	}
	e.inputs(t, &in)
	if in.Periods == 0 {
		in.Period, in.Periods, in.Billing = in.Now, 1, in.Job.Billing
	}
	tree, _ := New([]Association{{Account: "root"}, {Account: "a", Parent: "root", Shares: 1},
		{Account: "a", User: "u", Shares: 1}})
	l := Ledger{Tree: tree, Associations: NewUsage(tree.Len(), 0)}
	for k := range in.Periods {
		l.Pass(Clock{HalfLifeSeconds: in.HalfLife}, (k+1)*in.Period,
			[]Charge{{Node: 2, QOS: -1, PartitionQOS: -1, Billing: in.Billing, UsageFactor: 1}})
	}
	var want struct {
		After float64 `json:"usage_raw_after"`
	}
	decode(t, e.ID, e.Expected, &want)
	for node, got := range l.Associations.Billing {
		e.compare(t, "usage_raw_after", label(&tree.Associations[node]), got, want.After)
	}
}

func billingExample(t *testing.T, e *example) {
	var in struct {
		Weights map[string]any
		Alloc   map[string]float64
		PerNode []map[string]float64 `json:"alloc_per_node"`
		Flags   []string
	}
	e.inputs(t, &in)
	if in.Alloc == nil { // the maximum is taken of the totals
		in.Alloc = map[string]float64{}
	}
	for _, node := range in.PerNode {
		for name, count := range node {
			in.Alloc[name] += count
		}
	}
	var weights []slurmtext.TRESWeight
	for name, w := range in.Weights {
		text, ok := w.(string)
		if !ok {
			text = strconv.FormatFloat(w.(float64), 'g', -1, 64)
		}
		parsed, err := slurmtext.ParseTRESWeights(name + "=" + text)
		if err != nil {
			t.Fatal(e.ID, err)
		}
		weights = append(weights, parsed...)
	}
	names := []string{"cpu", "mem", "node", "billing", "gres/gpu", "license/licA"}
	counts := make([]float64, len(names))
	for i, name := range names {
		counts[i] = in.Alloc[strings.Replace(name, "mem", "mem_mib", 1)]
	}
	rule := SumTRES
	switch strings.Join(in.Flags, ",") {
	case "MAX_TRES":
		rule = MaxTRES
	case "MAX_TRES_GRES":
		rule = MaxTRESGRES
	}
	var want struct {
		Billing float64
		Stored  *float64 `json:"billing_stored"`
	}
	decode(t, e.ID, e.Expected, &want)
	got := NewBilling(rule, names, weights).Of(counts)
	e.compare(t, "billing", "", got, want.Billing)
	if want.Stored != nil {
		e.compare(t, "billing", "stored", math.Trunc(got), *want.Stored)
	}
}
