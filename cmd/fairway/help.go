package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/sweep"
)

// helpTexts has one text for each verb: a line of what it does, its description, and after a line "Examples:" lines to
// try. Beside them are what fairway doc language and state begin with.
//
//go:embed help
var helpTexts embed.FS

// helpLists are the parts of help that the program's tables print: {{topics}} in a text is replaced by the list of them.
var helpLists = map[string]func() string{
	"commands":      commandsText,
	"exit codes":    func() string { return exitText(exits) },
	"forms":         formsText,
	"live commands": liveCommandsText,
	"pass":          func() string { return passHelp },
	"queue metrics": queueMetricsText,
	"topics":        topicsText,
}

// passHelp is a paragraph of the verbs that have --pass.
const passHelp = `slurmctld computes all priorities in passes, every PriorityCalcPeriod, so those that it goes by are up to that old.
With --pass TIME priorities, fairshare and what limits count of time are as of the last pass; --pass printed seeks it in the
priorities and factors that squeue and sprio printed, as verify does.`

// addHelp gives a command and those below it their texts.
func addHelp(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		addHelp(below)
	}
	about, examples, found := strings.Cut(helpText(strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".txt"), "\nExamples:\n")
	if !found {
		return // one of cobra's own
	}
	short, long, _ := strings.Cut(about, "\n")
	if strings.Contains(long, "{{") {
		for name, list := range helpLists {
			if mark := "{{" + name + "}}"; strings.Contains(long, mark) {
				long = strings.Replace(long, mark, list(), 1)
			}
		}
	}
	cmd.Short, cmd.Long, cmd.Example = short, strings.Trim(long, "\n"), strings.TrimSuffix(examples, "\n")
}

// helpText is a text of the folder help, "" if there is none.
func helpText(name string) string {
	text, _ := helpTexts.ReadFile("help/" + name)
	return string(text)
}

func queueMetricsText() string {
	lines := make([]string, len(sweep.QueueMetrics))
	for i, m := range sweep.QueueMetrics {
		lines[i] = fmt.Sprintf("  %-11s %s", m.Name, m.Doc)
	}
	return strings.Join(lines, "\n")
}
