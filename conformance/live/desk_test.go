//go:build live

package live_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// deskLimits are limits that the desk changes, of a QOS and of an association, with a value of each.
var deskLimits = map[string][]string{
	"QOS high": {"GrpJobs", "GrpJobsAccrue", "GrpSubmitJobs", "GrpWall", "GrpTRES=cpu", "GrpTRES=mem", "GrpTRESMins=cpu",
		"GrpTRESRunMins=node", "MaxJobsPU", "MaxJobsPA", "MaxJobsAccruePU", "MaxJobsAccruePA", "MaxSubmitJobsPU",
		"MaxSubmitJobsPA", "MaxWallDurationPerJob", "MaxTRESPerJob=cpu", "MaxTRESPerNode=cpu", "MaxTRESMinsPerJob=cpu",
		"MaxTRESPerUser=cpu", "MaxTRESPerAccount=cpu", "MaxTRESRunMinsPerUser=cpu", "MaxTRESRunMinsPerAccount=cpu",
		"MinTRESPerJob=cpu"},
	"association physics/bin": {"GrpJobs", "GrpJobsAccrue", "GrpSubmitJobs", "GrpWall", "GrpTRES=cpu", "GrpTRESMins=cpu",
		"GrpTRESRunMins=cpu", "MaxJobs", "MaxJobsAccrue", "MaxSubmitJobs", "MaxWallDurationPerJob", "MaxTRESPerJob=cpu",
		"MaxTRESPerNode=cpu", "MaxTRESMinsPerJob=cpu"},
	"association optics": {"MaxJobs", "GrpTRES=mem"},
}

// TestDeskCommands: sacctmgr takes the commands that the desk prints for each limit, and shows the limit as the desk has
// it then; without a value it is gone.
func TestDeskCommands(t *testing.T) {
	c := newCluster(t)
	c.write("accounts.cfg", accounts, 0o644)
	c.run("sacctmgr", "-i", "load", "file=accounts.cfg", "clean")
	c.run(qualities[0]...)
	set, cleared := edit.Change{}, edit.Change{}
	for object, limits := range deskLimits {
		for i, limit := range limits {
			set[object+" "+limit], cleared[object+" "+limit] = fmt.Sprint(41+i), ""
		}
	}
	set["association physics Fairshare"], set["association optics/sys Fairshare"] = "17", "parent"
	set["QOS high Priority"] = "5"
	got := c.commanded(set)
	for key, value := range set {
		at := strings.LastIndexByte(key, ' ')
		if !slices.Contains(got[key[:at]], key[at+1:]+"="+value) {
			t.Errorf("%s is not %s: %v", key, value, got[key[:at]])
		}
	}
	for object, list := range c.commanded(cleared) {
		if list = slices.DeleteFunc(list, func(l string) bool {
			return strings.HasPrefix(l, "Fairshare=") ||
				strings.HasPrefix(l, "Priority=")
		}); deskLimits[object] != nil && len(list) > 0 {
			t.Errorf("%s still has %v", object, list)
		}
	}
}

// commanded runs what the desk prints for a change, and gives what sacctmgr shows then.
func (c *cluster) commanded(change edit.Change) map[string][]string {
	c.t.Helper()
	for _, command := range edit.Commands(change) {
		if _, err := c.try("sh", "-c", command+" >&2"); err != nil {
			c.t.Error(err)
		}
	}
	files := fstest.MapFS{}
	for what, columns := range map[string]string{
		"qos": "Name,Priority,Flags,UsageFactor,MaxJobsPU,MaxJobsPA,MaxJobsAccruePU,MaxJobsAccruePA,MaxSubmitPU," +
			"MaxSubmitPA,MaxTRESPU,MaxTRESPA,MaxTRESRunMinsPU,MaxTRESRunMinsPA,MinTRES",
		"assoc": "Cluster,Account,User,Partition,ParentName,Share,Priority,MaxJobs,MaxJobsAccrue,MaxSubmit"} {
		text := c.run("sacctmgr", "-P", "show", what, "format="+columns+",GrpJobs,GrpJobsAccrue,GrpSubmit,GrpWall,GrpTRES,"+
			"GrpTRESMins,GrpTRESRunMins,MaxWall,MaxTRES,MaxTRESPerNode,MaxTRESMins")
		files[what] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	s, diags, err := snapshot.Read(files, []string{"qos", "assoc"}, snapshot.Options{})
	c.must(err)
	if diags.HasErrors() {
		c.t.Fatal(diags[0].Span.String(), diags[0].Message)
	}
	all := map[string][]string{}
	for object, word := range map[string]string{"qos": "QOS", "association": "association"} {
		table := s.Credentials[object]
		for row := range table.Rows {
			value := func(name string) schema.Value { return table.Value(schema.ColumnID(object+"."+name), row) }
			list := slices.Clone(value("limits").List)
			if shares := value("shares"); shares.Known() {
				list = append(list, "Fairshare="+shares.String())
			} else {
				list = append(list, "Fairshare=parent")
			}
			all[word+" "+value("name").Str] = append(list, "Priority="+value("priority").String())
		}
	}
	return all
}
