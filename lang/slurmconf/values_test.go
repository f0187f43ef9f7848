package slurmconf

import "testing"

func TestReadSetting(t *testing.T) {
	for _, c := range []struct {
		name, text, version, tracked string
		number                       uint64
		code                         string // of the first finding
		ok                           bool
	}{
		{"PriorityMaxAge", "100", "", "", 6000, "", true},
		{"PriorityMaxAge", "1:30", "", "", 120, "slurm-time-minutes-seconds", true},
		{"PriorityMaxAge", "1h", "", "", 0, "slurm-time", false},
		{"PriorityWeightAge", "10", "23.02", "", 10, "", true},
		{"PriorityWeightAge", "-5", "", "", 0, "slurm-value", false},
		{"PriorityWeightAge", "1000000000000", "", "", 0, "slurm-value", false},
		{"PriorityWeightAge", "1\nPriorityWeightQOS=1", "", "", 0, "", false},
		{"PriorityWeightAssoc", "1", "18.08", "", 0, "slurm-newer-key", false},
		{"PriorityWeightTRES", "CPU=1,Mem=2", "", "", 0, "", true},
		{"PriorityWeightTRES", "gres/gpu=1", "", "", 0, "slurm-unknown-tres", false},
		{"PriorityWeightTRES", "gres/gpu=1", "", "gres/gpu", 0, "", true},
		{"AccountingStorageTRES", "gres/gpu", "", "gres/fpga", 0, "", true},
		{"AccountingStorageEnforce", "limts", "", "", 0, "slurm-enforce", false},
		{"NodeName", "n1", "", "", 0, "", false},
		{"Nothing", "1", "", "", 0, "slurm-unknown-key", false},
	} {
		v, found, ok := ReadSetting(c.name, c.text, Options{Version: c.version}, c.tracked)
		code := ""
		if len(found) > 0 {
			code = found[0].Code
		}
		if ok != c.ok || code != c.code || v.Number != c.number {
			t.Errorf("%s=%s: %d %q %v, want %d %q %v", c.name, c.text, v.Number, code, ok, c.number, c.code, c.ok)
		}
	}
}
