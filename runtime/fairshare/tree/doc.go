// Package tree computes Slurm's fairshare: usage that runs up an account tree and
// decays, and what the tree makes of it by Fair Tree, by the classic formula and by
// its depth-oblivious variant.
//
// In: associations as sacctmgr or sshare states them (New), their usage
// (Tree.Load), what running jobs add in a pass of the controller (Ledger.Pass) at a
// rate that weighs their TRES (Billing). Out: per association the numbers that
// sshare shows and the factor that priorities take (FairTree, Classic), with all
// that is needed to explain them. Called by the engine and by whoever accumulates
// usage from finished jobs.
//
// Numbers are float64. slurmctld keeps most of them as long double, which on x86
// has eleven more bits; where those bits decide something that one can see, namely
// whether two siblings tie in Fair Tree and whether a classic factor is exactly a
// power of two, the comparison is made in that format (extended).
//
// Origins are named after the functions of Slurm's priority/multifactor plugin and
// association manager, or after manual pages; "observed" means recorded runs of
// 22.05.8 and 25.11.7.
package tree
