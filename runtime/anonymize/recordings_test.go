package anonymize_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/anonymize"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/stdlib"
)

// TestRecordings: in no recorded run and no collected snapshot a name survives, and no word of the scheduler is lost.
// The recordings repeat a few hundred clusters a thousand times, so that every tenth folder has all their forms; with
// FAIRWAY_LONG every folder is read.
func TestRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some hundred snapshots")
	}
	root := beside.Folder(t)
	read, searched := 0, 0
	for _, folder := range []string{"oracle/slurm", "oracle/maui", "oracle/maui-random", "corpus"} {
		step := 10
		if folder == "corpus" || os.Getenv("FAIRWAY_LONG") != "" {
			step = 1
		}
		eachSnapshot(t, os.DirFS(filepath.Join(root, folder)), step, func(dir string, s *snapshot.Snapshot) {
			if s.Jobs == nil && s.Nodes == nil && s.Credentials == nil {
				return
			}
			read++
			out, names, err := anonymize.Snapshot(s,
				anonymize.Options{Key: []byte("secret"), Reasons: stdlib.SlurmPendingReasons.Names()})
			if err != nil {
				t.Fatalf("%s/%s: %v", folder, dir, err)
			}
			if left := names.LeftOut(); len(left) > 0 {
				t.Errorf("%s/%s: %q are left out", folder, dir, left)
			}
			var text bytes.Buffer
			if err := snapshot.WriteJSON(&text, out); err != nil {
				t.Fatal(err)
			}
			found, have := wordsOf(t, text.Bytes()), namesOf(s)
			searched += len(have)
			for name := range have {
				if found[name] {
					t.Errorf("%s/%s: %q survives", folder, dir, name)
				}
			}
		})
	}
	if read == 0 || searched == 0 {
		t.Errorf("%d names in %d snapshots: nothing was looked at", searched, read)
	}
}

// eachSnapshot reads one folder of every so many, as outputs of one moment, or its files one by one where they are not.
func eachSnapshot(t *testing.T, fsys fs.FS, step int, do func(dir string, s *snapshot.Snapshot)) {
	t.Helper()
	files := map[string][]string{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err != nil || info.Size() > 4<<20 {
				return err // traces of years, which have no names
			}
			files[path.Dir(name)] = append(files[path.Dir(name)], name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, dir := range slices.Sorted(maps.Keys(files)) {
		if i%step != 0 {
			continue
		}
		if s, _, err := snapshot.Read(fsys, files[dir], snapshot.Options{}); err == nil {
			do(dir, s)
			continue
		}
		for _, name := range files[dir] {
			if s, _, err := snapshot.Read(fsys, []string{name}, snapshot.Options{}); err == nil {
				do(name, s)
			}
		}
	}
}

// named are columns whose whole text is a name.
var named = []schema.ColumnID{"job.name", "job.user", "job.group", "job.account", "job.qos", "job.partition",
	"job.partitions", "job.features", "job.hosts",
	"job.allocated_hosts", "job.reservation", "node.id", "node.features", "node.partitions", "user.name", "group.name",
	"account.name", "qos.name", "partition.name",
	"partition.qos", "reservation.name", "reservation.hosts", "license.name", "sprio.user", "sprio.account",
	"sprio.partition_name", "sprio.qos_name"}

// ours are names that are words of the schedulers too, so that they may occur in a pseudonym or for themselves.
var ours = regexp.MustCompile(`^(?i:root|default|all|none|shared|gpu|mps|mem|cpu|node|user|group|account|qos|partition|feature|resource|license|reservation|job|host|word|idle|down|up|maint|\(null\)|[0-9]+|s|r|q|\[none\]|\[all\])$`)

func namesOf(s *snapshot.Snapshot) map[string]bool {
	names := map[string]bool{}
	tables := []*column.Table{s.Jobs, s.Nodes, s.Reservations, s.Licenses, s.Sprio}
	for _, t := range s.Credentials {
		tables = append(tables, t)
	}
	add := func(text string) {
		if text != "" && !ours.MatchString(text) {
			names[text] = true
		}
	}
	for _, t := range tables {
		for _, id := range named {
			if c := t.Column(id); c != nil {
				for _, text := range c.Dict {
					add(text)
				}
				for _, list := range c.Lists {
					for _, text := range list {
						add(text)
					}
				}
			}
		}
	}
	return names
}

var token = regexp.MustCompile(`[A-Za-z0-9_.-]+`)

// wordsOf is every word in the texts of a document, each text as a whole too.
func wordsOf(t *testing.T, text []byte) map[string]bool {
	t.Helper()
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	add := func(text string) {
		found[text] = true
		for _, w := range token.FindAllString(text, -1) {
			found[w] = true
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			add(v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for key, e := range v {
				if _, keyed, ok := strings.Cut(key, "("); ok {
					add(keyed)
				}
				walk(e)
			}
		}
	}
	walk(document)
	return found
}
