// Package bench measures whole tasks on queues of up to 100,000 jobs, which snapshot synth makes of the example of a
// site: go test ./conformance/bench -run '^$' -bench .
//
// BenchmarkCommands are processes: CPU time, user and system, and the most memory that one had. A command that does as
// little as any is among them, and encoding/json, which reads the same text, as machines differ.
package bench
