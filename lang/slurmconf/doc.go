// Package slurmconf reads slurm.conf the way slurmctld does.
//
// In comes a file (and, for Include, a file system); out come two things. Parse
// gives a lossless syntax tree, which Print writes back byte by byte and Format
// writes back tidily. Evaluate gives a Config: the settings, nodes and
// partitions slurmctld would hold after reading the file, each value with the
// place that set it. Mistakes are diagnostics of the codes listed in Codes.
//
// The compiler lowers the Config to a policy; the command line prints and
// formats the tree. Names, types, defaults and version ranges of all keys come
// from the tables of stdlib.
package slurmconf
