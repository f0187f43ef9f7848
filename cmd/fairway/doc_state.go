package main

import (
	"fmt"
	"io"
)

const stateIntro = `# The state directory

With ` + "`--state-dir DIR`, `push`, `eval` and `usage`" + ` keep in one folder what the next run needs of this one;
` + "`explain`, `plan` and `diff`" + ` read it. The folder is made if it does not exist. Only its owner, or root, may write
it, the files in it and the folders that it is in: another user, or a member of the group, could otherwise say what push
does. This is version %d of its layout:

| name | is | since version |
|---|---|---|
`

const stateRules = `
Files of other names are left alone. One of these names that is something else, is torn or cannot be read ends the
run with its name, and nothing is sent or written.

- **One run at a time.** Who finds the lock taken ends with exit code 75 and says who has it. Commands that read
  alone, and ` + "`push` without `--yes` or `--apply`" + `, take no lock and change nothing.
- **A run may be killed at any moment**, and the disk may be full. A file is written beside its place, made safe, and
  renamed; only the audit grows, and an unfinished line in it is ignored. What a killed run left under names
  such as ` + "`.checkpoint123`" + ` the next one removes.
- **The checkpoint is written last**, after a run that acted: an evaluation whose output could not be written, or a
  push that was refused or got no answer, is no iteration. Neither are ` + "`push --apply` and `--undo`" + `, which evaluate nothing.
- **Usage.** Evaluations count what running jobs use. Of an account tree what ` + "`sshare`" + ` printed into the snapshot
  counts instead, as slurmctld has it. What ` + "`usage`" + ` made of job records is in files of its own: Slurm's goes before
  both, and on from the checkpoint where that is newer; of Maui's windows those count that the checkpoint does not have,
  as Maui reads its files when it starts.
- **Older layouts** become this one when a run takes the lock. One of a newer version is refused and left as it is.
- **The state of ` + "`--state FILE`" + `** goes on here as ` + "`DIR/checkpoint`" + `.
`

// docState prints the layout of state directories.
func docState(w io.Writer, _ []string) error {
	fmt.Fprintf(w, stateIntro, stateDirVersion)
	for _, p := range stateLayout {
		name := p.name
		switch {
		case p.folder:
			name += "/"
		case p.more:
			name += "*"
		}
		fmt.Fprintf(w, "| `%s` | %s | %d |\n", name, p.doc, p.since)
	}
	_, err := io.WriteString(w, stateRules)
	return err
}
