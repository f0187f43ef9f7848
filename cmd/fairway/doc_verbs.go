package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fairway-sched/fairway/lang/source"
)

// verbDoc is a verb as programs read it: shells, wrappers, and the standing attack of conformance.
type verbDoc struct {
	Name  string    `json:"name"`
	Use   string    `json:"use"`
	Short string    `json:"short"`
	Exits []exitDoc `json:"exit_codes"`
	Flags []flagDoc `json:"flags"`
}

type exitDoc struct {
	Code  int    `json:"code"`
	Means string `json:"means"`
}

type flagDoc struct {
	Name      string   `json:"name"`
	Shorthand string   `json:"shorthand,omitempty"`
	Type      string   `json:"type"`
	Default   string   `json:"default"`
	Usage     string   `json:"usage"`
	Words     []string `json:"words,omitempty"` // what completion offers
}

// verbDocs are all commands that run, in the order of help.
func verbDocs(of *cobra.Command) (list []verbDoc) {
	if of.HasParent() && of.Runnable() {
		doc := verbDoc{Name: verbName(of), Use: of.UseLine(), Short: of.Short}
		for _, e := range exitsOf(of) {
			doc.Exits = append(doc.Exits, exitDoc{e.code, e.means})
		}
		of.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			flag := flagDoc{f.Name, f.Shorthand, f.Value.Type(), f.DefValue, f.Usage, nil}
			if complete, ok := of.GetFlagCompletionFunc(f.Name); ok {
				flag.Words, _ = complete(of, nil, "")
			}
			doc.Flags = append(doc.Flags, flag)
		})
		list = append(list, doc)
	}
	for _, c := range below(of) {
		list = append(list, verbDocs(c)...)
	}
	return list
}

func newDocVerbs() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:  "verbs",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := map[string]func(io.Writer, []verbDoc) error{"markdown": markdownVerbs, "json": jsonVerbs}
			format, path, _ := strings.Cut(out, "=")
			if write[format] == nil {
				return failf(exitUsage, "doc verbs has no format %q, it has markdown, json", format)
			}
			return writeOutput(path, func(w io.Writer) error { return write[format](w, verbDocs(cmd.Root())) })
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "markdown", "markdown or json, or FORMAT=PATH")
	completeWords(cmd, "output", "markdown", "json")
	return cmd
}

func markdownVerbs(w io.Writer, list []verbDoc) error {
	fmt.Fprintf(w, "# Verbs\n\n`fairway VERB --help` has the flags of a verb, "+
		"`fairway doc verbs -o json` those of all.\n\n"+
		"| verb | does | exit codes |\n|---|---|---|\n")
	for _, v := range list {
		codes := make([]string, len(v.Exits))
		for i, e := range v.Exits {
			codes[i] = fmt.Sprint(e.Code)
		}
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", v.Name, v.Short, strings.Join(codes, ", "))
	}
	fmt.Fprintf(w, "\n| exit code | says |\n|---|---|\n")
	for _, e := range exits {
		fmt.Fprintf(w, "| %d | %s |\n", e.code, e.means)
	}
	return nil
}

func jsonVerbs(w io.Writer, list []verbDoc) error {
	return source.WriteJSON(w, struct {
		Version int       `json:"format_version"`
		Verbs   []verbDoc `json:"verbs"`
	}{1, list})
}
