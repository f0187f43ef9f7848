package counterexample

// Vocabulary is what two policies speak of, so that generated jobs meet it: the names that they know, and the
// numbers at which they begin to treat jobs otherwise.
type Vocabulary struct {
	Users, Groups, Accounts, QOS []string
	// account and user; where there are any, jobs are those of a user in an account
	Members            [][2]string
	Partitions         []Partition // the first is where jobs go that name none
	Features, Licenses []string

	Procs, Nodes, WalltimesSeconds, WaitsSeconds, MemMB, GPUs []int64 // of a job
	ProcSeconds, Counts                                       []int64 // of all jobs of somebody, and how many these are

	Swap, Disk, Bypass bool // of a job
	Nodeless           bool // it may ask for processors alone, and is then on one node

	ListNodes    bool     // the snapshot lists the nodes, as no policy does
	Associations bool     // the resource manager has associations
	AlwaysQOS    bool     // it gives a QOS to each job that asks for none
	Shares       bool     // it alone knows their factors and priorities
	Priorities   bool     // the policies say the priorities of associations
	RecordedQOS  []string // QOS whose priorities it alone knows
	Usage        bool     // past usage moves priorities
	Nice         bool     // users give their jobs a nice value
}

// Partition is where jobs could run: so many nodes of such a size. One without a name is the whole cluster.
type Partition struct {
	Name                                  string
	Nodes, NodeProcs, NodeMemMB, NodeGPUs int64
}
