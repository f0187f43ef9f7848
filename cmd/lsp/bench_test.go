package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// longConf is a slurm.conf of 5,000 lines: settings, nodes and partitions, each node on a line of its own.
func longConf() string {
	var b strings.Builder
	b.WriteString("ClusterName=harbour\nSlurmctldHost=head\nSelectType=select/cons_tres\n")
	b.WriteString("PriorityType=priority/multifactor\n")
	for i := range 40 {
		fmt.Fprintf(&b, "# a remark of number %d\nPriorityWeightAge=%d\n", i, i)
	}
	for i := range 4500 {
		fmt.Fprintf(&b, "NodeName=n%04d CPUs=64 Sockets=2 CoresPerSocket=32 RealMemory=%d Features=f%d Weight=%d "+
			"State=UNKNOWN\n", i, 192000+i, i%7, i%5)
	}
	for i := strings.Count(b.String(), "\n"); i < 5000; i++ {
		fmt.Fprintf(&b, "PartitionName=p%d Nodes=n[%04d-%04d] MaxTime=%d-0 AllowAccounts=a%d,b%d State=UP\n", i, i%4000,
			i%4000+100, 1+i%9, i%50, i%30)
	}
	return b.String()
}

// typed is a session with a long text, and what asks it one request right after a letter was typed.
func typed(t testing.TB) (s *session, ask map[string]func()) {
	text := longConf()
	s = newSession(Options{Disk: fstest.MapFS{}})
	s.stopped = true
	do := func(method string, params any) {
		data, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		result, err := s.answer(method, data)
		if err == nil {
			_, err = json.Marshal(result)
		}
		if err != nil && !strings.HasSuffix(strings.ToLower(method), "rename") { // a node has no other name
			t.Fatal(method, err)
		}
	}
	name := folder + "slurm.conf"
	do("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uriOf(name),
		"languageId": "slurmconf", "version": 1, "text": text}})
	line := strings.Count(text, "\n") - 10
	at := position{line, len("PartitionName=p1234 Nodes=n[0")}
	n := 0
	letter := func() {
		n++
		do("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uriOf(name), "version": n},
			"contentChanges": []any{map[string]any{"text": "x",
				"range": textRange{position{line - 400, 12}, position{line - 400, 12 + n%2}}}}})
	}
	// What lint finds is sent once the text has rested; the editor may ask for actions before that.
	ask = map[string]func(){"textDocument/publishDiagnostics": func() { letter(); s.lint(name) }}
	for method := range requests() {
		if !strings.HasPrefix(method, "textDocument/") || strings.HasPrefix(method, "textDocument/did") {
			continue
		}
		ask[method] = func() {
			letter()
			do(method, map[string]any{"textDocument": textDocument{uriOf(name)}, "position": at, "newName": "other",
				"range": textRange{position{line - 50, 0}, position{line, 0}}, "context": map[string]any{"diagnostics": []any{}}})
		}
	}
	return s, ask
}

// BenchmarkAnswer types a letter into a slurm.conf of 5,000 lines and asks one request. What reading the text alone
// takes is beside it.
func BenchmarkAnswer(b *testing.B) {
	_, ask := typed(b)
	for _, method := range slices.Sorted(maps.Keys(ask)) {
		b.Run(strings.TrimPrefix(method, "textDocument/"), func(b *testing.B) {
			for b.Loop() {
				ask[method]()
			}
		})
	}
	text := []byte(longConf())
	b.Run("reading alone", func(b *testing.B) {
		for b.Loop() {
			slurmconf.Tree(source.NewFile("slurm.conf", text))
		}
	})
}

// mostReadings is how often the text could be read while one request is answered. Reading 5,000 lines takes some 4 ms
// of the processor, so that an answer stays below 50 ms. Most take 3 to 7. What lints takes 12 to 16, a fifth of that
// for the collection of garbage beside it: the findings after a letter, and the actions where they are not known yet.
const mostReadings, mostLint = 12, 22

// TestAnswerTime compares answers with reading the text once, in one run, by the processor's time: others may use the
// machine.
func TestAnswerTime(t *testing.T) {
	_, ask := typed(t)
	text := []byte(longConf())
	shortest := func(do func()) time.Duration {
		least := time.Hour
		for range 4 {
			start := used(t)
			do()
			least = min(least, used(t)-start)
		}
		return least
	}
	reading := shortest(func() { slurmconf.Tree(source.NewFile("slurm.conf", text)) })
	for _, method := range slices.Sorted(maps.Keys(ask)) {
		took := shortest(ask[method])
		t.Logf("%-40s %6.1f ms, %4.1f readings", method, float64(took.Microseconds())/1000, float64(took)/float64(reading))
		most := mostReadings
		if method == "textDocument/publishDiagnostics" || method == "textDocument/codeAction" {
			most = mostLint
		}
		if took > time.Duration(most)*reading {
			t.Errorf("%s takes %v, more than %d times what reading the text takes, %v", method, took, most, reading)
		}
	}
}

// used is the processor time that the process has had.
func used(t *testing.T) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkLint is what happens when the text rests; requests do not wait for it.
func BenchmarkLint(b *testing.B) {
	s, _ := typed(b)
	d := s.work.Document(folder + "slurm.conf")
	for b.Loop() {
		s.newCheck(d).Run()
	}
}
