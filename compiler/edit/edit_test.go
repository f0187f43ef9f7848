package edit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/lang/source"
)

// sites are policies of all languages and, where FAIRWAY_SITES names a folder with files of real sites, those.
func sites(t *testing.T) (list [][]string) {
	examples := "../../examples/"
	list = [][]string{{examples + "slurm-queue/slurm.conf", examples + "slurm-queue/assoc.cfg"},
		{examples + "slurm-share-tree/slurm.conf", examples + "slurm-share-tree/assoc.cfg"},
		{examples + "slurm-plan/slurm.conf"}, {examples + "maui-queue/maui.cfg"}, {examples + "maui-limits/maui.cfg"},
		{examples + "maui-fairshare/maui.cfg"}, {examples + "akka/maui.cfg"}, {examples + "ingvar/maui.cfg"},
		{examples + "gpu-centre/centre.fairway.hcl"}, {examples + "policy-from-scratch/lab.fairway.hcl"}}
	if folder := os.Getenv("FAIRWAY_SITES"); folder != "" {
		for _, pattern := range []string{"slurm/*.conf", "maui/*.cfg", "sacctmgr/*.cfg"} {
			more, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range more {
				list = append(list, []string{name})
			}
		}
	}
	return slices.DeleteFunc(list, func(files []string) bool { _, err := os.Stat(files[0]); return err != nil })
}

// input is what compiles some files.
func input(t *testing.T, names []string) compiler.Input {
	t.Helper()
	var in compiler.Input
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	return in
}

// other is another value of a setting; "" for one that has no obvious one.
func other(s *edit.Setting) string {
	if n, err := strconv.ParseFloat(s.Text, 64); err == nil {
		return strconv.FormatFloat(n+1, 'f', -1, 64)
	}
	for _, word := range s.Choices {
		if !strings.EqualFold(word, s.Text) && word != "" {
			return word
		}
	}
	return ""
}

// Law: what is saved means what was evaluated, a setting at a time; and a file changes in one place alone.
func TestSavedMeansTheChange(t *testing.T) {
	checked, refused := 0, 0
	for _, names := range sites(t) {
		in := input(t, names)
		before := compiler.Compile(in)
		if before.Diags.HasErrors() {
			continue
		}
		settings := edit.Settings(before.Policy)
		for i := range settings {
			s := &settings[i]
			if stride := map[edit.Group]int{edit.Others: 60, edit.Factors: 12, edit.Credentials: 6}[s.Group]; stride > 0 &&
				i%stride != 0 && os.Getenv("FAIRWAY_LONG") == "" {
				continue // they are many, and alike
			}
			text := other(s)
			if text == "" {
				continue
			}
			c := edit.Change{s.Key: text}
			switch same, why := savedMeans(t, in, before, settings, c); {
			case same:
				checked++
			case why != "" && s.Group == edit.Others:
				refused++ // --param does not reach what partitions inherit
			case why != "":
				t.Errorf("%s %v: %s", names[0], c, why)
			}
		}
	}
	if refused > checked/20 {
		t.Errorf("%d settings cannot be saved, and %d can", refused, checked)
	}
	if checked < 80 {
		t.Errorf("only %d settings are checked", checked)
	}
}

// savedMeans compares a change with its files. Why is empty for a value that the scheduler refuses.
func savedMeans(t *testing.T, in compiler.Input, before *compiler.Output, settings []edit.Setting,
	c edit.Change) (same bool, why string) {
	t.Helper()
	changed, err := edit.Apply(settings, c)
	if err != nil {
		return false, ""
	}
	now := in
	now.Params = changed.Params
	now.Files = replaced(in.Files, func(name string) *source.File { return changed.Texts[name] })
	shown := compiler.Compile(now)
	if shown.Diags.HasErrors() || len(changed.Texts) > 0 && changed.Unread(edit.Settings(shown.Policy)) != nil {
		return false, ""
	}
	saved, err := edit.Save(before.Policy, in.Files, settings, c)
	if err != nil {
		return false, err.Error()
	}
	then := in
	then.Files = replaced(in.Files, func(name string) *source.File {
		for _, f := range saved.Files {
			if f.File.Name == name {
				return source.NewFile(name, f.Text)
			}
		}
		return nil
	})
	if saved.Override != "" {
		then.Files = append(then.Files, source.NewFile("desk.fairway.hcl", []byte(saved.Override)))
	}
	again := compiler.Compile(then)
	if again.Diags.HasErrors() {
		return false, again.Diags[0].Message
	}
	for _, d := range diff.Policies(shown.Policy, again.Policy).Differences {
		return false, fmt.Sprintf("once saved, %s is another: %+v, %+v", d.Name, d.Old, d.New)
	}
	for _, f := range saved.Files {
		if err := oneLine(f); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
	return true, ""
}

func replaced(files []*source.File, by func(name string) *source.File) []*source.File {
	out := slices.Clone(files)
	for i, f := range out {
		if other := by(f.Name); other != nil {
			out[i] = other
		}
	}
	return out
}

// oneLine finds a change of more than a line.
func oneLine(f edit.SavedFile) error {
	x, y := strings.SplitAfter(string(f.File.Text), "\n"), strings.SplitAfter(string(f.Text), "\n")
	head := 0
	for head < min(len(x), len(y)) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < min(len(x), len(y))-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	if gone, come := len(x)-head-tail, len(y)-head-tail; gone > 2 || come > 2 {
		return fmt.Errorf("%s: %d lines go and %d come", f.File.Name, gone, come)
	}
	return nil
}

// Each setting has a key of its own, and a text that is at its place.
func TestSettings(t *testing.T) {
	for _, names := range sites(t) {
		in := input(t, names)
		out := compiler.Compile(in)
		if out.Diags.HasErrors() {
			continue
		}
		keys, weighs := map[string]bool{}, 0
		for _, s := range edit.Settings(out.Policy) {
			if keys[s.Key] {
				t.Errorf("%s: two settings are %q", names[0], s.Key)
			}
			keys[s.Key] = true
			if len(s.Weighs) > 0 {
				weighs++
			}
			if source.Secret(s.Key) {
				t.Errorf("%s shows %s", names[0], s.Key)
			}
		}
		if weighs == 0 && out.Policy.Family != "slurm" { // priority/basic weighs nothing
			t.Errorf("%s has no weight to move", names[0])
		}
	}
}

// What is typed never panics, and is one value or refused.
func FuzzChange(f *testing.F) {
	in := compiler.Input{}
	for _, name := range []string{"../../examples/slurm-queue/slurm.conf", "../../examples/slurm-queue/assoc.cfg"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	before := compiler.Compile(in)
	settings := edit.Settings(before.Policy)
	for _, key := range []string{"PriorityWeightAge", "PriorityWeightTRES", "association physics Fairshare",
		"PartitionName short PriorityJobFactor"} {
		for _, text := range []string{"1", "", "-1", "1:GrpJobs=2", "1 MaxTime=3", "'", "\"", "#", "1 # x", "1\\", "ä",
			"1,2",
			"CPU=1"} {
			f.Add(key, text)
		}
	}
	f.Fuzz(func(t *testing.T, key, text string) {
		c := edit.Change{key: text}
		if _, err := edit.Apply(settings, c); err != nil {
			return
		}
		savedMeans(t, in, before, settings, c)
	})
}
