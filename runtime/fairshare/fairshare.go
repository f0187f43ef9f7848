// Package fairshare computes what credentials have used against what they should
// get.
//
// In: a program's fairshare model, and usage as the snapshot has it. Out: per credential the
// columns that priorities read, the caps that keep jobs from starting, and the usage windows
// as they grow from one iteration to the next. Called by the engine, by what keeps state
// between runs, and by the views.
package fairshare

// The credentials that have fairshare, in the order in which Maui tests their caps
// (MFSCheckCap). Each is the index of its object in Objects and of its name in Names.
const (
	User = iota
	Group
	Account
	Partition
	QOS
	objects
)

// Objects names the credentials as the schema does.
var Objects = [objects]string{"user", "group", "account", "partition", "qos"}

// Names is who a job is: a name for each of Objects, "" for none.
type Names [objects]string
