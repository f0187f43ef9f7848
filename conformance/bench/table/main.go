// Command table measures Fairway and prints a table in Markdown: whole commands by their CPU time and memory, and
// kernels as ratios to a peer or to the naive form, both of one run.
//
//	go run ./conformance/bench/table [-runs 3] [-only 'W|F1'] [-jobs 100000]
//
// What is measured is rows.txt. A row whose peer is not installed is measured alone.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

//go:embed rows.txt
var rowsText string

// row is a line of rows.txt.
type row struct {
	id, what string
	goal     string // a ratio, or CPU seconds
	goalMB   string // of commands
	pkg      string // of benchmarks
	ours     string // benchmark or command line
	peer     string
	unit     string
}

func rows(text string) (list []row, err error) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != 7 {
			return nil, fmt.Errorf("%d cells in %q, not 7", len(cells), line)
		}
		r := row{id: cells[0], what: cells[1], goal: cells[2], pkg: cells[3], ours: cells[4], peer: cells[5],
			unit: cells[6]}
		if cells[4] == "command" {
			r = row{id: cells[0], what: cells[1], goal: cells[2], goalMB: cells[3], ours: cells[5], peer: cells[6]}
		}
		list = append(list, r)
	}
	return list, nil
}

func main() {
	runs := flag.Int("runs", 3, "how often each is measured; the least counts")
	only := flag.String("only", "", "a regular expression of IDs")
	jobs := flag.Int("jobs", 100_000, "length of the queue that commands read")
	flag.Parse()
	if err := measure(*runs, *only, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(runs int, only string, jobs int) error {
	list, err := rows(rowsText)
	if err != nil {
		return err
	}
	chosen, err := regexp.Compile("^(" + only + ")")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "fairway-table")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	made := false
	fmt.Println("| | what | measured | peer | ratio | goal |\n|---|---|---:|---:|---:|---:|")
	for _, r := range list {
		if !chosen.MatchString(r.id) {
			continue
		}
		if r.pkg == "" && !made {
			if err := makeInputs(dir, jobs); err != nil {
				return err
			}
			made = true
		}
		line, err := r.measure(dir, runs)
		if err != nil {
			return fmt.Errorf("%s: %w", r.id, err)
		}
		fmt.Println(line)
	}
	return nil
}

func (r row) measure(dir string, runs int) (string, error) {
	if r.pkg != "" {
		ours, peer, err := r.benchmarks(runs)
		if r.peer == "-" {
			return fmt.Sprintf("| %s | %s | %s %s | | | %s |", r.id, r.what, figure(ours), r.unit, r.goal), err
		}
		return fmt.Sprintf("| %s | %s | %s %s | %s | %s× | %s× |", r.id, r.what, figure(ours), r.unit, figure(peer),
			figure(peer/ours), r.goal), err
	}
	seconds, mb, err := command(dir, r.ours, runs)
	if err != nil {
		return "", err
	}
	peer, ratio := "", ""
	if name, _, _ := strings.Cut(r.peer, " "); name != "-" {
		if _, err := exec.LookPath(name); err != nil {
			peer = name + " is not installed"
		} else if least, _, err := command(dir, r.peer, runs); err != nil {
			return "", err
		} else {
			peer, ratio = fmt.Sprintf("%s %s s", name, figure(least)), figure(least/seconds)+"×"
		}
	}
	goal := r.goal + " s"
	if r.goalMB != "-" {
		goal += ", " + r.goalMB + " MB"
	}
	return fmt.Sprintf("| %s | %s | %s s, %.0f MB | %s | %s | %s |", r.id, r.what, figure(seconds), mb, peer, ratio,
		goal), nil
}

// figure has three digits that count.
func figure(v float64) string {
	digits := 2 - int(math.Floor(math.Log10(math.Max(v, 1e-6))))
	return strconv.FormatFloat(v, 'f', max(0, min(digits, 4)), 64)
}

// command is the least CPU time, in seconds, and the most memory, in MB, of runs of a command line. A command that
// finds something ends with 1 and is fine.
func command(dir, line string, runs int) (seconds, mb float64, err error) {
	policy := filepath.Join(dir, "slurm.conf") + " " + filepath.Join(dir, "assoc.cfg")
	words := strings.Fields(strings.NewReplacer("$dir", dir, "$policy", policy, "$queue",
		filepath.Join(dir, "queue.json")).Replace(line))
	if words[0] == "fairway" {
		words[0] = filepath.Join(dir, "fairway")
	}
	seconds = math.Inf(1)
	for range runs {
		var errors strings.Builder
		c := exec.Command(words[0], words[1:]...)
		c.Env, c.Stderr = append(os.Environ(), "GOMAXPROCS=1"), &errors
		if err := c.Run(); err != nil && c.ProcessState.ExitCode() != 1 {
			return 0, 0, fmt.Errorf("%s: %w\n%s", line, err, errors.String())
		}
		used := c.ProcessState.SysUsage().(*syscall.Rusage)
		seconds = min(seconds, (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds())
		mb = max(mb, float64(used.Maxrss)/1024)
	}
	return seconds, mb, nil
}

// peerOf is the folder of a benchmark and its name: another program's are in a module of their own.
func peerOf(pkg, name string) (folder, own string) {
	if own, ok := strings.CutPrefix(name, "peers:"); ok {
		return "./conformance/bench/peers", own
	}
	return pkg, name
}

// benchmarks are the least figures of a pair of benchmarks of one run.
func (r row) benchmarks(runs int) (ours, peer float64, err error) {
	pattern := func(name string) string { return "^" + strings.ReplaceAll(name, "/", "$/^") + "$" }
	least := func(name string) (float64, error) {
		folder, name := peerOf(r.pkg, name)
		run := exec.Command("go", "test", ".", "-run", "^$", "-bench", pattern(name), "-cpu", "1", "-count",
			strconv.Itoa(runs), "-benchtime", "300ms")
		run.Dir = folder
		out, err := run.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("%w\n%s", err, out)
		}
		figure := math.Inf(1)
		for line := range strings.Lines(string(out)) {
			words := strings.Fields(line)
			if len(words) == 0 || words[0] != name {
				continue
			}
			for i, word := range words[1:] {
				if word == r.unit {
					v, err := strconv.ParseFloat(words[i], 64)
					if err != nil {
						return 0, err
					}
					figure = min(figure, v)
				}
			}
		}
		if math.IsInf(figure, 1) {
			return 0, fmt.Errorf("%s has no %s in\n%s", name, r.unit, out)
		}
		return figure, nil
	}
	if ours, err = least(r.ours); err != nil || r.peer == "-" {
		return ours, 0, err
	}
	peer, err = least(r.peer)
	return ours, peer, err
}
