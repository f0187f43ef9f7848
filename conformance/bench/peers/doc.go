// Package peers computes one Maui-like priority by what a site might use instead: DuckDB, Open Policy Agent, numpy.
// runtime/vm writes the jobs and the priorities that it expects (BenchmarkMauiLike measures its own evaluation of
// them), and each peer must give these priorities before it is measured. Credentials are joined to the jobs
// beforehand for DuckDB and OPA, which favours them; numpy looks them up by their codes.
//
//	cd conformance/bench/peers && go test -bench .
package peers
