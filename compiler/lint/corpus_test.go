package lint_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite golden files")

// lintCorpus lints every configuration of the corpus as the newest release that accepts it reads it. worst has the
// severity of the worst finding in each file, which is info where nothing is wrong.
func lintCorpus(t *testing.T) (found map[string]bool, worst map[string]diag.Severity, list string) {
	fsys := beside.Files(t)
	found, worst = map[string]bool{}, map[string]diag.Severity{}
	var b strings.Builder
	for _, folder := range []string{"maui", "moab", "slurm", "sacctmgr"} {
		err := fs.WalkDir(fsys, "corpus/"+folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				return err
			}
			short := strings.TrimPrefix(name, "corpus/")
			worst[short] = diag.Info
			in := compiler.Input{Files: []*source.File{source.NewFile(name, text)}, Include: lower.Files{FS: fsys, Dir: "."}}
			for _, d := range compiler.Lint(in, lint.Options{}).Diags {
				file, line := short, 0
				if !d.Span.IsZero() {
					file, line = strings.TrimPrefix(d.Span.File.Name, "corpus/"), d.Span.Position().Line
				}
				if file != short {
					file = short + " " + path.Base(file) // in an included file
				}
				entry := fmt.Sprintf("%s:%d %s", file, line, d.Code)
				found[entry] = true
				worst[short] = min(worst[short], d.Severity)
				fmt.Fprintln(&b, entry)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found, worst, b.String()
}

// TestCorpus: what is found in files that other people wrote. Every line of the list has been read by a
// person beside the line it is about; a change of the list has to be read again.
func TestCorpus(t *testing.T) {
	found, _, got := lintCorpus(t)
	const name = "testdata/corpus.golden"
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(want)), "\n") {
		listed[line] = true
		if !found[line] {
			t.Errorf("not found any more: %s", line)
		}
	}
	for line := range found {
		if !listed[line] {
			t.Errorf("new: %s", line)
		}
	}
}

// TestLeft: which files of other people lint does not pass, and why. A person has read each of them.
func TestLeft(t *testing.T) {
	_, worst, _ := lintCorpus(t)
	text, err := os.ReadFile("testdata/corpus.mistakes")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			listed[words[0]] = true
			if severity, ok := worst[words[0]]; !ok || severity == diag.Info {
				t.Errorf("%s passes", words[0])
			}
		}
	}
	for name, severity := range worst {
		part := strings.Contains(name, "/conf/") // which is linted through its main file
		if severity < diag.Info && !listed[name] && !part {
			t.Errorf("%s does not pass: its worst finding is %s", name, severity)
		}
	}
}

// mistakes are those that people really made, each of its kind, at its line.
var mistakes = []string{
	"slurm/slac-prod.conf:118 slurm-enforce",                       // limit for limits
	"slurm/ub-ccr.conf:312 slurm-default-over-max",                 // DefaultTime above an inherited MaxTime
	"slurm/ucr-biocluster.conf:150 slurm-default-over-max",         //
	"slurm/scc-two-defaults.conf:121 slurm-two-defaults",           // several Default=YES
	"slurm/ubuntu-compute.conf:202 slurm-two-defaults",             //
	"slurm/hpc-energy.conf:23 slurm-unknown-key",                   // unknown
	"slurm/cscs-emulator.conf:24 slurm-unknown-key",                // misplaced: of a partition
	"slurm/hpc-energy.conf:50 slurm-unknown-key",                   // misplaced: of cgroup.conf
	"slurm/gsi-vega.conf:4 slurm-release",                          // keys that newer releases refuse
	"slurm/micro-cluster-1702.conf:61 slurm-word-works-as",         // lists that are searched
	"slurm/hotep.conf:67 slurm-unknown-word",                       //
	"slurm/genomedk.conf:36 slurm-partition-weight-idle",           // a weight with equal factors
	"slurm/micro-cluster-1702.conf:72 slurm-partition-weight-idle", //
	"slurm/opto-gpu.conf:79 slurm-unknown-node",                    // node sets that nobody defined
	"slurm/hotep.conf:125 slurm-unknown-node",                      //
	"slurm/kapliy-24.conf:53 slurm-half-life-unit",                 // minutes for days
	"slurm/pitt-crc-2205.conf:117 slurm-usage-never-forgotten",     // no decay and no reset
	"slurm/scc-two-defaults.conf:55 slurm-reset-now",               //
	"slurm/opto-gpu.conf:55 slurm-preemption-idle",                 //
	"maui/it4i-simulation.cfg:39 maui-documented-only",             // names of the manual
	"maui/temple-case1.cfg.txt:12 maui-documented-only",            //
	"maui/odin-morion.cfg:38 maui-bad-enum",                        // FSPOLICY of the template
	"maui/odin-morion.cfg:50 maui-fairshare-without-policy",        // and what follows from it
	"maui/odin-morion.cfg:82 maui-target-unused",                   //
	"maui/odin-morion.cfg:34 maui-repeated",                        //
	"maui/egatrop-cluster.cfg:87 maui-unknown-attribute",           // MAXNODES
	"maui/unsw-gausshpc.cfg:91 maui-host-pattern",                  // a range in a regular expression
	"maui/unsw-gausshpc.cfg:101 maui-limit-index",                  // a limit that is not enforced
	"maui/temple-throttling-examples.txt:6 maui-limit-index",       //
	"moab/donders-hpccloud.cfg:262 maui-host-pattern",              //
	"moab/scinet-xcat.cfg:4 maui-moab-file",                        // another program's file
	"sacctmgr/slurmsync-base.cfg:4 sacctmgr-tres",                  // no such TRES
}

// quiet are files in which nothing is wrong that lint knows of.
var quiet = []string{"maui/upstream-dist-3.5.cfg", "maui/elasticluster-rendered.cfg", "sacctmgr/coldfront-alpha.cfg",
	"sacctmgr/gsi-vega.cfg"}

func TestMistakes(t *testing.T) {
	found, _, _ := lintCorpus(t)
	for _, m := range mistakes {
		if !found[m] {
			t.Errorf("missed: %s", m)
		}
	}
	for _, name := range quiet {
		for entry := range found {
			if strings.HasPrefix(entry, name+":") {
				t.Errorf("should be quiet: %s", entry)
			}
		}
	}
}
