package slurm

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// sharing is who may be on the nodes of a partition beside a job.
func (f *reader) sharing(p *slurmconf.Partition, src string) {
	at := p.Record.Span
	v, ok := p.Record.Get("OverSubscribe")
	if !ok {
		v, ok = p.Record.Get("Shared")
	}
	if ok {
		at = v.Span
	}
	var mode schema.Value // none is NO
	switch {
	case p.MaxShare > 1:
		mode = schema.StringValue(fmt.Sprintf("%s:%d", p.OverSubscribe, p.MaxShare))
	case p.OverSubscribe != "NO":
		mode = schema.StringValue(p.OverSubscribe)
	}
	f.Set("partition.oversubscribe", p.Name, mode, at, src)
	user, _ := p.Record.Get("ExclusiveUser")
	if v, _ := p.Record.Get("Exclusive"); strings.EqualFold(v.Text, "USER") { // 26.05's word for it
		user = v
		user.Bool = true
	}
	if at = p.Record.Span; user.IsSet() {
		at = user.Span
	}
	f.Set("partition.exclusive_user", p.Name, schema.BoolValue(user.Bool), at, src)
	f.preempted(p, src)
}

// preempted is how jobs of the partition make room for those of a higher tier, and whether its jobs go to the least
// loaded nodes.
func (f *reader) preempted(p *slurmconf.Partition, src string) {
	place := func(v slurmconf.Value) source.Span {
		if v.IsSet() {
			return v.Span
		}
		return p.Record.Span
	}
	mode, ok := p.Record.Get("PreemptMode")
	word := schema.Value{}
	if ok {
		word = schema.StringValue(strings.ToUpper(mode.Text))
	}
	f.Set("partition.preempt_mode", p.Name, word, place(mode), src)
	grace, _ := p.Record.Get("GraceTime")
	f.Set("partition.grace_seconds", p.Name, schema.IntValue(int64(grace.Number)), place(grace), src)
	least, _ := p.Record.Get("LLN")
	f.Set("partition.least_loaded", p.Name, schema.BoolValue(least.Bool), place(least), src)
}

// unplanned says what a plan leaves out of a partition's way to share nodes.
func (f *reader) unplanned(p *slurmconf.Partition) {
	for _, key := range []string{"Exclusive", "ExclusiveTopo"} {
		v, ok := p.Record.Get(key)
		switch word := strings.ToUpper(v.Text); {
		case !ok, word == "NO" && key != "Exclusive", word == "NONE", word == "USER":
		case key == "Exclusive":
			f.Diags.Infof("plan-not-modelled", v.Span, "a plan does not take Exclusive=%s into account", word).
				Note("whether jobs share the nodes of %s follows from OverSubscribe", p.Name)
		case strings.HasPrefix(key, "Exclusive"):
			f.Diags.Infof("plan-not-modelled", v.Span, "a plan does not take %s into account", key).
				Note("jobs share the nodes of %s as those of others", p.Name)
		}
	}
}
