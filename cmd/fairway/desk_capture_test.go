package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// archiveOf is a captured snapshot, as one file, with a site's policy in it.
func archiveOf(t *testing.T, s deskSite) string {
	t.Helper()
	var b bytes.Buffer
	to, err := snapshot.NewArchive(&b)
	if err != nil {
		t.Fatal(err)
	}
	m := format.NewManifest("slurm", "scontrol", "test", meadowNow)
	m.Complete, m.Ended = true, meadowNow
	add := func(name, text string) {
		if err := to.Add(name, []byte(text), time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append(s.files, s.snapshots...) {
		inner := filepath.Base(name)
		if strings.HasPrefix(name, filepath.Dir(s.files[0])) && !strings.HasSuffix(name, ".txt") {
			inner = snapshot.PolicyFolder + "/" + inner
			m.Policy = append(m.Policy, inner)
		}
		add(inner, textIn(t, name))
		m.Holds(inner, []byte(textIn(t, name)))
	}
	text, err := m.Text()
	if err != nil {
		t.Fatal(err)
	}
	add(format.ManifestFile, string(text))
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, filepath.Join(t.TempDir(), "queue.tar.zst"), b.String())
}

// An archive of capture is policy and queue. The desk ranks it as it ranks the files, and saves a change of its policy
// in a file of its own.
func TestDeskOfArchive(t *testing.T) {
	archive := archiveOf(t, meadow)
	captured := textIn(t, archive)
	files, err := meadow.flags().open(meadow.files)
	if err != nil {
		t.Fatal(err)
	}
	f := deskSite{}.flags()
	f.snap.now = meadowNow
	names, err := f.snap.withCaptures([]string{archive})
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.open(names)
	if err != nil {
		t.Fatal(err)
	}
	change := edit.Change{"PriorityWeightAge": "90000"}
	x, err := files.side(change, "")
	if err != nil {
		t.Fatal(err)
	}
	y, err := d.side(change, "")
	if err != nil {
		t.Fatal(err)
	}
	if x, y := evalJSON(t, x.result), evalJSON(t, y.result); strings.ReplaceAll(y, archive+"/policy",
		filepath.Dir(meadow.files[0])) != x {
		t.Errorf("of the files:\n%s\nof the archive:\n%s", x, y)
	}
	value, err := d.answerSave(t.Context(), &deskRequest{Change: change})
	if err != nil {
		t.Fatal(err)
	}
	shown := value.(*savedReport).Files
	if len(shown) != 1 || shown[0].Path != "slurm.conf" || !strings.Contains(shown[0].Diff, "+PriorityWeightAge=90000") {
		t.Fatalf("%+v", shown)
	}
	_, err = d.answerSave(t.Context(), &deskRequest{Change: change, Write: true,
		To: map[string]string{shown[0].Name: shown[0].Name}})
	if err == nil || !strings.Contains(err.Error(), "is what was captured") {
		t.Errorf("the archive is written to: %v", err)
	}
	to := filepath.Join(t.TempDir(), "new.conf")
	if _, err = d.answerSave(t.Context(), &deskRequest{Change: change, Write: true,
		To: map[string]string{shown[0].Name: to}}); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(textIn(t, meadow.files[0]), "PriorityWeightAge=1000", "PriorityWeightAge=90000", 1)
	if textIn(t, to) != want || textIn(t, archive) != captured {
		t.Error("it is not the change alone that is written")
	}
}
