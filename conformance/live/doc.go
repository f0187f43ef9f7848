// Package live tests against a running Slurm: it installs Debian's packages where they are missing, starts munge,
// MariaDB, slurmdbd, slurmctld and a slurmd of its own on the loopback interface, in a temporary folder, compares what
// the controller computes with what Fairway does, and has push change it. It needs root and takes about seven minutes,
// so it comes after the build tag live. Neovim is driven here too, which Debian has, and the extension for VS Code is
// built where npm is:
//
//	go test -tags live ./conformance/live
package live
