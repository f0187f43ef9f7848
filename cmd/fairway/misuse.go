package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// misuse words what cobra refuses of a command line, with what was likely meant and where help is.
func misuse(cmd *cobra.Command, err error) string {
	help := "fairway: `fairway " + strings.TrimPrefix(strings.Join([]string{verbName(cmd), "--help"}, " "), " ") +
		"` shows how it is used"
	return fmt.Sprintf("fairway: %s\n%s\n", refusal(cmd, err), help)
}

// argCounts are the errors of cobra's argument counters.
var argCounts = source.Pattern(`^(requires at least|accepts at most|accepts) (\d+) arg\(s\), (?:only )?received (\d+)$`)

func refusal(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	var lacks *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	text := err.Error()
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &lacks):
		return fmt.Sprintf("--%s needs a value", lacks.GetFlag().Name)
	case errors.As(err, &wrong):
		return fmt.Sprintf("--%s is %s, not %q", wrong.GetFlag().Name, kindOfValue(wrong.GetFlag()), wrong.GetValue())
	case strings.HasPrefix(text, "unknown command "):
		word, _ := strconv.QuotedPrefix(strings.TrimPrefix(text, "unknown command "))
		word, _ = strconv.Unquote(word)
		return unknownWord("verb", word, verbNames(cmd))
	}
	if m := argCounts().FindStringSubmatch(text); m != nil {
		most := map[string]string{"requires at least": "at least ", "accepts at most": "at most ", "accepts": ""}[m[1]]
		want, _ := strconv.Atoi(m[2])
		return fmt.Sprintf("%s takes %s%s, not %s: %s", verbName(cmd), most, count(want, "argument"), m[3], cmd.UseLine())
	}
	return text
}

// unknownFlag names the flag that was likely meant.
func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) string {
	name := e.GetSpecifiedName()
	if e.GetSpecifiedShortnames() != "" {
		return fmt.Sprintf("there is no flag -%s", name)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	text := fmt.Sprintf("there is no flag --%s", name)
	if near := diag.Nearest(name, known); near != "" {
		text += fmt.Sprintf("; did you mean --%s?", near)
	}
	return text
}

// kindOfValue is what a flag takes.
func kindOfValue(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64", "uint64", "count":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 30s or 5m"
	}
	return "a " + f.Value.Type()
}

// verbNames are the verbs below a command.
func verbNames(cmd *cobra.Command) (list []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, c.Name())
		}
	}
	return list
}

// unknownWord reports a word that is not in a list, with the nearest one and the list.
func unknownWord(what, word string, known []string) string {
	there := "there are: " + strings.Join(known, ", ")
	if near := diag.Nearest(word, known); near != "" {
		there = fmt.Sprintf("did you mean %q? T%s", near, there[1:])
	}
	return fmt.Sprintf("there is no %s %q; %s", what, word, there)
}
