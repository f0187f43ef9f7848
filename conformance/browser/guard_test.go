//go:build browser

package browser_test

import (
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Another name that leads to the loopback opens nothing, not even with the token; nor does a page of another site reach
// the desk, nor another user of the machine who has no token.
func TestDeskStrangers(t *testing.T) {
	d := openDesk(t, meadow...)
	port := strings.TrimSuffix(d.address[strings.LastIndexByte(d.address, ':')+1:], "/")
	other := newPage(t, "--host-resolver-rules=MAP *.example 127.0.0.1")
	other.open("http://rebound.example:" + port + "/#token=" + d.token)
	var text string
	other.run(&text, `return document.documentElement.textContent`)
	if strings.Contains(text, "Settings") || !strings.Contains(text, "not of the desk") {
		t.Errorf("under another name the desk shows %.200s", text)
	}
	var reached bool
	other.post("/execute/async", map[string]any{"args": []any{d.address, d.token}, "script": `
		const [address, token, done] = arguments;
		fetch(address + 'api/start', { method: 'POST', headers: { 'Content-Type': 'application/json',
			Authorization: 'Bearer ' + token }, body: '{}' }).then(r => done(r.ok), () => done(false))`}, &reached)
	if reached {
		t.Error("a page of another site reads the desk")
	}
	nobody, err := user.Lookup("nobody")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("another user is asked for by root")
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	curl := exec.Command("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json", "-d",
		"{}", d.address+"api/start")
	curl.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	curl.Dir = "/"
	out, err := curl.Output()
	if err != nil || string(out) != strconv.Itoa(http.StatusUnauthorized) {
		t.Errorf("another user gets %q: %v", out, err)
	}
	seen := exec.Command("ps", "-eo", "args")
	if list, err := seen.Output(); err != nil || strings.Contains(string(list), d.token) {
		t.Errorf("the token is on a command line: %v", err)
	}
}

// What a screen reader is given: each control has a name, the queue is a grid with rows, and what changes is announced.
func TestDeskIsReadAloud(t *testing.T) {
	d := openDesk(t, meadow...)
	d.run(nil, `for (const box of document.querySelectorAll('details')) box.open = true`)
	d.until(`document.querySelectorAll('.setting').length > 50`)
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
		}
	}
	d.ask("Accessibility.getFullAXTree", map[string]any{}, &tree)
	count := map[string]int{}
	for _, n := range tree.Nodes {
		role, _ := n.Role.Value.(string)
		name, _ := n.Name.Value.(string)
		if n.Ignored {
			continue
		}
		count[role]++
		switch role {
		case "slider", "textbox", "searchbox", "combobox", "button", "tab", "row", "grid", "spinbutton", "image":
			if strings.TrimSpace(name) == "" {
				t.Errorf("a %s has no name", role)
			}
		}
	}
	for role, least := range map[string]int{"slider": 10, "textbox": 20, "combobox": 3, "tab": 5, "row": 10, "grid": 1,
		"status": 1, "heading": 2} {
		if count[role] < least {
			t.Errorf("%d of %s, not at least %d", count[role], role, least)
		}
	}
	t.Log(count)
}

// Shares that the snapshot alone has move, and saving prints the command.
func TestDeskShares(t *testing.T) {
	d := openDesk(t, append([]string{meadow[0]}, meadow[2:]...)...)
	d.fill("#find", "physics Fairshare")
	const slider = `[data-key="association physics Fairshare"] input[type=range]`
	d.until(`document.querySelector(arguments[0])`, slider)
	d.run(nil, `document.querySelector(arguments[0]).focus()`, slider)
	d.press(end)
	at := d.value("association physics Fairshare")
	d.ranked(`{"association physics Fairshare":"` + at + `"}`)
	if at == "50" || !strings.Contains(d.text("#counts"), " up") {
		t.Errorf("at %s: %s", at, d.text("#counts"))
	}
	d.click("#save")
	d.until(`document.querySelector('dialog pre')`)
	if text := d.text("dialog"); !strings.Contains(text, "sacctmgr -i modify account physics set Fairshare="+at) {
		t.Errorf("saving shows %s", text)
	}
	d.click("#save-close")
	d.quiet(d.address)
}
