package policy

import (
	"math"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

func TestParseDuration(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		text string
		want float64 // NaN: refused
	}{
		{"12h", 43200}, {"30m", 1800}, {"1h30m", 5400}, {"1.5h", 5400}, {"90s", 90}, {"2d", 172800}, {"1w", 604800},
		{"7-0", 604800}, {"7-", 604800}, {"1-12", 129600}, {"1-12:30", 131400}, {"1-12:30:05", 131405},
		{"12:00:00", 43200}, {"1:12:00:00", 129600}, {"unlimited", inf}, {"INFINITE", inf}, {"0s", 0},
		{"", math.NaN()}, {"90", math.NaN()}, {"1:30", math.NaN()}, {"30m1h", math.NaN()}, {"1h1h", math.NaN()},
		{"h", math.NaN()}, {"1.2.3h", math.NaN()}, {"1x", math.NaN()}, {"-5m", math.NaN()}, {"1-2-3", math.NaN()},
		{"1-1:1:1:1", math.NaN()}, {"1:2:3:4:5", math.NaN()}, {"a:b:c", math.NaN()},
		{"16G", math.NaN()},
	} {
		got, ok := parseDuration(c.text)
		if ok == math.IsNaN(c.want) || ok && got != c.want {
			t.Errorf("%q: %v %v, want %v", c.text, got, ok, c.want)
		}
	}
}

func TestParseMemory(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"512M", 512}, {"16G", 16384}, {"16GB", 16384}, {"16GiB", 16384}, {"1.5T", 1572864}, {"512K", 0.5}, {"1P", 1 << 30},
		{"", math.NaN()}, {"512", math.NaN()}, {"G", math.NaN()}, {"16Gb", math.NaN()}, {"16Q", math.NaN()},
		{"16m", math.NaN()},
	} {
		got, ok := parseMemory(c.text)
		if ok == math.IsNaN(c.want) || ok && got != c.want {
			t.Errorf("%q: %v %v, want %v", c.text, got, ok, c.want)
		}
	}
}

// TestCoerce shows what each type makes of a constant, or the fault.
func TestCoerce(t *testing.T) {
	str, whole, half := schema.StringValue, schema.IntValue(3), schema.DoubleValue(2.5)
	for _, c := range []struct {
		a    AttrDoc
		in   schema.Value
		want string
	}{
		{AttrDoc{Type: Number}, whole, "3.0"},
		{AttrDoc{Type: Number}, str("3"), "fault: not a number"},
		{AttrDoc{Type: Integer}, half, "fault: not a whole number"},
		{AttrDoc{Type: Integer}, str("unlimited"), "fault: not a whole number"},
		{AttrDoc{Type: Depth}, str("Unlimited"), "9223372036854775807"},
		{AttrDoc{Type: Bool}, whole, "fault: not true or false"},
		{AttrDoc{Type: String}, whole, "fault: not a string"},
		{AttrDoc{Type: List}, str("a"), "fault: not a list of strings"},
		{AttrDoc{Type: Names}, str("a"), `["a"]`},
		{AttrDoc{Type: Names}, whole, "fault: neither a string nor a list of strings"},
		{AttrDoc{Type: Duration, Unit: schema.Seconds, Whole: true}, str("1h"), "3600"},
		{AttrDoc{Type: Duration, Unit: schema.Minutes}, str("90s"), "1.5"},
		{AttrDoc{Type: Duration, Unit: schema.Minutes}, half, "2.5"},
		{AttrDoc{Type: Duration, Unit: schema.Seconds, Whole: true}, half, "fault: not a whole number of seconds"},
		{AttrDoc{Type: Duration, Unit: schema.Seconds, Whole: true}, schema.BoolValue(true), "fault: no duration"},
		{AttrDoc{Type: Memory, Unit: schema.MB, Whole: true}, str("16gb"), "16384"},
		{AttrDoc{Type: Memory, Unit: schema.MB, Whole: true}, str("1K"), "fault: not a whole number of MB"},
		{AttrDoc{Type: Bound}, str("16M"), "16.0"},
		{AttrDoc{Type: Bound}, str("16m"), "960.0"},
		{AttrDoc{Type: Bound}, str("none"), "-1.0"},
		{AttrDoc{Type: Bound}, schema.BoolValue(true), "fault: no number, duration or memory size"},
		{AttrDoc{Type: Timestamp}, whole, "timestamp(3)"},
		{AttrDoc{Type: Timestamp}, str("1970-01-01T01:00:00+01:00"), "timestamp(0)"},
		{AttrDoc{Type: Timestamp}, half, "fault: no time"},
		{AttrDoc{Type: Share}, str("parent"), `"parent"`},
		{AttrDoc{Type: Share}, str("parents"), `fault: neither a number nor "parent"`},
		{AttrDoc{Type: Any}, half, "2.5"},
	} {
		v, fault := coerce(&c.a, c.in)
		got := v.String()
		if fault != "" {
			got = "fault: " + fault
		}
		if got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.a.Type, c.in.String(), got, c.want)
		}
	}
}

// TestConvert checks settings against their declaration.
func TestConvert(t *testing.T) {
	text := `policy "p" {
  param "depth" { type = "integer", min = 1, max = 24, default = 8 }
  param "interval" { type = "duration", max = "1d" }
  param "mode" { type = "string", enum = ["fast", "slow"] }
  params = { depth = 25, interval = "2d", mode = "fats" }
}
`
	f, diags := Parse(source.NewFile("p", []byte(text)))
	if len(diags) > 0 {
		t.Fatal(diags[0].Message)
	}
	want := []string{"depth is above its greatest value", "interval is above its greatest value",
		`"fats" is no value of mode`}
	for i, s := range f.Policies[0].Params {
		v, diags := f.Policies[0].ParamDecls[i].Convert(s)
		if v.Known() || len(diags) != 1 || diags[0].Message != want[i] {
			t.Errorf("%s: %v %v, want %q", s.Name.Value, v, diags, want[i])
		}
	}
}
