// Package attack attacks the built program: configurations, dumps, policies, tests and snapshots are mutated and
// given to every verb. What must hold of every run is in judge_test.go: no panic, no exit code that is not documented,
// bounded memory and time, the same bytes twice and on another number of processors, no file made or changed that the
// command line does not name, outputs that are whole and can be read back, and no text that a terminal obeys.
//
//	go test ./conformance/attack                                    the faults that were found before, in seconds
//	go test -tags attack ./conformance/attack                       new attacks for 75 seconds
//	FAIRWAY_ATTACK=2h go test -tags attack -timeout 0 ./conformance/attack
//	go test -tags attack ./conformance/attack -run TestAttack -seed 7 -one 1234   one attack again
//
// It has only tests. Seeds are in seeds_test.go, mutators in mutate_test.go and grammar_test.go;
// conformance/README.md says how a fault that was found is kept.
package attack
