package lint_test

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

// TestAdvice: what findings say beyond their code, and where they are.
func TestAdvice(t *testing.T) {
	for _, c := range []struct{ name, version, text, code, place, advice string }{
		{"maui.cfg", "", "SERVERHOST h\nQOSCFG[normal] QFLAGS=NOBF\nRESERVATIONQOSLIST[0] DEFAULT,normal\n",
			"maui-bucket-without-qos", "", "by blanks"},
		{"slurm.conf", "", "PartitionName=p JobDefaults=DefCpuPerGPU=2\n", "slurm-unknown-key", "JobDefaults",
			"DefCpuPerGPU=N or DefMemPerGPU=N"},
		{"slurm.conf", "23.02", "SchedulerParameters=bf_allow_magnetic_slots\n", "slurm-unknown-word",
			"bf_allow_magnetic_slots", "bf_allow_magnetic_slot comes with 24.11"},
	} {
		found := false
		for _, d := range lintFiles(c.version, source.NewFile(c.name, []byte(c.text))).Diags {
			if d.Code != c.code {
				continue
			}
			said := ""
			for _, n := range d.Notes {
				said += n.Text + "\n"
			}
			found = true
			if !strings.Contains(said, c.advice) || c.place != "" && d.Span.Text() != c.place {
				t.Errorf("%s: at %q: %s", c.code, d.Span.Text(), said)
			}
		}
		if !found {
			t.Errorf("%q gives no %s", c.text, c.code)
		}
	}
}
