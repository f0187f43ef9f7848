package vm

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Each archive has a program, columns, and what every register holds on every row.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sections := map[string]*txtar.File{}
			for i := range archive.Files {
				sections[archive.Files[i].Name] = &archive.Files[i]
			}
			p := assemble(t, string(sections["program"].Data))
			got := render(t, p, bind(t, string(sections["columns"].Data)))
			if *update {
				sections["want"].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(sections["want"].Data); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// render runs a program with every register kept and prints them row by row.
func render(t *testing.T, p *program.Program, b Binding) string {
	t.Helper()
	m, err := Load(p)
	if err != nil {
		return "load: " + err.Error() + "\n"
	}
	var keep []program.Reg
	for r := range p.Regs {
		if program.StorageOf(p.Regs[r].Type) != program.NoStorage {
			keep = append(keep, program.Reg(r))
		}
	}
	out, err := m.Run(b, keep, 1)
	if err != nil {
		return "run: " + err.Error() + "\n"
	}
	var s strings.Builder
	for i := range out.Vectors {
		v := &out.Vectors[i]
		fmt.Fprintf(&s, "%s:", v.Reg)
		for row := range out.Rows {
			s.WriteString(" " + cell(v, row))
		}
		s.WriteByte('\n')
	}
	for i, f := range out.Failures {
		fmt.Fprintf(&s, "e%d: %s (instruction %d, %d rows, first %d)\n", i+1, f.Message, f.Instr, f.Count, f.Row)
	}
	return s.String()
}

func cell(v *Vector, row int) string {
	if f := v.Failure(row); f != 0 {
		return fmt.Sprintf("e%d", f)
	}
	switch v.Type {
	case schema.Double:
		return fmt.Sprint(v.Double(row))
	case schema.Bool:
		return fmt.Sprint(v.Bool(row))
	}
	return fmt.Sprint(v.Int(row))
}
