package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/xeipuuv/gojsonschema"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The scripts are the command line's contract: what each verb prints and how it exits.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "fairway" {
		syscall.Umask(0o022)                                   // push acts on no file that the group can write
		if err := flag.Set("test.parallel", "6"); err != nil { // scripts mostly wait for processes
			panic(err)
		}
	}
	testscript.Main(m, map[string]func(){"fairway": main})
}

// heldLock is the key of the lock that a script holds; scripts run side by side.
type heldLock struct{}

func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mode": func(ts *testscript.TestScript, _ bool, args []string) {
				info, err := os.Stat(ts.MkAbs(args[0]))
				ts.Check(err)
				fmt.Fprintln(ts.Stdout(), info.Mode())
			},
			"device": func(ts *testscript.TestScript, _ bool, args []string) {
				info, err := os.Stat(args[0])
				ts.Check(err)
				if info.Mode()&os.ModeDevice == 0 {
					ts.Fatalf("%s is no device any more", args[0])
				}
			},
			"lock": func(ts *testscript.TestScript, _ bool, args []string) {
				l := flock.New(ts.MkAbs(args[0]))
				ok, err := l.TryLock()
				ts.Check(err)
				if !ok {
					ts.Fatalf("%s is locked already", args[0])
				}
				*ts.Value(heldLock{}).(**flock.Flock) = l
			},
			"unlock": func(ts *testscript.TestScript, _ bool, _ []string) {
				ts.Check((*ts.Value(heldLock{}).(**flock.Flock)).Unlock())
			},
			"exitcode": func(ts *testscript.TestScript, _ bool, args []string) {
				var exit *exec.ExitError
				if err := ts.Exec(args[1], args[2:]...); !errors.As(err, &exit) || fmt.Sprint(exit.ExitCode()) != args[0] {
					ts.Fatalf("the exit code is not %s: %v", args[0], err)
				}
			},
			"replays": replays,
			"matches": matches,
			"prometheus": func(ts *testscript.TestScript, _ bool, args []string) {
				text, err := os.Open(ts.MkAbs(args[0]))
				ts.Check(err)
				defer text.Close()
				parser := expfmt.NewTextParser(model.LegacyValidation)
				families, err := parser.TextToMetricFamilies(text)
				ts.Check(err)
				if len(families) == 0 {
					ts.Fatalf("%s has no metric", args[0])
				}
				for name, f := range families {
					if f.GetHelp() == "" || f.GetType() != dto.MetricType_GAUGE {
						ts.Fatalf("%s has no help or no type", name)
					}
				}
			},
			"readlink": func(ts *testscript.TestScript, _ bool, args []string) {
				target, err := os.Readlink(ts.MkAbs(args[0]))
				ts.Check(err)
				fmt.Fprintln(ts.Stdout(), target)
			},
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			examples, err := filepath.Abs("../../examples")
			e.Setenv("EXAMPLES", examples)
			e.Values[heldLock{}] = new(*flock.Flock)
			return err
		},
	})
}

// matches checks a file, or with -lines each line of it, against a schema that doc prints; after a slash a definition
// in it.
func matches(ts *testscript.TestScript, neg bool, args []string) {
	each := args[0] == "-lines"
	if each {
		args = args[1:]
	}
	name, definition, _ := strings.Cut(args[0], "/")
	ts.Check(ts.Exec("fairway", "doc", "schema", name))
	var schema map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &schema))
	if definition != "" {
		schema = map[string]any{"$ref": "#/$defs/" + definition, "$defs": schema["$defs"]}
	}
	delete(schema, "$schema") // the checker knows older drafts, of which these are the same
	texts := []string{ts.ReadFile(args[1])}
	if each {
		texts = slices.Collect(strings.Lines(texts[0]))
	}
	for _, text := range texts {
		result, err := gojsonschema.Validate(gojsonschema.NewGoLoader(schema), gojsonschema.NewStringLoader(text))
		ts.Check(err)
		if result.Valid() == neg {
			ts.Fatalf("%s against %s: %v", args[1], args[0], result.Errors())
		}
	}
}
