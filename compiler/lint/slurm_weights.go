package lint

import (
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// slurmWeights are the rules about the weights of priority/multifactor.
var slurmWeights = []Rule{
	{"slurm-no-weights", noWeights},
	{"slurm-weight-small", smallWeights},
	{"slurm-fairshare-weight-small", smallFairshareWeight},
	{"slurm-term-too-large", largeTerms},
	{"slurm-large-jobs-first", largeJobsFirst},
	{"slurm-partition-weight-idle", idlePartitionWeight},
	{"slurm-qos-weight-idle", idleQOSWeight},
	{"slurm-assoc-weight-idle", idleAssocWeight},
	{"slurm-raw-factor-weight", rawFactors},
	{"slurm-job-factor-unused", unusedJobFactors},
}

// slurmTerms are the weights that are whole numbers.
var slurmTerms = []string{"PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairshare", "PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS"}

func noWeights(p *pass) {
	if p.multifactor() && p.isSet("PriorityType") && len(p.weighs(slurmTerms)) == 0 && p.text("PriorityWeightTRES") == "" && !p.Facts.Partial && len(p.ownTerms()) == 0 {
		p.report(p.at("PriorityType"), "all weights are 0, so that every job has the same priority").
			Note("the queue is first come, first served; write PriorityWeightAge=1000 and the like, or PriorityType=priority/basic")
	}
}

func smallWeights(p *pass) {
	if !p.multifactor() {
		return
	}
	for _, name := range []string{"PriorityWeightAge", "PriorityWeightFairshare", "PriorityWeightJobSize"} {
		if n := p.number(name); p.isSet(name) && n > 0 && n < 1000 {
			p.report(p.at(name), "%s=%g gives %d different priorities at most", name, n, int(n)+1).
				Note("a factor is between 0 and 1 and a priority a whole number; use weights of 1000 and more, keeping their proportions")
		}
	}
}

func smallFairshareWeight(p *pass) {
	users := 0
	for _, r := range p.records["association"] {
		if strings.Contains(r.Name, "/") {
			users++
		}
	}
	if n := p.number("PriorityWeightFairshare"); p.multifactor() && p.fairTree() && n > 0 && n < float64(users) {
		p.report(p.at("PriorityWeightFairshare"), "PriorityWeightFairshare=%g cannot tell %d users apart", n, users).
			Note("Fair Tree puts neighbours 1/%d apart; write %d or more", users, 2*users)
	}
}

// tresWeights reads a list of weights; what cannot be read the parser has reported.
func tresWeights(text string) []slurmtext.TRESWeight {
	list, _ := slurmtext.ParseTRESWeights(text)
	return list
}

func largeTerms(p *pass) {
	if !p.multifactor() || !p.flag("PriorityFlags", "NO_NORMAL_TRES") && !p.flag("PriorityFlags", "NO_NORMAL_ALL") {
		return
	}
	for _, w := range tresWeights(p.text("PriorityWeightTRES")) {
		t := p.table(schema.TRES("partition", w.Name))
		if t == nil {
			continue
		}
		for _, r := range t.Rows {
			if most := r.Value.Double * w.Value; most > math.MaxUint32 {
				p.report(p.at("PriorityWeightTRES"), "%s of a job on all of partition %s adds %.0f, and a priority ends at %d", w.Name, r.Name, most, uint32(math.MaxUint32)).
					Note("NO_NORMAL_TRES multiplies the plain count, memory in MB; write a smaller weight")
				break
			}
		}
	}
}

func largeJobsFirst(p *pass) {
	size := p.number("PriorityWeightJobSize")
	if !p.multifactor() || size == 0 || p.number("PriorityFavorSmall") != 0 || len(p.weighs(slurmTerms)) < 2 {
		return
	}
	for _, name := range slurmTerms {
		if name != "PriorityWeightJobSize" && p.number(name) >= size {
			return
		}
	}
	p.report(p.at("PriorityWeightJobSize"), "large jobs come before small ones, whatever else counts").Note("write PriorityFavorSmall=YES to turn it round")
}

// jobFactors are the partitions' factors, as they come out of Priority, DEFAULT lines and defaults.
func (p *pass) jobFactors() (least, largest float64) {
	t := p.table("partition.priority_job_factor")
	if t == nil || len(t.Rows) == 0 {
		return 0, 0
	}
	least = math.Inf(1)
	for _, r := range t.Rows {
		least, largest = min(least, float64(r.Value.Int)), max(largest, float64(r.Value.Int))
	}
	return least, largest
}

func idlePartitionWeight(p *pass) {
	least, largest := p.jobFactors()
	if !p.multifactor() || !p.isSet("PriorityWeightPartition") || p.number("PriorityWeightPartition") == 0 || largest == 0 || least != largest || p.Facts.Partial {
		return
	}
	p.report(p.at("PriorityWeightPartition"), "all partitions have the factor %g, so PriorityWeightPartition gives every job the same", largest).
		Note("give partitions different PriorityJobFactor, or remove the weight")
}

func unusedJobFactors(p *pass) {
	least, largest := p.jobFactors()
	if !p.slurm() || least == largest || p.multifactor() && p.number("PriorityWeightPartition") != 0 || p.Facts.Partial {
		return
	}
	for _, r := range p.records["PartitionName"] {
		for _, key := range []string{"PriorityJobFactor", "Priority"} {
			a := r.Attr(key)
			if a == nil || a.Number() <= 1 {
				continue
			}
			if key == "Priority" { // it sets the tier too, which may be what is meant
				return
			}
			why := "PriorityWeightPartition is 0"
			if !p.multifactor() {
				why = "PriorityType is priority/basic"
			}
			p.report(a.Span, "PriorityJobFactor has no effect, because %s", why).Note("write PriorityWeightPartition=1000 with priority/multifactor, or remove the factors")
			return
		}
	}
}

func idleQOSWeight(p *pass) {
	list := p.records["QOS"]
	if !p.multifactor() || !p.isSet("PriorityWeightQOS") || p.number("PriorityWeightQOS") == 0 || len(list) == 0 {
		return
	}
	for _, r := range list {
		if r.Attr("Priority").Number() != list[0].Attr("Priority").Number() {
			return
		}
	}
	p.report(p.at("PriorityWeightQOS"), "all QOS have the priority %g, so PriorityWeightQOS gives every job the same", list[0].Attr("Priority").Number()).
		NoteAt(list[0].Span, "the dump says so").
		Note("give QOS different priorities with sacctmgr, or remove the weight")
}

func idleAssocWeight(p *pass) {
	list := p.records["association"]
	if !p.multifactor() || !p.isSet("PriorityWeightAssoc") || p.number("PriorityWeightAssoc") == 0 || len(list) == 0 {
		return
	}
	for _, r := range list {
		if r.Attr("Priority").Number() > 0 {
			return
		}
	}
	p.report(p.at("PriorityWeightAssoc"), "no association has a priority, so PriorityWeightAssoc adds nothing").
		Note("give accounts a Priority with sacctmgr, or remove the weight")
}

// rawFactors: a weight made for raw values is 1 or so, one made for fractions a thousand or more.
func rawFactors(p *pass) {
	if !p.multifactor() || !p.since("19.05") {
		return
	}
	_, factor := p.jobFactors()
	for _, f := range []struct {
		flag, weight string
		largest      float64
	}{{"NO_NORMAL_PART", "PriorityWeightPartition", factor}, {"NO_NORMAL_QOS", "PriorityWeightQOS", p.largestOf("QOS")}, {"NO_NORMAL_ASSOC", "PriorityWeightAssoc", p.largestOf("association")}} {
		if !p.flag("PriorityFlags", f.flag) && !p.flag("PriorityFlags", "NO_NORMAL_ALL") || p.number(f.weight) < 100 || f.largest == 1 {
			continue
		}
		d := p.report(p.at(f.weight), "with %s %s is multiplied by raw priorities", f.flag, f.weight).NoteAt(p.at("PriorityFlags"), "the flag stands here")
		if f.largest > 1 {
			d.Note("the largest gives %s points", strconv.FormatFloat(f.largest*p.number(f.weight), 'f', -1, 64))
		}
		d.Note("lower the weight, or remove the flag")
	}
}

// largestOf is the largest Priority of the records of a kind.
func (p *pass) largestOf(kind string) float64 {
	largest := 0.0
	for _, r := range p.records[kind] {
		largest = max(largest, r.Attr("Priority").Number())
	}
	return largest
}

// ownTerms are the site's own terms beside the library's.
func (p *pass) ownTerms() (list []*ir.Term) {
	for i := range p.Components {
		c := &p.Components[i]
		for k := range c.Terms {
			if t := &c.Terms[k]; ownText(t.Span) {
				list = append(list, t)
			}
		}
	}
	return list
}
