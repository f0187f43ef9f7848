package slurm

import (
	"path"
	"slices"
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
var options = []struct{ param, words string }{
	{
		"LaunchParameters",
		"batch_step_set_cpu_freq cray_net_exclusive enable_nss_slurm lustre_no_flush mem_sort mpir_use_nodeaddr " +
			"disable_send_gids send_gids send_uids " +
			"slurmstepd_memlock slurmstepd_memlock_all test_exec use_interactive_step ulimit_pam_adopt job_passed " +
			"no_user_namespace",
	},
	{
		"SlurmctldParameters",
		"allow_user_triggers cloud_dns cloud_reg_addrs conmgr_threads enable_configless enable_job_state_cache " +
			"disable_triggers enable_rpc_queue enable_stepmgr " +
			"getnameinfo_cache_timeout idle_on_node_suspend ignore_constraint_validation ignore_prefer_validation " +
			"job_state_cache limit_atf max_dbd_msg_action max_powered_nodes node_reg_mem_percent " +
			"no_quick_restart power_save_interval power_save_min_interval preempt_send_user_signal " +
			"reboot_from_controller reconfig_on_restart rl_enable rl_bucket_size rl_log_freq rl_refill_rate " +
			"rl_refill_period rl_table_size user_resv_delete validate_nodeaddr_threads",
	},
	{
		"SlurmdParameters",
		"allow_ecores config_overrides conmgr_threads contain_spank l3cache_as_socket numa_node_as_socket " +
			"shutdown_on_reboot",
	},
	{"PrivateData", "accounts cloud events jobs nodes partitions reservations usage users none all"},
}

func misspeltOptions(p *rule.Pass) {
	for _, o := range options {
		if !p.IsSet(o.param) {
			continue
		}
		words := strings.Fields(o.words)
		for _, entry := range strings.Split(p.Text(o.param), ",") {
			name, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(entry)), "=")
			works := slices.ContainsFunc(words, func(w string) bool {
				if o.param == "PrivateData" {
					w = strings.TrimSuffix(w, "s")
				}
				return strings.Contains(name, w)
			})
			if name == "" || works || diag.Nearest(name, words) == "" {
				continue
			}
			at := rule.WordAt(p.At(o.param), name)
			p.Report(at, "%s of %s is no word that Slurm looks for", name, o.param).
				Note("it is passed over silently").DidYouMean(at, name, words)
		}
	}
}

func equalPorts(p *rule.Pass) {
	if !p.IsSet("SlurmctldPort") && !p.IsSet("SlurmdPort") || p.Facts.Partial {
		return
	}
	one := func(name, otherwise string) string {
		if text := p.Text(name); text != "" {
			return text
		}
		if n := p.Param(name); n.Value.Int > 0 {
			return n.Value.String()
		}
		return otherwise
	}
	if one("SlurmctldPort", "6817") != one("SlurmdPort", "6818") {
		return
	}
	at, other := p.Either("SlurmctldPort", "SlurmdPort")
	d := p.Report(at, "slurmctld and slurmd have the same port")
	if !other.IsZero() {
		d.NoteAt(other, "the other one")
	}
	d.Note(
		"on a host that is controller and node one of them does not start; write SlurmctldPort=6817 and " +
			"SlurmdPort=6818",
	)
}
