package manager_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/manager"
)

// TestHidden: what a capture keeps has no password of the configuration and nothing of a job's environment in it.
func TestHidden(t *testing.T) {
	const config = "Configuration data as of 2026-11-20T12:00:30\nAccountingStoragePass   = hunter2\nAuthInfo          " +
		"      = socket=/run/m,ttl=3,token=hunter2\n" +
		"ClusterName             = pond\nJobCompLoc              = amy:hunter2\nJobCompPass             = " +
		"(null)\nSLURM_VERSION           = 22.05.8\nSchedulerParameters     = bf_interval=5\n"
	const lines = "Job Id: 7.head\n    job_state = Q\n    Variable_List = HOME=/h,T=hunter2\n    etime = 5\n    " +
		"Submit_arguments = -v T=hunter2 x.sh\n\n"
	const xml = "<Data><Job><Job_Id>7.head</Job_Id><job_state>Q</job_state><Variable_List>T=hunter2\n&lt;</Variable_List><etime>5</etime></Job></Data>\n"
	const document = `{"Jobs": {"7.head": {"job_state": "Q", "Job_Name": "Variable_List", "Variable_List" : {"T": "hunter2", "n": [1, {"a": 2}]}, "etime": "5", "argument_list": "hunter2"}}}`
	for _, c := range []struct {
		reading       *manager.Reading
		form, program string
		text          string
		has           []string
	}{
		{&manager.Slurm, "squeue", "scontrol show config", config,
			[]string{"ClusterName             = pond\n", "JobCompPass             = (null)\n", "bf_interval=5\n",
				"ttl=3,token=(not shown)\n", "JobCompLoc              = (not shown)\n"}},
		{&manager.Slurm, "squeue", "scontrol show config",
			"AccountingStoragePass   = hunter2 a=hunter2 \"hunter2\nSLURM_VERSION           = 22.05.8\n",
			[]string{"AccountingStoragePass   = (not shown)\n"}},
		{&manager.Slurm, "scontrol", "scontrol -a -o -d show job",
			"JobId=7 JobName=Pass=\"hunter2 UserId=ana(1) JobState=PENDING Licenses=token:3 Comment=pw=hunter2 Command=/a " +
				"--password hunter2 -n 4 WorkDir=/h PASSWORD=hunter2\n",
			[]string{"JobName=Pass=(not shown) UserId=ana(1) JobState=PENDING Licenses=token:3 Comment=pw=(not shown) " +
				"Command=/a --password (not shown) -n 4 WorkDir=/h PASSWORD=(not shown)\n"}},
		{&manager.Slurm, "scontrol", "scontrol -a -o show node",
			"NodeName=n1 State=IDLE Comment=curl -u a:hunter2 Reason=token=hunter2 [root@x]\n",
			[]string{"NodeName=n1 State=IDLE Comment=curl -u a:(not shown) Reason=token=(not shown)"}},
		{&manager.Slurm, "json", "squeue -a --json",
			`{"jobs":[{"job_id":7,"name":"a","licenses":"token:3","comment":{"administrator":"","job":"pw=hunter2"},` +
				`"command":"x --token hunter2","admin_comment":"a\"pass=hunter2","key":{"set":true}}]}`,
			[]string{`"licenses":"token:3"`, `"job": "pw=(not shown)"`, `"key":{"set":true}`}},
		{&manager.PBS, "qstat", "pbsnodes -a", "n1\n     state = free\n     note = pw=hunter2\n     np = 4\n\n",
			[]string{"     note = pw=(not shown)\n     np = 4\n"}},
		{&manager.PBS, "qstat", "qstat -f -w", lines,
			[]string{"    Variable_List = (not shown)\n    etime = 5\n    Submit_arguments = (not shown)\n\n"}},
		{&manager.PBS, "qstat", "qstat -x", xml, []string{"<Variable_List>(not shown)</Variable_List><etime>5</etime>"}},
		{&manager.PBS, "json", "qstat -f -F json", document,
			[]string{`"Job_Name": "Variable_List", "Variable_List": "(not shown)", "etime": "5", "argument_list": "(not ` +
				`shown)"}}}`}},
	} {
		list, _ := c.reading.Commands(c.form)
		i := slices.IndexFunc(list, func(m manager.Command) bool { return m.String() == c.program })
		if i < 0 {
			i = slices.IndexFunc(list, manager.Command.Lists) // which has another one in its stead
		}
		kept := ""
		_, err := manager.Capture(context.Background(), list[i:i+1], func(_ context.Context, argv []string) ([]byte, error) {
			if strings.Join(argv, " ") != c.program {
				return nil, context.DeadlineExceeded
			}
			return []byte(c.text), nil
		}, func(_ manager.Command, text []byte) error { kept = string(text); return nil })
		if err != nil || strings.Contains(kept, "hunter2") {
			t.Errorf("%s: %v\n%s", c.program, err, kept)
		}
		for _, has := range c.has {
			if !strings.Contains(kept, has) {
				t.Errorf("%s: no %q in\n%s", c.program, has, kept)
			}
		}
	}
}
