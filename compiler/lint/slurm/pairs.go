package slurm

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// pairsRules are the rules about settings of slurm.conf that need or exclude one another, and about words
// near to known ones.
var pairsRules = []rule.Rule{
	{Code: "slurm-unknown-partition", Check: unknownPartitions},
	{Code: "slurm-enforce-without-accounts", Check: enforceWithoutAccounts},
	{Code: "slurm-backfill-words-unused", Check: unusedBackfillWords},
	{Code: "slurm-out-of-range", Check: outOfRange},
	{Code: "slurm-power-half", Check: halfPower},
	{Code: "slurm-health-half", Check: halfHealth},
	{Code: "slurm-state-not-kept", Check: stateNotKept},
	{Code: "slurm-option-misspelt", Check: misspeltOptions},
	{Code: "slurm-ports-equal", Check: equalPorts},
	{Code: "slurm-srun-ports", Check: srunPorts},
}

func unknownPartitions(p *rule.Pass) {
	known := p.NamesOf("PartitionName")
	if p.Facts.Partial || len(known) == 0 {
		return
	}
	p.Each("PartitionName", "Alternate", func(part *ir.Record, a *ir.Attr) {
		if a.Text != "" && !slices.Contains(known, a.Text) {
			at := rule.WordAt(a.Span, a.Text)
			p.Report(at, "there is no partition %s for the jobs of %s", a.Text, part.Name).
				Note("write the name of another partition, or leave Alternate out").DidYouMean(at, a.Text, known)
		}
	})
	for _, word := range strings.FieldsFunc(p.Text("SuspendExcParts"), func(c rune) bool {
		return c == ',' ||
			c == ' '
	}) {
		word = strings.TrimLeft(word, "+-")
		if !slices.Contains(known, word) {
			at := rule.WordAt(p.At("SuspendExcParts"), word)
			p.Report(at, "there is no partition %s, so nodes may be powered down that were to stay on", word).
				Note("correct the name, or remove it").DidYouMean(at, word, known)
		}
	}
}

func enforceWithoutAccounts(p *rule.Pass) {
	words := p.Text("AccountingStorageEnforce")
	kind := p.Text("AccountingStorageType")
	if !complete(p) || !p.IsSet("AccountingStorageEnforce") || strings.Trim(words, "0 ") == "" ||
		strings.EqualFold(words, "none") {
		return
	}
	if kind != "" && !strings.EqualFold(kind, "accounting_storage/none") {
		return
	}
	d := p.Report(p.At("AccountingStorageEnforce"), "nothing is enforced: there are no accounts")
	if p.IsSet("AccountingStorageType") {
		d.NoteAt(p.At("AccountingStorageType"), "accounting is off")
	} else {
		d.Note("AccountingStorageType is not set, so accounting is off")
	}
	d.Note("write AccountingStorageType=accounting_storage/slurmdbd, or remove the line")
}

// sharedWords begin as those of backfill do, and are looked for elsewhere too: by the builtin scheduler, the
// selection of
// nodes or of licences.
var sharedWords = []string{
	"bf_interval",
	"bf_max_job_test",
	"bf_busy_nodes",
	"bf_licenses",
	"bf_topopt_enable",
	"bf_topopt_iterations",
}

func unusedBackfillWords(p *rule.Pass) {
	if !strings.EqualFold(p.Text("SchedulerType"), "sched/builtin") || !p.IsSet("SchedulerType") {
		return
	}
	var first source.Span
	var all []string
	for _, o := range p.Options {
		if strings.HasPrefix(o.Name, "bf_") && o.IsSet() && !slices.Contains(sharedWords, o.Name) {
			all = append(all, o.Name)
			if first.IsZero() || o.Set.Start < first.Start {
				first = o.Set
			}
		}
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	p.Report(first, "SchedulerParameters has words for sched/backfill alone: %s", rule.Names(all)).
		NoteAt(p.At("SchedulerType"), "the scheduler is sched/builtin").
		Note("write SchedulerType=sched/backfill, or remove them")
}

func outOfRange(p *rule.Pass) {
	if n := p.Number("MaxArraySize"); p.IsSet("MaxArraySize") && n > 4000001 {
		p.Report(p.At("MaxArraySize"), "MaxArraySize is above 4000001, the most that Slurm takes").
			Note("write 4000001 or less")
	}
	if n := p.Number("SchedulerTimeSlice"); p.IsSet("SchedulerTimeSlice") && n < 5 {
		p.Report(p.At("SchedulerTimeSlice"), "SchedulerTimeSlice must be at least 5 seconds").
			Note("write 5 or more; 30 is the default")
	}
	for _, key := range []string{"SlurmctldPort", "SlurmdPort", "AccountingStoragePort"} {
		if _, last := ports(p, key, 0); p.IsSet(key) && last > 65535 {
			p.Report(p.At(key), "there is no port %d", last).Note("the last is 65535")
		}
	}
	if n := p.Number("ReturnToService"); p.IsSet("ReturnToService") && n > 2 {
		p.Report(p.At("ReturnToService"), "ReturnToService is 0, 1 or 2: any other number works as 0").
			Note("write 1 for nodes that did not respond, or 2 for all nodes that are down")
	}
}

// saves reports that a time is one after which nodes are powered down.
func saves(time string) bool {
	switch strings.ToUpper(time) {
	case "", "-1", "NONE", "INFINITE", "UNLIMITED":
		return false
	}
	return true
}

func halfPower(p *rule.Pass) {
	if !complete(p) {
		return
	}
	off := func(name string) bool {
		text := p.Text(name)
		return text == "" || strings.EqualFold(text, "none") || text == "(null)"
	}
	waits := p.IsSet("SuspendTime") && saves(p.Text("SuspendTime"))
	switch suspend, resume := !off("SuspendProgram"), !off("ResumeProgram"); {
	case waits && (!suspend || !resume):
		missing := "SuspendProgram"
		if suspend {
			missing = "ResumeProgram"
		}
		p.Report(p.At("SuspendTime"), "no node is powered down, because %s is not set", missing).
			Note("slurmctld switches power saving off; write %s=…, or remove SuspendTime", missing)
	case suspend && !resume:
		p.Report(p.At("SuspendProgram"), "SuspendProgram has no effect without ResumeProgram").
			Note("slurmctld switches power saving off; write both, or remove it")
	}
	if !off("ResumeProgram") {
		return
	}
	for _, r := range p.Records["NodeName"] {
		if r.Machine != nil && strings.Contains(r.Machine.State, "CLOUD") {
			p.Report(r.Span, "nothing starts the nodes %s: they are CLOUD, and there is no ResumeProgram", r.Name).
				Note("write ResumeProgram=…, or another State")
			return
		}
	}
}

func halfHealth(p *rule.Pass) {
	program := p.IsSet("HealthCheckProgram") && p.Text("HealthCheckProgram") != "" &&
		!strings.EqualFold(p.Text("HealthCheckProgram"), "none")
	every := p.IsSet("HealthCheckInterval") && p.Number("HealthCheckInterval") > 0
	switch {
	case p.Facts.Partial:
	case program && !every:
		p.Report(p.At("HealthCheckProgram"), "the program is never run, because HealthCheckInterval is 0").
			Note("write HealthCheckInterval=300")
	case every && !program:
		p.Report(p.At("HealthCheckInterval"), "there is nothing to run: HealthCheckProgram is not set").
			Note("write HealthCheckProgram=…, or remove the line")
	}
}

func stateNotKept(p *rule.Pass) {
	if !p.IsSet("StateSaveLocation") {
		return
	}
	where := path.Clean(p.Text("StateSaveLocation"))
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm", "/run", "/var/run"} {
		if where == dir || strings.HasPrefix(where, dir+"/") {
			p.Report(p.At("StateSaveLocation"), "jobs are lost when %s is cleared", dir).
				Note("slurmctld keeps the queue there; write a directory that lasts, such as /var/spool/slurmctld")
			return
		}
	}
}

// options are words that Slurm looks for anywhere in the text of a parameter, those of later versions among them.
// Of those that are closed, Slurm is known to look for no other word; of those that are exact, for whole words.
var options = []struct {
	param, words  string
	closed, exact bool
	then          string // what becomes of another word; "": it is ignored
}{
	{param: "AccountingStoreFlags", closed: true,
		words: "job_comment job_env job_extra:23.02 job_script no_stdio:24.05"},
	{param: "HealthCheckNodeState", closed: true, exact: true,
		words: "ANY ALLOC CYCLE IDLE MIXED NONDRAINED_IDLE:23.02 REBOOT_ONLY:26.05 START_ONLY:25.11"},
	{param: "ReconfigFlags", closed: true, exact: true,
		words: "KeepPartInfo KeepPartState KeepPowerSaveSettings:23.02",
		then:  "slurmctld logs an error and acts as with KeepPartState, whatever else is listed"},
	{param: "LaunchParameters", words: "" +
		"batch_step_set_cpu_freq cray_net_exclusive enable_nss_slurm lustre_no_flush mem_sort mpir_use_nodeaddr " +
		"disable_send_gids send_gids send_uids " +
		"slurmstepd_memlock slurmstepd_memlock_all test_exec use_interactive_step ulimit_pam_adopt job_passed " +
		"no_user_namespace"},
	{param: "SlurmctldParameters", words: "" +
		"allow_user_triggers cloud_dns cloud_reg_addrs conmgr_threads enable_configless enable_job_state_cache " +
		"disable_triggers enable_rpc_queue enable_stepmgr " +
		"getnameinfo_cache_timeout idle_on_node_suspend ignore_constraint_validation ignore_prefer_validation " +
		"job_state_cache limit_atf max_dbd_msg_action max_powered_nodes node_reg_mem_percent " +
		"no_quick_restart power_save_interval power_save_min_interval preempt_send_user_signal " +
		"reboot_from_controller reconfig_on_restart rl_enable rl_bucket_size rl_log_freq rl_refill_rate " +
		"rl_refill_period rl_table_size user_resv_delete validate_nodeaddr_threads"},
	{param: "SlurmdParameters", words: "" +
		"allow_ecores config_overrides conmgr_threads contain_spank l3cache_as_socket numa_node_as_socket " +
		"shutdown_on_reboot"},
	{param: "PrivateData", words: "accounts cloud events jobs nodes partitions reservations usage users none all"},
}

func misspeltOptions(p *rule.Pass) {
	for _, o := range options {
		if !p.IsSet(o.param) {
			continue
		}
		var words, later []string
		for _, text := range strings.Fields(o.words) {
			word, since, _ := strings.Cut(text, ":")
			if since != "" && !p.Since(since) {
				later = append(later, word)
			} else {
				words = append(words, word)
			}
		}
		for _, entry := range strings.Split(p.Text(o.param), ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(entry), "=")
			works := slices.ContainsFunc(words, func(w string) bool {
				switch {
				case o.exact:
					return strings.EqualFold(name, w)
				case o.param == "PrivateData":
					w = strings.TrimSuffix(w, "s")
				}
				return strings.Contains(strings.ToLower(name), w)
			})
			near := diag.Nearest(name, words)
			if name == "" || works || near == "" && !o.closed || o.closed && strings.ContainsAny(name, "<{$") {
				continue
			}
			at := rule.WordAt(p.At(o.param), name)
			d := p.Report(at, "%s does not know %q", o.param, name)
			switch {
			case slices.ContainsFunc(later, func(w string) bool { return strings.EqualFold(name, w) }):
				d.Message = fmt.Sprintf("%s does not know %q in %s", o.param, name, p.Version)
				d.Note("it comes with a later version; remove it")
			case near == "":
				d.Note("%s; Slurm looks for %s", cmp.Or(o.then, "it is ignored"), strings.Join(words, ", "))
			default:
				d.Note("%s", cmp.Or(o.then, "it is ignored")).DidYouMean(at, name, words)
			}
		}
	}
}

// equalPorts: slurmctld listens on every port of its range. slurmdbd counts where it is on the same host.
func equalPorts(p *rule.Pass) {
	if p.Facts.Partial {
		return
	}
	low, high := ports(p, "SlurmctldPort", 6817)
	others := []struct {
		key, daemon string
		port        int64
		here        bool
	}{
		{"SlurmdPort", "slurmd", 6818, true},
		{"AccountingStoragePort", "slurmdbd", 6819, hasDatabase(p) && databaseHere(p)},
	}
	for _, o := range others {
		port, last := ports(p, o.key, o.port)
		if !o.here || !p.IsSet("SlurmctldPort") && !p.IsSet(o.key) || port > high || last < low {
			continue
		}
		at, other := p.Either("SlurmctldPort", o.key)
		d := p.Report(at, "slurmctld and %s have the same port", o.daemon)
		if low < high {
			d.Message = fmt.Sprintf("the ports of slurmctld, %d to %d, have that of %s among them, %d", low, high,
				o.daemon, port)
		}
		if !other.IsZero() {
			d.NoteAt(other, "the other one")
		}
		d.Note("on a host that runs both one of them does not start; write SlurmctldPort=6817, SlurmdPort=6818 and " +
			"AccountingStoragePort=6819")
	}
}

// srunPorts looks for the port of slurmd among those that srun listens on: both run on a node.
func srunPorts(p *rule.Pass) {
	if p.Facts.Partial || !p.IsSet("SrunPortRange") {
		return
	}
	low, high := ports(p, "SrunPortRange", 0)
	port, last := ports(p, "SlurmdPort", 6818)
	if port > high || last < low {
		return
	}
	d := p.Report(p.At("SrunPortRange"), "srun may take the port of slurmd, %d", port)
	if p.IsSet("SlurmdPort") {
		d.NoteAt(p.At("SlurmdPort"), "it is set here")
	}
	advice := "write SlurmdPort=6818"
	if port < 60001 {
		advice = "write a range without the daemons' ports, such as SrunPortRange=60001-63000"
	}
	d.Note("slurmd does not start again while a job's srun has it; %s", advice)
}

// ports are the first and the last port of a key.
func ports(p *rule.Pass, key string, otherwise int64) (low, high int64) {
	text := p.Text(key)
	if text == "" {
		if low = p.Param(key).Value.Int; low == 0 {
			low = otherwise
		}
		return low, low
	}
	from, to, ranged := strings.Cut(text, "-")
	low, _ = strconv.ParseInt(from, 10, 64)
	high, _ = strconv.ParseInt(to, 10, 64)
	if !ranged {
		high = low
	}
	return low, high
}

// databaseHere reports that slurmdbd is on the host of slurmctld, which is the default.
func databaseHere(p *rule.Pass) bool {
	host := p.Text("AccountingStorageHost")
	if !p.IsSet("AccountingStorageHost") || strings.EqualFold(host, "localhost") {
		return true
	}
	for _, key := range []string{"SlurmctldHost", "ControlMachine"} {
		first, _, _ := strings.Cut(p.Text(key), "(")
		if p.IsSet(key) && strings.EqualFold(strings.TrimSpace(first), host) {
			return true
		}
	}
	return false
}
