package lower

import "github.com/fairway-sched/fairway/compiler/ir"

// family is what the policies of a scheduler do their own way. A policy from scratch has none.
type family struct {
	title  string           // the scheduler, as its people write it
	place  func(*ir.Policy) // types how jobs are placed
	places string           // what its policies write in place of a backfill block
}

var families = map[string]family{
	"maui": {
		title:  "Maui",
		place:  placeMaui,
		places: "params = { BACKFILLPOLICY = \"BESTFIT\", RESERVATIONDEPTH = … } or the lines of maui.cfg",
	},
	"slurm": {
		title:  "Slurm",
		place:  placeSlurm,
		places: "params = { SchedulerParameters = \"bf_window=2880,…\" } or the line of slurm.conf",
	},
}
