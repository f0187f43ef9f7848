package mauitext

import (
	"fmt"
)

// Span writes seconds as Maui does: [DD:][H]H:MM:SS, with two digits for zero hours only.
func Span(seconds int64) string {
	sign := ""
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	d, h, m, s := seconds/86400, seconds/3600%24, seconds/60%60, seconds%60
	switch {
	case d > 0:
		return fmt.Sprintf("%s%d:%02d:%02d:%02d", sign, d, h, m, s)
	case h > 0:
		return fmt.Sprintf("%s%d:%02d:%02d", sign, h, m, s)
	}
	return fmt.Sprintf("%s00:%02d:%02d", sign, m, s)
}
