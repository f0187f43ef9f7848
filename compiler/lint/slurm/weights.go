package slurm

import (
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// weightsRules are the rules about the weights of priority/multifactor.
var weightsRules = []rule.Rule{
	{Code: "slurm-no-weights", Check: noWeights},
	{Code: "slurm-weight-small", Check: smallWeights},
	{Code: "slurm-fairshare-weight-small", Check: smallFairshareWeight},
	{Code: "slurm-term-too-large", Check: largeTerms},
	{Code: "slurm-large-jobs-first", Check: largeJobsFirst},
	{Code: "slurm-partition-weight-idle", Check: idlePartitionWeight},
	{Code: "slurm-qos-weight-idle", Check: idleQOSWeight},
	{Code: "slurm-assoc-weight-idle", Check: idleAssocWeight},
	{Code: "slurm-raw-factor-weight", Check: rawFactors},
	{Code: "slurm-job-factor-unused", Check: unusedJobFactors},
}

// slurmTerms are the weights that are whole numbers.
var slurmTerms = []string{
	"PriorityWeightAge",
	"PriorityWeightAssoc",
	"PriorityWeightFairshare",
	"PriorityWeightJobSize",
	"PriorityWeightPartition",
	"PriorityWeightQOS",
}

func noWeights(p *rule.Pass) {
	if p.Multifactor() && p.IsSet("PriorityType") && len(p.Weighs(slurmTerms)) == 0 &&
		p.Text("PriorityWeightTRES") == "" &&
		!p.Facts.Partial &&
		len(ownTerms(p)) == 0 {
		weight := "PriorityWeightAge"
		if !hasDatabase(p) { // which age needs
			weight = "PriorityWeightJobSize"
		}
		p.Report(p.At("PriorityType"), "all weights are 0, so that every job has the same priority").
			Note("the queue is first come, first served; write %s=1000 and the like, or PriorityType=priority/basic", weight)
	}
}

func smallWeights(p *rule.Pass) {
	if !p.Multifactor() {
		return
	}
	for _, name := range []string{"PriorityWeightAge", "PriorityWeightFairshare", "PriorityWeightJobSize"} {
		if n := p.Number(name); p.IsSet(name) && n > 0 && n < 1000 {
			p.Report(p.At(name), "%s=%g gives %d different priorities at most", name, n, int(n)+1).
				Note("a factor is between 0 and 1 and a priority a whole number; use weights of 1000 and more, " +
					"keeping their proportions")
		}
	}
	for _, f := range []struct{ name, raw string }{{"PriorityWeightQOS", "NO_NORMAL_QOS"},
		{"PriorityWeightPartition", "NO_NORMAL_PART"}, {"PriorityWeightAssoc", "NO_NORMAL_ASSOC"}} {
		n := p.Number(f.name)
		if p.IsSet(f.name) && n > 0 && n < 10 && !p.Flag("PriorityFlags", f.raw) &&
			!p.Flag("PriorityFlags", "NO_NORMAL_ALL") {
			p.Report(p.At(f.name), "%s=%g gives %d different priorities at most", f.name, n, int(n)+1).
				Note("its factor is divided by the largest of all, so it is 1 at most; use weights of 1000 and more")
		}
	}
}

func smallFairshareWeight(p *rule.Pass) {
	users := 0
	for _, r := range p.Records["association"] {
		if strings.Contains(r.Name, "/") {
			users++
		}
	}
	if n := p.Number("PriorityWeightFairshare"); p.Multifactor() && p.FairTree() && n > 0 && n < float64(users) {
		p.Report(p.At("PriorityWeightFairshare"), "PriorityWeightFairshare=%g cannot tell %d users apart", n, users).
			Note("Fair Tree puts neighbours 1/%d apart; write %d or more", users, 2*users)
	}
}

// tresWeights reads a list of weights; what cannot be read the parser has reported.
func tresWeights(text string) []slurmtext.TRESWeight {
	list, _ := slurmtext.ParseTRESWeights(text)
	return list
}

func largeTerms(p *rule.Pass) {
	if !p.Multifactor() || !p.Flag("PriorityFlags", "NO_NORMAL_TRES") && !p.Flag("PriorityFlags", "NO_NORMAL_ALL") {
		return
	}
	for _, w := range tresWeights(p.Text("PriorityWeightTRES")) {
		t := p.Table(schema.TRES("partition", w.Name))
		if t == nil {
			continue
		}
		for _, r := range t.Rows {
			if most := r.Value.Double * w.Value; most > math.MaxUint32 {
				p.Report(p.At("PriorityWeightTRES"),
					"%s of a job on all of partition %s adds %.0f, and a priority ends at %d", w.Name, r.Name, most,
					uint32(math.MaxUint32)).
					Note("NO_NORMAL_TRES multiplies the plain count, memory in MB; write a smaller weight")
				break
			}
		}
	}
}

func largeJobsFirst(p *rule.Pass) {
	size := p.Number("PriorityWeightJobSize")
	if !p.Multifactor() || size == 0 || p.Number("PriorityFavorSmall") != 0 || len(p.Weighs(slurmTerms)) < 2 {
		return
	}
	for _, name := range slurmTerms {
		if name != "PriorityWeightJobSize" && p.Number(name) >= size {
			return
		}
	}
	p.Report(p.At("PriorityWeightJobSize"), "large jobs come before small ones, whatever else counts").
		Note("write PriorityFavorSmall=YES to turn it round")
}

// jobFactors are the partitions' factors, as they come out of Priority, DEFAULT lines and defaults.
func jobFactors(p *rule.Pass) (least, largest float64) {
	t := p.Table("partition.priority_job_factor")
	if t == nil || len(t.Rows) == 0 {
		return 0, 0
	}
	least = math.Inf(1)
	for _, r := range t.Rows {
		least, largest = min(least, float64(r.Value.Int)), max(largest, float64(r.Value.Int))
	}
	return least, largest
}

func idlePartitionWeight(p *rule.Pass) {
	least, largest := jobFactors(p)
	if !p.Multifactor() || !p.IsSet("PriorityWeightPartition") || p.Number("PriorityWeightPartition") == 0 ||
		largest == 0 ||
		least != largest ||
		p.Facts.Partial {
		return
	}
	p.Report(p.At("PriorityWeightPartition"),
		"all partitions have the factor %g, so PriorityWeightPartition gives every job the same", largest).
		Note("give partitions different PriorityJobFactor, or remove the weight")
}

func unusedJobFactors(p *rule.Pass) {
	least, largest := jobFactors(p)
	if least == largest || p.Multifactor() && p.Number("PriorityWeightPartition") != 0 ||
		p.Facts.Partial {
		return
	}
	for _, r := range p.Records["PartitionName"] {
		for _, key := range []string{"PriorityJobFactor", "Priority"} {
			a := r.Attr(key)
			if a == nil || a.Number() <= 1 {
				continue
			}
			if key == "Priority" { // it sets the tier too, which may be what is meant
				return
			}
			why := "PriorityWeightPartition is 0"
			if !p.Multifactor() {
				why = "PriorityType is priority/basic"
			}
			p.Report(a.Span, "PriorityJobFactor has no effect, because %s", why).
				Note("write PriorityWeightPartition=1000 with priority/multifactor, or remove the factors")
			return
		}
	}
}

func idleQOSWeight(p *rule.Pass) {
	list := p.Records["QOS"]
	if !p.Multifactor() || !p.IsSet("PriorityWeightQOS") || p.Number("PriorityWeightQOS") == 0 || len(list) == 0 {
		return
	}
	for _, r := range list {
		if r.Attr("Priority").Number() != list[0].Attr("Priority").Number() {
			return
		}
	}
	p.Report(p.At("PriorityWeightQOS"), "all QOS have the priority %g, so PriorityWeightQOS gives every job the same",
		list[0].Attr("Priority").Number()).
		NoteAt(list[0].Span, "the dump says so").
		Note("give QOS different priorities with sacctmgr, or remove the weight")
}

func idleAssocWeight(p *rule.Pass) {
	list := p.Records["association"]
	if !p.Multifactor() || !p.IsSet("PriorityWeightAssoc") || p.Number("PriorityWeightAssoc") == 0 || len(list) == 0 {
		return
	}
	for _, r := range list {
		if r.Attr("Priority").Number() > 0 {
			return
		}
	}
	p.Report(p.At("PriorityWeightAssoc"), "no association has a priority, so PriorityWeightAssoc adds nothing").
		Note("give accounts a Priority with sacctmgr, or remove the weight")
}

// rawFactors: a weight made for raw values is 1 or so, one made for fractions a thousand or more.
func rawFactors(p *rule.Pass) {
	if !p.Multifactor() || !p.Since("19.05") {
		return
	}
	_, factor := jobFactors(p)
	for _, f := range []struct {
		flag, weight string
		largest      float64
	}{{"NO_NORMAL_PART", "PriorityWeightPartition", factor}, {"NO_NORMAL_QOS", "PriorityWeightQOS", largestOf(p,
		"QOS")}, {"NO_NORMAL_ASSOC", "PriorityWeightAssoc", largestOf(p, "association")}} {
		if !p.Flag("PriorityFlags", f.flag) && !p.Flag("PriorityFlags", "NO_NORMAL_ALL") || p.Number(f.weight) < 100 ||
			f.largest == 1 {
			continue
		}
		d := p.Report(p.At(f.weight), "with %s %s is multiplied by raw priorities", f.flag, f.weight).
			NoteAt(p.At("PriorityFlags"), "the flag is set here")
		if f.largest > 1 {
			d.Note("the largest gives %s points", strconv.FormatFloat(f.largest*p.Number(f.weight), 'f', -1, 64))
		}
		d.Note("lower the weight, or remove the flag")
	}
}

// largestOf is the largest Priority of the records of a kind.
func largestOf(p *rule.Pass, kind string) float64 {
	largest := 0.0
	for _, r := range p.Records[kind] {
		largest = max(largest, r.Attr("Priority").Number())
	}
	return largest
}

// ownTerms are the site's own terms beside the library's.
func ownTerms(p *rule.Pass) (list []*ir.Term) {
	for i := range p.Components {
		c := &p.Components[i]
		for k := range c.Terms {
			if t := &c.Terms[k]; rule.OwnText(t.Span) {
				list = append(list, t)
			}
		}
	}
	return list
}
