package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/runtime/program"
)

// slurmPlan reads how slurmctld places jobs from the parameters, once all are known. What of them the planner does not
// repeat it says.
func (l *lowering) slurmPlan() *ir.SlurmPlan {
	if l.family != "slurm" {
		return nil
	}
	scheduler, selects, types := l.text("SchedulerType"), l.text("SelectType"), l.text("SelectTypeParameters")
	option := func(name string) int64 { return max(0, l.out.Option(name).Number()) }
	on := func(name string) bool { return l.out.Option(name).On() }
	off := func(name string) bool { return l.out.Option(name).Number() == -1 }
	out := &ir.SlurmPlan{SlurmPlan: program.SlurmPlan{
		Version:        int(versionNumber(l.out.Version)),
		Linear:         strings.EqualFold(selects, "select/linear"),
		Cores:          l.sharesCores(selects, types),
		Sockets:        slurmconf.HasFlag(types, "CR_Socket") && !strings.EqualFold(selects, "select/linear"),
		Memory:         l.sharesMemory(selects, types),
		OneTaskPerCore: slurmconf.HasFlag(types, "CR_ONE_TASK_PER_CORE"),
		Blocks:         slurmconf.HasFlag(types, "CR_CORE_DEFAULT_DIST_BLOCK"),
		Main:           !off("sched_interval"),
		Builtin:        strings.EqualFold(scheduler, "sched/builtin"),
		Backfill:       !strings.EqualFold(scheduler, "sched/builtin") && !off("bf_interval"),

		QueueDepth: option("default_queue_depth"), DelaySeconds: option("batch_sched_delay"),
		FullPassSeconds: option("sched_interval"), CycleSeconds: option("bf_interval"),

		PartitionDepth: option("partition_job_depth"), MainStarts: option("sched_max_job_start"),
		LimitStop: on("assoc_limit_stop"), WindowSeconds: 60 * option("bf_window"),
		ResolutionSeconds: option("bf_resolution"), LinearSeconds: option("bf_window_linear"),
		Licenses: on("bf_licenses"), RunningReserve: on("bf_running_job_reserve"),
		OneReservation: on("bf_one_resv_per_job"), Tests: option("bf_max_job_test"),
		Starts: option("bf_max_job_start"), ArrayReservations: option("bf_max_job_array_resv"),
		PerPartition: option("bf_max_job_part"), PerUser: option("bf_max_job_user"),
		PerUserPartition: option("bf_max_job_user_part"), PerAssociation: option("bf_max_job_assoc"),
		PartitionReserve: option("bf_job_part_count_reserve"), MinAgeSeconds: option("bf_min_age_reserve"),
		MinPriority: option("bf_min_prio_reserve"), KillWaitSeconds: l.number("KillWait"),
		OverTimeSeconds: 60 * l.number("OverTimeLimit"),
	}}
	if strings.EqualFold(l.text("PriorityType"), "priority/multifactor") {
		out.PrioritySeconds = max(1, l.number("PriorityCalcPeriod"))
	}
	l.slurmPreemption(out)
	out.Tree, out.TreeOptional = strings.EqualFold(l.text("TopologyPlugin"), "topology/tree"),
		slurmconf.HasFlag(l.text("TopologyParam"), "TopoOptional")
	if out.Tree {
		out.SwitchSeconds = option("max_switch_wait")
	}
	if !out.Linear {
		out.LeastLoaded, out.PackSerial = slurmconf.HasFlag(types, "CR_LLN"), on("pack_serial_at_end")
		out.BusyNodes = on("bf_busy_nodes")
	}
	out.HetImmediate = on("bf_hetjob_immediate")
	out.HetPriority = strings.ToLower(l.out.Option("bf_hetjob_prio").Value.Str)
	if out.HetImmediate && out.HetPriority == "" {
		out.HetPriority = "min" // slurm.conf.5, bf_hetjob_immediate
	}
	if out.Builtin {
		out.BuiltinTests = option("max_job_bf")
	}
	out.RunningReserve = out.RunningReserve || out.Licenses // licences are only freed where running jobs are in the map
	if out.TableSize = option("bf_node_space_size"); out.TableSize == 0 {
		out.TableSize = out.Tests // the default
	}
	if out.PerAssociation > 0 {
		out.PerUser = 0 // slurmctld ignores it beside that
	}
	l.notModelled(selects)
	return out
}

// sharesCores reports that a job is reported to have all processors of its cores. Where no input says what is shared
// out, it is cores from 23.11 on, by select/cons_tres, and processors before.
func (l *lowering) sharesCores(selects, types string) bool {
	switch p := l.params.by["SelectTypeParameters"]; {
	case strings.EqualFold(selects, "select/linear"):
		return false
	case p != nil && !p.Set.IsZero() && slurmconf.HasFlag(types, "CR_CPU"):
		return false
	case p != nil && !p.Set.IsZero() && (slurmconf.HasFlag(types, "CR_Core") || slurmconf.HasFlag(types, "CR_Socket")):
		return true
	}
	return versionNumber(l.out.Version) >= versionNumber("23.11")
}

// sharesMemory reports that memory is shared out. Where no input says so, it is from 23.11 on, but not by
// select/linear.
func (l *lowering) sharesMemory(selects, types string) bool {
	if p := l.params.by["SelectTypeParameters"]; p != nil && !p.Set.IsZero() {
		return slurmconf.HasFlag(types, "memory")
	}
	return versionNumber(l.out.Version) >= versionNumber("23.11") && !strings.EqualFold(selects, "select/linear")
}

// text and number are parameters as they stand in the end.
func (l *lowering) text(name string) string {
	if p := l.params.by[name]; p != nil {
		return p.Value.Str
	}
	return ""
}

func (l *lowering) number(name string) int64 {
	if p := l.params.by[name]; p != nil {
		return max(0, p.Value.Int)
	}
	return 0
}

// options reads SchedulerParameters, once, for all who ask.
func (l *lowering) options() (list []ir.Option) {
	p := l.params.by["SchedulerParameters"]
	if l.family != "slurm" || p == nil {
		return nil
	}
	written := p.Set.Text()
	for _, o := range slurmconf.SchedulerOptions(p.Value.Str, l.text("SchedulerType"), l.out.Version) {
		out := ir.Option{Name: o.Name, Value: o.Value, Default: o.Default, Refused: o.Refused}
		if o.At >= 0 {
			out.Set = p.Set
			if i := strings.Index(written, o.Text); i >= 0 {
				out.Set = p.Set.Sub(i, i+len(o.Text))
			}
		}
		list = append(list, out)
	}
	return list
}

// wholePasses is why times and loads that end a pass early do not count.
const wholePasses = "passes come to all jobs that their other bounds allow, however long they take"

// notRepeated are settings that decide who starts where and that the planner does not take into account, with what
// it does instead. A word of a list comes after the name of its parameter.
var notRepeated = []struct{ param, word, instead string }{
	{
		"SchedulerParameters",
		"default_queue_depth",
		"the main pass tests all jobs, as the one of every sched_interval does",
	},
	{"SchedulerParameters", "bf_max_time", wholePasses},
	{"SchedulerParameters", "max_sched_time", wholePasses},
	{"SchedulerParameters", "build_queue_timeout", wholePasses},
	{"SchedulerParameters", "max_rpc_cnt", wholePasses},
	{"SchedulerParameters", "max_rpc_count", wholePasses},
	{"SchedulerParameters", "delay_boot", "no node is rebooted for the features that a job asks for"},
	{"SchedulerParameters", "bf_topopt_enable", "the first slot that fits is taken"},
	{"SchedulerParameters", "bf_allow_magnetic_slot", "no job is put into a reservation that it did not ask for"},
	{"SchedulerParameters", "time_min_as_soft_limit", "running jobs count until their time limit"},
	{"SchedulerParameters", "reduce_completing_frag", "no pass waits for jobs that are completing"},
	{"SchedulerParameters", "extra_constraints", "nodes are chosen whatever a job asks for by --extra"},
	{"SchedulerParameters", "preempt_send_user_signal", "a preempted job ends once its time of grace is over"},
	{"PreemptParameters", "send_user_signal", "a preempted job ends once its time of grace is over"},
	{"PreemptParameters", "suspend_grace_time", "a job is suspended at once"},
	{"PreemptParameters", "reclaim_licenses", "no job is preempted for its licences"},
	{"BurstBufferType", "burst_buffer", "no job waits until its data are staged in"},
	{"TopologyPlugin", "block", "nodes are chosen by weight and place in the list, not by blocks"},
	{"TopologyPlugin", "3d_torus", "nodes are chosen by weight and place in the list"},
}

// notModelled says what the plan leaves out.
func (l *lowering) notModelled(selects string) {
	for _, n := range notRepeated {
		p := l.params.by[n.param]
		if p == nil || p.Set.IsZero() || !slurmconf.HasFlag(p.Value.Str, n.word) ||
			strings.HasSuffix(strings.ToLower(p.Value.Str), "/none") {
			continue
		}
		what := n.word
		if strings.Contains(p.Value.Str, "/") { // a plugin
			what = p.Value.Str
		}
		l.diags.Infof("plan-not-modelled", p.Set, "a plan does not take %s into account", what).Note("%s", n.instead)
	}
	if by, _, _ := preemption(l.text("PreemptType"), l.text("PreemptMode")); by == "qos" &&
		preemptMode(l.text("PreemptMode")) == "suspend" {
		l.diags.Infof("plan-not-modelled", l.params.by["PreemptMode"].Set, "a plan suspends no job of a QOS for another's").
			Note("jobs wait until others end; a QOS or PreemptMode of REQUEUE or CANCEL is planned")
	}
	switch strings.ToLower(selects) {
	case "select/linear", "select/cons_res", "select/cons_tres", "":
	default:
		l.diags.Infof("plan-not-modelled", l.params.by["SelectType"].Set, "a plan does not take %s into account",
			selects).
			Note("nodes are chosen as select/cons_tres does")
	}
}

// enforced reads what slurmctld enforces from the parameters, once all are known.
func (l *lowering) enforced() *ir.Enforced {
	if l.family != "slurm" {
		return nil
	}
	text := func(name string) string {
		if p := l.params.by[name]; p != nil {
			return p.Value.Str
		}
		return ""
	}
	e, _ := slurmconf.ParseEnforce(text("AccountingStorageEnforce"))
	flags := slurmconf.ParsePriorityFlags(text("PriorityFlags"), l.out.Version)
	out := &ir.Enforced{
		Associations: e.Associations,
		Limits:       e.Limits,
		QOS:          e.QOS,
		Safe:         e.Safe,
		AccrueAlways: flags.AccrueAlways,
		FairTree:     flags.FairTree,
		TRES:         trackedTRES(text("AccountingStorageTRES"), l.out.Version),
	}
	out.LimitStop = l.out.Option("assoc_limit_stop").On()
	out.PartitionLimits, _ = slurmconf.EnforcePartLimits(text("EnforcePartLimits"))
	out.Preempt, out.PreemptWithin, out.PreemptPriority = preemption(text("PreemptType"), text("PreemptMode"))
	if p := l.params.by["PriorityWeightFairshare"]; p != nil {
		out.FairshareWeight = float64(p.Value.Int)
	}
	for _, f := range l.fronts {
		for _, object := range f.Complete {
			if !slices.Contains(out.Complete, object) {
				out.Complete = append(out.Complete, object)
			}
		}
	}
	if slices.Contains(l.opt.Without, "limits") {
		out.Limits, out.Safe = false, false
	}
	return out
}

// preemption reads which jobs preempt which; without a mode nothing is preempted (slurm_preemption_enabled).
func preemption(kind, mode string) (by string, within, priority bool) {
	by = strings.TrimPrefix(strings.ToLower(kind), "preempt/")
	words := strings.FieldsFunc(strings.ToUpper(mode), func(r rune) bool { return r == ',' || r == ' ' })
	if by == "none" || by == "" || len(words) == 0 || slices.Contains(words, "OFF") {
		return "", false, false
	}
	return by, slices.Contains(words, "WITHIN"), slices.Contains(words, "PRIORITY")
}

// requeueSeconds is how long slurmctld makes a requeued job wait beyond its delay (begin_time of job_requeue).
const requeueSeconds = 1

// slurmPreemption reads what becomes of jobs that are ended before their time: those on a node that fails, and those
// that others preempt. Until 22.05 the words that tune it are in SchedulerParameters, which
// later versions read as well (slurm.conf.5, PreemptParameters).
func (l *lowering) slurmPreemption(out *ir.SlurmPlan) {
	out.LosesJobs = l.number("JobRequeue") == 0
	out.RequeueSeconds = requeueSeconds + 120
	if delay := l.out.Option("requeue_delay"); delay.Value.Known() {
		out.RequeueSeconds = requeueSeconds + delay.Number()
	}
	if by, _, _ := preemption(l.text("PreemptType"), l.text("PreemptMode")); by == "" {
		return
	}
	out.PreemptMode = preemptMode(l.text("PreemptMode"))
	out.ExemptSeconds, out.MessageSeconds = l.number("PreemptExemptTime"), l.number("MessageTimeout")
	out.PreemptReorders = max(0, l.out.Option("preempt_reorder_count").Number())
	out.PreemptStrict, out.PreemptYoungest = l.out.Option("preempt_strict_order").On(),
		l.out.Option("preempt_youngest_first").On()
	words := l.text("PreemptParameters")
	out.PreemptStrict = out.PreemptStrict || slurmconf.HasFlag(words, "strict_order")
	out.PreemptYoungest = out.PreemptYoungest || slurmconf.HasFlag(words, "youngest_first")
	for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, value, _ := strings.Cut(strings.ToLower(word), "=")
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case err != nil || n < 0:
		case name == "reorder_count":
			out.PreemptReorders = n
		case name == "min_exempt_priority":
			out.ExemptPriority = n
		}
	}
}

// preemptMode is the way in which jobs are preempted: GANG, WITHIN and PRIORITY are flags beside it. With GANG alone
// nothing is.
func preemptMode(text string) string {
	for _, mode := range []string{"off", "cancel", "requeue", "suspend"} {
		if slurmconf.HasFlag(text, mode) {
			return mode
		}
	}
	return "off"
}
