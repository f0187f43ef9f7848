package main

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

// guard lets in who has the token. Other users of the machine can reach the port, and pages of other sites can have a
// browser ask it, under a name of theirs too: neither gets anything from the queue.
type guard struct{ token string }

func newGuard() *guard { return &guard{token: rand.Text()} }

// policy of what the page may load: its own files from here, and pictures that it makes itself.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// wrap refuses strangers. The page's own files have nothing of the queue, and are served without the token, which the
// page reads from the part of its address that browsers do not send.
func (g *guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{"Content-Security-Policy": contentPolicy,
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"X-Frame-Options": "DENY"} {
			w.Header().Set(name, value)
		}
		switch {
		case !loopbackName(r.Host):
			http.Error(w, "this address is not of the desk: open the one that fairway printed", http.StatusForbidden)
		case !ownOrigin(r):
			http.Error(w, "another page asks: refused", http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/api/") && !g.admits(r):
			http.Error(w, "the token is missing or wrong: open the address that fairway printed", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// admits compares the token without telling by the time it takes how much of it was right.
func (g *guard) admits(r *http.Request) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) == 1
}

// loopbackName reports a host that only this machine, or one with a tunnel to it, is called by. A name of the
// internet that leads here (DNS rebinding) is none. The port is a tunnel's.
func loopbackName(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return ip != nil && ip.IsLoopback()
}

// ownOrigin reports a request of the page itself, or of a person who typed the address.
func ownOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && u.Host == r.Host
}

// openBrowser shows the page to a person who sits at this machine; nil where none does, or nothing opens it. The
// address has the token, which a command line would show to other users: the browser is given a file that only this
// user can read, and that leads there. What is returned takes the file away.
func openBrowser(address string) func() {
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" || os.Getenv("SSH_CONNECTION") != "" ||
		!term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	opener, err := exec.LookPath("xdg-open")
	if err != nil {
		return nil
	}
	folder, err := os.MkdirTemp(os.Getenv("XDG_RUNTIME_DIR"), "fairway-desk-")
	if err != nil {
		return nil
	}
	done := func() { _ = os.RemoveAll(folder) }
	file := filepath.Join(folder, "desk.html")
	text := fmt.Sprintf("<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0; url=%s\">\n", html.EscapeString(address))
	if os.WriteFile(file, []byte(text), 0o600) != nil || exec.Command(opener, file).Start() != nil {
		done()
		return nil
	}
	return done
}
