package laws

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// drawCluster makes an account tree as sacctmgr could hold it. Shares and usages are few and small, so
// that there are ties, exact and nearly so.
func drawCluster(t *rapid.T) *oracle.Cluster {
	shares := rapid.SampledFrom([]int64{0, 1, 1, 2, 3, 7, 10, 50, oracle.ParentShares})
	used := rapid.SampledFrom([]float64{0, 0, 1, 2, 3, 7, 10, 20, 70, 333333.25, 1e9})
	if rapid.Bool().Draw(t, "alike") {
		shares, used = rapid.SampledFrom([]int64{1, 1, 2}), rapid.SampledFrom([]float64{1, 1, 2})
	}
	c := &oracle.Cluster{Now: now}
	accounts := []string{"root"}
	c.Associations = append(c.Associations, oracle.Association{Account: "root"},
		oracle.Association{Account: "root", User: "root", Shares: 1})
	for i := range rapid.IntRange(1, 7).Draw(t, "accounts") {
		name := fmt.Sprintf("a%d", i)
		c.Associations = append(c.Associations,
			oracle.Association{Account: name, Parent: rapid.SampledFrom(accounts).
				Draw(t, "parent"), Shares: shares.Draw(t, "shares")})
		accounts = append(accounts, name)
	}
	for i := range rapid.IntRange(1, 15).Draw(t, "users") {
		c.Associations = append(c.Associations,
			oracle.Association{Account: rapid.SampledFrom(accounts[1:]).Draw(t, "account"), User: fmt.Sprintf("u%d", i%9),
				Shares: shares.Draw(t, "shares"), Usage: used.Draw(t, "usage")})
	}
	seen := map[string]bool{}
	c.Associations = slices.DeleteFunc(c.Associations, func(a oracle.Association) bool {
		again := seen[a.Name()]
		seen[a.Name()] = true
		return again
	})
	return c
}

// sacctmgrDump writes the tree as sacctmgr dump does, account by account.
func sacctmgrDump(c *oracle.Cluster) string {
	b := &strings.Builder{}
	b.WriteString("Cluster - 'c':Fairshare=1:QOS='normal,q,r'" + options(c.Associations[0].Limits) + "\n")
	for _, above := range c.Associations {
		if above.User != "" {
			continue
		}
		fmt.Fprintf(b, "Parent - '%s'\n", above.Account)
		for _, a := range c.Associations {
			shares := fmt.Sprint(a.Shares)
			if a.Shares == oracle.ParentShares {
				shares = "2147483647"
			}
			switch {
			case a.User != "" && a.Account == above.Account:
				fmt.Fprintf(b, "User - '%s':DefaultAccount='%s':Fairshare=%s%s\n", a.User, a.Account, shares, options(a.Limits))
			case a.User == "" && a.Parent == above.Account:
				fmt.Fprintf(b, "Account - '%s':Fairshare=%s%s\n", a.Account, shares, options(a.Limits))
			}
		}
	}
	return b.String()
}

// dumpNames are the names that limits have in a dump.
var dumpNames = map[string]string{"MaxWall": "MaxWallDurationPerJob", "MaxTRES": "MaxTRESPerJob",
	"MaxTRESMins": "MaxTRESMinsPerJob"}

func options(limits map[string]int64) string {
	b := &strings.Builder{}
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		in := name
		if s := dumpNames[name]; s != "" {
			in = s
		}
		fmt.Fprintf(b, ":%s=%s", in, limitValue(name, limits[name]))
	}
	return b.String()
}

func limitValue(name string, n int64) string {
	if strings.Contains(name, "TRES") {
		return fmt.Sprintf("cpu=%d", n)
	}
	return fmt.Sprint(n)
}

// sacctmgrQOS writes what sacctmgr show qos -P prints.
func sacctmgrQOS(list []oracle.ClusterQOS) string {
	columns := []string{"GrpTRES", "GrpTRESMins", "GrpTRESRunMins", "GrpJobs", "GrpWall", "MaxTRES", "MaxTRESMins",
		"MaxWall", "MaxTRESPU", "MaxJobsPU", "MaxTRESPA", "MaxJobsPA", "MinTRES"}
	b := &strings.Builder{}
	b.WriteString("Name|Priority|Flags|UsageFactor|" + strings.Join(columns, "|") + "\n")
	for _, q := range list {
		cells := []string{q.Name, "0", "", "1.000000"}
		for _, name := range columns {
			switch n, set := q.Limits[name]; {
			case !set:
				cells = append(cells, "")
			case strings.HasSuffix(name, "Wall"):
				cells = append(cells, fmt.Sprintf("%02d:%02d:00", n/60, n%60))
			default:
				cells = append(cells, limitValue(name, n))
			}
		}
		b.WriteString(strings.Join(cells, "|") + "\n")
	}
	return b.String()
}

// queueJSON writes usage and jobs as a snapshot of ours.
func queueJSON(t *rapid.T, c *oracle.Cluster) string {
	type object = map[string]any
	usage := func(name string, seconds float64, used map[string]int64) object {
		row := object{"name": name, "usage_seconds": seconds}
		if used != nil {
			row["usage_wall_seconds"], row["usage_tres_minutes"] = 60*used["GrpWall"]+59, object{"cpu": used["GrpTRESMins"]}
		}
		return row
	}
	var associations, qos, jobs []object
	for _, a := range c.Associations {
		if a.User != "" || a.Used != nil {
			associations = append(associations, usage(a.Name(), a.Usage, a.Used))
		}
	}
	for _, q := range c.QOS {
		qos = append(qos, usage(q.Name, 0, q.Used))
	}
	for _, j := range c.Jobs {
		row := object{"id": j.ID, "user": j.User, "account": j.Account, "qos": j.QOS, "procs": j.CPUs, "nodes": 1,
			"state": "pending", "submit_time": now - 5000, "eligible_time": now - 5000}
		if c.NodeCPUs > 0 {
			row["partition"], row["exclusive"] = "p", j.Exclusive
		}
		if j.Minutes > 0 {
			row["walltime_seconds"] = 60 * j.Minutes
		}
		if j.Start > 0 {
			row["state"], row["start_time"] = "running", j.Start
		}
		jobs = append(jobs, row)
	}
	credentials := object{"association": associations}
	if len(qos) > 0 {
		credentials["qos"] = qos
	}
	text, err := json.Marshal(object{"format_version": 1, "now": now, "jobs": jobs, "credentials": credentials})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runCluster goes the whole way: slurm.conf and the dump are compiled, the outputs read, the queue evaluated.
func runCluster(t *rapid.T, conf string, c *oracle.Cluster, deviations ...string) (*evaluation.Result, string) {
	dump, table, queue := sacctmgrDump(c), sacctmgrQOS(c.QOS), queueJSON(t, c)
	all := conf + dump + table + queue
	out := compiler.Compile(compiler.Input{Options: lower.Options{Version: "25.11", Deviations: deviations},
		Files: []*source.File{
			source.NewFile("slurm.conf", []byte("SlurmctldHost=here\nClusterName=c\n"+
				"AccountingStorageType=accounting_storage/slurmdbd\nPriorityType=priority/multifactor\n"+conf)),
			source.NewFile("dump.cfg", []byte(dump))}})
	if out.Program == nil || out.Diags.HasErrors() {
		t.Fatalf("%v\n%s", out.Diags, all)
	}
	s := readCluster(t, c, queue, table)
	result, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
	if err != nil || result.Findings.HasErrors() {
		t.Fatalf("%v %v\n%s", err, result.Findings, all)
	}
	return result, all
}

// readCluster reads a queue and a table of QOS.
func readCluster(t *rapid.T, c *oracle.Cluster, queue, table string) *snapshot.Snapshot {
	files := fstest.MapFS{"queue.json": {Data: []byte(queue)}}
	paths := []string{"queue.json"}
	if len(c.QOS) > 0 {
		files["qos.psv"] = &fstest.MapFile{Data: []byte(table)}
		paths = append(paths, "qos.psv")
	}
	s, diags, err := snapshot.Read(files, paths, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatalf("%v %v\n%s%s", err, diags, queue, table)
	}
	return s
}
