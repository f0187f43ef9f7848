package snapshot

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/column"
)

// slurmUsage is what jobs of an association or a QOS have used, decayed.
type slurmUsage struct {
	billing     optional[float64] // billing-seconds
	wall        optional[float64] // seconds
	tresMinutes optional[slurmtext.TRESList]
}

func (u *slurmUsage) set(b *column.Builder, object string) {
	setDouble(b, schema.ColumnID(object+".usage_seconds"), u.billing)
	setDouble(b, schema.ColumnID(object+".usage_wall_seconds"), u.wall)
	for _, t := range u.tresMinutes.value {
		b.Double(schema.ColumnID(object+".usage_tres_minutes("+t.Name+")"), float64(t.Count))
	}
}

// pair reads what scontrol show assoc_mgr writes beside limits: limit(used), N for no limit.
// Times are in minutes, whole ones but for GrpWall. Where nothing stands, nothing is known of use.
func (u *slurmUsage) pair(p pair) error {
	if p.value == "" {
		return nil
	}
	switch p.key {
	case "GrpWall":
		used, err := usedOf(p.value)
		if err != nil {
			return err
		}
		if u.wall, err = textDouble(used); u.wall.stated {
			u.wall.value *= 60
		}
		return err
	case "GrpTRESMins":
		var list []string
		for entry := range strings.SplitSeq(p.value, ",") {
			name, value, _ := strings.Cut(entry, "=")
			used, err := usedOf(value)
			if err != nil {
				return err
			}
			list = append(list, name+"="+used)
		}
		var err error
		u.tresMinutes, err = textTRES(strings.Join(list, ","))
		return err
	}
	return nil
}

// usedOf is what stands in the parentheses.
func usedOf(text string) (string, error) {
	_, rest, open := strings.Cut(text, "(")
	used, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !open || !closed || used == "" {
		return "", fmt.Errorf("%q is not of the form limit(used)", text)
	}
	return used, nil
}
