package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
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
	oneLine := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(reservationsText, "\n   ", " "), "\n\n", "\n"), "  ", " ")
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
	if s, _ := readText(t, "f", noReservations+"\n"); s.Reservations == nil || s.Reservations.Rows != 0 {
		t.Error("no reservations are not known")
	}
	s, diags := readText(t, "f", "ReservationName=r StartTime=2026-11-21T08:00:00 EndTime=2026-11-20T08:00:00 Nodes=n1\n")
	if len(diags) != 1 || s.Reservations.Rows != 0 {
		t.Errorf("a reservation that ends before it begins: %s", texts(diags))
	}
}

func TestLicenses(t *testing.T) {
	want := "deficit=3 free=80 name=ansys@flex reserved=0 total=100 used=20\nfree=0 name=matlab reserved=1 total=5 used=5\n"
	for name, text := range map[string]string{
		"lines":  "LicenseName=ansys@flex Total=100 Used=20 Free=80 Reserved=0 Remote=yes LastConsumed=0 LastDeficit=3\nLicenseName=matlab Total=5 Used=5 Free=0 Reserved=1 Remote=no\n",
		"blocks": "LicenseName=ansys@flex\n    Total=100 Used=20 Free=80 Reserved=0 Remote=yes\n    LastConsumed=0 LastDeficit=3\nLicenseName=matlab\n    Total=5 Used=5 Free=0 Reserved=1 Remote=no\n",
		"json": `{"licenses": [{"LicenseName": "ansys@flex", "Total": 100, "Used": 20, "Free": 80, "Reserved": 0, "Remote": true, "LastDeficit": 3},
 {"LicenseName": "matlab", "Total": 5, "Used": 5, "Free": 0, "Reserved": 1, "Remote": false}], "meta": {}}`,
	} {
		s, diags := readText(t, "f", text)
		if got := cells(s.Licenses); got != want || len(diags) > 0 {
			t.Errorf("%s: %s\n%s", name, got, texts(diags))
		}
	}
}

// TestAllocatedProcs: nodes that are alike stand in one detail.
func TestAllocatedProcs(t *testing.T) {
	for name, text := range map[string]string{
		"scontrol -d": "JobId=3 UserId=a(1) JobState=RUNNING NodeList=n[1-3] NumCPUs=6   Nodes=n[1,3] CPU_IDs=0-1 Mem=1 GRES=gpu:1(IDX:0)   Nodes=n2 CPU_IDs=0,5-7 Mem=2 GRES= TresPerNode=gres:gpu:1\n",
		"json": `{"jobs": [{"job_id": 3, "user_name": "a", "job_state": ["RUNNING"], "nodes": "n[1-3]", "cpus": 6, "tres_per_node": "gres/gpu:1", "job_resources": {"nodes": {"count": 3, "allocation": [
 {"name": "n1", "cpus": {"count": 2, "used": 0}}, {"name": "n2", "cpus": {"count": 4}, "sockets": []}, {"name": "n3", "cpus": {"count": 2}}]}}}], "meta": {}}`,
	} {
		s, _ := readText(t, "f", text)
		if got := s.Jobs.Value("job.allocated_procs", 0); fmt.Sprint(got.List) != "[2 4 2]" {
			t.Errorf("%s: %v", name, got)
		}
		if got := s.Jobs.Value("job.gres_per_node", 0).Str; got != "gpu:1" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestGresList(t *testing.T) {
	for text, want := range map[string]string{"gres:gpu:2": "gpu:2", "gres/gpu:a100=2,gres/shard=4": "gpu:a100:2,shard:4", "cpu=4": "", "gpu:1(S:0)": "gpu:1", "cpu:4,gres/gpu": "gpu", "license:x:1": "", "": ""} {
		if got := gresList(text); got != want {
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
	if err := WriteJSON(&b, s); err != nil {
		t.Fatal(err)
	}
	again, diags := readText(t, "f", b.String())
	if len(diags) > 0 || cells(again.Reservations) != cells(s.Reservations) || cells(again.Licenses) != cells(s.Licenses) || !strings.Contains(cells(s.Reservations), `job=7`) {
		t.Errorf("%s\n%s", b.String(), texts(diags))
	}
}
