// Package bench measures whole tasks on queues of up to 100,000 jobs, which snapshot synth makes of the example of a
// site: go test ./conformance/bench -run '^$' -bench .
//
// The command in table measures whole processes and prints one table: go run ./conformance/bench/table.
package bench
