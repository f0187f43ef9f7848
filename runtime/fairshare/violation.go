package fairshare

// Violation is a fairshare cap that a job would exceed.
type Violation struct {
	Target  int     // index into program.Windows.Targets
	Object  string  // user, group, account, partition, qos
	Name    string  // its name
	Value   float64 // the cap: proc-seconds, or percent for a relative cap
	Usage   float64 // decayed usage of the credential, in the windows' unit
	Request float64 // what the job would add, in the same unit
	Percent float64 // usage and request as a share of all usage; relative caps only
}
