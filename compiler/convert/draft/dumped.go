package draft

import "strings"

// DumpIndex finds the records of a dump by name: a site has thousands of users, each with several settings.
type DumpIndex struct {
	at     map[string]int // the first of each
	seen   int            // how many records are in it
	Parent string         // below which the next would go
}

// DumpKey is the name of a record: that of a user is of its account, and of a partition.
func DumpKey(kind, name, account, partition string) string {
	return strings.ToLower(strings.Join([]string{kind, name, account, partition}, "\x00"))
}

// Dumped is where each record of a dump is. Records are added at the end; what else moves them says so.
func (g *gathered) Dumped() map[string]int {
	x := &g.Index
	if x.at == nil || x.seen > len(g.Records) {
		*x = DumpIndex{at: map[string]int{}}
	}
	for ; x.seen < len(g.Records); x.seen++ {
		r, key := &g.Records[x.seen], ""
		switch strings.ToLower(r.Kind) {
		case "parent":
			x.Parent = r.Name
			continue
		case "cluster":
			key = DumpKey(r.Kind, "", "", "")
		case "account", "qos":
			key = DumpKey(r.Kind, r.Name, "", "")
		case "user":
			key = DumpKey(r.Kind, r.Name, x.Parent, r.Text("Partition"))
		default:
			continue
		}
		if _, has := x.at[key]; !has {
			x.at[key] = x.seen
		}
	}
	return x.at
}

// Inserted is notified of a record that is put before others.
func (x *DumpIndex) Inserted(at int, key string) {
	if at >= x.seen {
		return // it is to be seen yet
	}
	for other, i := range x.at {
		if i >= at {
			x.at[other] = i + 1
		}
	}
	x.at[key] = at
	x.seen++
}
