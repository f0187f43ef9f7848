// Package laws holds the project's laws as property tests over generated policies and
// queues: what the machine computes is what the oracle and cel-go compute; what must
// not matter does not matter. It has tests only; conformance/README.md states the
// laws as equations.
package laws
