package diag_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

func TestMask(t *testing.T) {
	for _, c := range [][2]string{
		{"AccountingStoragePass=hunter2", "AccountingStoragePass=(not shown)"},
		{"jobcomppass = \"hunter 2\" # old", "jobcomppass = (not shown) # old"},
		{"JobCompLoc=http://es:9200/slurm", "JobCompLoc=(not shown)"},
		{"CLIENTCFG[torque] AUTH=a CSKEY=hunter2 X=1", "CLIENTCFG[torque] AUTH=a CSKEY=(not shown) X=1"},
		{"BANKPASSWORD hunter2", "BANKPASSWORD (not shown)"},
		{"MailProg=https://amy:hunter2@host/x", "MailProg=https://amy:(not shown)@host/x"},
		{"AccountingStoragePass=", "AccountingStoragePass="},
		{"JobCredentialPrivateKey=/etc/key Bypass_x=1", "JobCredentialPrivateKey=/etc/key Bypass_x=1"},
		{"BYPASS=10 service_bypass = 3", "BYPASS=10 service_bypass = 3"},
		{"StandbyPass=hunter2 DBPASS=hunter3", "StandbyPass=(not shown) DBPASS=(not shown)"},
		{"PartitionName=pass Nodes=a", "PartitionName=pass Nodes=a"},
		{"", ""},
	} {
		if got := source.Mask(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

// A finding shows the line it is about, but for the password in it.
func TestSecretSnippet(t *testing.T) {
	f := source.NewFile("slurm.conf", []byte("JobCompPass=hunter2 x\nNoSuchPass=hunter2\n"))
	var list diag.List
	list.Errorf("a", f.Span(20, 21), "what is x")
	list.Errorf("b", f.Span(12, 19), "what is this")
	list.Errorf("c", f.Span(22, 32), "no such key")
	var b bytes.Buffer
	if err := diag.WriteText(&b, list, false); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Contains(got, "hunter") ||
		!strings.Contains(got, "NoSuchPass=(not shown)\n    ^^^^^^^^^^\n") ||
		strings.Contains(got, "JobCompPass=(not shown) x\n") {
		t.Error(got)
	}
}
