package sacctmgr

import (
	"io/fs"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
)

// TestSniffOthers: configurations of other programs must not look like flat files.
func TestSniffOthers(t *testing.T) {
	fsys := beside.Files(t)
	n := 0
	for _, pattern := range []string{"corpus/slurm/*.conf", "corpus/maui/*", "corpus/moab/*"} {
		names, _ := fs.Glob(fsys, pattern)
		for _, name := range names {
			n++
			if got := Sniff(read(t, fsys, name)); got > 0 {
				t.Errorf("%s: %d", name, got)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d files", n)
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		text                    string
		script, template, table bool
	}{
		{"Cluster - 'c'\n", false, false, false},
		{"# sacctmgr add user\nCluster - 'c'\n", false, false, false},
		{"#!/bin/sh\necho hi\n", true, false, false},
		{"add account name=x\n", true, false, false},
		{"Cluster - '{{ c }}'\n", false, true, false},
		{"Cluster|Account\nc|a\n", false, false, true},
		{"", false, false, false},
	} {
		text := []byte(c.text)
		if IsScript(text) != c.script || IsTemplate(text) != c.template || IsTable(text) != c.table {
			t.Errorf("%q: %v %v %v", c.text, IsScript(text), IsTemplate(text), IsTable(text))
		}
	}
}
