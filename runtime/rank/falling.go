package rank

// Falling sorts by falling key; equal keys keep their order.
func Falling(order []int32, key func(job int) int64) []int32 {
	keys := make([]int64, len(order))
	same := true
	for k, i := range order {
		keys[k] = key(int(i))
		same = same && keys[k] == keys[0]
	}
	if same {
		return order
	}
	out := make([]int32, len(order))
	for k, at := range Descending(keys) {
		out[k] = order[at]
	}
	return out
}
