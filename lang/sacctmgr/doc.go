// Package sacctmgr reads the flat files that `sacctmgr dump` writes and
// `sacctmgr load` takes: one cluster with its account tree, users, shares and
// limits, and since 25.x its QOS.
//
// In comes a file; out come a lossless syntax tree (Parse; Print gives the same
// bytes, Format tidy ones) and a Dump (Evaluate): QOS and associations in tree
// order, each value with the place that set it. The compiler lowers a Dump,
// together with a slurm.conf, to a policy.
package sacctmgr
