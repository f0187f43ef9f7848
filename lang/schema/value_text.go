package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// String prints a boxed value as CEL would write it.
func (v Value) String() string {
	switch v.Type {
	case Bool:
		return strconv.FormatBool(v.Int != 0)
	case Int:
		return strconv.FormatInt(v.Int, 10)
	case Double:
		s := strconv.FormatFloat(v.Double, 'g', -1, 64)
		if !strings.ContainsAny(s, ".eIN") {
			s += ".0"
		}
		return s
	case String:
		return strconv.Quote(v.Str)
	case Timestamp:
		return fmt.Sprintf("timestamp(%d)", v.Int)
	case Duration:
		return fmt.Sprintf("duration(%dns)", v.Int)
	case StringList:
		return fmt.Sprintf("%q", v.List)
	}
	return "unknown"
}
