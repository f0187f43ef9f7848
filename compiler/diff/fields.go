package diff

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// field is a field of what slurmctld does: the setting that says so, and the parameter that has it.
type field struct {
	name, option, param string
	group               Group
}

// enforcedFields and planFields name each field of ir.Enforced and ir.SlurmPlan; a test finds those that are missing.
var enforcedFields = []field{
	{"Associations", "AccountingStorageEnforce associations", "AccountingStorageEnforce", Limits},
	{"Limits", "AccountingStorageEnforce limits", "AccountingStorageEnforce", Limits},
	{"QOS", "AccountingStorageEnforce qos", "AccountingStorageEnforce", Limits},
	{"Safe", "AccountingStorageEnforce safe", "AccountingStorageEnforce", Limits},
	{"LimitStop", "assoc_limit_stop", "SchedulerParameters", Queue},
	{"PartitionLimits", "EnforcePartLimits", "EnforcePartLimits", Limits},
	{"AccrueAlways", "PriorityFlags ACCRUE_ALWAYS", "PriorityFlags", Priority},
	{"FairTree", "Fair Tree", "PriorityFlags", Fairshare},
	{"Preempt", "preemption", "PreemptType", Queue},
	{"PreemptWithin", "PreemptMode WITHIN", "PreemptMode", Queue},
	{"PreemptPriority", "PreemptMode PRIORITY", "PreemptMode", Queue},
	{"Complete", Listed, "", Limits},
}

// Listed names the difference between a file with all accounts, or all QOS, and one with some.
const Listed = "what the files list all of"

var planFields = []field{
	{"Linear", "whole nodes (select/linear)", "SelectType", Planning},
	{"Cores", "cores are shared out", "SelectTypeParameters", Planning},
	{"OneTaskPerCore", "CR_ONE_TASK_PER_CORE", "SelectTypeParameters", Planning},
	{"Blocks", "CR_CORE_DEFAULT_DIST_BLOCK", "SelectTypeParameters", Planning},
	{"Memory", "memory is shared out", "SelectTypeParameters", Planning},
	{"Main", "main pass (sched_interval)", "SchedulerParameters", Planning},
	{"PartitionDepth", "partition_job_depth", "SchedulerParameters", Planning},
	{"MainStarts", "sched_max_job_start", "SchedulerParameters", Planning},
	{"QueueDepth", "default_queue_depth", "SchedulerParameters", Planning},
	{"DelaySeconds", "batch_sched_delay, in seconds", "SchedulerParameters", Planning},
	{"FullPassSeconds", "sched_interval, in seconds", "SchedulerParameters", Planning},
	{"CycleSeconds", "bf_interval, in seconds", "SchedulerParameters", Planning},
	{"Builtin", "sched/builtin", "SchedulerType", Planning},
	{"BuiltinTests", "max_job_bf", "SchedulerParameters", Planning},
	{"Backfill", "backfill", "SchedulerType", Planning},
	{"WindowSeconds", "bf_window, in minutes", "SchedulerParameters", Planning},
	{"ResolutionSeconds", "bf_resolution, in seconds", "SchedulerParameters", Planning},
	{"LinearSeconds", "bf_window_linear, in seconds", "SchedulerParameters", Planning},
	{"Licenses", "bf_licenses", "SchedulerParameters", Planning},
	{"RunningReserve", "bf_running_job_reserve", "SchedulerParameters", Planning},
	{"OneReservation", "bf_one_resv_per_job", "SchedulerParameters", Planning},
	{"Tests", "bf_max_job_test", "SchedulerParameters", Planning},
	{"TableSize", "bf_node_space_size", "SchedulerParameters", Planning},
	{"Starts", "bf_max_job_start", "SchedulerParameters", Planning},
	{"ArrayReservations", "bf_max_job_array_resv", "SchedulerParameters", Planning},
	{"PerPartition", "bf_max_job_part", "SchedulerParameters", Planning},
	{"PerUser", "bf_max_job_user", "SchedulerParameters", Planning},
	{"PerUserPartition", "bf_max_job_user_part", "SchedulerParameters", Planning},
	{"PerAssociation", "bf_max_job_assoc", "SchedulerParameters", Planning},
	{"PartitionReserve", "bf_job_part_count_reserve", "SchedulerParameters", Planning},
	{"MinAgeSeconds", "bf_min_age_reserve, in seconds", "SchedulerParameters", Planning},
	{"MinPriority", "bf_min_prio_reserve", "SchedulerParameters", Planning},
	{"PreemptMode", "PreemptMode, how", "PreemptMode", Planning},
	{"ExemptSeconds", "PreemptExemptTime, in seconds", "PreemptExemptTime", Planning},
	{"PreemptReorders", "preempt_reorder_count", "SchedulerParameters", Planning},
	{"PreemptStrict", "preempt_strict_order", "SchedulerParameters", Planning},
	{"PreemptYoungest", "preempt_youngest_first", "SchedulerParameters", Planning},
	{"ExemptPriority", "min_exempt_priority", "PreemptParameters", Planning},
	{"LosesJobs", "jobs whose node fails do not run again", "JobRequeue", Planning},
	{"RequeueSeconds", "wait after a requeue, in seconds", "SchedulerParameters", Planning},
	{"MessageSeconds", "MessageTimeout, in seconds", "MessageTimeout", Planning},
	{"Tree", "topology/tree", "TopologyPlugin", Planning},
	{"TreeOptional", "TopoOptional", "TopologyParam", Planning},
	{"SwitchSeconds", "max_switch_wait, in seconds", "SchedulerParameters", Planning},
	{"LeastLoaded", "CR_LLN", "SelectTypeParameters", Planning},
	{"Sockets", "CR_Socket", "SelectTypeParameters", Planning},
	{"PackSerial", "pack_serial_at_end", "SchedulerParameters", Planning},
	{"BusyNodes", "bf_busy_nodes", "SchedulerParameters", Planning},
	{"HetImmediate", "bf_hetjob_immediate", "SchedulerParameters", Planning},
	{"HetPriority", "bf_hetjob_prio", "SchedulerParameters", Planning},
	{"KillWaitSeconds", "KillWait, in seconds", "KillWait", Planning},
	{"OverTimeSeconds", "OverTimeLimit, in seconds", "OverTimeLimit", Planning},
}

// notFields are reported elsewhere: the version of the policy, what ir.Enforced has too, the tracked resources, which
// are settings of fairshare, a weight, which a term has, and PriorityCalcPeriod, which is a parameter.
var notFields = []string{"Version", "LimitStop", "TRES", "FairshareWeight", "PrioritySeconds"}

// fieldItems reads the fields of a struct, which may be a nil pointer. Unless both policies have it, only what
// the site set is worth a line.
func (c *comparison) fieldItems(p *ir.Policy, of any, list []field, both bool) (out []item) {
	v := reflect.ValueOf(of)
	if v.IsNil() {
		return nil
	}
	for _, f := range list {
		value := v.Elem().FieldByName(f.name)
		x := item{group: f.group, key: f.option, name: f.option, by: []string{f.param},
			side: Side{Value: fieldText(value)}}
		x.asleep(c.idle(f))
		if strings.HasSuffix(f.option, "in minutes") { // as slurm.conf has it
			x.side.Value = fmt.Sprint(float64(value.Int()) / 60)
		}
		if i := slices.IndexFunc(p.Params, func(param ir.Param) bool { return param.Name == f.param }); i >= 0 {
			x.side.Source, x.side.Span = f.param, p.Params[i].Set
		}
		if both || !x.side.Span.IsZero() {
			out = append(out, x)
		}
	}
	return out
}

func fieldText(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Bool && v.Bool():
		return "on"
	case v.Kind() == reflect.Bool:
		return "off"
	case v.Kind() == reflect.String && v.String() == "":
		return "none"
	}
	return fmt.Sprint(v.Interface())
}
