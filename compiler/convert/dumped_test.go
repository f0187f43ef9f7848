package convert

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// plainly finds a record of a dump as a reader of the file does: line by line.
func plainly(records []record, kind, name string) *record {
	parent := ""
	account, user, _ := strings.Cut(name, "/")
	for i := range records {
		r := &records[i]
		found := false
		switch r.kind {
		case "Parent":
			parent = r.name
		case "QOS":
			found = kind == "QOS" && strings.EqualFold(r.name, name)
		case "Cluster":
			found = kind == "association" && name == "root"
		case "Account":
			found = kind == "association" && user == "" && strings.EqualFold(r.name, account)
		case "User":
			found = kind == "association" && user != "" && strings.EqualFold(parent, account) && strings.EqualFold(r.name, user)
		}
		if found {
			return r
		}
	}
	return nil
}

// TestDumped: whatever is added, put before others or removed, each record is found that is there.
func TestDumped(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		w := newSlurmWriter(newWriter(&ir.Policy{}, nil))
		for range 60 {
			kind, name := "association", []string{"root", "Bio", "bio", "phys", "bio/amy", "phys/amy", "phys/Amy", "phys/bo"}[random.IntN(8)]
			switch random.IntN(8) {
			case 0, 1:
				kind, name = "QOS", fmt.Sprint("q", random.IntN(5))
			case 2:
				w.setParam(fmt.Sprint("P", random.IntN(3)), "1", w.policy.Span)
				continue
			case 3:
				w.records = append(w.records, record{kind: fmt.Sprint("P", random.IntN(3)), value: &setting{}})
				continue
			case 4:
				if random.IntN(4) == 0 {
					w.placeholderNodes()
				}
				continue
			}
			before := plainly(w.records, kind, name)
			got := w.slurmRecord(kind, name, setting{})
			if want := plainly(w.records, kind, name); got == nil || got != want || before != nil && before.name != got.name {
				t.Fatalf("%s %s is %+v, want %+v of\n%+v", kind, name, got, want, w.records)
			}
		}
	}
}
