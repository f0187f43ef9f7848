package slurmtext

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseTRES(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"cpu=4,mem=8G,node=1":        "cpu=4 mem=8192 node=1",
		"CPU=1k,Mem=8192":            "cpu=1024 mem=8192",
		"mem=1500M,mem=2048K":        "mem=1500 mem=2",
		"mem=7.50G":                  "mem=7680",
		"gres/gpu:A100=2,GRES/gpu=4": "gres/gpu:A100=2 gres/gpu=4",
		"1=4,2=1024,4=1,5=4":         "cpu=4 mem=1024 node=1 billing=4",
		"cpu=-1":                     "cpu=-1",
		" cpu=1 , ,node=2":           "cpu=1 node=2",
		"bb/cray=1T":                 "bb/cray=1048576",
		"FS/Disk=3":                  "fs/disk=3",
		"energy=INFINITE":            fmt.Sprintf("energy=%d", Infinite),
	} {
		list, err := ParseTRES(text)
		var b []string
		for _, x := range list {
			b = append(b, fmt.Sprintf("%s=%d", x.Name, x.Count))
		}
		if got := strings.Join(b, " "); err != nil || got != want {
			t.Errorf("ParseTRES(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestParseTRESErrors(t *testing.T) {
	for text, offset := range map[string]int{
		"cpu": 0, "cpu=": 0, "=4": 0, "cpu=1,mem=x": 10, "cpu=-2": 4, "1001=3": 0, "cpu=1e3": 4, "cpu=0x10": 4,
		"cpu=8000P,node=9000000P": 15, "cpu=K": 4,
	} {
		_, err := ParseTRES(text)
		if e, ok := err.(*Error); !ok || e.Offset != offset {
			t.Errorf("ParseTRES(%q): %v %+v, want offset %d", text, err, err, offset)
		}
	}
}

func TestParseTRESWeights(t *testing.T) {
	list, err := ParseTRESWeights("CPU=1.0,Mem=0.25G,GRES/gpu=2.0,license/licA=1.5,energy=1K,mem=1K")
	want := []TRESWeight{{"cpu", 1}, {"mem", 0.25 / 1024}, {"gres/gpu", 2}, {"license/licA", 1.5}, {"energy", 1.0 / 1024},
		{"mem", 1024}}
	if err != nil || fmt.Sprint(list) != fmt.Sprint(want) {
		t.Errorf("got %v, %v, want %v", list, err, want)
	}
	for text, offset := range map[string]int{"CPU=x": 4, "CPU=1,": -1, "CPU": 0, "CPU=inf": 4, "CPU=1,Mem=0.25Q": 10} {
		_, err := ParseTRESWeights(text)
		e, ok := err.(*Error)
		if offset < 0 && err != nil || offset >= 0 && (!ok || e.Offset != offset) {
			t.Errorf("ParseTRESWeights(%q): %v %+v, want offset %d", text, err, e, offset)
		}
	}
}

func TestTRESNames(t *testing.T) {
	for name, want := range map[string][2]bool{
		"cpu": {true, true}, "gres/gpu": {false, true}, "nodes": {false, false}, "gres": {false, false},
		"fs/disk": {true, true},
	} {
		if got := [2]bool{IsFixedTRES(name), IsTRESType(name)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	list, _ := ParseTRES("cpu=4,cpu=8")
	if n, ok := list.Get("cpu"); n != 4 || !ok {
		t.Errorf("the first of several counts, got %d", n)
	}
	if _, ok := list.Get("mem"); ok {
		t.Error("mem is not in the list")
	}
}

func FuzzTRES(f *testing.F) {
	for _, s := range []string{"cpu=4,mem=8G", "1=4,2=5", "cpu=-1", "Mem=0.25G,GRES/gpu=2", "cpu"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if list, err := ParseTRES(text); err == nil {
			for _, x := range list {
				if x.Count < -1 || x.Name == "" {
					t.Fatalf("%q gives %+v", text, x)
				}
			}
		} else if e := err.(*Error); e.Offset < 0 || e.Offset > len(text) {
			t.Fatalf("%q: offset %d", text, e.Offset)
		}
		ParseTRESWeights(text)
	})
}
