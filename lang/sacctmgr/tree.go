package sacctmgr

import (
	"cmp"
	"slices"
)

// inTreeOrder sorts associations as sshare and the scheduler walk them: each
// account before what is below it, users before accounts, both by name; one
// user's partitions keep the order of the file. The order decides ties in Fair
// Tree. Associations whose account is not in the
// file come last, in file order.
func inTreeOrder(found []Association) []Association {
	children := map[string][]int{}
	for i, a := range found {
		switch {
		case a.User != "":
			children[a.Account] = append(children[a.Account], i)
		case a.Parent != "":
			children[a.Parent] = append(children[a.Parent], i)
		}
	}
	for _, list := range children {
		slices.SortStableFunc(list, func(i, j int) int {
			a, b := found[i], found[j]
			if (a.User != "") != (b.User != "") {
				return cmp.Compare(b.User, a.User) // a user's name is not empty
			}
			return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Account, b.Account))
		})
	}
	var out []Association
	taken := make([]bool, len(found))
	var walk func(i, depth int)
	walk = func(i, depth int) {
		if taken[i] {
			return
		}
		taken[i] = true
		a := found[i]
		a.Depth = depth
		out = append(out, a)
		if a.User == "" {
			for _, child := range children[a.Account] {
				walk(child, depth+1)
			}
		}
	}
	for i, a := range found {
		if a.User == "" && a.Parent == "" {
			walk(i, 0)
		}
	}
	for i := range found {
		walk(i, 1)
	}
	return out
}
