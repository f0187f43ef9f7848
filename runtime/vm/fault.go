package vm

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/runtime/program"
)

// A fault is why a value failed. The words of what expressions do are cel-go's own, so that
// every evaluator says the same.
type fault uint32

const (
	faultNone fault = iota
	faultUnknown
	faultOverflow
	faultDivision
	faultModulus
	faultNaN
	faultValueInfinite
	faultValueNaN
	faultScoreInfinite
	faultScoreNaN
	faultPriorityLarge
	faultPriorityNaN
	faultKinds
)

var faultText = [faultKinds]string{
	faultOverflow: "integer overflow",
	faultDivision: "division by zero",
	faultModulus:  "modulus by zero",
	faultNaN:      "NaN values cannot be ordered",

	faultValueInfinite: program.ValueInfinite,
	faultValueNaN:      program.ValueNaN,
	faultScoreInfinite: program.ScoreInfinite,
	faultScoreNaN:      program.ScoreNaN,
	faultPriorityLarge: program.PriorityLarge,
	faultPriorityNaN:   program.PriorityNaN,
}

// faults numbers what failed where. A register's err vector holds such a number
// per value, 0 for none: 1 + instruction · kinds + fault, and above those the
// messages of boxed functions as they come up. Their numbers depend on who met
// them first; nothing but the message and the instruction leaves the package.
type faults struct {
	prog *program.Program
	mu   sync.Mutex
	said []said
	num  map[said]uint32
}

type said struct {
	instr   int
	message string
}

func code(instr int, f fault) uint32 { return 1 + uint32(instr)*uint32(faultKinds) + uint32(f) }

// said numbers the message of a boxed function.
func (t *faults) message(instr int, text string) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := said{instr, text}
	n, ok := t.num[s]
	if !ok {
		n = uint32(len(t.said))
		t.said = append(t.said, s)
		t.number(s, n)
	}
	return code(len(t.prog.Instrs), 0) + n
}

func (t *faults) number(s said, n uint32) {
	if t.num == nil {
		t.num = map[said]uint32{}
	}
	t.num[s] = n
}

// describe gives the instruction and the words of a number.
func (t *faults) describe(c uint32) (instr int, message string) {
	if base := code(len(t.prog.Instrs), 0); c >= base {
		s := t.said[c-base]
		return s.instr, s.message
	}
	instr = int(c-1) / int(faultKinds)
	if f := fault(c-1) % faultKinds; f != faultUnknown {
		return instr, faultText[f]
	}
	return instr, string(t.prog.Instrs[instr].Column) + " is unknown"
}

// compare orders by instruction and words, which do not depend on who failed first.
func (t *faults) compare(a, b uint32) int {
	ia, ma := t.describe(a)
	ib, mb := t.describe(b)
	if c := cmp.Compare(ia, ib); c != 0 {
		return c
	}
	return strings.Compare(ma, mb)
}

// tally counts the rows of each fault in one shard.
type tally struct {
	seen  map[uint32]seen
	inRow []uint32
}

type seen struct{ count, row int }

// add counts a row once for each distinct number among its kept registers.
func (t *tally) add(row int, codes []uint32) {
	if t.seen == nil {
		t.seen = map[uint32]seen{}
	}
	for i, c := range codes {
		if slices.Contains(codes[:i], c) {
			continue
		}
		s, ok := t.seen[c]
		if !ok {
			s.row = row
		}
		s.count++
		t.seen[c] = s
	}
}

// merge adds another shard. The first row is the smallest, whichever shard came first.
func (t *tally) merge(o *tally) {
	for c, s := range o.seen {
		if t.seen == nil {
			t.seen = map[uint32]seen{}
		}
		if have, ok := t.seen[c]; ok {
			s = seen{have.count + s.count, min(have.row, s.row)}
		}
		t.seen[c] = s
	}
}

func (t *tally) codes() []uint32 {
	codes := make([]uint32, 0, len(t.seen))
	for c := range t.seen {
		codes = append(codes, c)
	}
	return codes
}
