package main

import (
	"os"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
)

// target is one output of a verb, to a file or to standard output.
type target[F any] struct {
	flag   string // what asks for it: -o json, or --view why
	name   string
	path   string
	format F // how it is written
}

// targetsOf reads -o, each FORMAT or FORMAT=PATH. Without any there is the usual one.
func targetsOf[F any](outputs []string, usual string, find func(name string) (F, error)) (list []target[F], err error) {
	if len(outputs) == 0 {
		outputs = []string{usual}
	}
	for _, text := range outputs {
		t := target[F]{}
		t.name, t.path, _ = strings.Cut(text, "=")
		t.flag = "-o " + t.name
		if t.format, err = find(t.name); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, apart(list)
}

// apart refuses two outputs at one place.
func apart[F any](list []target[F]) error {
	onStdout, paths := 0, map[string]bool{}
	for _, t := range list {
		switch {
		case t.toStdout():
			onStdout++
		case paths[t.path]:
			return failf(exitUsage, "two outputs go to %s", t.path)
		}
		paths[t.path] = true
	}
	if onStdout > 1 {
		return failf(exitUsage, "%d outputs go to standard output: give all but one a file, as in -o json=FILE", onStdout)
	}
	return nil
}

func (t target[F]) toStdout() bool { return t.path == "" || t.path == "-" }

func (t target[F]) colour() bool { return t.path == "" && colourful(os.Stdout) }

// writtenTo are the files of outputs.
func writtenTo[F any](list []target[F]) []use {
	return each(list, func(t target[F]) use { return use{what: t.flag, path: t.path} })
}

// found is a format, or why there is none of that name.
func found[F any](format *F, why diag.List) (*F, error) {
	if format == nil {
		printDiags(why)
		return nil, &exitError{code: exitUsage}
	}
	return format, nil
}

// each is what becomes of each element of a list.
func each[T, U any](list []T, to func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = to(x)
	}
	return out
}
