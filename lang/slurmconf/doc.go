// Package slurmconf reads slurm.conf the way slurmctld does.
//
// In comes a file (and, for Include, a file system); out come two things. Parse
// gives a lossless syntax tree, which Print writes back byte by byte and Format
// writes back tidily. Evaluate gives a Config: the settings, nodes and
// partitions slurmctld would hold after reading the file, each value with the
// place that set it. Mistakes are diagnostics, with pages in lang/diag/pages/slurm.
//
// The compiler lowers the Config to a policy; the command line prints and
// formats the tree. Names, types, defaults and version ranges of all keys come
// from the tables of stdlib.
//
// Lines are read by hand. The tests have a participle grammar over the same lexer and compare the two on random
// texts, fuzzed ones and what sites run. The program does not use the grammar because it is too slow. Lint of 40
// settings, 900 nodes with 10 keys each and 60 partitions with 10 keys each must stay within 20 ms of CPU for the
// whole process. By hand it costs 19.6 ms (18.6 at best); the grammar adds 36 ms. This is user and system time, the
// median of 40 runs of each program in turn, on two virtual cores of an AMD EPYC. For reading alone,
// `go test -bench Lines` shows 2 ms by hand and 49 ms with the grammar. Lines of maui.cfg are read by hand for the
// same reason.
package slurmconf
