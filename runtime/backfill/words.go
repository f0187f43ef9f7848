package backfill

import (
	"fmt"
	"strings"
)

// Count writes a number with what is counted: 1 task, 3 tasks.
func Count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// agreeing puts the verb that words begin with in the number of what is counted.
func agreeing(n int64, words string) string {
	if n == 1 {
		words = strings.Replace(strings.Replace(words, "have ", "has ", 1), "are ", "is ", 1)
	}
	return words
}

// duration is a time for people, as Slurm writes it: 02:00:00, 1-12:00:00.
func duration(seconds int64) string {
	if seconds >= Forever {
		return "no end"
	}
	clock := fmt.Sprintf("%02d:%02d:%02d", seconds/3600%24, seconds/60%60, seconds%60)
	if days := seconds / 86400; days > 0 {
		return fmt.Sprintf("%d-%s", days, clock)
	}
	return clock
}
