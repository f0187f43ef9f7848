package manager_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/manager"
)

func TestCapture(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		fails string // the program that fails
		keeps bool
		kept  string
		err   string
		miss  string
	}{
		{"", true, "a.txt b.txt c.txt", "", ""},
		{"may", true, "a.txt c.txt", "", "may: broken"},
		{"must", true, "", "must: broken", ""},
		{"last", true, "a.txt b.txt", "last: broken", ""},
		{"", false, "", "disk full", ""},
	} {
		var kept []string
		missed, err := manager.Capture(context.Background(), []manager.Command{
			{Argv: []string{"must", "x"}, File: "a.txt", Needed: true}, {Argv: []string{"may"}, File: "b.txt"}, {Argv: []string{"last"}, File: "c.txt", Needed: true},
		}, func(_ context.Context, argv []string) ([]byte, error) {
			if argv[0] == c.fails {
				return nil, broken
			}
			return []byte(argv[0]), nil
		}, func(name string, text []byte) error {
			if !c.keeps {
				return errors.New("disk full")
			}
			kept = append(kept, name)
			return nil
		})
		miss, failed := "", ""
		for _, m := range missed {
			miss += m.Command.String() + ": " + m.Err.Error()
		}
		if err != nil {
			failed = err.Error()
		}
		if got := strings.Join(kept, " "); got != c.kept || miss != c.miss || failed != c.err {
			t.Errorf("%q fails: kept %q, missed %q, error %q", c.fails, got, miss, failed)
		}
	}
}

// TestCancel: who cancels wants no more, not a snapshot without what can be done without.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := manager.Capture(ctx, []manager.Command{{Argv: []string{"a"}}, {Argv: []string{"b"}}}, func(ctx context.Context, _ []string) ([]byte, error) {
		calls++
		cancel()
		return nil, ctx.Err()
	}, func(string, []byte) error { return nil })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestSlurmCluster(t *testing.T) {
	for text, want := range map[string]string{
		"Configuration data as of 2026-11-20T09:03:02\nClusterName             = pond\nX = 1\n": "pond",
		"ClusterName=\n": "", "": "", "NoClusterName = x\n": "",
	} {
		if got, ok := manager.SlurmCluster([]byte(text)); got != want || ok != (want != "") {
			t.Errorf("%q gives %q, %v", text, got, ok)
		}
	}
}
