//go:build live

package live_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestEmacs drives a real Emacs, without a screen: with the settings of examples/editors it opens a slurm.conf, shows
// findings, hovers, mends, completes and renames, and what the files become is read from the disk.
func TestEmacs(t *testing.T) {
	installEditor(t, func() error {
		return exec.Command("emacs", "--batch", "--eval", "(package-initialize)", "--eval", "(require 'eglot)").Run()
	}, "emacs-nox", "elpa-eglot")
	folder := t.TempDir()
	for name, text := range map[string]string{
		"slurm.conf": neovimConf, "assoc.cfg": neovimDump, "drive.el": emacsDrive,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settings, err := filepath.Abs(filepath.Join("..", "..", "examples", "editors", "emacs", "fairway.el"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("emacs", "--batch", "--eval", "(package-initialize)", "-l", settings, "-l", "drive.el")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(),
		"PATH="+filepath.Dir(build(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	late := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("emacs: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	for _, want := range []string{"mode: slurmconf-mode", "finding: yes", "slurm-unknown-key", "hover: **PriorityMaxAge**",
		"action: write PriorityFlags", "complete: PriorityWeightFairshare", "done"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("Emacs does not report %q", want)
		}
	}
	for name, want := range map[string]string{"slurm.conf": "\nPriorityFlags=MAX_TRES\n", "assoc.cfg": "Account - 'optics'"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q:\n%s", name, want, text)
		}
	}
}

const emacsDrive = `(require 'flymake)
(setq eglot-confirm-server-initiated-edits nil)
(defun wait-for (what test)
  (let ((n 0))
    (while (and (not (funcall test)) (< n 200))
      (accept-process-output nil 0.1)
      (setq n (1+ n)))
    (message "%s: %s" what (if (funcall test) "yes" "no"))))
(defun ask (method params)
  (jsonrpc-request (eglot--current-server-or-lose) method params))
(find-file "slurm.conf")
(message "mode: %s" major-mode)
(apply #'eglot (eglot--guess-contact)) ; which eglot-ensure does after the first command
(wait-for "connected" (lambda () (eglot-current-server)))
(flymake-mode 1)
(flymake-start)
(wait-for "finding" (lambda () (flymake-diagnostics)))
(dolist (d (flymake-diagnostics)) (message "%s" (flymake-diagnostic-text d)))
(goto-char (point-min))
(search-forward "PriorityMaxAge")
(backward-char 2)
(message "hover: %s" (plist-get (plist-get (ask :textDocument/hover (eglot--TextDocumentPositionParams)) :contents) :value))
(goto-char (point-min))
(search-forward "PriorityFlagz")
(backward-char 2)
(let* ((at (eglot--pos-to-lsp-position))
       (action (aref (ask :textDocument/codeAction
                          (list :textDocument (eglot--TextDocumentIdentifier) :range (list :start at :end at)
                                :context '(:diagnostics []))) 0)))
  (message "action: %s" (plist-get action :title))
  (eglot--apply-workspace-edit (plist-get action :edit) nil))
(goto-char (point-min))
(search-forward "AllowAccounts=")
(cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
  (eglot-rename "optics"))
(goto-char (point-max))
(insert "PriorityWeightF")
(message "complete: %s" (car (all-completions "PriorityWeightF" (nth 2 (eglot-completion-at-point)))))
(delete-region (line-beginning-position) (point))
(dolist (b (buffer-list))
  (with-current-buffer b (when (and buffer-file-name (buffer-modified-p)) (save-buffer))))
(message "done")
`
