package backfill

import (
	"fmt"
	"strings"
)

// Count writes a number with what is counted: 1 task, 3 tasks.
func Count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// agreeing puts the verb that words begin with in the number of what is counted.
func agreeing(n int64, words string) string {
	if n == 1 {
		words = strings.Replace(strings.Replace(words, "have ", "has ", 1), "are ", "is ", 1)
	}
	return words
}

// duration is a time for people, as Slurm writes it: 02:00:00, 1-12:00:00.
func duration(seconds int64) string {
	if seconds >= Forever {
		return "no end"
	}
	clock := fmt.Sprintf("%02d:%02d:%02d", seconds/3600%24, seconds/60%60, seconds%60)
	if days := seconds / 86400; days > 0 {
		return fmt.Sprintf("%d-%s", days, clock)
	}
	return clock
}

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
