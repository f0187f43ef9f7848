package ir

// Expressions visits what the policy computes for jobs, each with what it is called; not what its limits ask.
func (p *Policy) Expressions(visit func(name string, s Scalar)) {
	for i := range p.Components {
		c := &p.Components[i]
		visit("the weight of component "+c.Name, c.Weight)
		visit("the cap of component "+c.Name, c.Cap)
		for k := range c.Terms {
			t := &c.Terms[k]
			name := "term " + c.Name + " / " + t.Name
			visit("the weight of "+name, t.Weight)
			visit("the cap of "+name, t.Cap)
			visit("the factor of "+name, t.Factor)
		}
	}
	visit("the floor of priorities", p.Finish.Floor)
	visit("the ceiling of priorities", p.Finish.Ceiling)
	for _, o := range p.Finish.Overrides {
		visit("the condition of override "+o.Name, o.When)
		visit("the value of override "+o.Name, o.Value)
	}
	for _, list := range [][]Hold{p.Holds, p.Admission} {
		for i := range list {
			visit("hold "+list[i].Name, list[i].When)
		}
	}
}
