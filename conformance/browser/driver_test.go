//go:build browser

package browser_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// page is a window of a browser.
type page struct {
	t       *testing.T
	session string // its address at chromedriver
}

// arguments start a browser that looks at nothing but what it is given.
var arguments = []string{"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync"}

// newPage starts chromedriver and a browser with an own profile, and perhaps more arguments; both end with the test.
func newPage(t *testing.T, more ...string) *page {
	t.Helper()
	driver := exec.Command("chromedriver", "--port=0")
	out, err := driver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = driver.Process.Kill()
		_ = driver.Wait()
	})
	p := &page{t: t, session: "http://127.0.0.1:" + portOf(t, out)}
	var made struct{ SessionId string }
	p.post("/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName":       "chrome",
		"goog:loggingPrefs": map[string]string{"browser": "ALL", "performance": "ALL"},
		"goog:chromeOptions": map[string]any{"args": slices.Concat(arguments, more,
			[]string{"--user-data-dir=" + t.TempDir()})},
		"timeouts":                map[string]int{"script": 30000, "pageLoad": 30000},
		"unhandledPromptBehavior": "accept",
	}}}, &made)
	p.session += "/session/" + made.SessionId
	t.Cleanup(func() { p.call(http.MethodDelete, "", nil, nil) })
	p.open("about:blank")
	p.requests() // of the browser's own first page
	return p
}

// portOf reads which port chromedriver has found.
func portOf(t *testing.T, out io.Reader) string {
	t.Helper()
	started, text, buffer := regexp.MustCompile(`started successfully on port (\d+)`), "", make([]byte, 4096)
	for {
		n, err := out.Read(buffer)
		text += string(buffer[:n])
		if m := started.FindStringSubmatch(text); m != nil {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return m[1]
		}
		if err != nil {
			t.Fatalf("chromedriver: %v\n%s", err, text)
		}
	}
}

func (p *page) call(method, path string, body, into any) {
	p.t.Helper()
	var content io.Reader
	if method == http.MethodPost {
		text, err := json.Marshal(body)
		if err != nil {
			p.t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, p.session+path, content)
	if err != nil {
		p.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	var value struct{ Value json.RawMessage }
	if err := json.NewDecoder(answer.Body).Decode(&value); err != nil {
		p.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		p.t.Fatalf("%s %s: %s", method, path, value.Value)
	}
	if into != nil {
		if err := json.Unmarshal(value.Value, into); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *page) post(path string, body, into any) {
	p.t.Helper()
	p.call(http.MethodPost, path, body, into)
}

// open shows an address.
func (p *page) open(address string) {
	p.t.Helper()
	p.post("/url", map[string]string{"url": address}, nil)
}

// run runs the body of a function in the page, with arguments, and gives what it returns.
func (p *page) run(into any, script string, args ...any) {
	p.t.Helper()
	if args == nil {
		args = []any{}
	}
	p.post("/execute/sync", map[string]any{"script": script, "args": args}, into)
}

// text is that of the first element that a selector finds.
func (p *page) text(selector string) (text string) {
	p.t.Helper()
	p.run(&text, "return document.querySelector(arguments[0]).textContent", selector)
	return text
}

// until waits for an expression of the page to hold.
func (p *page) until(expression string, args ...any) {
	p.t.Helper()
	for begun := time.Now(); time.Since(begun) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		var holds bool
		p.run(&holds, "return Boolean("+expression+")", args...)
		if holds {
			return
		}
	}
	var body string
	p.run(&body, "return document.body.innerText")
	p.t.Fatalf("%s %v does not come true:\n%.2000s", expression, args, body)
}

// element is how WebDriver calls one.
func (p *page) element(selector string) string {
	p.t.Helper()
	var found map[string]string
	p.post("/element", map[string]string{"using": "css selector", "value": selector}, &found)
	for _, id := range found {
		return id
	}
	p.t.Fatalf("no element is %s", selector)
	return ""
}

func (p *page) click(selector string) {
	p.t.Helper()
	p.post("/element/"+p.element(selector)+"/click", map[string]any{}, nil)
}

// keys of WebDriver.
const (
	arrowLeft, arrowRight, arrowUp, arrowDown = "\ue012", "\ue014", "\ue013", "\ue015"
	home, end, enter, tab                     = "\ue011", "\ue010", "\ue007", "\ue004"
)

// press types keys where the focus is.
func (p *page) press(keys ...string) {
	p.t.Helper()
	var actions []map[string]any
	for _, key := range keys {
		actions = append(actions, map[string]any{"type": "keyDown", "value": key},
			map[string]any{"type": "keyUp", "value": key})
	}
	p.post("/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keys", "actions": actions}}},
		nil)
}

// fill puts a text in a field, as if it was typed.
func (p *page) fill(selector, text string) {
	p.t.Helper()
	id := p.element(selector)
	p.post("/element/"+id+"/clear", map[string]any{}, nil)
	p.post("/element/"+id+"/value", map[string]string{"text": text}, nil)
}

// drag moves the mouse with its button down within an element, from one part of its width to another.
func (p *page) drag(selector string, from, to float64) {
	p.t.Helper()
	var box struct{ X, Y, Width, Height float64 }
	p.run(&box, `const e = document.querySelector(arguments[0]); e.scrollIntoView({ block: 'center' });
		const b = e.getBoundingClientRect(); return { X: b.x, Y: b.y, Width: b.width, Height: b.height }`, selector)
	move := func(part float64) map[string]any {
		return map[string]any{"type": "pointerMove", "duration": 60, "origin": "viewport", "x": int(box.X + part*box.Width),
			"y": int(box.Y + box.Height/2)}
	}
	actions := []any{move(from), map[string]any{"type": "pointerDown", "button": 0}}
	for i := range 10 {
		actions = append(actions, move(from+(to-from)*float64(i+1)/10))
	}
	actions = append(actions, map[string]any{"type": "pointerUp", "button": 0})
	p.post("/actions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "mouse",
		"parameters": map[string]string{"pointerType": "mouse"}, "actions": actions}}}, nil)
}

// size is that of the window, and looks is light or dark.
func (p *page) size(width, height int, looks string) {
	p.t.Helper()
	p.cdp("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1,
		"mobile": false})
	p.cdp("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme",
		"value": looks}}})
}

func (p *page) cdp(command string, params map[string]any) { p.t.Helper(); p.ask(command, params, nil) }

// ask is cdp with an answer.
func (p *page) ask(command string, params map[string]any, into any) {
	p.t.Helper()
	p.post("/goog/cdp/execute", map[string]any{"cmd": command, "params": params}, into)
}

// picture keeps what the page looks like, where the environment names a folder for it.
func (p *page) picture(name string) {
	p.t.Helper()
	folder := os.Getenv("FAIRWAY_PICTURES")
	if folder == "" {
		return
	}
	var text string
	p.call(http.MethodGet, "/screenshot", nil, &text)
	image, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = os.WriteFile(folder+"/"+name+".png", image, 0o644)
	}
	if err != nil {
		p.t.Error(err)
	}
}

type logEntry struct{ Level, Message string }

// quiet fails on any message of the page, and on any request that is not to one of these addresses. It takes what
// there was since it was last asked.
func (p *page) quiet(addresses ...string) {
	p.t.Helper()
	var list []logEntry
	p.post("/se/log", map[string]string{"type": "browser"}, &list)
	for _, entry := range list {
		p.t.Errorf("the console has: %s %s", entry.Level, entry.Message)
	}
	for _, address := range p.requests() {
		ours := strings.HasPrefix(address, "data:") || address == "about:blank"
		for _, own := range addresses {
			ours = ours || strings.HasPrefix(address, own)
		}
		if !ours {
			p.t.Errorf("the page asks for %s", address)
		}
	}
}

// requests are the addresses that the page has asked for since this was last asked.
func (p *page) requests() (list []string) {
	p.t.Helper()
	var entries []logEntry
	p.post("/se/log", map[string]string{"type": "performance"}, &entries)
	for _, entry := range entries {
		var event struct {
			Message struct {
				Method string
				Params struct{ Request struct{ URL string } }
			}
		}
		if err := json.Unmarshal([]byte(entry.Message), &event); err != nil {
			p.t.Fatal(fmt.Errorf("%w: %s", err, entry.Message))
		}
		if event.Message.Method == "Network.requestWillBeSent" {
			list = append(list, event.Message.Params.Request.URL)
		}
	}
	return list
}
