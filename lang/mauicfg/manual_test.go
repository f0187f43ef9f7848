package mauicfg

import (
	"reflect"
	"testing"
)

// manual are the options that follow the manual in everything.
func manual() Options {
	var opt Options
	for v, i := reflect.ValueOf(&opt).Elem(), 0; i < v.NumField(); i++ {
		v.Field(i).SetBool(true)
	}
	return opt
}

// TestManual: what a line sets where the program is followed and where the manual is.
func TestManual(t *testing.T) {
	const none = "nothing"
	for _, c := range []struct{ text, name, index, program, manual string }{
		{"SERVWEIGHT 3", "SERVICEWEIGHT", "", none, "3"},
		{"servweight 3", "SERVICEWEIGHT", "", none, "3"},
		{"TARGWEIGHT[fast] 3", "TARGETWEIGHT", "fast", none, "3"},
		{"DEFERTIME 2:30", "DEFERTIME", "", "9000", "150"},
		{"SYSTEMDEFAULTJOBWALLTIME 1:00", "SYSTEMDEFAULTJOBWALLTIME", "", none, "60"},
		{"MAXWCPERUSER 1:00:00,2:00:00", "MAXWCPERUSER", "", none, "3600,7200"},
		{"MAXPEPERUSERCOUNT 4", "MAXPEPERUSERCOUNT", "", none, "4"},
		{"RESLIMITPOLICY X", "RESOURCELIMITPOLICY", "", none, "[X]"},
		{"QOSQTTARGET[hi] 0:02:00", "QOSTARGETQT", "hi", none, "120"},
		{"QOSTARGETQT[hi] 0:02:00", "QOSTARGETQT", "hi", "0", "120"},
		{"BACKFILLMETRIC PE", "BACKFILLMETRIC", "", none, "PE"},
		{"BACKFILLMETRIC PS", "BACKFILLMETRIC", "", none, none},
		{"SCHEDULINGCRITERIA SECONDS", "BACKFILLMETRIC", "", none, "SECONDS"},
		{"QUEUETIMECAP 2.5", "QUEUETIMECAP", "", "2", "2.5"},
		{"PROCCAP 2.5", "PROCCAP", "", "2", "2"},
		{"XFACTORTARGETWEIGHT 3", "TARGETXFACTORWEIGHT", "", none, none}, // not even in the manual
	} {
		for _, side := range []struct {
			opt  Options
			want string
		}{{Options{}, c.program}, {manual(), c.manual}} {
			cfg, _ := evaluateText(c.text+"\n", side.opt)
			got := none
			if p := cfg.Param(c.name, c.index); p != nil {
				got = show(p.Value)
			}
			if got != side.want {
				t.Errorf("%s: %s is %s, want %s", c.text, c.name, got, side.want)
			}
		}
	}
}
