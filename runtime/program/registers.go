package program

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Storage is how the values of a type are held.
type Storage uint8

// Strings have no values in registers: they stay in their columns.
const (
	NoStorage Storage = iota
	Doubles
	Ints
	Bools
	Storages
)

// StorageOf is how a type is held.
func StorageOf(t schema.Type) Storage {
	switch t {
	case schema.Double:
		return Doubles
	case schema.Int, schema.Timestamp, schema.Duration:
		return Ints
	case schema.Bool:
		return Bools
	}
	return NoStorage
}

// Kept are the registers that the program's parts name: what a run of it is for.
func (p *Program) Kept() []Reg {
	var regs []Reg
	seen := make([]bool, len(p.Regs))
	parts := *p
	parts.Rename(func(r Reg) Reg {
		if !seen[r] {
			seen[r], regs = true, append(regs, r)
		}
		return r
	})
	return regs
}

// Scored are those of Kept that a run for priorities is for: all but what admission asks.
func (p *Program) Scored() []Reg {
	parts := *p
	parts.Admission = nil
	return parts.Kept()
}

// Rename gives every part of the program another register in place of its own. The parts are
// copied; instructions stay as they are.
func (p *Program) Rename(to func(Reg) Reg) {
	rename := func(regs ...*Reg) {
		for _, r := range regs {
			if *r != NoReg {
				*r = to(*r)
			}
		}
	}
	rename(&p.Score, &p.Priority)
	p.Limits, p.Holds, p.Overrides = slices.Clone(p.Limits), slices.Clone(p.Holds), slices.Clone(p.Overrides)
	for i := range p.Limits {
		rename(&p.Limits[i].When)
	}
	p.Admission = slices.Clone(p.Admission)
	for i := range p.Admission {
		rename(&p.Admission[i].When)
	}
	for _, flags := range [][]Flag{p.Holds, p.Overrides} {
		for i := range flags {
			rename(&flags[i].When)
		}
	}
	p.Components = slices.Clone(p.Components)
	for i := range p.Components {
		c := &p.Components[i]
		rename(&c.Weight.Reg, &c.Cap.Reg, &c.Sum, &c.Value)
		c.Terms = slices.Clone(c.Terms)
		for k := range c.Terms {
			t := &c.Terms[k]
			rename(&t.Weight.Reg, &t.Cap.Reg, &t.Factor.Reg, &t.Value)
			t.Defines = slices.Clone(t.Defines)
			for d := range t.Defines {
				rename(&t.Defines[d].Reg)
			}
		}
	}
}
