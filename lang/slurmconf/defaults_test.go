package slurmconf

import "testing"

func TestDefaultValue(t *testing.T) {
	for _, c := range []struct {
		name, version string
		number        uint64
		text          string
		ok            bool
	}{
		{"PriorityMaxAge", "", 604800, "7-0", true},
		{"PriorityCalcPeriod", "", 300, "5", true},
		{"TreeWidth", "22.05", 50, "50", true},
		{"PriorityFlags", "", 0, "", true},
		{"PriorityWeightAssoc", "18.08", 0, "", false},
		{"Nonsense", "", 0, "", false},
	} {
		v, ok := DefaultValue(c.name, c.version)
		if ok != c.ok || v.Number != c.number || v.Text != c.text || v.IsSet() {
			t.Errorf("DefaultValue(%s, %s) = %+v, %v", c.name, c.version, v, ok)
		}
	}
}
