package mauicfg

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/cases"
)

// lines is a configuration written line by line.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

// TestOddConfiguration is a file of oddities that ran on the real Maui, with
// the values it held afterwards.
func TestOddConfiguration(t *testing.T) {
	cfg, _ := evaluateText(lines(
		"  PROCWEIGHT 5", "procweight 6", "MEMWEIGHT 010", "DISKWEIGHT 10.9", "SWAPWEIGHT -1", "PEWEIGHT=7",
		"ENABLENEGJOBPRIORITY on", "REJECTNEGPRIOJOBS ON # x", "FSPOLICY PSDEDICATED", "FSDEPTH 99", "FSDECAY .5",
		"UFSWEIGHT 9", "XFMINWCLIMIT 2:30", `QUEUETIMECAP \`, "  44", "NODEACCESSPOLICY DEDICATED",
		"NODEALLOCATIONPOLICY minresource", "BACKFILLMETRIC PE", "RESERVATIONQOSLIST[2] a b # c",
		"QUEUETIMEWEIGHT[1] 8", "QUEUETIMEWEIGHT 3",
	), Options{})
	want := map[string]string{
		"PROCWEIGHT": "0", "MEMWEIGHT": "8", "DISKWEIGHT": "10", "SWAPWEIGHT": "0", "PEWEIGHT": "7",
		"ENABLENEGJOBPRIORITY": "false", "REJECTNEGPRIOJOBS": "true", "FSPOLICY": "unset", "FSDEPTH": "24", "FSDECAY": "0.5",
		"FSUSERWEIGHT": "9", "XFMINWCLIMIT": "9000", "QUEUETIMECAP": "44", "NODEACCESSPOLICY": "SHARED",
		"NODEALLOCATIONPOLICY": "LASTAVAILABLE", "BACKFILLMETRIC": "PROCS", "RESERVATIONQOSLIST[2]": "[a b #]",
		"QUEUETIMEWEIGHT": "1", "QUEUETIMEWEIGHT[1]": "3",
	}
	for key, w := range want {
		name, index, _ := strings.Cut(strings.TrimSuffix(key, "]"), "[")
		if got := effective(cfg, name, index); got != w {
			t.Errorf("%s is %s, Maui held %s", key, got, w)
		}
	}
}

func effective(cfg *Config, name, index string) string {
	if p := cfg.Param(name, index); p != nil {
		return show(p.Value)
	}
	if v, ok := Default(name); ok {
		return show(v)
	}
	return "unset"
}

func show(v Value) string {
	switch v.Kind {
	case KindInt, KindTime, KindMemory:
		return fmt.Sprint(v.Int)
	case KindFloat:
		return fmt.Sprint(v.Float)
	case KindBool:
		return fmt.Sprint(v.Bool)
	case KindList:
		return fmt.Sprint(v.List)
	case KindLimit:
		return fmt.Sprintf("%d,%d", v.Soft, v.Hard)
	case KindFSTarget:
		return fmt.Sprintf("%v %s", v.Float, v.Target)
	}
	return v.Text
}

// TestAttributes: what one attribute is after a configuration; the first are what recorded runs of Maui show by the
// jobs they started.
func TestAttributes(t *testing.T) {
	cases.Run(t, "testdata/attributes.txt", func(t *testing.T, c cases.Case) string {
		cfg, _ := evaluateText(c.In, Options{})
		object, attr, _ := strings.Cut(c.Name, " ")
		family, index, _ := strings.Cut(strings.TrimSuffix(object, "]"), "[")
		name, sub, _ := strings.Cut(strings.TrimSuffix(attr, "]"), "[")
		if a := cfg.Object(family, index).Attr(name, sub); a != nil {
			return show(a.Value)
		}
		return "unset"
	})
}

// TestParams: what one parameter is after a configuration.
func TestParams(t *testing.T) {
	cases.Run(t, "testdata/params.txt", func(t *testing.T, c cases.Case) string {
		follows := c.Option == "as in the manual"
		cfg, _ := evaluateText(c.In, Options{CaseInsensitive: follows, MinuteSecond: follows})
		name, index, _ := strings.Cut(strings.TrimSuffix(c.Name, "]"), "[")
		return effective(cfg, name, index)
	})
	cfg, _ := evaluateText("LOGFILE "+strings.Repeat("x", 2000), Options{})
	if got := effective(cfg, "LOGFILE", ""); got != strings.Repeat("x", 1023) {
		t.Errorf("a long value is %d characters", len(got))
	}
}

func TestReadValue(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		ok               bool
	}{
		{"FSDEPTH", "7", "7", true},
		{"RESERVATIONDEPTH", "3", "3", true},
		{"FSINTERVAL", "12:00:00", "43200", true},
		{"FSDEPTH", "many", "", false},
		{"FSDEPTH", "-1", "", false},
		{"FSDEPTH", "7\nFSDECAY 1", "", false},
		{"NOTHING", "7", "", false},
		{"USERCFG", "7", "", false},
		{"FSPOLICY", "NONE", "", true},
	} {
		v, ok := ReadValue(c.name, c.text)
		if ok != c.ok || ok && show(v) != c.want {
			t.Errorf("ReadValue(%s, %q) = %v, %v", c.name, c.text, show(v), ok)
		}
	}
}

func TestReadSetting(t *testing.T) {
	for _, c := range []struct {
		name, text, code string
		opt              Options
		ok               bool
	}{
		{"QUEUETIMEWEIGHT", "12abc", "maui-number-rest", Options{}, true},
		{"QUEUETIMEWEIGHT", "99999999999999", "maui-number-too-large", Options{}, true},
		{"QUEUETIMEWEIGHT", "-1", "maui-minus-one", Options{}, false},
		{"BACKFILLPOLICY", "NONSENSE", "maui-bad-enum", Options{}, false},
		{"BACKFILLPOLICY", "bestfit", "maui-wrong-case", Options{}, false},
		{"BACKFILLPOLICY", "bestfit", "", Options{CaseInsensitive: true}, true},
		{"SERVERHOST", "head", "", Options{}, true},
		{"LOGFILE", "{{ path }}", "maui-template", Options{}, false},
		{"FSPOLICY", "", "maui-missing-value", Options{}, false},
	} {
		_, found, ok := ReadSetting(c.name, c.text, c.opt)
		code := ""
		if len(found) > 0 {
			code = found[0].Code
		}
		if ok != c.ok || code != c.code {
			t.Errorf("ReadSetting(%s, %q) = %q, %v", c.name, c.text, code, ok)
		}
	}
}

// TestManualPolicies: the words of the manual's template are FSPOLICY's only to who follows it.
func TestManualPolicies(t *testing.T) {
	for text, want := range map[string]string{"PSDEDICATED": "DEDICATEDPS", "PSUTILIZED%": "UTILIZEDPS%",
		"DEDICATEDPES": "DEDICATEDPES"} {
		cfg, diags := evaluateText("FSPOLICY "+text, Options{ManualPolicies: true})
		if p := cfg.Param("FSPOLICY", ""); p == nil || p.Value.Text != want || len(diags) > 0 {
			t.Errorf("%s: %+v, want %s; %v", text, p, want, diags)
		}
	}
	cfg, diags := evaluateText("FSPOLICY PSDEDICATED", Options{})
	if cfg.Param("FSPOLICY", "") != nil || len(diags) != 1 || diags[0].Code != "maui-bad-enum" {
		t.Errorf("Maui takes PSDEDICATED: %v", diags)
	}
}
