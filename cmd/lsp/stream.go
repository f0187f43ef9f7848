package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// mostMessage bounds one message: no configuration is longer.
const mostMessage = 64 << 20

// mostHeader bounds the lines before a message.
const mostHeader = 4096

// framing is the protocol's: a header with the length, a blank line, JSON. It takes header lines in any case and of
// any kind, and goes on after a message that is no JSON-RPC.
type framing struct {
	jsonrpc2.VSCodeObjectCodec
	wrong error // what is no message of the protocol, after which no other is found
}

// ReadObject implements jsonrpc2.ObjectCodec.
func (f *framing) ReadObject(in *bufio.Reader, v any) error {
	for {
		length, err := header(in)
		if err != nil {
			if err != io.EOF {
				f.wrong = err
			}
			return err
		}
		text, err := io.ReadAll(io.LimitReader(in, int64(length)))
		if err == nil && len(text) < length {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			f.wrong = err
			return err
		}
		if json.Unmarshal(text, v) == nil {
			return nil
		}
	}
}

// header reads the lines before a message and gives its length.
func header(in *bufio.Reader) (length int, err error) {
	length = -1
	for read := 0; ; {
		line, err := in.ReadString('\n')
		if err != nil {
			if err == io.EOF && strings.TrimSpace(line) != "" {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		if read += len(line); read > mostHeader {
			return 0, errors.New("the header of a message is too long")
		}
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case name == "" && !ok && length >= 0:
			return length, nil
		case !ok && (name != "" || read > len(line)):
			return 0, fmt.Errorf("a message begins with a header such as Content-Length: 12, not with %q", name)
		case ok && strings.EqualFold(name, "Content-Length"):
			length, err = strconv.Atoi(strings.TrimSpace(value))
			if err != nil || length < 0 || length > mostMessage {
				return 0, fmt.Errorf("a message cannot have the length %q", strings.TrimSpace(value))
			}
		}
	}
}

// streams are a reader and a writer as one. A writer that has failed ends the session.
type streams struct {
	io.Reader
	to   io.Writer
	fail func(error)
}

func (s streams) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	if err != nil {
		s.fail(err)
	}
	return n, err
}

func (streams) Close() error { return nil }
