package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/desk"
	"github.com/fairway-sched/fairway/runtime/desk/page"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
)

// deskRequest is what the page asks. Each request says the whole change, so that the server keeps nothing that the
// page does not know.
type deskRequest struct {
	Change edit.Change         `json:"change"`
	Filter map[string][]string `json:"filter"` // by flag of jobFilter
	Where  string              `json:"where"`
	Sort   string              `json:"sort"`
	From   int                 `json:"from"`
	Rows   int                 `json:"rows"`
	Jobs   []string            `json:"jobs"`  // ids
	Write  bool                `json:"write"` // of save: do it
	To     map[string]string   `json:"to"`    // of save: where a file is written, if not where it is
}

// mostRows bounds what is sent of a long table; the page asks for the rows in sight.
const mostRows = 500

// handler answers the page.
func (d *deskServer) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page.Files))
	for path, answer := range map[string]func(context.Context, *deskRequest) (any, error){
		"start": d.answerStart, "rank": d.answerRank, "decides": d.answerDecides, "explain": d.answerExplain,
		"gains": d.answerGains, "use": d.answerUse, "plan": d.answerPlan, "report": d.answerReport,
		"replay": d.answerReplay, "save": d.answerSave,
	} {
		mux.Handle("POST /api/"+path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var q deskRequest
			if !readRequest(w, r, &q) {
				return
			}
			begun := time.Now()
			value, err := answer(r.Context(), &q)
			w.Header().Set("Server-Timing", "answer;dur="+milliseconds(time.Since(begun)))
			writeAnswer(w, value, err)
		}))
	}
	return mux
}

// milliseconds is a duration as the header Server-Timing has it.
func milliseconds(d time.Duration) string {
	text, _ := json.Marshal(float64(d.Microseconds()) / 1000)
	return string(text)
}

// mostAsked is more than any request of the page has, in bytes.
const mostAsked = 1 << 20

// readRequest reads a request strictly; what is none is refused.
func readRequest(w http.ResponseWriter, r *http.Request, q any) bool {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "application/json" {
		http.Error(w, "a request is application/json", http.StatusUnsupportedMediaType)
		return false
	}
	from := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostAsked))
	from.DisallowUnknownFields()
	err := from.Decode(q)
	if err == nil {
		if _, more := from.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		http.Error(w, "this is no request: "+err.Error(), http.StatusBadRequest)
	}
	return err == nil
}

// writeAnswer writes a value, or what is wrong with what a person typed. That is an answer like others: a browser
// reports any other status on its console.
func writeAnswer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		var typed mistakes
		if !errors.As(err, &typed) {
			typed = mistakes{{Message: err.Error()}}
		}
		for i := range typed {
			if typed[i].Notes == nil {
				typed[i].Notes = []string{}
			}
		}
		value = map[string]any{"mistakes": typed}
	}
	w.Header().Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	_ = e.Encode(value) // a page that has gone needs no answer
}

// settingReport is a setting as the page shows it.
type settingReport struct {
	Key     string   `json:"key"`
	Group   string   `json:"group"`
	Form    string   `json:"form"`
	Unit    string   `json:"unit"`
	Text    string   `json:"text"`
	Default string   `json:"default"`
	Choices []string `json:"choices"`
	Doc     string   `json:"doc"`
	Place   string   `json:"place"`
	Weighs  bool     `json:"weighs"` // it is a weight, so that it decides something
}

// answerStart is what does not change while the desk is open.
func (d *deskServer) answerStart(context.Context, *deskRequest) (any, error) {
	r := d.before.result
	d.saving.Lock()
	saved := d.hasSaved()
	d.saving.Unlock()
	var settings []settingReport
	for _, s := range d.settings {
		place := ""
		if !s.Span.IsZero() {
			place = s.Span.String()
		}
		settings = append(settings, settingReport{s.Key, string(s.Group), string(s.Form), s.Unit, s.Text, s.Default,
			s.Choices, s.Doc, place, len(s.Weighs) > 0})
	}
	return map[string]any{"policy": r.Program.Policy, "family": r.Program.Family, "version": r.Program.Version,
		"files": d.files, "now": r.Now, "settings": settings, "terms": desk.Terms(r),
		"facets": desk.Facets(r, "job.user", "job.account", "job.qos", "job.partition"),
		"states": []string{"pending", "eligible", "blocked", "held", "failed", "running", "done"},
		"count":  desk.Counts(r, r), "saved": saved, "workload": d.replay != nil}, nil
}

// answerRank evaluates a change and gives the rows in sight.
func (d *deskServer) answerRank(_ context.Context, q *deskRequest) (any, error) {
	s, err := d.side(q.Change, q.Where)
	if err != nil {
		return nil, err
	}
	jobs, err := d.chosen(s, q)
	if err != nil {
		return nil, err
	}
	from := min(max(q.From, 0), len(jobs))
	shown := jobs[from:min(len(jobs), from+min(max(q.Rows, 0), mostRows))]
	return map[string]any{"from": from, "match": len(jobs), "rows": desk.Rows(d.before.result, s.result, shown),
		"terms": desk.Terms(s.result), "scale": desk.Scale(s.result), "count": desk.Counts(d.before.result, s.result),
		"lost": s.lost, "warnings": warningsOf(s, d.before)}, nil
}

// warningsOf are what the compiler and the evaluation say of a change, and not of the files as they are.
func warningsOf(s, before *deskSide) []string {
	list := []string{}
	known := slices.Concat(before.out.Diags, before.result.Findings)
	for _, d := range notable(slices.Concat(s.out.Diags, s.result.Findings)) {
		if d.Severity != diag.Error && !said(known, d) {
			list = append(list, source.Plain(d.Message))
		}
	}
	return list
}

// answerDecides is how much each term decides.
func (d *deskServer) answerDecides(ctx context.Context, q *deskRequest) (any, error) {
	s, err := d.side(q.Change, q.Where)
	if err != nil {
		return nil, err
	}
	return d.decides(ctx, s)
}

// answerExplain explains one job, or why one of two comes first.
func (d *deskServer) answerExplain(_ context.Context, q *deskRequest) (any, error) {
	s, err := d.side(q.Change, q.Where)
	if err != nil {
		return nil, err
	}
	r := s.result
	var index []int
	var unknown diag.List
	for _, id := range q.Jobs {
		if i, ok := report.FindJob(r, id, &unknown); ok {
			index = append(index, i)
		}
	}
	var text strings.Builder
	switch {
	case len(index) < len(q.Jobs):
		return nil, mistakesOf(unknown, nil)
	case len(index) == 1:
		err = explain.WriteExplain(&text, r, index[0], nil, eval.Options{})
	case len(index) == 2:
		err = explain.WriteExplainPair(&text, r, index[0], index[1], eval.Options{})
	default:
		return nil, mistakes{{Message: "one job is explained, or two are compared"}}
	}
	return map[string]any{"text": text.String(), "rows": desk.Rows(d.before.result, r, index)}, err
}
