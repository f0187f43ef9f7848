package slurm

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
)

// plainly finds a record of a dump as a reader of the file does: line by line.
func plainly(records []draft.Record, kind, name string) *draft.Record {
	parent := ""
	account, user, _ := strings.Cut(name, "/")
	for i := range records {
		r := &records[i]
		found := false
		switch r.Kind {
		case "Parent":
			parent = r.Name
		case "QOS":
			found = kind == "QOS" && strings.EqualFold(r.Name, name)
		case "Cluster":
			found = kind == "association" && name == "root"
		case "Account":
			found = kind == "association" && user == "" && strings.EqualFold(r.Name, account)
		case "User":
			found = kind == "association" && user != "" && strings.EqualFold(parent, account) && strings.EqualFold(r.Name, user)
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
		w := newWriter(draft.NewWriter(&ir.Policy{}, nil))
		for range 60 {
			kind, name := "association", []string{"root", "Bio", "bio", "phys", "bio/amy", "phys/amy", "phys/Amy",
				"phys/bo"}[random.IntN(8)]
			switch random.IntN(8) {
			case 0, 1:
				kind, name = "QOS", fmt.Sprint("q", random.IntN(5))
			case 2:
				w.SetParam(fmt.Sprint("P", random.IntN(3)), "1", w.Policy.Span)
				continue
			case 3:
				w.Records = append(w.Records, draft.Record{Kind: fmt.Sprint("P", random.IntN(3)), Value: &draft.Setting{}})
				continue
			case 4:
				if random.IntN(4) == 0 {
					w.placeholderNodes()
				}
				continue
			}
			before := plainly(w.Records, kind, name)
			got := w.recordOf(kind, name, draft.Setting{})
			if want := plainly(w.Records, kind, name); got == nil || got != want || before != nil && before.Name != got.Name {
				t.Fatalf("%s %s is %+v, want %+v of\n%+v", kind, name, got, want, w.Records)
			}
		}
	}
}
