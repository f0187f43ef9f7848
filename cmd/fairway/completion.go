package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// offer are the words that the shell completes a flag with. The command has the flags that are typed already.
type offer struct {
	flag  string
	verbs []string // nil: all that have the flag
	words func(cmd *cobra.Command) []string
}

// offers are the flags that have a list, but for those whose verb says its own.
var offers = []offer{
	{"view", []string{"eval"}, fixed(names(report.Views)...)},
	{"output", []string{"eval"}, fixed(names(report.Formats)...)},
	{"output", []string{"explain"}, fixed("text", "json")},
	{"output", []string{"lint"}, fixed("text", "json", "sarif", "junit", "checkstyle", "github")},
	{"output", []string{"snapshot info"}, fixed("table", "json")},
	{"output", []string{"doc"}, fixed("markdown", "json", "table", "man")},
	{"to", []string{"convert"}, func(*cobra.Command) []string { return targets() }},
	{"to", []string{"push"}, fixed("slurm", "pbs", "maui", "file=", "command=")},
	{"lang", nil, fixed("hcl", "maui", "slurm", "sacctmgr")},
	{"semantics", nil, fixed("observed", "documented")},
	{"new-semantics", nil, fixed("observed", "documented")},
	{"slurm-version", nil, fixed(slurmconf.Versions...)},
	{"new-slurm-version", nil, fixed(slurmconf.Versions...)},
	{"upgrade-to", nil, fixed(slurmconf.Versions...)},
	{"dump", nil, func(*cobra.Command) []string { return passNames() }},
	{"fail-on", nil, fixed("error", "warning", "info", "never")},
	{"severity", nil, func(*cobra.Command) []string { return withEquals(pages.Codes()) }},
	{"param", nil, func(*cobra.Command) []string {
		return withEquals(append(paramNames("maui"),
			paramNames("slurm")...))
	}},
	{"new-param", nil, func(*cobra.Command) []string {
		return withEquals(append(paramNames("maui"), paramNames("slurm")...))
	}},
	{"user", nil, ofSnapshot("job.user")},
	{"account", nil, ofSnapshot("job.account")},
	{"partition", nil, ofSnapshot("job.partition")},
	{"qos", nil, ofSnapshot("job.qos")},
	{"job", nil, ofSnapshot("job.id")},
}

func fixed(words ...string) func(*cobra.Command) []string {
	return func(*cobra.Command) []string { return words }
}

func withEquals(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w + "="
	}
	return out
}

// paramNames are the parameters of a scheduler.
func paramNames(family string) (list []string) {
	for _, t := range paramTables[family] {
		for _, p := range t.Params() {
			list = append(list, p.Name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// docWords are what may follow each topic of doc.
var docWords = map[string]func(args []string) []string{
	"guide": func([]string) []string { return guides },
	"columns": func([]string) (list []string) {
		for _, o := range schema.Objects {
			list = append(list, o.Name)
		}
		return list
	},
	"language": func([]string) (list []string) {
		for _, b := range policy.Blocks() {
			list = append(list, b.Type)
		}
		slices.Sort(list)
		return slices.Compact(list)
	},
	"params": func(args []string) []string {
		if len(args) > 0 {
			return paramNames(args[0])
		}
		return []string{"maui", "slurm"}
	},
	"messages": func([]string) []string { return pages.Codes() },
	"rules":    func([]string) []string { return pages.Codes() },
	"schema": func([]string) (list []string) {
		for _, s := range schemas {
			list = append(list, s.name)
		}
		return list
	},
}

// completeDoc completes a topic, and then what it has.
func completeDoc(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		var list []string
		for _, t := range topics {
			list = append(list, t.name)
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	words := docWords[args[0]]
	if words == nil {
		words = docWords[args[0]+"s"]
	}
	if words == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return words(args[1:]), cobra.ShellCompDirectiveNoFileComp
}

// completeJobs completes policy files and ids of jobs.
func completeJobs(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return ofSnapshot("job.id")(cmd), cobra.ShellCompDirectiveDefault
}

// ofSnapshot are the values of a column in the snapshot that is named on the line already.
func ofSnapshot(id schema.ColumnID) func(cmd *cobra.Command) []string {
	return func(cmd *cobra.Command) []string {
		paths, err := cmd.Flags().GetStringArray("snapshot")
		if err != nil || len(paths) == 0 || slices.Contains(paths, "-") {
			return nil
		}
		s, _, err := snapshot.Read(&disk{}, paths, snapshot.Options{})
		if err != nil || s.Jobs == nil {
			return nil
		}
		c := s.Jobs.Column(id)
		if c == nil {
			return nil
		}
		var list []string
		for row := range s.Jobs.Rows {
			if v := c.Value(row); v.Str != "" {
				list = append(list, v.Str)
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
}

// addCompletions offers the words of every flag that has a list.
func addCompletions(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		addCompletions(sub)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		i := slices.IndexFunc(offers, func(o offer) bool {
			return o.flag == f.Name && (o.verbs == nil || slices.Contains(o.verbs, verbName(cmd)))
		})
		if _, own := cmd.GetFlagCompletionFunc(f.Name); i < 0 || own {
			return
		}
		words := offers[i].words
		list := f.Value.Type() == "stringSlice"
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, typed string) ([]string,
			cobra.ShellCompDirective) {
			before := ""
			if comma := strings.LastIndexByte(typed, ','); list && comma >= 0 {
				before = typed[:comma+1]
			}
			out := slices.Clone(words(cmd))
			how := cobra.ShellCompDirectiveNoFileComp
			for i := range out {
				if strings.HasSuffix(out[i], "=") {
					how |= cobra.ShellCompDirectiveNoSpace
				}
				out[i] = before + out[i]
			}
			return out, how
		})
	})
}
