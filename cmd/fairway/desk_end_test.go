package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The desk ends with Ctrl-C, with its terminal, and with what it reads from; each time as it should, and soon.
func TestDeskEnds(t *testing.T) {
	for _, end := range []string{"interrupt", "terminated", "hangup", "standard input", "interrupt after -",
		"interrupt after /dev/stdin"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			end, queue, _ := strings.Cut(end, " after ")
			args := append([]string{"fairway", "desk", "--no-open", "--now", meadowNow}, meadow.files...)
			for _, s := range meadow.snapshots {
				if queue != "" && s == meadow.snapshots[0] {
					s = queue
				}
				args = append(args, "-s", s)
			}
			cmd := &exec.Cmd{Path: os.Args[0], Args: args}
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stderr, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if queue != "" {
				_, _ = io.WriteString(stdin, textIn(t, meadow.snapshots[0]))
				_ = stdin.Close()
			}
			lines, address := bufio.NewScanner(stderr), ""
			for lines.Scan() && !strings.Contains(lines.Text(), "end it with Ctrl-C") {
				if _, at, ok := strings.Cut(lines.Text(), "the desk is at "); ok {
					address = at
				}
			}
			if queue != "" {
				time.Sleep(200 * time.Millisecond) // one that watched its input would have ended
				answer, err := http.Get(address)
				if err != nil {
					t.Fatalf("it has ended with its input: %v", err)
				}
				answer.Body.Close()
			}
			want := ""
			switch end {
			case "standard input":
				_ = stdin.Close()
				want = "fairway: the desk ended: standard input closed\n"
			default:
				for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
					if s.String() == end {
						_ = cmd.Process.Signal(s)
					}
				}
			}
			late := time.AfterFunc(60*time.Second, func() { _ = cmd.Process.Kill() })
			said := ""
			for lines.Scan() {
				said += lines.Text() + "\n"
			}
			if said != want {
				t.Errorf("it says %q as it ends, not %q", said, want)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ends with %v", err)
			}
			late.Stop()
		})
	}
}

// FuzzDeskRequest: whatever is asked, the answer is one of the protocol. What would write files is not asked.
func FuzzDeskRequest(f *testing.F) {
	d, err := meadow.flags().open(meadow.files)
	if err != nil {
		f.Fatal(err)
	}
	handler := d.handler()
	for _, q := range []m{{}, {"rows": 5, "sort": "-moved"}, {"change": m{"PriorityWeightAge": "5"}, "rows": 2},
		{"change": m{"association physics Fairshare": "7"}}, {"change": m{"QOS urgent Priority": "1e9"}},
		{"where": "job.gpus > 0 || has(job.name)"}, {"filter": m{"user": []string{"ana"}, "states": []string{"R"}}},
		{"jobs": []string{"5004", "5005"}}} {
		body, err := json.Marshal(q)
		if err != nil {
			f.Fatal(err)
		}
		for _, what := range []string{"start", "rank", "decides", "explain", "gains", "use", "plan", "report", "save"} {
			f.Add(what, string(body))
		}
	}
	f.Fuzz(func(t *testing.T, what, body string) {
		var q deskRequest
		if json.Unmarshal([]byte(body), &q) == nil && q.Write || strings.ContainsAny(what, "?# %\x00") {
			return
		}
		r, err := http.NewRequest(http.MethodPost, "/api/"+what, strings.NewReader(body))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		switch w.Code {
		case http.StatusOK:
			if !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s %s: %s", what, body, w.Body)
			}
		case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusMovedPermanently,
			http.StatusTemporaryRedirect:
		default:
			t.Errorf("%s %s: %d", what, body, w.Code)
		}
	})
}
