//go:build live

package live_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNeovim drives a real editor, without a screen: with the settings of examples/editors it opens a slurm.conf,
// types, completes, hovers, mends and renames, and what the files become is read from the disk.
func TestNeovim(t *testing.T) {
	installEditor(t, func() error { _, err := exec.LookPath("nvim"); return err }, "neovim")
	folder, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"slurm.conf": neovimConf, "assoc.cfg": neovimDump, "drive.lua": neovimDrive,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settings, err := filepath.Abs(filepath.Join("..", "..", "examples", "editors", "neovim", "fairway.lua"))
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t)
	cmd := exec.Command("nvim", "--headless", "-n", "-u", "NONE", "-c", "luafile "+settings, "-c", "luafile drive.lua")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home,
		"PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	late := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("nvim: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	for name, wants := range map[string][]string{
		"slurm.conf": {"# 🐢 é, then PriorityFlags\n", "\nPriorityFlags=MAX_TRES\n", "\nPriorityWeightFairshare=100\n",
			"AllowAccounts=optics,chem"},
		"assoc.cfg": {"Account - 'optics'", "Parent - 'optics'"},
	} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %q:\n%s", name, want, text)
			}
		}
	}
	for _, want := range []string{"finding: slurm-unknown-key", "hover: **PriorityMaxAge**", "`7-0` is 7 days",
		"complete: PriorityWeightFairshare=", "definition: assoc.cfg:3", "findings left: 0", "done"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the editor does not show %q", want)
		}
	}
}

// installEditor adds Debian's packages of an editor where it is missing, or skips.
func installEditor(t *testing.T, missing func() error, packages ...string) {
	t.Helper()
	if missing() == nil {
		return
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		t.Skipf("%v is not here, and installing it needs root on a Debian machine", packages)
	}
	for _, argv := range [][]string{
		{"apt-get", "update", "-q"},
		append([]string{"apt-get", "install", "-q", "-y", "--no-install-recommends"}, packages...),
	} {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				t.Skipf("%v cannot be installed: %v: %v\n%s", packages, argv, err, tail(out))
			}
			t.Fatal(err)
		}
	}
}

const neovimConf = `# fairway: slurm-version=22.05
# 🐢 é, then PriorityFlags
ClusterName=harbour
SlurmctldHost=head
PriorityType=priority/multifactor
PriorityMaxAge=7-0
PriorityFlagz=MAX_TRES
SelectType=select/cons_tres
TaskPlugin=task/cgroup
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=limits
NodeName=n[1-4] CPUs=64 RealMemory=192000
PartitionName=batch Nodes=n[1-4] Default=YES MaxTime=1-0 DefaultTime=60 AllowAccounts=physics,chem
`

const neovimDump = `Cluster - 'harbour':Fairshare=1
Parent - 'root'
Account - 'physics':Fairshare=10
Account - 'chem':Fairshare=5
Parent - 'physics'
User - 'ana':Fairshare=1
`

// neovimDrive is what somebody does in the editor. What is shown goes to the terminal.
const neovimDrive = `
local function say(...) io.stdout:write(table.concat({...}), "\n") end
local function wait(what, ready)
  if not vim.wait(30000, ready, 50) then error("no " .. what) end
end
local function at(text, offset)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { row, column - 1 + (offset or 0) })
      return
    end
  end
  error("no " .. text)
end
local function ask(method, extra)
  local client = vim.lsp.get_active_clients()[1]
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  for key, value in pairs(extra or {}) do params[key] = value end
  local answers = vim.lsp.buf_request_sync(0, method, params, 30000) or {}
  for _, answer in pairs(answers) do
    if answer.error then error(vim.inspect(answer.error)) end
    return answer.result, client.offset_encoding
  end
  error("no answer to " .. method)
end
local function findings() return vim.diagnostic.get(0, { severity = { min = vim.diagnostic.severity.WARN } }) end

local ok, problem = pcall(function()
  vim.cmd("edit assoc.cfg")
  assert(vim.bo.filetype == "sacctmgrdump", vim.bo.filetype)
  vim.cmd("edit slurm.conf")
  assert(vim.bo.filetype == "slurmconf", vim.bo.filetype)
  wait("client", function() return #vim.lsp.buf_get_clients(0) > 0 end)
  wait("finding", function() return #findings() > 0 end)
  for _, finding in ipairs(findings()) do say("finding: ", finding.code) end

  at("PriorityMaxAge", 3)
  local hover = ask("textDocument/hover")
  say("hover: ", hover.contents.value)

  -- the fix of what is under the cursor
  at("PriorityFlagz", 2)
  local here = vim.lsp.util.make_range_params(0, vim.lsp.get_active_clients()[1].offset_encoding).range
  local actions, encoding = ask("textDocument/codeAction", { range = here, context = { diagnostics = {} } })
  assert(#actions > 0, "no fix")
  vim.lsp.util.apply_workspace_edit(actions[1].edit, encoding)

  -- a line is typed, and completed as one does with omni completion
  at("PriorityMaxAge")
  vim.cmd("normal! oPriorityWeightFairs")
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_win_get_cursor(0)[1], #"PriorityWeightFairs" })
  vim.o.virtualedit = "onemore"
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_win_get_cursor(0)[1], #"PriorityWeightFairs" })
  local list = ask("textDocument/completion")
  for _, item in ipairs(list.items or list) do
    if item.label:find("PriorityWeightFairs", 1, true) then
      say("complete: ", item.textEdit.newText)
      vim.lsp.util.apply_text_edits({ item.textEdit }, 0, encoding)
    end
  end
  vim.cmd("normal! A100")

  at("AllowAccounts=physics", #"AllowAccounts=ph")
  local places = ask("textDocument/definition")
  local place = places[1] or places
  say("definition: ", vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ":t"), ":", place.range.start.line + 1)
  local edit = ask("textDocument/rename", { newName = "optics" })
  vim.lsp.util.apply_workspace_edit(edit, encoding)

  wait("clean file", function() return #findings() == 0 end)
  say("findings left: ", #findings())
  vim.cmd("silent wall")
end)
if not ok then
  say("FAILED: ", tostring(problem))
  say(vim.inspect(vim.diagnostic.get(0)))
  vim.cmd("cquit 1")
end
say("done")
vim.cmd("qall!")
`
