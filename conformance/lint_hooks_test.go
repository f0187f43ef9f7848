package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The files by which other programs run lint are read as YAML, and the commands in them are run: on a file with
// mistakes, and on one without.

// mended is the slurm.conf of the story without its mistakes.
func mended(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../examples/lint/slurm.conf")
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("max_rcp_cnt", "max_rpc_cnt", "=24:00", "=1-0").Replace(string(text))
}

// hookFolder has fairway on the path, and a slurm.conf.
func hookFolder(t *testing.T, text string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "slurm.conf"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// shell runs a script as CI does, and reports whether it ends well.
func shell(t *testing.T, folder, script string, env ...string) (ok bool, out string) {
	t.Helper()
	cmd := exec.Command("bash", "-e", "-c", script)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	return err == nil, string(text)
}

// onBoth runs a script with a slurm.conf that has mistakes, where it must fail and say so, and with one that has none.
func onBoth(t *testing.T, binary string, script func(folder string) string, env ...string) {
	t.Helper()
	env = append(env, "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	good := mended(t)
	bad := strings.Replace(good, "SelectTypeParameters=CR_Core_Memory", "SelectTypeParameters=CR_Core_Mem", 1)
	for text, want := range map[string]bool{good: true, bad: false} {
		folder := hookFolder(t, text)
		ok, out := shell(t, folder, script(folder), env...)
		if ok != want || !want && !strings.Contains(out, "CR_Core_Mem") {
			t.Errorf("it ends well: %v, wanted %v\n%s", ok, want, out)
		}
	}
}

func TestPreCommitHooks(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Entry, Language, Files string
		RequireSerial                                 bool `yaml:"require_serial"`
	}
	readYAML(t, "../.pre-commit-hooks.yaml", &hooks)
	binary := buildFairway(t)
	known := map[string]bool{}
	for _, h := range hooks {
		known[h.ID] = true
		if h.Name == "" || h.Description == "" || h.Language != "golang" {
			t.Errorf("%+v", h)
		}
		files := regexp.MustCompile(h.Files)
		for name, want := range map[string]bool{"slurm.conf": true, "etc/maui.cfg": true, "site.fairway.hcl": true,
			"slurmdbd.conf": false, "maui.cfg.orig": false, "gres.conf": h.ID == "fairway-lint"} {
			if files.MatchString(name) != want {
				t.Errorf("%s takes %s: %v", h.ID, name, !want)
			}
		}
		if h.ID == "fairway-lint" {
			onBoth(t, binary, func(string) string { return h.Entry + " --fail-on error slurm.conf" })
		} else if ok, out := shell(t, hookFolder(t, mended(t)), h.Entry+" slurm.conf",
			"PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH")); !ok {
			t.Errorf("%s: %s", h.ID, out)
		}
	}
	var config struct {
		Repos []struct {
			Hooks []struct{ ID string }
		}
	}
	readYAML(t, "../examples/lint/pre-commit-config.yaml", &config)
	for _, r := range config.Repos {
		for _, h := range r.Hooks {
			if !known[h.ID] {
				t.Errorf("there is no hook %s", h.ID)
			}
		}
	}
}

type actionStep struct {
	Uses, Run, Shell string
	Env              map[string]string
}

func TestGitHubAction(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Description, Default string }
		Runs   struct {
			Using string
			Steps []actionStep
		}
	}
	const name = "../.github/actions/lint/action.yml"
	readYAML(t, name, &action)
	path, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	for i, step := range action.Runs.Steps {
		env := []string{"GITHUB_ACTION_PATH=" + path, "RUNNER_TEMP=" + temp}
		for key, value := range step.Env {
			input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
			if _, ok := action.Inputs[input]; !ok {
				t.Errorf("there is no input %s", input)
			}
			env = append(env, key+"="+action.Inputs[input].Default)
		}
		switch {
		case strings.Contains(step.Run, "${{"):
			t.Errorf("step %d puts an input into the shell's text", i)
		case strings.Contains(step.Run, " lint "):
			onBoth(t, filepath.Join(temp, "fairway"), func(string) string { return step.Run }, env...)
		case step.Run != "":
			if ok, out := shell(t, temp, step.Run, env...); !ok {
				t.Fatal(out)
			}
		}
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	readYAML(t, "../examples/lint/github-workflow.yml", &workflow)
	used := false
	for _, s := range workflow.Jobs["lint"].Steps {
		if strings.Contains(s.Uses, "/.github/actions/lint@") {
			used = true
			for input := range s.With {
				if _, ok := action.Inputs[input]; !ok {
					t.Errorf("the action has no input %s", input)
				}
			}
		}
	}
	if !used {
		t.Error("the workflow does not use the action")
	}
}

func TestGitLabJob(t *testing.T) {
	var jobs map[string]struct {
		Script    []string
		Artifacts struct{ Reports map[string][]string }
	}
	readYAML(t, "../examples/lint/gitlab-ci.yml", &jobs)
	job := jobs["lint"]
	onBoth(t, buildFairway(t), func(folder string) string {
		return strings.Join(job.Script, "\n") + "\ntest -s " + job.Artifacts.Reports["junit"][0]
	})
}

func TestAnsibleValidate(t *testing.T) {
	var plays []struct {
		Tasks []struct {
			Template struct{ Validate string } `yaml:"ansible.builtin.template"`
		}
	}
	readYAML(t, "../examples/lint/ansible.yml", &plays)
	validate := plays[0].Tasks[0].Template.Validate
	if !strings.Contains(validate, "%s") {
		t.Fatalf("validate is %q", validate)
	}
	onBoth(t, buildFairway(t), func(folder string) string {
		file := filepath.Join(folder, ".ansible_tmpq3source") // what Ansible calls it says nothing
		return "mv slurm.conf " + file + "\n" + strings.ReplaceAll(validate, "%s", file)
	})
}
