package backfill

// Why a job does not start now, in the words of Plan. What a limit says is the policy's own word.
const (
	ReasonResources   = "resources"   // it is the first for the nodes that it can use, and they are busy
	ReasonPriority    = "priority"    // jobs before it wait for the nodes that it can use
	ReasonReservation = "reservation" // the reservation that it asked for has not begun
	ReasonDependency  = "dependency"  // it waits for other jobs
	ReasonBegin       = "begin_time"  // it is not to start before
	ReasonNodes       = "nodes_down"  // nodes that it needs are down
	ReasonDown        = "partition_down"
	ReasonWindow      = "window"      // it would start later than is planned ahead
	ReasonDeadline    = "deadline"    // it would end too late
	ReasonLicense     = "license"     // licences that it needs are in use
	ReasonArray       = "array_limit" // so many tasks of its array run as may at a time
	ReasonNever       = "never"       // see Placement.Never
)
