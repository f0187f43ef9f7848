package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// deskSite is a policy with a queue, as the examples have them.
type deskSite struct{ files, snapshots []string }

var (
	meadow = deskSite{[]string{"../../examples/slurm-queue/slurm.conf", "../../examples/slurm-queue/assoc.cfg"},
		[]string{"../../examples/slurm-queue/jobs.txt", "../../examples/slurm-queue/sshare.txt",
			"../../examples/slurm-queue/qos.txt"}}
	mauiQueue = deskSite{[]string{"../../examples/maui-queue/maui.cfg"}, []string{"../../examples/maui-queue"}}
	gpuCentre = deskSite{[]string{"../../examples/gpu-centre/centre.fairway.hcl"},
		[]string{"../../examples/gpu-centre/queue.json"}}
)

const meadowNow = "2026-11-20T12:00:00Z"

// flags are as on a command line.
func (s deskSite) flags() *deskFlags {
	f := &deskFlags{snap: snapshotFlags{paths: s.snapshots, zone: "UTC"},
		iter: iterationFlags{readOnly: true, fairshare: "computed"}}
	if len(s.snapshots) == 3 {
		f.snap.now = meadowNow
	}
	return f
}

// testDesk is a desk that is served.
type testDesk struct {
	t *testing.T
	*deskServer
	guard *guard
	url   string
}

func serveDesk(t *testing.T, s deskSite) *testDesk {
	t.Helper()
	d, err := s.flags().open(s.files)
	if err != nil {
		t.Fatal(err)
	}
	g := newGuard()
	server := httptest.NewServer(g.wrap(d.handler()))
	t.Cleanup(server.Close)
	return &testDesk{t, d, g, server.URL}
}

// request is a good one, which may be spoilt.
func (d *testDesk) request(what string, q any) *http.Request {
	d.t.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, d.url+"/api/"+what, bytes.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+d.guard.token)
	return r
}

func (d *testDesk) do(r *http.Request) (status int, body string) {
	d.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// ask asks, and reads the answer into a value.
func (d *testDesk) ask(what string, q, into any) {
	d.t.Helper()
	status, body := d.do(d.request(what, q))
	if status != http.StatusOK || strings.HasPrefix(body, `{"mistakes":`) {
		d.t.Fatalf("%s: %d %s", what, status, body)
	}
	if err := json.Unmarshal([]byte(body), into); err != nil {
		d.t.Fatalf("%s: %v\n%s", what, err, body)
	}
}

// refused asks what must not be answered, and gives what is wrong.
func (d *testDesk) refused(what string, q any) (list []mistake) {
	d.t.Helper()
	status, body := d.do(d.request(what, q))
	var answer struct{ Mistakes []mistake }
	if err := json.Unmarshal([]byte(body), &answer); status != http.StatusOK || err != nil || len(answer.Mistakes) == 0 {
		d.t.Fatalf("%s: %d %s", what, status, body)
	}
	return answer.Mistakes
}

type m map[string]any

// Only who has the token gets anything of the queue, under a name of the loopback, from the page itself.
func TestDeskGuard(t *testing.T) {
	d := serveDesk(t, meadow)
	for _, c := range []struct {
		name  string
		spoil func(*http.Request)
		want  int
	}{
		{"as the page asks", func(r *http.Request) { r.Header.Set("Origin", d.url) }, 200},
		{"through a tunnel", func(r *http.Request) { r.Host = "localhost:8080" }, 200},
		{"through a tunnel, with an origin", func(r *http.Request) {
			r.Host = "localhost:8080"
			r.Header.Set("Origin", "http://localhost:8080")
		}, 200},
		{"IPv6", func(r *http.Request) { r.Host = "[::1]:8080" }, 200},
		{"no token", func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"another token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+newGuard().token) }, 401},
		{"an empty token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401},
		{"the token without its word", func(r *http.Request) { r.Header.Set("Authorization", d.guard.token) }, 401},
		{"the token in the address", func(r *http.Request) {
			r.Header.Del("Authorization")
			r.URL.RawQuery = "token=" + d.guard.token
		}, 401},
		{"a name of the internet that leads here", func(r *http.Request) { r.Host = "desk.example.org" }, 403},
		{"one that begins as the loopback", func(r *http.Request) { r.Host = "127.0.0.1.example.org:80" }, 403},
		{"another address", func(r *http.Request) { r.Host = "192.0.2.1" }, 403},
		{"another site's page", func(r *http.Request) { r.Header.Set("Origin", "https://example.org") }, 403},
		{"another port's page", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403},
		{"no origin to speak of", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"another site, by the browser's word", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"a neighbour, by the browser's word", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403},
		{"a form", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		{"a question in the address", func(r *http.Request) { r.Method, r.Body, r.ContentLength = "GET", nil, 0 }, 404},
		{"another method", func(r *http.Request) { r.Method = "PUT" }, 405},
		{"an unknown question", func(r *http.Request) { r.URL.Path = "/api/passwords" }, 405},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := d.request("rank", m{"rows": 3})
			c.spoil(r)
			status, body := d.do(r)
			if status != c.want {
				t.Errorf("%d, not %d: %s", status, c.want, body)
			}
			if status != 200 && strings.Contains(body, "physics") {
				t.Errorf("a refusal has something of the queue: %s", body)
			}
		})
	}
	for _, body := range []string{"", "{", "[]", `{"rows":"3"}`, `{"unknown":1}`, `{} {}`, `{"change":{"a":1}}`,
		`{"filter":{"user":["` + strings.Repeat("x", mostAsked) + `"]}}`} {
		r := d.request("rank", nil)
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		if status, answer := d.do(r); status != http.StatusBadRequest {
			t.Errorf("%.40q: %d %s", body, status, answer)
		}
	}
}

// The page's own files need no token, have nothing of the queue, and let the browser load nothing else.
func TestDeskPage(t *testing.T) {
	d := serveDesk(t, meadow)
	for _, name := range []string{"/", "/desk.css", "/desk.js", "/ask.js", "/dom.js", "/settings.js", "/table.js",
		"/views.js", "/save.js"} {
		answer, err := http.Get(d.url + name)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		csp := answer.Header.Get("Content-Security-Policy")
		if answer.StatusCode != 200 || !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") ||
			answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", name, answer.StatusCode, answer.Header)
		}
		for _, never := range []string{"physics", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write",
			"https://", "style=\"", "onclick", d.guard.token} {
			if strings.Contains(string(text), never) {
				t.Errorf("%s has %q", name, never)
			}
		}
	}
}

// moves are changes of sites, as a person makes them with sliders and fields.
var moves = []struct {
	site   deskSite
	change map[string]string
}{
	{meadow, nil},
	{meadow, map[string]string{"PriorityWeightAge": "70000"}},
	{meadow, map[string]string{"PriorityWeightAge": "0", "PriorityWeightFairshare": "1", "PriorityMaxAge": "0-6"}},
	{meadow, map[string]string{"PriorityWeightTRES": "CPU=10,GRES/gpu=99999"}},
	{meadow, map[string]string{"PriorityWeightAssoc": "12", "PriorityFavorSmall": "YES", "PriorityFlags": "NO_FAIR_TREE"}},
	{mauiQueue, map[string]string{"XFACTORWEIGHT": "3", "RESCAP": "0", "XFMINWCLIMIT": "1:00:00"}},
	{mauiQueue, map[string]string{"QUEUETIMEWEIGHT": "-2", "PROCWEIGHT": "500"}},
	{gpuCentre, map[string]string{"GPU_HOURS_A_JOB": "10", "MB_PER_GPU": "1"}},
}

// Law: the desk ranks as eval does with the same --param, exactly, in whichever order a person comes to a change.
func TestDeskRanksAsEval(t *testing.T) {
	desks := map[string]*testDesk{}
	for round := range 2 {
		for _, c := range moves {
			name := c.site.files[0]
			if desks[name] == nil {
				desks[name] = serveDesk(t, c.site)
			}
			t.Run(fmt.Sprint(round, " ", name, c.change), func(t *testing.T) {
				checkRanks(t, desks[name], c.site, c.change)
			})
		}
	}
}

func checkRanks(t *testing.T, d *testDesk, s deskSite, change map[string]string) {
	f := s.flags()
	for name, value := range change {
		f.pol.params = append(f.pol.params, name+"="+value)
	}
	want, _, err := evaluate(&f.pol, &f.snap, &f.iter, s.files)
	if err != nil {
		t.Fatal(err)
	}
	side, err := d.side(change, "")
	if err != nil {
		t.Fatal(err)
	}
	if x, y := evalJSON(t, want), evalJSON(t, side.result); x != y {
		t.Errorf("eval and the desk differ:\n%s\n%s", x, y)
	}
	var got struct {
		Rows []struct {
			ID       string
			Rank     int32
			Priority *int64
			State    string
			Points   []float64
		}
	}
	d.ask("rank", m{"change": change, "rows": mostRows}, &got)
	jobs := eval.Sequence(want)
	if len(got.Rows) != len(jobs) {
		t.Fatalf("%d rows of %d jobs", len(got.Rows), len(jobs))
	}
	for i, job := range jobs {
		row := got.Rows[i]
		if row.ID != want.JobID(job) || row.Rank != want.Rank[job] || (row.Priority == nil) != want.JobFailed(job) ||
			row.Priority != nil && *row.Priority != want.JobPriority(job) || row.State != eval.StateWord(want, job) {
			t.Errorf("row %d is %+v, not job %s with rank %d and priority %d", i, row, want.JobID(job), want.Rank[job],
				want.JobPriority(job))
		}
	}
}

// evalJSON is the jobs of a result as eval writes them, without the places, since a parameter of the desk is set there.
func evalJSON(t *testing.T, r *evaluation.Result) string {
	t.Helper()
	var b strings.Builder
	if err := eval.WriteJSON(&b, r, eval.Options{}); err != nil {
		t.Fatal(err)
	}
	var all struct {
		Jobs      []map[string]any
		Fairshare []map[string]any
		Limits    []map[string]any
	}
	if err := json.Unmarshal([]byte(b.String()), &all); err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]map[string]any{all.Jobs, all.Fairshare} {
		for _, row := range list {
			delete(row, "source")
			terms, _ := row["terms"].([]any)
			for _, term := range terms {
				delete(term.(map[string]any), "source")
			}
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is wrong is reported at the setting where it was typed, and the last good change stays good.
func TestDeskMistakes(t *testing.T) {
	d := serveDesk(t, meadow)
	for _, c := range []struct {
		change map[string]string
		where  string
		key    string
	}{
		{change: map[string]string{"PriorityWeightAge": "a lot"}, key: "PriorityWeightAge"},
		{change: map[string]string{"PriorityWeightAge": ""}, key: "PriorityWeightAge"},
		{change: map[string]string{"PriorityWeightQOS": "7", "PriorityMaxAge": "soon"}, key: "PriorityMaxAge"},
		{change: map[string]string{"PriorityWeightTRES": "GRES/gpu=x"}, key: "PriorityWeightTRES"},
		{change: map[string]string{"PriorityWeightTRES": "gpu"}, key: "PriorityWeightTRES"},
		{change: map[string]string{"NoSuchParameter": "1"}},
		{where: "job.gpus >", key: whereKey},
		{where: "job.gpus + 1", key: whereKey},
		{where: "job.colour == 'red'", key: whereKey},
	} {
		list := d.refused("rank", m{"change": c.change, "where": c.where, "rows": 1})
		if len(list) == 0 || list[0].Key != c.key || list[0].Message == "" {
			t.Errorf("%v %q: %+v", c.change, c.where, list)
		}
		checkRanks(t, d, meadow, map[string]string{"PriorityWeightAge": "500"})
	}
	centre := serveDesk(t, gpuCentre)
	for text, want := range map[string]string{"job.queue_seconds /": "the factor of term waiting / hours",
		"1\n+ 2": "the factor of term waiting / hours", "1.0\" weight = 3 doc = \"": "the factor of term waiting / hours",
		"job.colour": "the factor of term waiting / hours"} {
		list := centre.refused("rank", m{"change": m{"the factor of term waiting / hours": text}})
		if len(list) == 0 || list[0].Key != want {
			t.Errorf("%q: %+v", text, list)
		}
	}
	for _, c := range []m{{"sort": "colour"}, {"filter": m{"states": []string{"asleep"}}},
		{"filter": m{"user": []string{" "}}}} {
		if list := d.refused("rank", c); len(list) != 1 || list[0].Key != "filter" {
			t.Errorf("%v: %+v", c, list)
		}
	}
}

// The page asks for the rows in sight of the jobs that its filter keeps.
func TestDeskRows(t *testing.T) {
	d := serveDesk(t, meadow)
	for _, c := range []struct {
		q    m
		want string
	}{
		{m{"rows": 3}, "12: 5008 5009 5007"},
		{m{"rows": 2, "from": 1}, "12: 5009 5007"},
		{m{"rows": 5, "from": 10}, "12: 5002 5012"},
		{m{"rows": 5, "from": 99}, "12:"},
		{m{"rows": -1, "from": -4}, "12:"},
		{m{"rows": 9, "filter": m{"user": []string{"ana"}}}, "3: 5004 5003 5001"},
		{m{"rows": 9, "filter": m{"user": []string{"ana", "bo"}, "states": []string{"pending"}}}, "4: 5004 5005 5003 5012"},
		{m{"rows": 9, "filter": m{"states": []string{"running"}}}, "2: 5001 5002"},
		{m{"rows": 9, "filter": m{"states": []string{"R", "held"}}}, "3: 5001 5002 5012"},
		{m{"rows": 9, "filter": m{"user": []string{"zed"}}}, "0:"},
		{m{"rows": 9, "filter": m{"states": []string{"PD"}, "account": []string{"guests"}}, "where": "job.id != '5010'"},
			"1: 5011"},
		{m{"rows": 9, "where": "job.partition == 'gpu'"}, "2: 5008 5012"},
		{m{"rows": 2, "sort": "job"}, "12: 5001 5002"},
		{m{"rows": 1, "sort": "-moved", "change": m{"PriorityWeightAge": "90000"}}, "12: 5003"},
		{m{"rows": 1, "sort": "moved", "change": m{"PriorityWeightAge": "90000"}}, "12: 5006"},
	} {
		var got struct {
			Match int
			Rows  []struct{ ID string }
		}
		d.ask("rank", c.q, &got)
		text := fmt.Sprint(got.Match, ":")
		for _, row := range got.Rows {
			text += " " + row.ID
		}
		if text != c.want {
			t.Errorf("%v: %s, not %s", c.q, text, c.want)
		}
	}
}

// What a weight decides is the share of pairs that would be the other way round without it, as diff counts them.
func TestDeskDecides(t *testing.T) {
	d := serveDesk(t, meadow)
	var got map[string]float64
	d.ask("decides", m{}, &got)
	var rows struct{ Rows []struct{ Rank, OldRank int } }
	d.ask("rank", m{"rows": mostRows, "change": m{"PriorityWeightFairshare": "0"}}, &rows)
	side, err := d.side(map[string]string{"PriorityWeightFairshare": "0"}, "")
	if err != nil {
		t.Fatal(err)
	}
	was, is, swapped, pairs := d.before.result.Rank, side.result.Rank, 0, 0
	for a := range was {
		for b := range a {
			if was[a] == 0 || was[b] == 0 {
				continue
			}
			pairs++
			if (was[a] < was[b]) != (is[a] < is[b]) {
				swapped++
			}
		}
	}
	if want := float64(swapped) / float64(pairs); got["PriorityWeightFairshare"] != want || swapped == 0 {
		t.Errorf("fairshare decides %v of %d pairs, not %v", got["PriorityWeightFairshare"], pairs, want)
	}
	if share, ok := got["PriorityWeightAssoc"]; !ok || share != 0 {
		t.Errorf("a weight of 0 decides %v, %v", share, ok)
	}
}

// A job that is opened shows what explain prints, and two show what explain prints of the pair.
func TestDeskExplains(t *testing.T) {
	d := serveDesk(t, meadow)
	for _, c := range []struct {
		jobs []string
		want string
	}{
		{[]string{"5004"}, "job 5004: user ana"},
		{[]string{"5004", "5009"}, "job 5009 is before job 5004"},
	} {
		var got struct{ Text string }
		d.ask("explain", m{"jobs": c.jobs}, &got)
		if !strings.HasPrefix(got.Text, c.want) {
			t.Errorf("%v: %s", c.jobs, got.Text)
		}
	}
	for _, jobs := range [][]string{{"77777"}, {}, {"5004", "5005", "5006"}} {
		if list := d.refused("explain", m{"jobs": jobs}); len(list) == 0 {
			t.Errorf("%v is explained", jobs)
		}
	}
}

// Only the loopback is served.
func TestListenLoopback(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":80x", "192.0.2.1:80", "example.org:80", "8080", "[::]:0", ""} {
		if l, err := listenLoopback(address); err == nil {
			l.Close()
			t.Errorf("%q is served at %s", address, l.Addr())
		}
	}
	for _, address := range []string{"localhost:0", "127.0.0.1:0", ":0", "127.1.2.3:0"} {
		l, err := listenLoopback(address)
		if err != nil {
			t.Errorf("%q: %v", address, err)
			continue
		}
		if !loopbackName(l.Addr().String()) {
			t.Errorf("%q is served at %s", address, l.Addr())
		}
		l.Close()
	}
}

// The report is the page of diff; without nodes there is no plan, which the page says.
func TestDeskReport(t *testing.T) {
	d := serveDesk(t, meadow)
	change := m{"change": m{"PriorityWeightAge": "90000"}}
	var got struct{ HTML string }
	d.ask("report", change, &got)
	for _, has := range []string{"<!DOCTYPE html>", "PriorityWeightAge", "90000", "5003"} {
		if !strings.Contains(got.HTML, has) {
			t.Errorf("the report has no %q", has)
		}
	}
	if list := d.refused("plan", change); len(list) != 1 || !strings.Contains(list[0].Message, "no nodes") {
		t.Errorf("%+v", list)
	}
	centre := serveDesk(t, gpuCentre)
	var plan struct{ Before, Now string }
	centre.ask("plan", m{"change": m{"term waiting/hours weight": "90"}}, &plan)
	if !strings.HasPrefix(plan.Before, "<svg") || !strings.HasPrefix(plan.Now, "<svg") {
		t.Errorf("the plan is %.80q, %.80q", plan.Before, plan.Now)
	}
	var use struct {
		Before, Now struct{ Fairshare, Limits []any }
	}
	centre.ask("use", m{"change": m{"account vision fairshare shares": "5"}}, &use)
	if x, y := use.Before.Fairshare, use.Now.Fairshare; len(x) == 0 || len(x) != len(y) || fmt.Sprint(x) == fmt.Sprint(y) {
		t.Errorf("shares of 5 change nothing: %v, %v", x, y)
	}
}
