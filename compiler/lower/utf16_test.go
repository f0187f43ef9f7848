package lower

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/fairway-sched/fairway/lang/source"
)

// TestUTF16: a file saved as UTF-16 is called by its name, with or without a mark of the byte order.
func TestUTF16(t *testing.T) {
	words := utf16.Encode([]rune("ClusterName=c\nSlurmctldHost=h\n"))
	for _, mark := range []string{"", "\xff\xfe"} {
		var little, big []byte
		for _, w := range words {
			little, big = append(little, byte(w), byte(w>>8)), append(big, byte(w>>8), byte(w))
		}
		little = append([]byte(mark), little...)
		if mark != "" {
			big = append([]byte("\xfe\xff"), big...)
		}
		for _, text := range [][]byte{little, big} {
			_, diags := Parse(source.NewFile("slurm.conf", text), "", Files{})
			if len(diags) != 1 || !strings.Contains(diags[0].Notes[0].Text, "UTF-16") {
				t.Errorf("%q: %v", text[:4], diags)
			}
		}
	}
}
