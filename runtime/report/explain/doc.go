// Package explain takes one job's priority apart, says what keeps the job from starting and what would let it,
// and why one job is before another. Each explanation is one value, which JSON encodes and text renders.
package explain
