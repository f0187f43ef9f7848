package maui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/compiler/lower/mauiplan"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/source"
)

// partitions collects what is set for one partition and gives numbers their names.
func (f *reader) partitions(cfg *mauicfg.Config, opt front.Options) {
	names := partitionNames(cfg)
	for _, p := range cfg.Params {
		row := mauiplan.Row(p.Name)
		weighs := strings.HasSuffix(p.Name, "WEIGHT") || strings.HasSuffix(p.Name, "CAP")
		if row == nil || row.Index != "partition" || row.Category != "priority" || !weighs || p.Index == "" {
			continue
		}
		name := p.Index
		if n, err := strconv.Atoi(name); err == nil && opt.Documented("partition_weights") {
			if n >= len(names) {
				f.Diags.Warnf("maui-partition-number", p.NameSpan,
					"%s[%d] is for a partition that the file does not name", p.Name, n).
					Note("write the partition's name; numbers count ALL, DEFAULT " +
						"and then the names in their order in the file")
				continue
			}
			name = names[n]
		}
		f.Partitions = append(f.Partitions, front.PartitionSetting{Partition: name,
			Setting: front.Setting{Name: p.Name, Value: Value(p.Value), Raw: p.Raw, Span: p.Span}})
	}
}

// partitionNames lists the partitions by number: two that always exist, then those that
// the file names, from its top to its bottom.
func partitionNames(cfg *mauicfg.Config) []string {
	type mention struct {
		name string
		at   source.Span
	}
	var seen []mention
	for _, p := range cfg.Params {
		row, named := mauiplan.Row(p.Name), p.Index != "" && (p.Index[0] < '0' || p.Index[0] > '9')
		if row != nil && row.Index == "partition" && named {
			seen = append(seen, mention{p.Index, p.NameSpan})
		}
	}
	for i := range cfg.Objects {
		if a := cfg.Objects[i].Attr("PARTITION", ""); cfg.Objects[i].Family == "NODECFG" && a != nil {
			seen = append(seen, mention{a.Value.Text, a.Span})
		}
	}
	slices.SortStableFunc(seen, func(a, b mention) int { return int(a.at.Start) - int(b.at.Start) })
	names := []string{"ALL", "DEFAULT"}
	for _, m := range seen {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}
