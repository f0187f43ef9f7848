package main

import (
	"bufio"
	"encoding/json"
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
	for _, end := range []string{"interrupt", "terminated", "hangup", "standard input"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"fairway", "desk", "--no-open", "--now", meadowNow}, meadow.files...)
			for _, s := range meadow.snapshots {
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
			lines := bufio.NewScanner(stderr)
			for lines.Scan() && !strings.Contains(lines.Text(), "end it with Ctrl-C") {
			}
			switch end {
			case "standard input":
				_ = stdin.Close()
			default:
				for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
					if s.String() == end {
						_ = cmd.Process.Signal(s)
					}
				}
			}
			late := time.AfterFunc(60*time.Second, func() { _ = cmd.Process.Kill() })
			for lines.Scan() {
				t.Errorf("it says %q as it ends", lines.Text())
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
