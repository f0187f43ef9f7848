package replay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
)

// Walk is one of the two walks through the queue with which Maui begins an iteration, by its log:
// who may be asked about nodes at all, by hard and then by soft limits.
type Walk struct {
	Refused       map[string]string // per job: Maui's words; empty also where the log is too coarse for them
	Selected, All int               // jobs
}

// Walks are those of one iteration.
type Walks struct {
	Hard, Soft Walk
	Filtered   []string // those of the hard walk that hard limits let start by what runs, in its order
}

var (
	iterationStart = regexp.MustCompile(`starting iteration (\d+)`)
	walkStart      = regexp.MustCompile(`MQueueSelectAllJobs\(Q,(HARD|SOFT),ALL,`)
	walkRefused    = regexp.MustCompile(`INFO: +job (\S+) rejected,?( .*)`)
	filterStart    = regexp.MustCompile(`MQueueSelectJobs\(SrcQ,DstQ,HARD,\d+,\d+,\d+,EVERY,FReason,FALSE\)`)
	filtered       = regexp.MustCompile(`job '(\S+)' added to queue at slot`)
	filterEnd      = regexp.MustCompile(`total jobs selected in partition`)
	walkEnd        = regexp.MustCompile(`total jobs selected \(ALL\): (\d+)/(\d+)`)
)

// ReadWalks reads the walks of each iteration out of the log. Of an iteration that the log is too
// short for there are none, as of a copy.
func (r *Recording) ReadWalks() (map[int]*Walks, error) {
	log, err := unpack(r.files, schedulerLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	read := map[int]*Walks{}
	var p walkReader
	lines := bufio.NewScanner(bytes.NewReader(log))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if m := iterationStart.FindStringSubmatch(line); m != nil {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				return nil, err
			}
			read[n] = &Walks{}
			p = walkReader{walks: read[n]}
		} else if p.walks != nil {
			p.line(line)
		}
	}
	for n, walks := range read {
		if walks.Hard.All == 0 || walks.Soft.All == 0 {
			delete(read, n)
		} else if err := errors.Join(walks.Hard.complete(), walks.Soft.complete()); err != nil {
			return nil, fmt.Errorf("iteration %d: %w", n, err)
		}
	}
	return read, lines.Err()
}

// walkReader is where in an iteration the log is.
type walkReader struct {
	walks     *Walks
	walk      *Walk // that goes on
	filtering bool
}

func (p *walkReader) line(text string) {
	if m := walkStart.FindStringSubmatch(text); m != nil {
		if p.walk = &p.walks.Hard; m[1] == "SOFT" {
			p.walk = &p.walks.Soft
		}
		p.walk.Refused = map[string]string{}
		return
	}
	if filterStart.MatchString(text) && p.walks.Filtered == nil {
		p.walks.Filtered, p.filtering = []string{}, true
	}
	switch {
	case p.walk != nil:
		if m := walkRefused.FindStringSubmatch(text); m != nil {
			p.walk.Refused[m[1]] = m[2]
		} else if m := walkEnd.FindStringSubmatch(text); m != nil {
			p.walk.Selected, _ = strconv.Atoi(m[1]) // the expression has digits there
			p.walk.All, _ = strconv.Atoi(m[2])
			p.walk = nil
		}
	case p.filtering:
		if m := filtered.FindStringSubmatch(text); m != nil {
			p.walks.Filtered = append(p.walks.Filtered, m[1])
		}
		p.filtering = !filterEnd.MatchString(text)
	}
}

// complete reports a log that names some of those who were refused and not others.
func (w *Walk) complete() error {
	if n := len(w.Refused); n > 0 && w.Selected+n != w.All {
		return fmt.Errorf("the log names %d refused jobs, of %d that were not selected", n, w.All-w.Selected)
	}
	return nil
}
