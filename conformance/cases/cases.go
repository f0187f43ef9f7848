// Package cases runs tables of tests that are text: each case has a heading, what goes in, and what is wanted of it.
//
//	== removed key in an old version | 20.02
//	CacheGroups=1
//	--
//	slurm-removed-key@3
//
// Lines before the first heading say what the table is about. With -update what comes out becomes what is wanted.
package cases

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// Case is one of a table. What comes in ends with a line break unless it is empty; what is wanted does not.
type Case struct {
	Name, Option string // NAME | OPTION
	In, Want     string
}

const (
	heading = "== "
	between = "--\n"
)

// Run compares what becomes of each case of a file with what is wanted of it.
func Run(t *testing.T, file string, of func(t *testing.T, c Case) string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	about, list := parse(t, file, string(text))
	update := flag.Lookup("update")
	if update != nil && update.Value.String() == "true" {
		var out strings.Builder
		out.WriteString(about)
		for _, c := range list {
			c.Want = of(t, c)
			out.WriteString(c.String())
		}
		if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, c := range list {
		if got := of(t, c); got != c.Want {
			t.Errorf("%s: %s: of\n%s\ncomes\n%s\nnot\n%s", file, c.title(), c.In, got, c.Want)
		}
	}
}

// parse cuts a file into its cases.
func parse(t *testing.T, file, text string) (about string, list []Case) {
	t.Helper()
	parts := strings.Split("\n"+text, "\n"+heading)
	for _, part := range parts[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		in, want, ok := strings.Cut("\n"+rest+"\n", "\n"+between)
		if !ok {
			t.Fatalf("%s: %s has no line of two dashes", file, title)
		}
		c := Case{Want: strings.TrimRight(want, "\n")}
		c.Name, c.Option, _ = strings.Cut(title, " | ")
		if in != "" {
			c.In = in[1:] + "\n"
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatalf("%s has no cases", file)
	}
	return strings.TrimPrefix(parts[0]+"\n", "\n"), list
}

func (c Case) title() string {
	if c.Option == "" {
		return c.Name
	}
	return c.Name + " | " + c.Option
}

func (c Case) String() string {
	want := c.Want
	if want != "" {
		want += "\n"
	}
	return heading + c.title() + "\n" + c.In + between + want + "\n"
}
