package draft

import (
	"math"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// MaxWeight is what Slurm's weights and counts can hold.
const MaxWeight = math.MaxUint32

// scheduler is what converting goes by of the one that a policy is for, or is written for.
type scheduler struct {
	File        string  // what findings call its file
	Called      string  // who asks a limit, in a sentence
	Class       string  // what it calls a partition
	basic       string  // the library's policy for it that is first come, first served
	least, most float64 // of a weight
	credentials bool    // its formula has numbers of credentials
	adds        bool    // its weights take terms of the policy's own in
	Own         bool    // limits and users' accounts are in words of policy files
	Database    bool    // accounts and QOS, and the tree of shares, are in a database with a dump of its own
	Versions    bool    // it is read by version
}

// Schedulers are those of policies; "" is a policy from scratch.
var Schedulers = map[string]scheduler{
	"maui": {File: "maui.cfg", Called: "Maui", Class: "class", least: -math.MaxInt32, most: math.MaxInt32,
		credentials: true, adds: true},
	"slurm": {File: "slurm.conf", Called: "the policy", Class: "partition", basic: "slurm_basic", most: MaxWeight,
		Own: true, Database: true, Versions: true},
	"": {Called: "the policy", Class: "class", Own: true},
}

// schedulerOf is the one that a policy is for.
func schedulerOf(p *ir.Policy) scheduler { return Schedulers[p.Family] }

// Foreign reports a policy that is written for another scheduler than its own.
func (w *Writer) Foreign() bool { return w.Use != w.Policy.Family }

// IsBasic reports a policy that is first come, first served.
func IsBasic(p *ir.Policy) bool {
	return schedulerOf(p).basic != "" && Component(p, "order") != nil && Component(p, "age") == nil
}

// LibraryName is the library's policy that one is for, as a policy file names it.
func LibraryName(p *ir.Policy, family string) string {
	if basic := Schedulers[family].basic; basic != "" && IsBasic(p) {
		return basic
	}
	return family
}
