package program

import (
	"cmp"
	"slices"
)

// TreeOrder sorts associations as sshare lists them: each account before what is below it, its
// users before its accounts, both by name; a user's partitions as they were given. Equal levels
// of Fair Tree go by this order. Those whose account is missing come last.
func TreeOrder(list []Association) []Association {
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
		slices.SortStableFunc(siblings, func(i, j int) int {
			a, b := list[i], list[j]
			if (a.User != "") != (b.User != "") {
				return cmp.Compare(b.User, a.User) // a user's name is not empty
			}
			return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Account, b.Account))
		})
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
