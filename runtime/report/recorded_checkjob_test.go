package report_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/maui"
)

// notShown are the lines of checkjob that no snapshot can say, and why.
var notShown = []struct{ line, why string }{
	{`^Exec:|^IWD:`, "what the job executes is the resource manager's business"},
	{`^Opsys:`, "the snapshots of the recordings ask for no operating system"},
	{`^(Utilized|Avg Util|Max Util) `, "what a job really uses is not in a queue"},
	{`^NodeAccess:`, "of the parameters of node allocation, which comes with the planner"},
	{`^Reservation '|^WARNING:  active job has no reservation`, "reservations are the planner's"},
	{`^PartitionMask: (\[ALL\]|\[DEFAULT\].*)$`, "the job asked for no partition"},
	{`^Flags:       (BACKFILL|PREEMPTEE)|^Attr: `,
		"how a job was started and whether it may be preempted is the planner's"},
	{`^job can(not)? run in partition \S+ \(|^Detailed Node|rejected : |^Rejection Reasons|^idle procs:`,
		"where the job would fit is the planner's"},
}

// onlyMaui are the lines of jobs whose nodes Maui chose in this iteration.
var chosenNodes = regexp.MustCompile(`^Allocated Nodes:|^\[.*:\d+\]|^Task Distribution:`)

// checkCheckJob: what is shown must be in the recorded text, in its order; what is not shown must
// be one of the named lines.
func checkCheckJob(c comparison, want string) {
	for _, block := range strings.Split("\n"+want, "\n$ checkjob -v ") {
		id, recordedText, _ := strings.Cut(block, "\n")
		id = strings.TrimPrefix(id, "$ checkjob -v ")
		job := -1
		for i := range c.r.Jobs.Rows {
			if c.r.Jobs.Value("job.id", i).Str == id {
				job = i
			}
		}
		if job < 0 || strings.Contains(recordedText, "cannot locate job") {
			continue
		}
		if strings.Contains(recordedText, "EState: Deferred") && c.r.Why[int32(job)] == nil {
			continue // Maui found no nodes for it
		}
		c.checkJob(id, job, recordedText)
	}
}

// unlike names lines of single jobs that differ, and why.
var unlike = []struct{ name, job, line, why string }{
	{"b07-holds-release-deadline", "j.005", `^WallTime: |^  \(Time Queued`,
		"a suspended job of which the resource manager says no start"},
	{"b07-holds-release-deadline", "j.005", `^Allocated Nodes:|^Task Distribution:|^WARNING:  allocated tasks`,
		"nor where it ran"},
	{"big03-backfill-bestfit", "j.050", `^Bypass: `, "nothing of the recording says which jobs backfill started"},
}

func (c comparison) checkJob(id string, job int, want string) {
	got := text(c.T, maui.WriteCheckJob, c.r, eval.Options{Jobs: []int{job}})
	for _, u := range unlike {
		if u.name == c.name && u.job == id {
			want, got = without(want, u.line), without(got, u.line)
		}
	}
	lines := nonBlank(want)
	for _, line := range nonBlank(got) {
		at := slices.IndexFunc(lines, func(w string) bool { return strings.Contains(w, line) })
		if at < 0 {
			c.Errorf("iteration %d, checkjob %s: %q is not in the rest of the recorded text:\n%s", c.it.Index, id, line,
				strings.Join(lines, "\n"))
			return
		}
		c.passedOver(id, job, lines[:at])
		lines = lines[at+1:]
	}
	c.passedOver(id, job, lines)
}

// passedOver: recorded lines that are not shown.
func (c comparison) passedOver(id string, job int, lines []string) {
	for _, line := range lines {
		named := slices.ContainsFunc(notShown,
			func(n struct{ line, why string }) bool { return regexp.MustCompile(n.line).MatchString(line) })
		if !named && !(slices.Contains(c.r.Started, int32(job)) && c.r.State[job] == evaluation.Running &&
			chosenNodes.MatchString(line)) {
			c.Errorf("iteration %d, checkjob %s lacks %q", c.it.Index, id, line)
		}
	}
}

func without(text, line string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), regexp.MustCompile(line).MatchString), "\n")
}

func nonBlank(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}
