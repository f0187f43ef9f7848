package engine

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/limit"
)

// block says why a job is not eligible, as diagnose -q finds it: it looks at the job once more,
// with all that runs in the end and with soft numbers (UIQueueDiagnose; recorded: t families).
// Limits of idle jobs are named when nothing else is, and the soft walk did not take the job.
// Of a negative priority Maui says nothing there (recorded: p32).
func (s *selection) block(job int32) *Block {
	var list []*Block
	if b := s.stopped[job]; b != nil {
		list = append(list, b)
	} else if s.queue.RejectNegative && s.scorer.priority[job] < 0 {
		list = append(list, &Block{Kind: BlockPriority})
	}
	if v, over := s.gate.CheckJob(int(job), limit.Soft); over {
		list = append(list, &Block{Kind: BlockLimit, Text: v.MauiText(defaultPartition), Limit: &v})
	} else if v, over := s.gate.CheckActive(int(job), limit.Soft); over {
		list = append(list, &Block{Kind: BlockLimit, Text: v.MauiText(defaultPartition), Limit: &v})
	}
	if v, over := s.caps.check(int(job)); over {
		list = append(list, &Block{Kind: BlockCap, Text: "would violate (null) FS cap in partition " + defaultPartition, Cap: &v})
	}
	if len(list) == 0 {
		list = append(list, s.idlePolicy(job))
	}
	first := list[0]
	first.Also = append(first.Also, list[1:]...)
	return first
}

// idlePolicy is the limit that the walks did not take the job for. Maui names it for jobs that the
// soft walk did not take; of one that the hard walk alone refused it says nothing
// (recorded: t20).
func (s *selection) idlePolicy(job int32) *Block {
	b := &Block{Kind: BlockLimit}
	v, over := s.refused[limit.Soft][job]
	if over {
		b.Text = "is blocked by idle job policy"
	} else if v, over = s.refused[limit.Hard][job]; !over {
		return b
	}
	b.Limit = &v
	return b
}

// defaultPartition is the name of the partition of nodes that have none of their own.
const defaultPartition = "DEFAULT"

// mauiDuration is [DD:][H]H:MM:SS, with two digits for zero hours only.
func mauiDuration(seconds int64) string {
	d, h, m, s := seconds/86400, seconds/3600%24, seconds/60%60, seconds%60
	switch {
	case d > 0:
		return fmt.Sprintf("%d:%02d:%02d:%02d", d, h, m, s)
	case h > 0:
		return fmt.Sprintf("%d:%02d:%02d", h, m, s)
	}
	return fmt.Sprintf("00:%02d:%02d", m, s)
}
