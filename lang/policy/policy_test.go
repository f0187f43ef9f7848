package policy

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite the golden sections")

// run reads, evaluates and merges the files of an archive as a caller would:
// files called base* are the base, the others the policy.
func run(t *testing.T, files []txtar.File) string {
	t.Helper()
	var out strings.Builder
	var diags diag.List
	var bases, site []*Document
	var policies []*Policy
	params := map[string]schema.Value{}
	documented := map[string]bool{}
	decls := map[string]*ParamDecl{}
	var isBase []bool
	for _, f := range files {
		parsed, list := Parse(source.NewFile(f.Name, f.Data))
		diags = append(diags, list...)
		for _, p := range parsed.Policies {
			policies = append(policies, p)
			isBase = append(isBase, strings.HasPrefix(f.Name, "base"))
		}
		for _, test := range parsed.Tests {
			out.WriteString(dumpTest(test))
		}
		for _, r := range parsed.Runs {
			out.WriteString(dumpRun(r))
		}
		if parsed.Study != nil {
			out.WriteString(dumpStudy(parsed.Study))
		}
	}
	for _, p := range policies {
		for i := range p.ParamDecls {
			decls[p.ParamDecls[i].Name] = &p.ParamDecls[i]
			params[p.ParamDecls[i].Name] = p.ParamDecls[i].Default
		}
		for _, v := range p.DeviationDecls {
			documented[v.Name] = p.Semantics.Value == "documented"
		}
	}
	for _, p := range policies {
		for _, s := range p.Params {
			if d := decls[s.Name.Value]; d != nil {
				v, list := d.Convert(s)
				params[s.Name.Value] = v
				diags = append(diags, list...)
			}
		}
	}
	for i, p := range policies {
		doc, list := p.Evaluate(Scope{Params: params, Documented: documented, Version: 2205})
		diags = append(diags, list...)
		if isBase[i] {
			bases = append(bases, doc)
		} else {
			site = append(site, doc)
		}
	}
	var base *Document
	if len(bases) > 0 {
		base = bases[0]
	}
	doc, list := Merge(base, site...)
	diags = append(diags, list...)
	if doc != nil {
		out.WriteString(dumpDocument(doc, len(files) > 1))
	}
	var text bytes.Buffer
	diag.WriteText(&text, diags, false)
	out.Write(text.Bytes())
	return out.String()
}

// TestGolden runs testdata/*.txtar: the files, then a section "golden" with
// the document and the diagnostics they give.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := archive.Files
			want := ""
			if n := len(files); n > 0 && files[n-1].Name == "golden" {
				want, files = string(files[n-1].Data), files[:n-1]
			}
			got := run(t, files)
			if *update {
				archive.Files = append(files, txtar.File{Name: "golden", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
