package slurmconf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/stdlib"
)

func TestSchedulerOptions(t *testing.T) {
	for _, c := range []struct {
		list, name, want string
		set, refused     bool
	}{
		{"bf_interval=31", "bf_interval", "31", true, false},
		{"bf_interval=31", "sched_interval", "60", false, false},
		{"bf_max_job_user_part=5", "bf_max_job_user", "0", false, false},
		{"BF_WINDOW=10,bf_window=20", "bf_window", "10", true, false},
		{"bf_window=2880,bf_window=10", "bf_window", "2880", true, false},
		{"bf_window=x", "bf_window", "1440", true, true},
		{"bf_interval=-1", "bf_interval", "-1", true, false},
		{"bf_window=-1", "bf_window", "1440", true, true},
		{"bf_window= +7k", "bf_window", "7", true, false},
		{"bf_window", "bf_window", "1440", false, false},
		{"bf_window=99999999", "bf_window", "1440", true, true},
		{"bf_window=99999999999999999999", "bf_window", "1440", true, true},
		{"bf_window=", "bf_window", "1440", true, true},
		{"bf_continue=no", "bf_continue", "true", true, false},
		{"", "bf_continue", "false", false, false},
		{"bf_hetjob_prio=min,defer", "bf_hetjob_prio", `"min"`, true, false},
		{"", "bf_node_space_size", "unknown", false, false},
	} {
		got := Option{Param: &stdlib.Param{}}
		for _, o := range SchedulerOptions(c.list, "sched/backfill", "22.05") {
			if o.Name == c.name {
				got = o
			}
		}
		if got.Value.String() != c.want || got.At >= 0 != c.set || got.Refused != c.refused {
			t.Errorf("%s in %q is %s, at %d, refused %v; want %s, %v, %v", c.name, c.list, got.Value, got.At, got.Refused,
				c.want, c.set, c.refused)
		}
	}
}

func TestHasFlag(t *testing.T) {
	if !HasFlag("bf_continue=no", "bf_continue") || !HasFlag("max_tress", "MAX_TRES") || HasFlag("", "x") {
		t.Error("HasFlag")
	}
}

func TestPriorityFlags(t *testing.T) {
	for _, c := range []struct{ text, version, want string }{
		{"", "26.05", "FairTree"},
		{"", "18.08", ""},
		{"FAIR_TREE", "14.11", "FairTree"},
		{"FAIR_TREE", "14.03", ""},
		{"TICKET_BASED", "2.6", "TicketBased"},
		{"TICKET_BASED,NO_FAIR_TREE", "15.08", "FairTree"},
		{"TICKET_BASED,NO_FAIR_TREE", "22.05", ""},
		{"MAX_TRES_GRES", "24.11", "FairTree MaxTRES"},
		{"MAX_TRES_GRES", "25.05", "FairTree MaxTRESGres"},
		{"no_normal_all,xACCRUE_ALWAYS", "", "AccrueAlways FairTree NoNormalAssoc NoNormalPart NoNormalQOS NoNormalTRES"},
		{"INCR_ONLY,SMALL_RELATIVE_TO_TIME,CALCULATE_RUNNING,DEPTH_OBLIVIOUS", "22.05.8",
			"CalculateRunning DepthOblivious IncrOnly SmallRelativeToTime"},
	} {
		if got := setFields(ParsePriorityFlags(c.text, c.version)); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.text, c.version, got, c.want)
		}
	}
}

func TestParseEnforce(t *testing.T) {
	for text, want := range map[string]string{
		"none": "", "1": "Associations", "limits": "Associations Limits", "safe,qos": "Associations Limits QOS Safe",
		"ALL": "Associations Limits QOS Safe WCKeys", "nojobs": "NoJobs NoSteps", "wckeys": "Associations WCKeys",
		"limit,2": "Associations Limits unknown limit",
	} {
		e, unknown := ParseEnforce(text)
		got := setFields(e)
		if len(unknown) > 0 {
			got += " unknown " + strings.Join(unknown, " ")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// setFields names the true fields of a struct of booleans.
func setFields(v any) string {
	var set []string
	for _, field := range strings.Fields(strings.Trim(fmt.Sprintf("%+v", v), "{}")) {
		if name, ok := strings.CutSuffix(field, ":true"); ok {
			set = append(set, name)
		}
	}
	return strings.Join(set, " ")
}

func TestDefault(t *testing.T) {
	for _, c := range []struct {
		name, version, want string
		ok                  bool
	}{
		{"PriorityType", "", "priority/multifactor", true},
		{"prioritytype", "23.02", "priority/basic", true},
		{"SelectType", "22.05", "select/linear", true},
		{"TreeWidth", "23.11", "16", true},
		{"SchedulerType", "2.5", "sched/builtin", true},
		{"bf_max_job_test", "26.05", "500", true},
		{"bf_max_job_test", "20.11", "100", true},
		{"bf_max_job_test", "15.08", "50", true},
		{"bf_max_job_test", "2.6", "", false},
		{"PriorityWeightAssoc", "18.08", "", false},
		{"CacheGroups", "", "", false},
		{"Nonsense", "", "", false},
		{"PriorityMaxAge", "1.0", "", false},
	} {
		if got, ok := Default(c.name, c.version); got != c.want || ok != c.ok {
			t.Errorf("Default(%s, %s) = %q, %v", c.name, c.version, got, ok)
		}
	}
}

func TestIsTemplate(t *testing.T) {
	for text, want := range map[string]bool{
		"A={{ x }}\n": true, "{% if x %}\n": true, "# {{ x }}\nA=1\n": false, "A=<%= x %>\n": true, "A=@prefix@/x\n": true,
		"A=user@host\n": false, "A=/bin/$SHELL {\n": false, "A=$HOST\n": true, "A=\nB=\nC=\nD=#X\nE=\n": true,
		"A=\nB=\nC=1\n": false, "A=1\nREDACTED\n": true, "A=REDACTED\n": false,
	} {
		if IsTemplate([]byte(text)) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

func TestBranch(t *testing.T) {
	for text, want := range map[string]string{"": "26.05", "22.05": "22.05", "22.05.8": "22.05", "slurm 25.11.7": "25.11",
		"slurm-25.11.7-1": "25.11", "22.06": "", "x": "", "2.6.9": "2.6"} {
		if got, ok := Branch(text); got != want || ok != (want != "") {
			t.Errorf("Branch(%q) = %q, %v", text, got, ok)
		}
	}
}
