package manager_test

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/manager"
)

// FuzzAnswer: whatever commands print, what is read of it can be asked about and set without any of it
// becoming more than one argument or one line.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(qstat), []byte(checkjob))
	f.Add([]byte(checkjob), []byte(qstat))
	f.Add([]byte(`{"job":"1","submitted":"s","standing":"held","value":3}`+"\n"), []byte("PE"))
	f.Add([]byte("JOBID|PARTITION|USER|PRIORITY|SITE\n1|main|ana|7|1\n"),
		[]byte("JobId=1 JobState=PENDING Priority=7 UserId=ana(1) SubmitTime=2026-11-20T12:00:00\n"))
	f.Add([]byte(sprioHead+"22|main|ana|26|5\n"), []byte(squeueHead+"22|21_2|21|2|PENDING|26|2026-11-20T12:00:00|main|\n"))
	f.Add([]byte("PE\n"), []byte("PE:"))
	f.Add([]byte(qstat), []byte(torque))
	site, file := manager.SiteCommand([]string{"feed"}), manager.SiteFile("out")
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, feeder := range []manager.Feeder{manager.SlurmSiteFactor, manager.SlurmPriority, manager.PBSPriority,
			resource(), manager.MauiSystemPriority, site, file} {
			held, err := feeder.Answer([]manager.Holding{{Job: "1"}}, [][]byte{a, b})
			if err != nil {
				continue
			}
			feeder.Ask(held)
			for _, h := range held {
				feeder.Alongside(h, held)
				calls := feeder.Set([]manager.Setting{{Holding: h, New: 5}}, held)
				for _, c := range calls {
					if len(c.Argv) > 4 {
						t.Errorf("%s: %q", feeder.Kind(), c.Argv)
					}
					if feeder == manager.SlurmSiteFactor && countLines(c.Input) > 1 {
						t.Errorf("%q makes %q", h.Name, c.Input)
					}
				}
			}
		}
	})
}

func countLines(text []byte) (n int) {
	for _, c := range text {
		if c == '\n' {
			n++
		}
	}
	return n
}
