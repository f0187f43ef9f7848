// Package lsp speaks the Language Server Protocol over a stream: it is `fairway lsp`.
//
// In come an editor's messages, out go answers and findings. What it says comes from compiler/editor, which knows no
// protocol; here are the messages (messages.go), the table of requests (requests.go), the session that keeps the open
// texts and lints them when they rest (session.go), and the framing (stream.go). It is in cmd because it keeps time;
// cmd/fairway gives it the streams, the disk and a snapshot.
//
// The transport is github.com/sourcegraph/jsonrpc2, maintained in 2026, which needs the standard library alone and
// hands over one message after the other, so that no request overtakes an edit. The others were looked at in the same
// week: go.lsp.dev/protocol and github.com/tliron/glsp are of 2022 and 2024, end with version 3.16, which has no inlay
// hints, and bring in loggers and encoders; creachadair/jrpc2 is as well kept, but its counters bring in net/http and
// so start slower. None has the messages of 3.17 without those, so the few that are needed are written here.
package lsp
