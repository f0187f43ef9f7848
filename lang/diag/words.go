package diag

import "fmt"

// Count is "1 node" or "2 nodes".
func Count[N int | int32 | int64](n N, what string) string {
	return fmt.Sprintf("%d %s", n, Agree(n, what, what+"s"))
}

// Agree is the word that goes with one of something, or with any other number of it.
func Agree[N int | int32 | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
