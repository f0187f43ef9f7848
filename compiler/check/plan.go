package check

import "github.com/fairway-sched/fairway/compiler/ir"

// plan says of backfill blocks which attributes count for nothing: jobs of a scheduler's policy are planned as
// that scheduler does, by its own parameters.
func (c *checker) plan() {
	for i := range c.p.Backfill {
		s := &c.p.Backfill[i]
		if c.planNumber(s); c.p.Placed != "" && fromBlock(s.Name) {
			c.diags.Warnf("backfill-not-used", s.Span,
				"%s counts only with --planner native: jobs are planned by the scheduler's own parameters", s.Name).
				Note("write %s", c.p.Placed)
		}
	}
}

// fromBlock tells the attributes of a backfill block from parameters of schedulers, which begin with a capital letter.
func fromBlock(name string) bool { return name != "override" && name[0] >= 'a' && name[0] <= 'z' }

// mostCombinations bounds the search of greedy.
const mostCombinations = 10_000_000

// planNumber refuses numbers below zero, and those that a plan would not come to the end of.
func (c *checker) planNumber(s *ir.Setting) {
	switch s.Name {
	case "max_combinations":
		if s.Value.Int > mostCombinations {
			c.diags.Errorf("backfill-number", s.Span, "max_combinations is at most %d: %d", mostCombinations,
				s.Value.Int).Note("trying more takes minutes for each plan")
		}
		if s.Value.Int < 1 {
			c.diags.Errorf("backfill-number", s.Span, "max_combinations must be above zero: %d", s.Value.Int).
				Note("greedy starts jobs of the best combination that it tries")
		}
	case "reservation_depth", "window", "resolution":
		if s.Value.Int < 0 {
			c.diags.Errorf("backfill-number", s.Span, "%s cannot be negative: %d", s.Name, s.Value.Int).
				Note("write a number from 0; reservation_depth = \"unlimited\" reserves for every job")
		}
	}
}
