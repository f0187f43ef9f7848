package manager

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// A command that is killed, or whose controller goes away, may print half of its answer and still say that
// all went well. These tell half an answer by its form.

// wholeLines: each line ends.
func wholeLines(text []byte) error {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return fmt.Errorf("the output is cut off in the line %q", excerpt(text[bytes.LastIndexByte(text, '\n')+1:]))
	}
	return nil
}

// wholeList: each line ends, and begins with the number of a job.
func wholeList(text []byte) error {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && (line[0] < '0' || line[0] > '9') {
			return fmt.Errorf("the output is no list of jobs: %q", excerpt(line))
		}
	}
	return wholeLines(text)
}

// wholeTable: there is a header, and the last row has the cells that it names; or it ends as the header does, with |.
func wholeTable(text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return errors.New("the output is empty, even without a header")
	}
	if err := wholeLines(text); err != nil {
		return err
	}
	header, rows, _ := bytes.Cut(text, []byte("\n"))
	rows = bytes.TrimRight(rows, "\n")
	if bytes.HasSuffix(header, []byte("|")) {
		if !bytes.HasSuffix(rows, []byte("|")) && len(rows) > 0 {
			return fmt.Errorf("the output is cut off in the line %q", excerpt(rows[bytes.LastIndexByte(rows, '\n')+1:]))
		}
		return nil
	}
	last := rows[bytes.LastIndexByte(rows, '\n')+1:]
	if have, want := bytes.Count(last, []byte("|")), bytes.Count(header, []byte("|")); len(last) > 0 && have < want {
		return fmt.Errorf("the output is cut off: its last row has %d cells where the header has %d", have+1, want+1)
	}
	return nil
}

// wholeHeaded is wholeTable, of several columns. Some programs say on their standard output that they failed, and end
// well.
func wholeHeaded(text []byte) error {
	if header, _, _ := bytes.Cut(text, []byte("\n")); len(header) > 0 && !bytes.Contains(header, []byte("|")) {
		return fmt.Errorf("the output is no table: %q", excerpt(header))
	}
	return wholeTable(text)
}

// wholeOf: each line ends, and one of them begins with what is in every such output.
func wholeOf(begins ...string) func([]byte) error {
	return func(text []byte) error {
		if err := wholeLines(text); err != nil {
			return err
		}
		for line := range bytes.Lines(text) {
			for _, begin := range begins {
				if bytes.HasPrefix(line, []byte(begin)) {
					return nil
				}
			}
		}
		first, _, _ := bytes.Cut(text, []byte("\n"))
		return fmt.Errorf("the output is not what it should be, or is cut off: no line begins with %s: %q", begins[0],
			excerpt(first))
	}
}

// wholeStanzas: an empty line comes after each job and each node, also the last one.
func wholeStanzas(text []byte) error {
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n\n")) {
		return fmt.Errorf("the output is cut off: no empty line follows %q",
			excerpt(bytes.TrimSpace(text[bytes.LastIndexByte(bytes.TrimSpace(text), '\n')+1:])))
	}
	return nil
}

// wholeJSON: one document, and none that says itself that it failed.
func wholeJSON(text []byte) error {
	var document struct {
		Errors []struct{ Error, Description string }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("the output is no whole JSON document: %w", err)
	}
	for _, e := range document.Errors {
		return fmt.Errorf("the answer is an error: %s %s", e.Error, e.Description)
	}
	return nil
}

func excerpt(text []byte) string {
	shown := source.Mask(string(text))
	return shown[:min(len(shown), 60)]
}

// readWhole reads what commands printed. What cannot be read of a job makes all of it doubtful: half a record may be
// that of a job that would then seem to have gone.
func readWhole(t snapshot.Texts) (*snapshot.Snapshot, error) {
	s, diags, err := snapshot.Read(t, slices.Sorted(maps.Keys(t)), snapshot.Options{})
	if err != nil {
		return nil, err
	}
	for _, source := range s.Sources {
		if source.Bad > 0 {
			for _, d := range diags {
				if d.Code == "snapshot-bad-record" {
					return nil, fmt.Errorf("%s: %d records cannot be read, the first: %s", source.Name, source.Bad, d.Message)
				}
			}
			return nil, fmt.Errorf("%s: %d records cannot be read", source.Name, source.Bad)
		}
	}
	for _, d := range diags {
		if d.Severity == diag.Error {
			name := ""
			if d.Span.File != nil {
				name = d.Span.File.Name + ": "
			}
			return nil, errors.New(name + d.Message)
		}
	}
	return s, nil
}
