package engine

import (
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/limit"
)

// Block is why a job may not start, in parts; Result.Reason has the real
// scheduler's words for it.
type Block struct {
	Kind  string               // limit, fairshare_cap, hold, priority, dependency, begin_time, state, resources
	Limit *limit.Violation     // for limit
	Cap   *fairshare.Violation // for fairshare_cap
}
