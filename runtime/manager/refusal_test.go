package manager_test

import (
	"maps"
	"testing"

	"github.com/fairway-sched/fairway/runtime/manager"
)

// TestRefused: what the commands print of jobs that they do not change, as Slurm 22.05 prints it.
func TestRefused(t *testing.T) {
	setting := func(job, name, array string) manager.Setting {
		return manager.Setting{Holding: manager.Holding{Job: job, Name: name, Array: array}}
	}
	const scontrol = `Requested partition configuration not available now for job 5
Invalid job id specified for job 99999
Access/permission denied for job 3
10_2: Access/permission denied
10_1,3-4: Requested partition configuration not available now
20_2: No error
Requested node configuration is not available for job 11+1
Unexpected message received for job 12
`
	const partition = "Requested partition configuration not available now"
	for _, c := range []struct {
		what      string
		feeder    manager.Feeder
		settings  []manager.Setting
		call      manager.Call
		printed   string
		complaint string
		want      map[string]manager.Refusal
	}{
		{"slurm", manager.SlurmSiteFactor, []manager.Setting{
			setting("1", "1", ""), setting("5", "5", ""), setting("3", "3", ""), setting("10_[1,3-4]", "10", "10"), setting("20_[1]", "20", "20"), setting("11+1", "11+1", ""), setting("12", "12", ""),
		}, manager.Call{Argv: []string{"scontrol"}}, "", scontrol, map[string]manager.Refusal{
			"5": {Why: partition}, "3": {Why: "Access/permission denied", Of: manager.WhoeverAsk}, "10_[1,3-4]": {Why: partition},
			"11+1": {Why: "Requested node configuration is not available"}, "12": {Why: "Unexpected message received", Of: manager.NoAnswer},
		}},
		{"pbs", manager.PBSPriority, []manager.Setting{setting("12.head", "12.head", ""), setting("13.head", "13.head", "")},
			manager.Call{Argv: []string{"qalter", "-p", "5", "13.head"}}, "", "qalter: Job rejected by modifyjob hook\nmore\n",
			map[string]manager.Refusal{"13.head": {Why: "qalter: Job rejected by modifyjob hook"}}},
		{"pbs, a resource that there is not", manager.PBSPriority, []manager.Setting{setting("13.head", "13.head", "")},
			manager.Call{Argv: []string{"qalter", "-l", "rank=5", "13.head"}}, "", "qalter: Unknown resource Resource_List.rank 13.head\n",
			map[string]manager.Refusal{"13.head": {Why: "qalter: Unknown resource Resource_List.rank 13.head", Of: manager.WhoeverAsk}}},
		{"pbs, dead", manager.PBSPriority, []manager.Setting{setting("13.head", "13.head", "")},
			manager.Call{Argv: []string{"qalter", "-p", "5", "13.head"}}, "", "qalter: cannot connect to server head (errno=111)\n",
			map[string]manager.Refusal{"13.head": {Why: "qalter: cannot connect to server head (errno=111)", Of: manager.NoAnswer}}},
		{"maui", manager.MauiSystemPriority, []manager.Setting{setting("7", "7", "")},
			manager.Call{Argv: []string{"setspri", "5", "7"}}, "", "ERROR:  no\n", map[string]manager.Refusal{"7": {Why: "ERROR:  no"}}},
		{"a program", manager.SiteCommand([]string{"site"}), []manager.Setting{setting("7", "7", "")},
			manager.Call{Argv: []string{"site", "set"}}, "done\n{\"job\": \"7\", \"refused\": \"no\"}\n{\"job\": \"8\"}\n", "", map[string]manager.Refusal{"7": {Why: "no"}}},
	} {
		got := c.feeder.Refused(c.settings, c.call, []byte(c.printed), c.complaint)
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}
