package engine

import (
	"strconv"
	"strings"
)

// maxTasks bounds how many tasks of one array record are read.
const maxTasks = 1 << 20

// taskIDs reads the tasks of an array's record: 1,3,7-9 or 0-8:2. What is cut off or no list is none.
func taskIDs(text string) []int64 {
	if text == "" {
		return nil
	}
	var list []int64
	for part := range strings.SplitSeq(text, ",") {
		span, step, stepped := strings.Cut(strings.TrimSpace(part), ":")
		by := int64(1)
		if stepped {
			n, err := strconv.ParseInt(step, 10, 32)
			if err != nil || n < 1 {
				return nil
			}
			by = n
		}
		from, to, isRange := strings.Cut(span, "-")
		first, err := strconv.ParseInt(from, 10, 64)
		last := first
		if err == nil && isRange {
			last, err = strconv.ParseInt(to, 10, 64)
		}
		if err != nil || first < 0 || last < first || (last-first)/by >= maxTasks-int64(len(list)) {
			return nil
		}
		for id := first; id <= last; id += by {
			list = append(list, id)
		}
	}
	return list
}
