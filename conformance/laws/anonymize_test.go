package laws

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/anonymize"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// credentialKinds are what maui.cfg's families name.
var credentialKinds = map[string]anonymize.Kind{
	"USERCFG": anonymize.User, "GROUPCFG": anonymize.Group, "ACCOUNTCFG": anonymize.Account, "QOSCFG": anonymize.QOS,
	"CLASSCFG": anonymize.Partition,
}

var credentialLine = regexp.MustCompile(`(?m)^([A-Z]+CFG)\[([^]]*)\]`)

// TestAnonymized: under other names, in the queue and in the policy alike, the same jobs have the same
// priorities and may start, or not for the same reasons.
func TestAnonymized(t *testing.T) {
	compared, others := 0, 0
	draws.UntilSeen(t, func() bool { return compared >= 20 && others >= 100 }, func(t *rapid.T) {
		text := drawThrottled(t)
		s := drawQueue(t)
		out := compile(t, compiler.Input{Lang: lower.Maui}, text)
		if out == nil {
			return
		}
		want := run(t, out.Program, s, 1)
		other, names, err := anonymize.Snapshot(s, anonymize.Options{Key: []byte("key")})
		if err != nil {
			t.Fatal(err)
		}
		became := map[string]string{}
		for _, p := range names.Pairs() {
			became[fmt.Sprint(p.Kind, p.Name)] = p.New
		}
		others += len(became)
		text = credentialLine.ReplaceAllStringFunc(text, func(line string) string {
			parts := credentialLine.FindStringSubmatch(line)
			if name, ok := became[fmt.Sprint(credentialKinds[parts[1]], parts[2])]; ok {
				return parts[1] + "[" + name + "]"
			}
			return line
		})
		renamed := compile(t, compiler.Input{Lang: lower.Maui}, text)
		if renamed == nil {
			t.Fatalf("the policy with other names does not compile\n%s", text)
		}
		got := run(t, renamed.Program, other, 1)
		if (want == nil) != (got == nil) {
			t.Fatalf("only one of both can be computed\n%s", text)
		}
		if want == nil {
			return
		}
		compared++
		for job := range s.Jobs.Rows {
			a, b := decided(want, job), decided(got, job)
			for _, p := range names.Pairs() { // Maui's reasons say of whom
				b = strings.ReplaceAll(b, p.New, p.Name)
			}
			if a != b {
				t.Fatalf("job %d is %s, then %s\n%s", job, a, b, text)
			}
		}
	})
	if (compared < 20 || others < 100) && !t.Failed() {
		t.Errorf("%d queues with %d names were compared: the generator has gone blind", compared, others)
	}
}

// decided is what was decided of a job.
func decided(r *evaluation.Result, job int) string {
	return fmt.Sprint(r.Priority[job], " ", r.Stored[job], " ", r.Rank[job], " ", r.State[job], " ", r.Reason[job])
}
