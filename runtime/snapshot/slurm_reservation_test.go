package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
)

// cells writes the known cells of a table by the names of their columns, a row a line.
func cells(t *column.Table) string {
	var lines strings.Builder
	for row := range t.Rows {
		var list []string
		for _, c := range t.Columns() {
			v := c.Value(row)
			text := v.Str
			switch v.Type {
			case schema.Int, schema.Timestamp:
				text = strconv.FormatInt(v.Int, 10)
			case schema.StringList:
				text = strings.Join(v.List, ",")
			}
			if text != "" {
				list = append(list, c.ID.Name()+"="+text)
			}
		}
		slices.Sort(list)
		lines.WriteString(strings.Join(list, " ") + "\n")
	}
	return lines.String()
}

const reservationsText = `ReservationName=maint StartTime=2026-11-20T09:34:51 EndTime=2026-11-20T10:34:51 Duration=01:00:00
   Nodes=n[5-6] NodeCnt=2 CoreCnt=32 Features=(null) PartitionName=(null) Flags=MAINT,IGNORE_JOBS,SPEC_NODES,PURGE_COMP=00:05:00
   TRES=cpu=32
   Users=root Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a
   MaxStartDelay=(null)

ReservationName=course StartTime=2026-11-21T08:00:00 EndTime=2026-11-21T12:00:00 Duration=04:00:00
   Nodes=n1 NodeCnt=1 CoreCnt=4 Features=(null) PartitionName=main Flags=DAILY
     NodeName=n1 CoreIDs=0-3
   TRES=cpu=4
   Users=amy,-bob Groups=staff Accounts=a,b Licenses=matlab:2 State=ACTIVE BurstBuffer=(null) Watts=n/a
`

const reservationsWant = `end_time=1795170891 flags=maint,ignore_jobs,spec_nodes,purge_comp hosts=n5,n6 name=maint procs=32 start_time=1795167291 users=root
accounts=a,b end_time=1795262400 flags=daily groups=staff hosts=n1 licenses=matlab:2 name=course partition=main procs=4 start_time=1795248000 users=amy,-bob
`

// TestReservations: blocks, lines of -o and JSON say the same.
func TestReservations(t *testing.T) {
	oneLine := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(reservationsText, "\n   ", " "), "\n\n", "\n"),
		"  ", " ")
	json := `{"reservations": [
 {"name": "maint", "start_time": {"set": true, "number": 1795167291}, "end_time": {"set": true, "number": 1795170891}, "node_list": "n[5-6]", "tres": "cpu=32", "users": "root",
  "flags": ["MAINT", "IGNORE_JOBS", "SPEC_NODES", "PURGE_COMP"]},
 {"name": "course", "start_time": 1795248000, "end_time": 1795262400, "node_list": "n1", "tres": "cpu=4", "users": "amy,-bob", "groups": "staff", "accounts": "a,b", "licenses": "matlab:2",
  "partition": "main", "flags": "DAILY"}], "meta": {}}`
	for name, text := range map[string]string{"blocks": reservationsText, "lines": oneLine, "json": json} {
		s, diags := readText(t, "f", text)
		if len(diags) > 0 {
			t.Errorf("%s: %s", name, texts(diags))
		}
		got := strings.NewReplacer(" state=INACTIVE", "", " state=ACTIVE", "").Replace(cells(s.Reservations)) // JSON has none
		if got != reservationsWant {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	if s, _ := readText(t, "f", slurm.Reservation.None+"\n"); s.Reservations == nil || s.Reservations.Rows != 0 {
		t.Error("no reservations are not known")
	}
	s, diags := readText(t, "f", "ReservationName=r StartTime=2026-11-21T08:00:00 EndTime=2026-11-20T08:00:00 Nodes=n1\n")
	if len(diags) != 1 || s.Reservations.Rows != 0 {
		t.Errorf("a reservation that ends before it begins: %s", texts(diags))
	}
}

func TestLicenses(t *testing.T) {
	want := "deficit=3 free=80 name=ansys@flex reserved=0 total=100 used=20\nfree=0 name=matlab reserved=1 total=5 " +
		"used=5\n"
	for name, text := range map[string]string{
		"lines": "LicenseName=ansys@flex Total=100 Used=20 Free=80 Reserved=0 Remote=yes LastConsumed=0 " +
			"LastDeficit=3\nLicenseName=matlab Total=5 Used=5 Free=0 Reserved=1 Remote=no\n",
		"blocks": "LicenseName=ansys@flex\n    Total=100 Used=20 Free=80 Reserved=0 Remote=yes\n    LastConsumed=0 " +
			"LastDeficit=3\nLicenseName=matlab\n    Total=5 Used=5 Free=0 Reserved=1 Remote=no\n",
		"json": `{"licenses": [{"LicenseName": "ansys@flex", "Total": 100, "Used": 20, "Free": 80, "Reserved": 0, "Remote": true, "LastDeficit": 3},
 {"LicenseName": "matlab", "Total": 5, "Used": 5, "Free": 0, "Reserved": 1, "Remote": false}], "meta": {}}`,
	} {
		s, diags := readText(t, "f", text)
		if got := cells(s.Licenses); got != want || len(diags) > 0 {
			t.Errorf("%s: %s\n%s", name, got, texts(diags))
		}
	}
}

// TestAllocated: nodes that are alike are in one detail; versions before 24.05 list cores, of which a processor is a
// thread.
func TestAllocated(t *testing.T) {
	const job = `"job_id": 3, "user_name": "a", "nodes": "n[1-3]", "tres_per_node": "gres/gpu:1", `
	node := func(name, cores, memory string) string {
		return `{"sockets": {"0": {"cores": {` + cores + `}}, "1": "unassigned"}, "nodename": "` + name +
			`", "cpus_used": 0, "memory_allocated": ` + memory + `}`
	}
	two, four := `"0": "allocated", "1": "allocated_and_in_use", "2": "unassigned"`,
		`"0": "allocated", "1": "allocated", "2": "allocated", "3": "allocated"`
	older := `"job_state": "RUNNING", "job_resources": {"nodes": "n[1-3]", "allocated_nodes": [` + node("n1", two, "1") +
		`, ` + node("n2", four, "2") + `, ` + node("n3", two, "1") + `]}`
	for _, c := range []struct{ name, text, procs, memMB string }{
		{"scontrol -d", "JobId=3 UserId=a(1) JobState=RUNNING NodeList=n[1-3] NumCPUs=6   Nodes=n[1,3] CPU_IDs=0-1 Mem=1 " +
			"GRES=gpu:1(IDX:0)   Nodes=n2 CPU_IDs=0,5-7 Mem=2 GRES= TresPerNode=gres:gpu:1\n", "[2 4 2]", "[1 2 1]"},
		{"24.05", `{"jobs": [{` + job + `"job_state": ["RUNNING"], "cpus": 8, "job_resources": {"nodes": {"count": 3, "allocation": [
 {"name": "n1", "cpus": {"count": 2, "used": 0}, "memory": {"used": 0, "allocated": 1}}, {"name": "n2", "cpus": {"count": 4}, "memory": {"allocated": 2}, "sockets": []},
 {"name": "n3", "memory": {"allocated": {"set": true, "infinite": false, "number": 1}}, "cpus": {"count": 2}}]}}}], "meta": {}}`, "[2 4 2]", "[1 2 1]"},
		{"22.05", `{"jobs": [{` + job + `"cpus": 8, ` + older + `}], "meta": {}}`, "[2 4 2]", "[1 2 1]"},
		{"22.05, two threads a core", `{"jobs": [{` + job + older + `, "cpus": 16}], "meta": {}}`, "[4 8 4]", "[1 2 1]"},
		{"22.05, threads nobody can tell", `{"jobs": [{` + job + older + `, "cpus": 12}], "meta": {}}`, "[]", "[1 2 1]"},
		{"22.05, a node is missing", `{"jobs": [{` + job +
			`"cpus": 2, "job_state": "RUNNING", "job_resources": {"allocated_nodes": [` + node("n1", two, "1") +
			`]}}], "meta": {}}`, "[]", "[]"},
		{"21.08", `{"jobs": [{"job_resources": {"allocated_nodes": {"0": {"sockets": {"1": "unassigned"}, "cores": {"0": "unassigned"}, "memory": 1, "cpus": 2}, "2": {"cpus": 2, "memory": 1}, "1": {"cpus": 4, "memory": 2}, "7": {"cpus": 1}}}, ` +
			job + `"cpus": 8, "job_state": "RUNNING"}], "meta": {}}`, "[2 4 2]", "[1 2 1]"},
	} {
		s, diags := readText(t, "f", c.text)
		if got := fmt.Sprint(s.Jobs.Value("job.allocated_procs", 0).List); got != c.procs || len(diags) > 0 {
			t.Errorf("%s: processors %s, want %s\n%s", c.name, got, c.procs, texts(diags))
		}
		cores := "[]"
		if strings.Contains(c.text, older) {
			cores = "[2 4 2]"
		}
		if got := fmt.Sprint(s.Jobs.Value("job.allocated_cores", 0).List); got != cores {
			t.Errorf("%s: cores %s, want %s", c.name, got, cores)
		}
		if got := fmt.Sprint(s.Jobs.Value("job.allocated_mem_mb", 0).List); got != c.memMB {
			t.Errorf("%s: memory %s, want %s", c.name, got, c.memMB)
		}
		if got := s.Jobs.Value("job.gres_per_node", 0).Str; got != "gpu:1" {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestGresList(t *testing.T) {
	for text, want := range map[string]string{"gres:gpu:2": "gpu:2", "gres/gpu:a100=2,gres/shard=4": "gpu:a100:2,shard:4",
		"cpu=4": "", "gpu:1(S:0)": "gpu:1", "cpu:4,gres/gpu": "gpu", "license:x:1": "", "": ""} {
		if got := slurm.GresList(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestNativeReservations: what is written is read again.
func TestNativeReservations(t *testing.T) {
	const text = `{"format_version": 1, "now": 100, "reservations": [{"name": "night", "start_time": 200, "end_time": 300, "hosts": ["n1", "n2"], "classes": ["batch"], "job": "7"}], "licenses": [{"name": "m", "total": 4}]}`
	s, diags := readText(t, "f", text)
	if len(diags) > 0 {
		t.Fatal(texts(diags))
	}
	var b strings.Builder
	if err := native.WriteJSON(&b, s); err != nil {
		t.Fatal(err)
	}
	again, diags := readText(t, "f", b.String())
	if len(diags) > 0 || cells(again.Reservations) != cells(s.Reservations) ||
		cells(again.Licenses) != cells(s.Licenses) || !strings.Contains(cells(s.Reservations), `job=7`) {
		t.Errorf("%s\n%s", b.String(), texts(diags))
	}
}
