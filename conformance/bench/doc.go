// Package bench measures whole tasks on queues of up to 100,000 jobs, which snapshot synth makes of the example of a
// site: go test ./conformance/bench -run '^$' -bench .
package bench
