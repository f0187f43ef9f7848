;;; fairway.el --- Fairway in Emacs, with Eglot -*- lexical-binding: t -*-

;; Load this file from init.el. `fairway-snapshot' may name a recorded queue.

;;; Code:

(require 'eglot)
(require 'conf-mode)

(defvar fairway-command '("fairway" "lsp")
  "The program that answers about the files, with its arguments.")

(defvar fairway-snapshot nil
  "A recorded queue, in which hover shows what a column holds, or nil.")

(define-derived-mode slurmconf-mode conf-unix-mode "slurm.conf"
  "Mode for slurm.conf and what it includes.")
(define-derived-mode mauicfg-mode conf-space-mode "maui.cfg"
  "Mode for maui.cfg.")
(define-derived-mode sacctmgrdump-mode conf-colon-mode "sacctmgr"
  "Mode for dumps of sacctmgr.")
(define-derived-mode fairway-mode prog-mode "Fairway"
  "Mode for policies of Fairway and their tests."
  (setq-local comment-start "# "))

(dolist (place '(("/slurm\\.conf\\'" . slurmconf-mode)
                 ("/slurm/[^/]*\\.conf\\'" . slurmconf-mode)
                 ("/maui\\.cfg\\'" . mauicfg-mode)
                 ("/slurm/[^/]*\\.cfg\\'" . sacctmgrdump-mode)
                 ("\\.fairway\\(test\\)?\\.hcl\\'" . fairway-mode)
                 ("/fairway\\.hcl\\'" . fairway-mode)))
  (add-to-list 'auto-mode-alist place))
(add-to-list 'magic-mode-alist '("# To edit this file start with a cluster line" . sacctmgrdump-mode))

(defun fairway-contact (&rest _)
  "What Eglot starts."
  (append fairway-command
          (when fairway-snapshot
            (list :initializationOptions (list :snapshot (expand-file-name fairway-snapshot))))))

(add-to-list 'eglot-server-programs
             '(((slurmconf-mode :language-id "slurmconf")
                (mauicfg-mode :language-id "mauicfg")
                (sacctmgrdump-mode :language-id "sacctmgrdump")
                (fairway-mode :language-id "fairway"))
               . fairway-contact))

(dolist (hook '(slurmconf-mode-hook mauicfg-mode-hook sacctmgrdump-mode-hook fairway-mode-hook))
  (add-hook hook #'eglot-ensure))

(provide 'fairway)
;;; fairway.el ends here
