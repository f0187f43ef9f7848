package snapshot

import (
	"reflect"
	"testing"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// TestFairsharePassed: what Maui ignores does not count, and is kept for who follows the manual.
func TestFairsharePassed(t *testing.T) {
	s, diags := readText(t, "FS.1699660800", `# Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00
User USERA 150000.000
USER USERB 1
Account ACCTA 300000.000
QOS 0 50000.000
Class batch x
Sched s 1 2
Nobody n 5
user USERC 7
TOTAL 600000.00
`)
	want := []format.UsageWindow{{StartTime: 1699660800, Usage: map[string]map[string]float64{"user": {"USERC": 7}},
		Passed: format.PassedUsage{Total: 600000,
			Usage: map[string]map[string]float64{"user": {"USERA": 150000, "USERB": 1}, "account": {"ACCTA": 300000},
				"qos": {"0": 50000}}}}}
	if !reflect.DeepEqual(s.Usage, want) {
		t.Errorf("got %+v, want %+v", s.Usage, want)
	}
	if len(diags) != 8 {
		t.Errorf("%d findings for 8 lines: %v", len(diags), diags)
	}
}
