// Package lint finds what a policy says and its author will hardly have meant: settings without
// effect, limits that cannot bind, weights that decide nothing.
//
// In comes an ir.Policy, out go diagnostics; cmd/fairway calls it by way of package compiler. It
// sees the IR alone, so that a rule works alike for maui.cfg, slurm.conf and the policy language.
// What a text shows by itself is reported by the parsers. What a rule means, its severity and its examples are
// on its page in lang/diag/pages/lint.
//
//	Rules    every rule that looks at a policy: a visible list, one file for each area
//	Policy   runs them
//	Queue    runs those that ask a recorded queue
//	Upgrade  what another version of Slurm makes of the same files
//	Ignores, Baseline, Severities   what a site has decided about findings
package lint
