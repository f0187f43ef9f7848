package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// TestForgedAccounting: what a user writes into account, name and string resources of a job, which the servers log as
// it is, hides no usage and charges nobody else.
func TestForgedAccounting(t *testing.T) {
	const start, end = 1795161600, 1795168800
	for _, c := range []struct{ what, account, tail string }{
		{"nothing", "account=lab ", ""},
		{"no account", "", ""},
		{"an end in the account", "account=lab end=1795161601 ", ""},
		{"start, hosts, user and end in the account",
			"account=lab start=1795168799 end=1795161601 exec_host=n9/0 user=bo group=other Exit_status=0 " +
				"resources_used.walltime=00:00:01 ", ""},
		{"a whole message in the account",
			"account=lab jobname=x queue=q ctime=1795168799 qtime=1795168799 etime=1795168799 start=1795168799 owner=bo@h " +
				"exec_host=n9/0 Resource_List.nodes=1 end=1795161601 ", ""},
		{"an open quotation mark", "account=la\"b ", "Resource_List.software=b\" "},
		{"a quoted account", "account=\"lab end=5 start=1795168799\" ", ""},
		{"a resource of the job", "account=lab ",
			"Resource_List.software=a start=1795168799 exec_host=n9/0 end=1795161601 user=bo "},
		{"another account in a resource", "account=lab ", "Resource_List.software=m account=rival "},
		{"an account in a resource alone", "", "Resource_List.software=m account=rival "},
		{"a queue in the account", "account=lab queue=rival ", ""},
		{"a queue in a resource", "account=lab ", "Resource_List.software=m queue=rival ctime=5 qtime=5 etime=5 "},
		{"more hosts in a resource", "account=lab ",
			"Resource_List.software=m exec_host=n1/0-3+n2/0-3+n3/0-3+n4/0-3 owner=bo@h "},
		{"more hosts in the account", "account=lab exec_host=n1/0-3+n2/0-3+n3/0-3+n4/0-3 ", ""},
		{"queues on both sides", "account=lab queue=rival start=1795161000 ",
			"Resource_List.software=m queue=rival start=1795161600x exec_host=n9/0 "},
		{"a project with an account", "project=\"m account=rival\" ", ""},
		{"a name in the account", "account=lab jobname=rival ", ""},
		{"less memory before", "account=lab Resource_List.mem=1kb Resource_List.walltime=00:00:01 Resource_List.qos=high ",
			""},
		{"less memory behind", "account=lab ",
			"Resource_List.software=m Resource_List.mem=1kb Resource_List.walltime=00:00:01 "},
		{"another quality of service", "account=lab ",
			"Resource_List.qos=low Resource_List.software=m Resource_List.qos=high "},
		{"a start long ago", "account=lab ", "Resource_List.software=a start=5 "},
	} {
		line := func(event string, second int, rest string) string {
			return fmt.Sprintf("11/20/2026 %s;%s;7.head;user=eve group=phys %sjobname=a queue=batch ctime=%d qtime=%d "+
				"etime=%d start=%d owner=eve@login exec_host=n1/0-3+n2/0-3 Resource_List.mem=4gb "+
				"Resource_List.walltime=02:00:00 %s%s\n",
				clockOf(second), event, c.account, start, start, start, start, c.tail, rest)
		}
		log := line("S", 8*3600, "") + line("E", 10*3600,
			fmt.Sprintf("session=5 end=%d Exit_status=0 resources_used.walltime=02:00:00", end))
		records, _, err := ReadRecords(Texts{"log": []byte(log)}, []string{"log"}, format.Options{})
		want := fmt.Sprintf("7.head %d-%d 8", start, end)
		if err != nil || runsOf(records) != want || records.Jobs.Value("job.user", 0).Str != "eve" ||
			records.Jobs.Value("job.group", 0).Str != "phys" {
			t.Errorf("%s: %v, %s of %s, not %s", c.what, err, runsOf(records), records.Jobs.Value("job.user", 0).Str, want)
		}
		if queue := records.Jobs.Value("job.partition", 0).Str; queue != "batch" {
			t.Errorf("%s: the queue is %q", c.what, queue)
		}
		alone, _, err := ReadRecords(Texts{"log": []byte(log[strings.IndexByte(log, '\n')+1:])}, []string{"log"},
			format.Options{})
		if err != nil || runsOf(alone) != want || alone.Jobs.Value("job.partition", 0).Str != "batch" {
			t.Errorf("%s, the end alone: %v, %s in %s", c.what, err, runsOf(alone), alone.Jobs.Value("job.partition", 0).Str)
		}
		if mb, qos := records.Jobs.Value("job.mem_mb", 0).Int, records.Jobs.Value("job.qos", 0).Str; mb != 4096 || qos != "" {
			t.Errorf("%s: %d MB and the quality of service %q", c.what, mb, qos)
		}
		s, _, err := Read(Texts{"log": []byte(log[:strings.IndexByte(log, '\n')+1])}, []string{"log"}, format.Options{})
		if err != nil || s.Jobs.Value("job.name", 0).Str != "a" || s.Jobs.Value("job.walltime_seconds", 0).Int != 7200 {
			t.Errorf("%s: %v, the job is %q", c.what, err, s.Jobs.Value("job.name", 0).Str)
		}
		if account := records.Jobs.Value("job.account", 0).Str; account == "rival" || account == "" &&
			strings.HasPrefix(c.account, "account") {
			t.Errorf("%s: the account is %q", c.what, account)
		}
	}
}

// TestForgedQueueing: a job that enters a queue has no start that could prove its queue, so that one with two has none.
func TestForgedQueueing(t *testing.T) {
	for _, c := range []struct{ what, message, queue string }{
		{"TORQUE", "queue=batch", "batch"},
		{"OpenPBS", "user=eve group=phys account=\"lab\" jobname=a queue=batch ctime=1795161600 qtime=1795161600 " +
			"etime=1795161600 Resource_List.ncpus=4", "batch"},
		{"a queue in the account", "user=eve group=phys account=\"lab queue=rival start=1795161600\" jobname=a " +
			"queue=batch ctime=1795161600 qtime=1795161600 etime=1795161600 Resource_List.ncpus=4", ""},
		{"a queue in a resource", "user=eve group=phys jobname=a queue=batch ctime=1795161600 qtime=1795161600 " +
			"etime=1795161600 Resource_List.ncpus=4 Resource_List.software=\"m queue=rival qtime=5 start=5\"", ""},
	} {
		log := "11/20/2026 08:00:00;Q;7.head;" + c.message + "\n"
		s, _, err := Read(Texts{"log": []byte(log)}, []string{"log"}, format.Options{})
		if err != nil || s.Jobs.Rows != 1 {
			t.Fatalf("%s: %v", c.what, err)
		}
		value := func(id string) string { return fmt.Sprint(s.Jobs.Value(schema.ColumnID("job."+id), 0)) }
		if queue := s.Jobs.Value("job.partition", 0).Str; queue != c.queue ||
			s.Jobs.Value("job.submit_time", 0).Int != 1795161600 ||
			s.Jobs.Value("job.start_time", 0).Known() || s.Jobs.Value("job.state", 0).Str != "pending" {
			t.Errorf("%s: queue %q, submitted %s, started %s, %s", c.what, queue, value("submit_time"), value("start_time"),
				value("state"))
		}
	}
}

func clockOf(second int) string {
	return fmt.Sprintf("%02d:%02d:%02d", second/3600, second/60%60, second%60)
}
