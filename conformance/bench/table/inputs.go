package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	site = "examples/slurm-verify"
	// nodesPerJob gives 10,000 nodes to 100,000 jobs.
	nodesPerJob = 0.1
)

// makeInputs builds the program and makes what the commands read: the queue of the example of a site grown to so many
// jobs, its machine with it, and long configurations.
func makeInputs(dir string, jobs int) error {
	nodes := int(float64(jobs) * nodesPerJob)
	up := nodes / 4 // as of the example's nodes
	conf, err := os.ReadFile(site + "/slurm.conf")
	if err != nil {
		return err
	}
	accounts, err := os.ReadFile(site + "/assoc.cfg")
	if err != nil {
		return err
	}
	grown := strings.NewReplacer("=n1 ", fmt.Sprintf("=n[1-%d] ", up), "gone[1-3]",
		fmt.Sprintf("gone[1-%d]", nodes-up)).Replace(string(conf))
	texts := map[string]string{"slurm.conf": grown, "assoc.cfg": string(accounts),
		"changed.conf": grown + "PriorityWeightAge=7000\n", "1000.conf": longConf(string(conf), 1000),
		"20000.conf": longConf(string(conf), 20_000), "table.conf": tableConf}
	for name, text := range tables(jobs, nodes) {
		texts[filepath.Join("table", name)] = text
	}
	if err := os.Mkdir(filepath.Join(dir, "table"), 0o755); err != nil {
		return err
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	program := filepath.Join(dir, "fairway")
	for _, words := range [][]string{
		{"go", "build", "-o", program, "./cmd/fairway"},
		{program, "snapshot", "synth", site + "/snapshot", "--jobs", fmt.Sprint(jobs), "--nodes", fmt.Sprint(nodes),
			"-o", "json=" + filepath.Join(dir, "queue.json")},
	} {
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", words[0], err, out)
		}
	}
	return nil
}

// longConf is a slurm.conf of so many lines.
func longConf(conf string, lines int) string {
	text := strings.Builder{}
	text.WriteString(conf)
	for i := range lines - strings.Count(conf, "\n") {
		fmt.Fprintf(&text, "NodeName=c%05d CPUs=64 RealMemory=256000 Feature=zen3,ib Weight=%d\n", i, i%7+1)
	}
	return text.String()
}

// tableConf is the policy of the tables.
const tableConf = `ClusterName=table
SlurmctldHost=head
SelectType=select/cons_tres
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=100
PriorityWeightQOS=5000
NodeName=n[1-10000] CPUs=64 RealMemory=256000
PartitionName=main Nodes=ALL Default=YES MaxTime=7-0
`

// tables are what a cron job collects of a queue: squeue's table, sshare, qos and nodes. Half of the jobs of 3,000
// users run.
func tables(jobs, nodes int) map[string]string {
	var squeue, sshare, machine strings.Builder
	squeue.WriteString("JOBID|USER|GROUP|ACCOUNT|QOS|PARTITION|STATE|REASON|PRIORITY|NICE|SUBMIT_TIME|ELIGIBLE_TIME|" +
		"ACCRUE_TIME|START_TIME|TIME_LIMIT|CPUS|NODES|MIN_MEMORY|NODELIST\n")
	const users, perAccount = 3000, 10
	qos := []string{"normal", "normal", "high", "low"}
	for i := range jobs {
		user := i * 7919 % users
		state, reason, start, on := "PENDING", "Priority", "N/A", ""
		if i < min(jobs/2, nodes) {
			state, reason, start, on = "RUNNING", "None", fmt.Sprintf("2026-11-19T%02d:%02d:00", i%24, i%60),
				fmt.Sprintf("n%d", i+1)
		}
		fmt.Fprintf(&squeue, "%d|u%04d|users|a%03d|%s|main|%s|%s|%d|0|%s|%[8]s|%[8]s|%s|1-00:00:00|%d|%d|%dM|%s\n", 1000+i,
			user, user/perAccount, qos[i%len(qos)], state, reason, 1000+i%5000,
			fmt.Sprintf("2026-11-%02dT%02d:%02d:00", 10+i%8, i%24, i%60), start, 64*(1+i%4), 1+i%4, 1000*(1+i%8), on)
	}
	sshare.WriteString("Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare\n" +
		"root|||0.000000|1000000||1.000000|\n")
	for i := range users {
		if i%perAccount == 0 {
			fmt.Fprintf(&sshare, " a%03d||1|0.003333|3333|0.003333|0.003333|\n", i/perAccount)
		}
		fmt.Fprintf(&sshare, "  a%03d|u%04d|1|0.100000|333|0.000333|0.1|%.6f\n", i/perAccount, i, float64(i%997+1)/1000)
	}
	for i := range nodes {
		fmt.Fprintf(&machine, "NodeName=n%d CPUAlloc=0 CPUTot=64 RealMemory=256000 AllocMem=0 State=IDLE\n", i+1)
	}
	return map[string]string{"squeue.psv": squeue.String(), "sshare.psv": sshare.String(), "nodes.txt": machine.String(),
		"qos.psv": "Name|Priority|UsageFactor|Flags\nnormal|10|1.000000|\nhigh|100|1.000000|\nlow|0|1.000000|\n",
		"now.txt": "1795186800\n"}
}
