package lower

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/maui"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// family is what the policies of a scheduler do their own way. A policy from scratch has none of it.
type family struct {
	title  string           // the scheduler, as its people write it
	place  func(*ir.Policy) // types how jobs are placed
	placed string           // what its policies write in place of a backfill block

	counting  program.Counting                        // of limits
	throttle  func(name string) (maui.Throttle, bool) // takes the name of a limit apart
	limit     ownLimits
	unlimited map[string]limitAdvice // the phases in which it has no limits
	tree      bool                   // credentials of a policy are drawn as its account tree
	instead   map[string]string      // what to write for an attribute that nothing reads
}

// ownLimits lowers a limit that has one of the scheduler's own names.
type ownLimits func(*builder, policy.Limit, *policy.Credential) bool

// limitAdvice is what is wrong with a limit and what to write.
type limitAdvice struct{ what, advice string }

var families = map[string]family{
	"maui": {
		title:  "Maui",
		place:  placeMaui,
		placed: "params = { BACKFILLPOLICY = \"BESTFIT\", RESERVATIONDEPTH = … } or the lines of maui.cfg",

		counting: program.Counting{
			Wraps: true, Asked: true, Suspended: true, SoftFirst: true, OneEach: true, AtLoad: true,
		},
		throttle: maui.ReadThrottle,
		unlimited: map[string]limitAdvice{"submit": {"Maui has no limit on submitting",
			"write phase = \"idle\" for waiting jobs or \"active\" for running ones"}},
	},
	"slurm": {
		title:  "Slurm",
		place:  placeSlurm,
		placed: "params = { SchedulerParameters = \"bf_window=2880,…\" } or the line of slurm.conf",

		limit:   (*builder).slurmLimit,
		tree:    true,
		instead: slurmInstead,
	},
}

// slurmInstead is by column, or by attribute of any credential. NAME is the credential's, LOWER the same in lower case.
var slurmInstead = map[string]string{
	"partition.priority": "write priority_job_factor, which Slurm weighs with PriorityWeightPartition, " +
		"or priority_tier, which comes before all priorities",
	"user.priority": "Slurm has the priority on a user's place in an account: " +
		"write the user's block inside the account's, or association \"ACCOUNT/NAME\"",
	"fairshare_target": "Slurm shares by a tree of accounts: write fairshare { shares = N } in the block " +
		"of an account, or of a user inside it",
	"account.qos_list": "Slurm has the list on the association: write association \"LOWER\" { qos_list = … }",
	"user.qos_list": "Slurm has the list on a user's place in an account: " +
		"write association \"ACCOUNT/NAME\" { qos_list = … }",
	"partition.qos_list":  "write qos_allowed, the QOS whose jobs the partition takes",
	"account.qos_default": "Slurm has the default on the association: write association \"LOWER\" { qos_default = … }",
	"user.qos_default": "Slurm has the default on a user's place in an account: " +
		"write association \"ACCOUNT/NAME\" { qos_default = … }",
	"qos_default": "Slurm gives a job its QOS by its association when it is submitted (sacctmgr, DefaultQOS): " +
		"write it there, or remove it",
}

// insteadOf is what the scheduler has in place of an attribute, "" if nothing.
func (f *family) insteadOf(id schema.ColumnID, name string) string {
	text, ok := f.instead[string(id)]
	if !ok {
		text = f.instead[id.Name()]
	}
	return strings.NewReplacer("NAME", name, "LOWER", strings.ToLower(name)).Replace(text)
}
