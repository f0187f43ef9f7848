package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/editor"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
)

// Options are what the machine and the person give a server.
type Options struct {
	Version string // of the program
	Disk    fs.FS  // the root of the file system
	Lower   lower.Options
	// Site says what the site has decided about the files of a policy: the release they are for, and which findings
	// are left. nil: nothing.
	Site func(files []string, opt lower.Options) (lower.Options, func(*compiler.Linted) diag.List)
	editor.Queue
	// Snapshot reads a recorded queue.
	Snapshot func(name string) (editor.Queue, error)
	Rest     time.Duration // how long a text rests before it is linted
}

// session is one editor's.
type session struct {
	opt  Options
	conn *jsonrpc2.Conn

	sync.Mutex // for what follows
	work       *editor.Workspace
	checks     map[string]*editor.Check // the last one by file
	published  map[string]bool          // files that have findings in the editor
	due        map[string]*time.Timer   // texts that rest, by file
	shut       bool                     // the editor has asked for the end
	exited     bool
	stopped    bool // the stream has ended
	refreshes  bool // the editor asks for hints again when it is asked to

	linting sync.Mutex     // one check at a time
	weighs  sync.Mutex     // and one weighing, which may take longer
	running sync.WaitGroup // checks
}

// ErrNoProtocol is a stream that is no Language Server Protocol; ErrNoGoodbye is an editor that ended the server
// without a shutdown, which the protocol counts as a fault.
var (
	ErrNoProtocol = errors.New("the input is not the Language Server Protocol; an editor starts this verb")
	ErrNoGoodbye  = errors.New("the editor ended without asking for a shutdown first")
)

// Serve answers an editor until it leaves, its stream ends or the context does.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opt Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSession(opt)
	ready := make(chan struct{})
	handler := handlerFunc(func(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
		<-ready
		if s.handle(ctx, conn, req); req.Method == "exit" {
			cancel()
		}
	})
	var failed error
	var once sync.Once
	form := &framing{}
	stream := jsonrpc2.NewBufferedStream(streams{in, out, func(err error) {
		once.Do(func() { failed = err; cancel() })
	}}, form)
	s.conn = jsonrpc2.NewConn(ctx, stream, handler, jsonrpc2.SetLogger(silent{}))
	close(ready)
	<-s.conn.DisconnectNotify()
	shut, exited := s.stop()
	once.Do(func() {}) // what failed is known now
	switch {
	case failed != nil:
		return failed
	case exited && !shut:
		return ErrNoGoodbye
	case !exited && ctx.Err() == nil && form.wrong != nil:
		return fmt.Errorf("%w (%v)", ErrNoProtocol, form.wrong)
	}
	return nil
}

func newSession(opt Options) *session {
	work := editor.NewWorkspace(opt.Disk)
	work.Queue = opt.Queue
	return &session{opt: opt, work: work, checks: map[string]*editor.Check{},
		published: map[string]bool{}, due: map[string]*time.Timer{}}
}

// silent drops what the library would log: standard error is the editor's.
type silent struct{}

func (silent) Printf(string, ...any) {}

type handlerFunc func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request)

func (f handlerFunc) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	f(ctx, conn, req)
}

// handle answers one message.
func (s *session) handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	result, err := s.answer(req.Method, params)
	if req.Notif {
		return
	}
	if err != nil {
		wrong := &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
		errors.As(err, &wrong)
		_ = conn.ReplyWithError(ctx, req.ID, wrong) // an editor that is gone needs no answer
		return
	}
	_ = conn.Reply(ctx, req.ID, result)
}

// answer finds the request in the table. A fault in one answer ends no session.
func (s *session) answer(method string, params json.RawMessage) (result any, err error) {
	s.Lock()
	defer s.Unlock()
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s failed: %v\n%s", method, fault, debug.Stack())
		}
	}()
	r, ok := requests()[method]
	switch {
	case !ok:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no request " + method}
	case s.shut && method != "exit":
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is shutting down"}
	}
	return r(s, params)
}

// touched lints a text when it has rested.
func (s *session) touched(name string, rest time.Duration) {
	s.rests(name)
	if s.stopped {
		return
	}
	s.running.Add(1)
	s.due[name] = time.AfterFunc(rest, func() {
		defer s.running.Done()
		s.lint(name)
	})
}

// rests forgets a lint that has not begun.
func (s *session) rests(name string) {
	if t := s.due[name]; t != nil && t.Stop() {
		s.running.Done()
	}
	delete(s.due, name)
}

// lint lints a text's policy and publishes the findings.
func (s *session) lint(name string) {
	check := s.check(name)
	if check == nil {
		return
	}
	s.linting.Lock()
	fault := run(check)
	s.linting.Unlock()
	s.Lock()
	defer s.Unlock()
	switch {
	case s.shut || s.stopped:
	case fault != nil:
		s.say(fmt.Sprintf("lint of %s failed: %v", name, fault))
	default:
		if s.publish(check); s.work.Weigh != nil {
			s.running.Add(1)
			go s.weigh(check, s.work.Weigh)
		}
	}
}

// weigh finds what the weights of a check decide, unless its texts have changed before it begins, and has the editor
// ask for hints again.
func (s *session) weigh(c *editor.Check, ask func(compiler.Input) []editor.Weight) {
	defer s.running.Done()
	defer func() { _ = recover() }() // there are no hints then; lint reports faults
	s.weighs.Lock()
	defer s.weighs.Unlock()
	if !s.holds(c) {
		return
	}
	list := ask(c.Input)
	s.Lock()
	defer s.Unlock()
	s.work.KeepWeights(c, list)
	if s.refreshes && s.conn != nil && !s.stopped {
		_, _ = s.conn.DispatchCall(context.Background(), "workspace/inlayHint/refresh", nil)
	}
}

// holds reports that the texts of a check are still as they were.
func (s *session) holds(c *editor.Check) bool {
	s.Lock()
	defer s.Unlock()
	return !s.shut && !s.stopped && !slices.ContainsFunc(c.Group.All(), func(d *editor.Document) bool {
		now := s.work.Document(d.Path)
		return d.IsOpen && now != d
	})
}

// run lints; a fault in a rule ends no session.
func run(c *editor.Check) (fault any) {
	defer func() { fault = recover() }()
	c.Run()
	return nil
}

// check takes the texts as they are now; nil if the text is closed.
func (s *session) check(name string) *editor.Check {
	s.Lock()
	defer s.Unlock()
	d := s.work.Document(name)
	if d == nil || s.shut {
		return nil
	}
	return s.newCheck(d)
}

func (s *session) newCheck(d *editor.Document) *editor.Check {
	c := s.work.NewCheck(d, s.opt.Lower)
	if s.opt.Site != nil {
		var names []string
		for _, f := range c.Group.All() {
			names = append(names, f.Path)
		}
		c.Input.Options, c.Decide = s.opt.Site(names, c.Input.Options)
	}
	return c
}

// publish sends the findings of a check, and clears files that have none any more. Where a text has changed since, the
// next check is under way, and these findings would be in the wrong places.
func (s *session) publish(c *editor.Check) {
	for _, d := range c.Group.All() {
		if now := s.work.Document(d.Path); now != d && now != nil && now.IsOpen {
			return
		}
	}
	s.work.Keep(c)
	for name, list := range c.Findings() {
		s.checks[name] = c
		if len(list) == 0 && !s.published[name] && !s.isOpen(name) {
			continue
		}
		s.published[name] = len(list) > 0
		s.send(name, list)
	}
}

func (s *session) isOpen(name string) bool {
	d := s.work.Document(name)
	return d != nil && d.IsOpen
}

func (s *session) send(name string, list []editor.Finding) {
	p := publishDiagnostics{URI: uriOf(name), Diagnostics: []diagnostic{}}
	if d := s.work.Document(name); d != nil && d.IsOpen {
		p.Version = &d.Version
	}
	for _, f := range list {
		p.Diagnostics = append(p.Diagnostics, s.diagnostic(f))
	}
	s.notify("textDocument/publishDiagnostics", p)
}

func (s *session) notify(method string, params any) {
	if s.conn != nil {
		_ = s.conn.Notify(context.Background(), method, params) // an editor that is gone needs no message
	}
}

// say shows a message in the editor.
func (s *session) say(text string) {
	s.notify("window/showMessage", showMessage{Type: 1, Message: text})
}

// stop ends the checks that wait, and waits for the one that runs.
func (s *session) stop() (shut, exited bool) {
	s.Lock()
	s.stopped = true
	for name := range s.due {
		s.rests(name)
	}
	shut, exited = s.shut, s.exited
	s.Unlock()
	s.running.Wait()
	return shut, exited
}
