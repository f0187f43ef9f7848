package manager_test

import (
	"maps"
	"strings"
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
			setting("1", "1", ""), setting("5", "5", ""), setting("3", "3", ""), setting("10_[1,3-4]", "10", "10"),
			setting("20_[1]", "20", "20"), setting("11+1", "11+1", ""), setting("12", "12", ""),
		}, manager.Call{Argv: []string{"scontrol"}}, "", scontrol, map[string]manager.Refusal{
			"5": {Why: partition, Of: manager.TheJob}, "3": {Why: "Access/permission denied", Of: manager.WhoeverAsk},
			"10_[1,3-4]": {Why: partition, Of: manager.TheJob},
			"11+1":       {Why: "Requested node configuration is not available", Of: manager.TheJob},
			"12":         {Why: "Unexpected message received", Of: manager.NoAnswer},
		}},
		{"pbs", manager.PBSPriority, []manager.Setting{setting("12.head", "12.head", ""), setting("13.head", "13.head", "")},
			manager.Call{Argv: []string{"qalter", "-p", "5", "13.head"}}, "", "qalter: Job rejected by modifyjob hook\nmore\n",
			map[string]manager.Refusal{"13.head": {Why: "qalter: Job rejected by modifyjob hook", Of: manager.TheJob}}},
		{"pbs, a resource that there is not", manager.PBSPriority, []manager.Setting{setting("13.head", "13.head", "")},
			manager.Call{Argv: []string{"qalter", "-l", "rank=5", "13.head"}}, "",
			"qalter: Unknown resource Resource_List.rank 13.head\n",
			map[string]manager.Refusal{"13.head": {Why: "qalter: Unknown resource Resource_List.rank 13.head",
				Of: manager.WhoeverAsk}}},
		{"pbs, dead", manager.PBSPriority, []manager.Setting{setting("13.head", "13.head", "")},
			manager.Call{Argv: []string{"qalter", "-p", "5", "13.head"}}, "",
			"qalter: cannot connect to server head (errno=111)\n",
			map[string]manager.Refusal{"13.head": {Why: "qalter: cannot connect to server head (errno=111)",
				Of: manager.NoAnswer}}},
		{"maui", manager.MauiSystemPriority, []manager.Setting{setting("7", "7", "")},
			manager.Call{Argv: []string{"setspri", "5", "7"}}, "", "ERROR:  no\n",
			map[string]manager.Refusal{"7": {Why: "ERROR:  no"}}},
		{"a program", manager.SiteCommand([]string{"site"}), []manager.Setting{setting("7", "7", "")},
			manager.Call{Argv: []string{"site", "set"}}, "done\n{\"job\": \"7\", \"refused\": \"no\"}\n{\"job\": \"8\"}\n", "",
			map[string]manager.Refusal{"7": {Why: "no", Of: manager.TheJob}}},
		{"a program that is busy", manager.SiteCommand([]string{"site"}), []manager.Setting{setting("7", "7", "")},
			manager.Call{Argv: []string{"site", "set"}}, "{\"job\": \"7\", \"refused\": \"Try again later.\"}\n", "",
			map[string]manager.Refusal{"7": {Why: "Try again later.", Of: manager.ForNow}}},
		{"pbs, a hook that repeats a user's words", manager.PBSPriority, []manager.Setting{setting("13.head", "13.head", "")},
			manager.Call{Argv: []string{"qalter", "-p", "5", "13.head"}}, "",
			"qalter: job 'cannot connect to server: timeout' has no project 13.head\n",
			map[string]manager.Refusal{"13.head": {Why: "qalter: job 'cannot connect to server: timeout' has no project 13.head"}}},
	} {
		got, _ := c.feeder.Refused(c.settings, c.call, []byte(c.printed), c.complaint)
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}

// TestRefusalWords: each error text that an update of a job can end with, by what it is of (slurm_errno.c, 22.05 to
// 25.05, those of the system that slurm_strerror passes on, and those of PBS and TORQUE).
func TestRefusalWords(t *testing.T) {
	for _, c := range []struct {
		of     manager.Refused
		feeder manager.Feeder
		texts  string
	}{
		{manager.TheJob, manager.SlurmSiteFactor, `
Requested partition configuration not available now
Requested node configuration is not available
Requested topology configuration is not available
Requested nodes not in this partition
More processors requested than permitted
Node count specification invalid
CPU count specification invalid
Task count specification invalid
Job size specification needs to be provided
Memory required by task is not available
Task distribution specification invalid
Cannot request more threads per core than the job allocation
User's group not permitted to use this partition
Invalid partition name specified
No partition specified or system default partition
Multiple partition job request not supported when a partition is set in the association
Invalid account or account/partition combination specified
Invalid or unknown association
Invalid qos specification
Invalid wckey specification
Invalid license specification
Invalid feature specification
Invalid preferred feature specification
Invalid mcs_label specified
Invalid generic resource (gres) specification
Invalid GRES specification (with and without type identification)
Duplicate generic resource (gres) specification
Invalid Trackable RESource (TRES) specification
Requested GRES option unsupported by configured SelectType plugin
Insufficient GRES available in allocation
RestrictedCoresPerGPU: No GPUs configured on node
Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)
Requested account has breached requested QOS usage threshold
Requested time limit is invalid (missing or exceeds some limit)
Invalid time-min specification (exceeds job's time or other limits)
Invalid time specified
Time limit specification required, but not provided
Access denied to requested reservation
Requested reservation is invalid
Job dependency problem
Circular job dependency
Invalid job array specification
Burst Buffer permission denied
Burst Buffer resource limit exceeded
Burst Buffer request invalid
Cannot modify scrontab jobs through scontrol
Changes to job priority are not persistent, change nice instead
Operation not permitted on individual component of heterogeneous job`},
		{manager.ForNow, manager.SlurmSiteFactor, `
Job can not be altered now, try again later
Job/step already completing or completed
Job is no longer pending execution
Job has already started
Job has already finished
Job is in held state, pending scheduler release
Job is current suspended, requested operation disabled
Job is not pending nor running
Invalid job id specified
PrologSlurmctld is still running
Job locked by another sibling
Requested nodes are busy
Licenses currently unavailable
Waiting for burst buffer
Required node not available (down, drained or reserved)
Required partition not available (inactive or drain)
Partition in DOWN state
Requested reservation is in use
Requested reservation not usable now
Job can not start due to maintenance reservation.
Immediate execution impossible, insufficient priority`},
		{manager.WhoeverAsk, manager.SlurmSiteFactor, `
Access/permission denied
Invalid user id
Invalid authentication credential
Authentication credential expired
Protocol authentication error
Cannot unpack credential
Rejecting authentication of user nobody or group nobody
Requested operation not supported on this system
Permission denied`},
		{manager.NoAnswer, manager.SlurmSiteFactor, `
Unexpected message received
Communication connection failure
Message send failure
Message receive failure
Communication shutdown failure
Incompatible versions of client and server code
Insane message length
Can't find an address, check slurm.conf
Unexpected missing socket error
Connection rejected by handler
Connection timed out establishing
Connection timed out reading
Connection timed out
Kernel reported delayed socket error after successful write(), client side likely closed
Process is shutting down and closing all communications
Unable to contact slurm controller (connect failure)
Unable to contact slurm controller (send failure)
Unable to contact slurm controller (receive failure)
Unable to contact slurm controller (shutdown failure)
Rate limit exceeded, please retry momentarily
Rate limit exceeded, please retry later
Slurm backup controller in standby mode
Controller is in standby mode, try a different controller
Slurm internal error, contact system administrator
Slurm temporarily unable to accept job, sleeping and retrying
Resource temporarily unavailable
Requested operation is presently disabled
Socket timed out on send/recv operation
Zero Bytes were transmitted or received
Header lengths are longer than data received
Unable to connect to database
Connection refused
Connection reset by peer
No route to host
Plugin initialization failed
Lua function execution failed due to runtime error
No space left on device
Cannot allocate memory`},
		{manager.Unknown, manager.SlurmSiteFactor, `
Unspecified error
This partition is not available right now
Please try again tomorrow: Unable to contact slurm controller`},
		{manager.TheJob, manager.PBSPriority, `
Job rejected by all possible destinations (check syntax, queue resources, ...)
Job exceeds queue resource limits
Job violates queue and/or server resource limits
Invalid Job Dependency`},
		{manager.ForNow, manager.PBSPriority, `
Unknown Job Id Error
Request invalid for state of job
Cannot modify attribute while job running
Job already in exit state
Job has finished`},
		{manager.WhoeverAsk, manager.PBSPriority, `
Unauthorized Request
Access from host not allowed, or unknown host
Cannot set attribute, read only or insufficient permission
Invalid credential
Unknown resource type
Undefined attribute
Illegal attribute or resource value for`},
		{manager.NoAnswer, manager.PBSPriority, `
cannot connect to server head (errno=111)
Could not connect to batch server
Server busy. Currently no available threads
Request not allowed: Server shutting down
PBS server internal error
Batch protocol error
Premature End of File
Time out
Resource temporarily unavailable
Error reading data from socket`},
		{manager.Unknown, manager.PBSPriority, `
project weather has no hours left`},
		{manager.NoAnswer, manager.MauiSystemPriority, `
ERROR:    lost connection to server
ERROR:    cannot connect to server head on port 42559`},
	} {
		s := []manager.Setting{{Holding: manager.Holding{Job: "7", Name: "7"}}}
		for why := range strings.Lines(strings.TrimSpace(c.texts)) {
			why = strings.TrimSpace(why)
			complaint, call := why+" for job 7\n", manager.Call{Argv: []string{"scontrol"}}
			switch c.feeder {
			case manager.PBSPriority:
				complaint, call.Argv = "qalter: "+why+" 7\n", []string{"qalter", "7"}
			case manager.MauiSystemPriority:
				complaint, call.Argv = why+"\n", []string{"setspri", "7"}
			}
			if got, rest := c.feeder.Refused(s, call, nil, complaint); len(got) != 1 || got["7"].Of != c.of || rest {
				t.Errorf("%s: %+v, %v", why, got, rest)
			}
		}
	}
}

// TestLongComplaint: a complaint of any length is sorted by its beginning.
func TestLongComplaint(t *testing.T) {
	s := []manager.Setting{{Holding: manager.Holding{Job: "7", Name: "7"}}}
	long := strings.Repeat("x", 200<<10)
	for why, want := range map[string]manager.Refused{long: manager.Unknown,
		"Socket timed out " + long: manager.NoAnswer} {
		got, rest := manager.SlurmSiteFactor.Refused(s, manager.Call{}, nil, why+" for job 7\n")
		if got["7"].Of != want || rest {
			t.Errorf("%s…: %v, %v", why[:20], got["7"].Of, rest)
		}
	}
}
