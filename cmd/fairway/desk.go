package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/runtime/engine"
)

// deskFlags are the flags of desk besides those about policies.
type deskFlags struct {
	pol      policyFlags
	snap     snapshotFlags
	iter     iterationFlags
	workload []string
	http     string
	noOpen   bool
}

func newDesk() *cobra.Command {
	f := &deskFlags{iter: iterationFlags{readOnly: true}}
	cmd := &cobra.Command{
		Use:  "desk POLICY... --snapshot SNAPSHOT",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error { return f.run(files) },
	}
	f.pol.add(cmd)
	f.snap.add(cmd, false)
	f.snap.addPass(cmd)
	f.iter.add(cmd, "what the last evaluation with this --state left; it is read only")
	_ = cmd.Flags().MarkHidden("dump") // of eval
	cmd.Flags().StringArrayVarP(&f.workload, "workload", "w", nil,
		"file or folder with jobs that ran, which the view Replay plays: SWF, sacct -P, PBS accounting …; may repeat")
	cmd.Flags().StringVar(&f.http, "http", "localhost:0",
		"`ADDRESS` on the loopback to serve the page at; port 0 is a free one")
	cmd.Flags().BoolVar(&f.noOpen, "no-open", false, "print the address and open no browser")
	return cmd
}

func (f *deskFlags) run(files []string) error {
	if f.pol.dump != "" {
		return failf(exitUsage, "--dump is of eval: fairway eval POLICY --dump=%s", f.pol.dump)
	}
	files, err := f.snap.withCaptures(files)
	if err != nil {
		return err
	}
	if len(f.snap.paths) == 0 {
		return failf(exitUsage, "no snapshot: add --snapshot FILE, for instance the output of `squeue --json`")
	}
	listener, err := listenLoopback(f.http)
	if err != nil {
		return err
	}
	defer listener.Close()
	d, err := f.open(files)
	if err != nil {
		return err
	}
	return d.serve(listener, !f.noOpen)
}

// open reads the policy and the queue, and evaluates them as they are.
func (f *deskFlags) open(files []string) (*deskServer, error) {
	var err error
	if f.snap.usage, err = f.iter.enter("desk"); err != nil {
		return nil, err
	}
	from := &disk{}
	s, read, err := f.snap.read(from)
	if err != nil {
		return nil, err
	}
	in, err := f.pol.input(from, files, s)
	if err != nil {
		return nil, err
	}
	d := &deskServer{in: in, files: files, captures: f.snap.captures, onDisk: map[string][]byte{}}
	d.in.Include.FS = &remembered{FS: in.Include.FS, texts: map[string]rememberedText{}}
	d.in.Parsed = compiler.Parse(d.in)
	out := compiler.Compile(d.in)
	f.pol.sayRelease(out.Diags)
	if out.Diags.HasErrors() {
		return nil, complain(out.Diags)
	}
	options, err := f.iter.options(from, out.Program, s.Now)
	if err == nil {
		options.Place, err = f.snap.place()
	}
	if err == nil {
		options.Pass, err = f.snap.lastPass(out.Program, s, options.Place, s.Now)
	}
	if err != nil {
		return nil, err
	}
	if d.replay, err = f.openReplay(from, s, options.Place); err != nil {
		return nil, err
	}
	options.Workers = runtime.GOMAXPROCS(0)
	d.options, d.snapshot = options, s
	d.state = engine.New(out.Program, s, options)
	r, err := d.state.Evaluate()
	if err != nil {
		return nil, &exitError{code: runExit(err), err: err}
	}
	if r.Findings.HasErrors() {
		printDiags(notable(read))
		return nil, complain(r.Findings)
	}
	printDiags(append(notable(read), r.Findings...))
	nameWarnings(notable(out.Diags))
	d.settings = edit.Settings(out.Policy)
	recorded, cells := recordedSettings(r, d.settings)
	d.settings, d.recorded = append(d.settings, recorded...), cells
	d.before = &deskSide{out: out, queue: s, result: r}
	d.now = d.before
	return d, nil
}

// remembered reads included files once: what is compiled again is what was read at first.
type remembered struct {
	fs.FS
	texts map[string]rememberedText
}

type rememberedText struct {
	text []byte
	err  error
}

// ReadFile implements fs.ReadFileFS.
func (r *remembered) ReadFile(name string) ([]byte, error) {
	if t, ok := r.texts[name]; ok {
		return t.text, t.err
	}
	text, err := fs.ReadFile(r.FS, name)
	r.texts[name] = rememberedText{text, err}
	return text, err
}

// with is the same with some texts changed.
func (r *remembered) with(changed map[string][]byte) *remembered {
	other := &remembered{FS: r, texts: map[string]rememberedText{}}
	for name, text := range changed {
		other.texts[name] = rememberedText{text: text}
	}
	return other
}

// listenLoopback opens a port that only this machine reaches.
func listenLoopback(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, failf(exitUsage, "--http is HOST:PORT, such as localhost:8630, not %q", address)
	}
	if host == "localhost" || host == "" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, failf(exitUsage, "--http is on the loopback, such as localhost:8630, not %q: from elsewhere forward the "+
			"port with ssh -L", address)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, failf(exitIO, "cannot serve at %s: %v", address, errors.Unwrap(err))
	}
	return listener, nil
}

// errStdinClosed is why a desk ends that is started by another program, or with nothing to read.
var errStdinClosed = errors.New("standard input closed")

// serve answers until the person, the terminal or standard input ends it.
func (d *deskServer) serve(listener net.Listener, browse bool) error {
	defer d.replay.end()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, hangUp := context.WithCancelCause(ctx)
	defer hangUp(nil)
	if !term.IsTerminal(int(os.Stdin.Fd())) && !stdinRead() { // a terminal that closes sends SIGHUP
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			hangUp(errStdinClosed)
		}()
	}
	guard := newGuard()
	server := &http.Server{Handler: guard.wrap(d.handler()), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	address := fmt.Sprintf("http://%s/#token=%s", listener.Addr(), guard.token)
	fmt.Fprintf(stderr, "fairway: the desk is at %s\nfairway: end it with Ctrl-C\n", address)
	if browse {
		if done := openBrowser(address); done != nil {
			defer done()
		}
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return failf(exitIO, "the desk ended: %v", err)
	case <-ctx.Done():
	}
	if cause := context.Cause(ctx); errors.Is(cause, errStdinClosed) {
		fmt.Fprintf(stderr, "fairway: the desk ended: %v\n", cause)
	}
	ending, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if server.Shutdown(ending) != nil {
		_ = server.Close()
	}
	return nil
}
