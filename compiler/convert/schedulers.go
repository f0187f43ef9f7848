package convert

import (
	"math"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// maxWeight is what Slurm's weights and counts can hold.
const maxWeight = math.MaxUint32

// scheduler is what converting goes by of the one that a policy is for, or is written for.
type scheduler struct {
	file        string  // what findings call its file
	called      string  // who asks a limit, in a sentence
	class       string  // what it calls a partition
	basic       string  // the library's policy for it that is first come, first served
	least, most float64 // of a weight
	credentials bool    // its formula has numbers of credentials
	adds        bool    // its weights take terms of the policy's own in
	own         bool    // limits and users' accounts are in words of policy files
	database    bool    // accounts and QOS, and the tree of shares, are in a database with a dump of its own
	versions    bool    // it is read by version
}

// schedulers are those of policies; "" is a policy from scratch.
var schedulers = map[string]scheduler{
	"maui": {file: "maui.cfg", called: "Maui", class: "class", least: -math.MaxInt32, most: math.MaxInt32,
		credentials: true, adds: true},
	"slurm": {file: "slurm.conf", called: "the policy", class: "partition", basic: "slurm_basic", most: maxWeight,
		own: true, database: true, versions: true},
	"": {called: "the policy", class: "class", own: true},
}

// schedulerOf is the one that a policy is for.
func schedulerOf(p *ir.Policy) scheduler { return schedulers[p.Family] }

// foreign reports a policy that is written for another scheduler than its own.
func (w *writer) foreign() bool { return w.use != w.policy.Family }

// isBasic reports a policy that is first come, first served.
func isBasic(p *ir.Policy) bool {
	return schedulerOf(p).basic != "" && component(p, "order") != nil && component(p, "age") == nil
}

// libraryName is the library's policy that one is for, as a policy file names it.
func libraryName(p *ir.Policy, family string) string {
	if basic := schedulers[family].basic; basic != "" && isBasic(p) {
		return basic
	}
	return family
}
