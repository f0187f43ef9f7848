package program

import (
	"cmp"
	"slices"
	"strings"
)

// TreeOrder sorts associations as sshare lists them, each account before what is below it. Equal
// levels of Fair Tree go by the order in which slurmctld has the associations, which is the same unless
// PlaceOrder says otherwise. Those whose account is missing come last.
//
// Since 23.11 associations are sorted by lineage (slurmdb_sort_hierarchical_assoc_list). Before, users
// come before accounts, both by name, and a user's partitions as they were given.
func TreeOrder(list []Association, version string) []Association {
	compare := byName
	if version == "" || version >= "23.11" {
		compare = byLineage
	}
	return depthFirst(list, func(siblings []int) {
		slices.SortStableFunc(siblings, func(i, j int) int { return compare(&list[i], &list[j]) })
	})
}

// PlaceOrder sorts siblings by the places that the database gives them (lft), which is the order in
// which slurmctld before 23.11 has them when it starts; new accounts come before older ones. If a
// sibling has no place, all of them keep their order.
func PlaceOrder(list []Association, place func(key string) (n int64, ok bool)) []Association {
	places := make([]int64, len(list))
	return depthFirst(list, func(siblings []int) {
		for _, i := range siblings {
			n, ok := place(list[i].Key())
			if !ok {
				return
			}
			places[i] = n
		}
		slices.SortStableFunc(siblings, func(i, j int) int { return cmp.Compare(places[i], places[j]) })
	})
}

func byName(a, b *Association) int {
	if (a.User != "") != (b.User != "") {
		return cmp.Compare(b.User, a.User) // a user's name is not empty
	}
	return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Account, b.Account))
}

func byLineage(a, b *Association) int { return strings.Compare(a.lineage(), b.lineage()) }

// lineage is what an association adds to that of the account above (as_mysql_assoc.c: _set_lineage).
func (a *Association) lineage() string {
	switch {
	case a.User == "":
		return a.Account + "/"
	case a.Partition == "":
		return "0-" + a.User + "/"
	}
	return "0-" + a.User + "/" + a.Partition + "/"
}

// depthFirst puts each account before what is below it, with siblings as sort leaves them.
func depthFirst(list []Association, sort func(siblings []int)) []Association {
	below := map[string][]int{}
	for i, a := range list {
		switch {
		case a.User != "":
			below[a.Account] = append(below[a.Account], i)
		case a.Parent != "":
			below[a.Parent] = append(below[a.Parent], i)
		}
	}
	for _, siblings := range below {
		sort(siblings)
	}
	out, taken := make([]Association, 0, len(list)), make([]bool, len(list))
	var walk func(i int)
	walk = func(i int) {
		if taken[i] {
			return
		}
		taken[i] = true
		out = append(out, list[i])
		if list[i].User == "" {
			for _, child := range below[list[i].Account] {
				walk(child)
			}
		}
	}
	for i, a := range list {
		if a.User == "" && a.Parent == "" {
			walk(i)
		}
	}
	for i := range list {
		walk(i)
	}
	return out
}
