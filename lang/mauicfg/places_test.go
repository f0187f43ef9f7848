package mauicfg

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlaces: findings are where their author has to look, and say one thing once.
func TestPlaces(t *testing.T) {
	var classes strings.Builder
	for i := range 16 {
		fmt.Fprintf(&classes, "CLASSCFG[c%d] MAXJOB=2\n", i)
	}
	moab := "RMCFG[hsm] RESOURCETYPE=STORAGE TARGETUSAGE=80%\nRMCFG[hsm] CLUSTERQUERYURL=x SYSTEMQUERYURL=y " +
		"SYSTEMMODIFYURL=z\n"
	for _, c := range []struct{ name, text, want string }{
		{"the class that has no room", classes.String() + "CLASSCFG[zz] MAXJOB=2\nCLASSCFG[zy] MAXJOB=2\n",
			"17:10 maui-table-full"},
		{"classes that have", classes.String(), ""},
		{"the partition that has no room", "NODECFG[a] PARTITION=p1\nNODECFG[b] PARTITION=p2\nNODECFG[c] PARTITION=p3\n",
			"3:22 maui-table-full"},
		{"a blank in a quoted index", "USERCFG[\"a b\"] MAXJOB=3\n", "1:9 maui-quoted-blank"},
		{"a blank in an index", "USERCFG[a b] MAXJOB=3\n", "1:9 maui-open-bracket 1:11 maui-no-attribute"},
		{"a comment of another language", "FSDEPTH 7 // days\n// weeks\n", "2:1 maui-slash-comment 1:11 maui-slash-comment"},
		{"an attribute of the manual", "QOSCFG[a] FLAGS=NOBF\n", "1:11 maui-documented-attribute"},
		{"a part that says which manager there is", "SCHEDCFG[base] MODE=NORMAL\nRMCFG[slurm] TYPE=PBS\n", ""},
		{"a whole file without host", "RMCFG[slurm] TYPE=PBS\nQUEUETIMEWEIGHT 1\n", "1:1 maui-no-server-host"},
		{"a file of Moab", "ADMIN1 root\n" + moab, "2:12 maui-moab-file"},
		{"a directive", "FSDEPTH 7\nINCLUDE users.cfg\n", "2:1 maui-unknown-parameter #INCLUDE"},
		{"a short name", "QTWEIGHT 5\nXFACTOR 3\nQUEUEWEIGHT 1\n",
			"1:1 maui-unknown-parameter QUEUETIMEWEIGHT 2:1 maui-unknown-parameter XFACTORWEIGHT 3:1 maui-unknown-parameter " +
				"QUEUETIMEWEIGHT"},
	} {
		_, diags := evaluateText(c.text, Options{})
		var found []string
		for _, d := range diags {
			if d.Code == "maui-moab-name" {
				continue
			}
			p := d.Span.Position()
			text := fmt.Sprintf("%d:%d %s", p.Line, p.Column, d.Code)
			if d.Fix != nil && d.Code == "maui-unknown-parameter" {
				text += " " + d.Fix.NewText
			}
			found = append(found, text)
		}
		if got := strings.Join(found, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
