package convert

import "strings"

// dumpIndex finds the records of a dump by name: a site has thousands of users, each with several settings.
type dumpIndex struct {
	at     map[string]int // the first of each
	seen   int            // how many records are in it
	parent string         // below which the next would stand
}

// dumpKey is the name of a record: that of a user is of its account, and of a partition.
func dumpKey(kind, name, account, partition string) string {
	return strings.ToLower(strings.Join([]string{kind, name, account, partition}, "\x00"))
}

// dumped is where each record of a dump stands. Records are added at the end; what else moves them says so.
func (g *gathered) dumped() map[string]int {
	x := &g.index
	if x.at == nil || x.seen > len(g.records) {
		*x = dumpIndex{at: map[string]int{}}
	}
	for ; x.seen < len(g.records); x.seen++ {
		r, key := &g.records[x.seen], ""
		switch strings.ToLower(r.kind) {
		case "parent":
			x.parent = r.name
			continue
		case "cluster":
			key = dumpKey(r.kind, "", "", "")
		case "account", "qos":
			key = dumpKey(r.kind, r.name, "", "")
		case "user":
			key = dumpKey(r.kind, r.name, x.parent, r.text("Partition"))
		default:
			continue
		}
		if _, has := x.at[key]; !has {
			x.at[key] = x.seen
		}
	}
	return x.at
}

// inserted is told of a record that is put before others.
func (x *dumpIndex) inserted(at int, key string) {
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
