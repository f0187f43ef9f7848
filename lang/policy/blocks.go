package policy

import (
	"github.com/fairway-sched/fairway/lang/schema"
)

// This file is the policy language: every block and attribute with its type
// and documentation. The parser checks against it and the reference prints it.

// HoldPhases are when a hold may be asked of each entry of a job.
var HoldPhases = []string{"submit", "queue", "start"}

var credentialIDs = []string{"user", "group", "account", "qos", "class", "partition", "association"}

var policyBlocks = []BlockDoc{
	{
		ID: "policy", Type: "policy", Labels: []string{"name"},
		Doc: "A policy. Several files with the same policy are one policy; a `use`d base is inherited by name.",
		Attributes: []AttrDoc{
			{Name: "use", Type: String, Doc: "The base this policy inherits: maui, slurm, or nothing for a policy " +
				"from scratch."},
			{Name: "version", Type: String, Doc: "Version of the scheduler as \"YY.MM\"; the newest known if not set."},
			{Name: "semantics", Type: String, Values: []string{"observed", "documented"},
				Doc: "Follow the program (observed, the default) or its manual."},
			{Name: "deviations", Type: List, Doc: "Deviations, by name (priority_floor) or number (Δ12 or D12), in " +
				"which this policy follows the manual although semantics is observed."},
			{Name: "params", Type: Map, Element: Any,
				Doc: "Values for the base's parameters. Text is in the notation of the scheduler's file: \"100\" and " +
					"\"7-0\" mean what they mean there. A bare number is in the parameter's stored unit, such as " +
					"seconds or MB."},
			{Name: "override", Type: Bool, Doc: "true: this whole file may change what earlier files of the policy " +
				"set."},
		},
		Blocks: append([]string{"locals", "param", "deviation", "define", "component", "finish", "hold",
			"fairshare", "limit", "backfill", "reservation", "record"}, credentialIDs...),
	},
	{ID: "locals", Type: "locals", Open: true,
		Doc: "Named constants of this file: local.NAME. They may refer to each other."},
	{
		ID: "param", Type: "param", Labels: []string{"name"}, Doc: "Declares a parameter: param.NAME, set in `params`.",
		Attributes: []AttrDoc{
			{Name: "type", Type: String, Required: true, Values: paramTypes, Doc: "Type of the value."},
			{Name: "default", Type: Any, Doc: "Value when it is not set; unknown (null) if there is none."},
			{Name: "unit", Type: String, Doc: "What the stored number counts; seconds for a duration and MB for " +
				"memory."},
			{Name: "min", Type: Any, Doc: "Smallest value allowed."},
			{Name: "max", Type: Any, Doc: "Largest value allowed."},
			{Name: "enum", Type: List, Doc: "The words allowed."},
			{Name: "aliases", Type: List, Doc: "Other names under which it may be set."},
			{Name: "since", Type: String, Doc: "First version of the scheduler that knows it, as \"YY.MM\"; setting " +
				"it for an older one is an error."},
			{Name: "until", Type: String, Doc: "First version that no longer does; setting it for that or a newer " +
				"one is an error."},
			{Name: "deviations", Type: String, Doc: "Where manual and program differ about it."},
			{Name: "override", Type: Bool, Doc: "true: may change what an earlier file declared."},
		},
	},
	{
		ID: "deviation", Type: "deviation", Labels: []string{"name"},
		Doc: "Declares a known difference between the manual and the program; documented.NAME says which side is " +
			"taken.",
		Attributes: []AttrDoc{
			{Name: "number", Type: String, Doc: "Its number in the scheduler's list of differences."},
			{Name: "observed", Type: String, Doc: "What the program does."},
			{Name: "documented", Type: String, Doc: "What the manual says."},
			{Name: "changes", Type: String, Doc: "Where results differ, and whose."},
			{Name: "override", Type: Bool, Doc: "true: may change what an earlier file declared."},
		},
	},
	{
		ID: "define", Type: "define", Labels: []string{"name"}, Instances: true,
		Doc: "Names an expression: define.NAME, a column of the policy's own, which every expression " +
			"of the policy may read and which is computed once for each job. Reading it is the same as " +
			"writing its `value` in parentheses. A define reads those before it; the base's come first. " +
			"To change one of the base's, write override = true.",
		Attributes: []AttrDoc{
			{Name: "value", Kind: CELText, Type: Any, Required: true,
				Doc: "The expression, of any type. A weight or cap may read it only if it does not read " +
					"the job, and only overrides and holds may if it reads `score`."},
		},
	},
	{
		ID: "component", Type: "component", Labels: []string{"name"}, Instances: true,
		Doc:        "A weighted part of the priority: weight · min(cap, sum of its terms).",
		Attributes: weightAndCap("the sum of the terms"),
		Blocks:     []string{"component/term"},
	},
	{
		ID: "component/term", Type: "term", Labels: []string{"name"}, Instances: true,
		Doc: "A weighted factor: weight · min(cap, factor).",
		Attributes: append(weightAndCap("the factor"),
			AttrDoc{Name: "factor", Kind: Either, Type: Number, Required: true,
				Doc: "The number this term is made from, for each job."}),
	},
	{
		ID: "finish", Type: "finish", Once: true,
		Doc: "Turns the sum into the priority: floor, ceiling, the first override whose `when` holds, rounding.",
		Attributes: []AttrDoc{
			{Name: "floor", Kind: Either, Type: Number, Doc: "The priority is at least this."},
			{Name: "ceiling", Kind: Either, Type: Number, Doc: "The priority is at most this."},
			{Name: "rounding", Type: String, Values: []string{"truncate", "floor", "nearest"},
				Doc: "How the priority becomes an integer."},
			{Name: "override", Type: Bool, Doc: "true: may change what an earlier file set."},
		},
		Blocks: []string{"finish/override"},
	},
	{
		ID: "finish/override", Type: "override", Labels: []string{"name"}, Instances: true,
		Doc: "Replaces the priority of the jobs for which `when` holds.",
		Attributes: []AttrDoc{
			{Name: "when", Kind: Either, Type: Bool, Required: true, Doc: "For which jobs."},
			{Name: "value", Kind: Either, Type: Number, Required: true,
				Doc: "Their priority; may read `score`, the sum after floor and ceiling."},
		},
	},
	{
		ID: "hold", Type: "hold", Labels: []string{"name"}, Instances: true,
		Doc: "Keeps the jobs for which `when` is true from starting. Without a `phase` the job is held. " +
			"With one each entry of the job is asked, one for each of its partitions, in the order of the " +
			"blocks; the job is blocked where all its entries are refused, with the reason of the first block " +
			"that refuses. A block refuses no job if it reads something of it that no input states. In `reason` " +
			"and `text` of one with a phase, {…} is a column or another CEL expression, such as {job.nodes}, and {{ " +
			"is a brace.",
		Attributes: []AttrDoc{
			{Name: "when", Kind: Either, Type: Bool, Required: true, Doc: "For which jobs."},
			{Name: "reason", Type: String, Doc: "The reason shown; the name of the block if not set."},
			{Name: "phase", Type: String, Values: HoldPhases, Doc: "When an entry is asked: submit, before the " +
				"job is accepted (jobs that are being submitted, of Slurm); queue, when the queue is made; start, " +
				"when the scheduler comes to the entry."},
			{Name: "setting", Type: String, Doc: "The column of a credential that decides, such as " +
				"partition.nodes_max: explain shows what set it."},
			{Name: "text", Type: String, Doc: "What explain says of a job, with the numbers that are compared."},
			{Name: "passes", Type: List, Doc: "What would let the job pass, as explain lists it: \"when the " +
				"partition is up\"."},
			{Name: "rejects", Type: String, Doc: "The words with which the scheduler rejects such a job when it is " +
				"submitted, where it asks this then too (Slurm's EnforcePartLimits)."},
		},
	},
	{
		ID: "fairshare", Type: "fairshare", Labels: []string{"model"}, Instances: true,
		Doc: "Switches a fairshare model on: windows (Maui), fair_tree, classic or depth_oblivious (Slurm). In a " +
			"policy that uses maui, the settings of windows are the parameters FSPOLICY, FSINTERVAL, FSDEPTH and " +
			"FSDECAY; in one that uses slurm, which shares by a tree anyway, those of a tree are " +
			"PriorityDecayHalfLife, PriorityCalcPeriod, PriorityUsageResetPeriod and FairShareDampeningFactor. Trees " +
			"share among accounts: nested blocks, or those of a sacctmgr dump or of the snapshot. What was used is in the " +
			"snapshot (Maui's FS files, sshare, usage of Fairway's own form), or is counted from job records by " +
			"--usage-from; usage blocks of a test state it.",
		Attributes: []AttrDoc{
			{Name: "usage", Type: String, Doc: "What is counted: windows count dedicated_proc_seconds (if not set), " +
				"dedicated_pe_seconds or utilized_proc_seconds; trees count what jobs are billed."},
			{Name: "interval", Type: Duration, Unit: schema.Seconds, Whole: true,
				Doc: "Length of one window; 12h if not set. Windows begin at multiples of it since 1970."},
			{Name: "depth", Type: Integer, Doc: "Number of windows that count; 8 if not set."},
			{Name: "decay", Type: Number, Doc: "Weight of a window over the next newer one; 1 if not set."},
			{Name: "ratio", Type: Bool, Doc: "true: the factor of windows is 1 − usage/target instead of target − " +
				"usage."},
			{Name: "half_life", Type: Duration, Unit: schema.Seconds, Whole: true,
				Doc: "Time in which usage decays to a half; 0 = no decay."},
			{Name: "calc_period", Type: Duration, Unit: schema.Seconds, Whole: true,
				Doc: "How often usage is decayed and counted."},
			{Name: "reset_period", Type: String,
				Values: []string{"none", "now", "daily", "weekly", "monthly", "quarterly", "yearly"},
				Doc:    "When usage is set to zero."},
			{Name: "dampening_factor", Type: Number, Doc: "Divides usage over shares in the classic formula."},
		},
	},
	limitBlock("limit"),
	{
		ID: "backfill", Type: "backfill", Once: true, Doc: "How jobs are planned around each other.",
		Attributes: []AttrDoc{
			{Name: "algorithm", Type: String, Values: []string{"firstfit", "bestfit", "greedy", "preempt", "none"},
				Doc: "Which job is tried next."},
			{Name: "metric", Type: String, Values: []string{"procs", "nodes", "proc_seconds", "seconds"},
				Doc: "What bestfit and greedy make large."},
			{Name: "max_combinations", Type: Integer,
				Doc: "Combinations of jobs that greedy tries before it takes the best of them, at most 10000000; " +
					"10000 if not set."},
			{Name: "reservation_depth", Type: Depth,
				Doc: "Jobs that get a reservation: 1 is EASY, \"unlimited\" conservative."},
			{Name: "window", Type: Duration, Unit: schema.Seconds, Whole: true, Doc: "How far ahead jobs are planned."},
			{Name: "resolution", Type: Duration, Unit: schema.Seconds, Whole: true,
				Doc: "Start and end of reservations are rounded to this."},
			{Name: "node_access", Type: String, Values: []string{"shared", "single_job", "single_task", "single_user"},
				Doc: "Who may share a node."},
			{Name: "override", Type: Bool, Doc: "true: may change what an earlier file set."},
		},
	},
	reservationBlock(),
	recordBlock,
}

// recordBlock carries what has no block of its own here, so that a scheduler's file can be expressed
// whole: nodes, standing reservations, partitions, lines of dumps.
var recordBlock = BlockDoc{
	ID: "record", Type: "record", Labels: []string{"kind", "[name]"},
	Doc: "A record of the scheduler's own file, in its words and with its rules, for policies that use maui or " +
		"slurm: record \"USERCFG\" \"amy\" is USERCFG[amy] of a maui.cfg, record \"PartitionName\" \"debug\" that " +
		"line of a slurm.conf, record \"QOS\" \"high\" that of a sacctmgr dump. Records are read in the order of the " +
		"file, together with `params`. What has no name, such as SYSCFG, has none here.",
	Attributes: []AttrDoc{
		{Name: "settings", Type: Map, Element: Any,
			Doc: "What the record says: MAXJOB = \"4,8\". Values are in the notation of the scheduler's file."},
		{Name: "value", Type: Any, Doc: "The value of a parameter that has an index, such as record " +
			"\"BACKFILLPOLICY\" \"gpu\"; such a record has no settings."},
	},
}

// reservationBlock is a policy's own reservation of nodes.
func reservationBlock() BlockDoc {
	who := func(name, doc string) AttrDoc { return AttrDoc{Name: name, Type: List, Doc: doc} }
	return BlockDoc{
		ID: "reservation", Type: "reservation", Labels: []string{"name"}, Instances: true,
		Doc: "Keeps nodes or licences for some jobs, or for none, when jobs are planned: once (`start`, `end` or " +
			"`duration`) or again and again (`days`, `from`, `to`). Whoever is on one of the lists may use it; that " +
			"a job asks for it by name is not enough.",
		Attributes: []AttrDoc{
			{Name: "nodes", Type: List, Doc: "Node names, also as host lists: \"n[01-16]\". All nodes if neither " +
				"nodes nor features are set."},
			{Name: "features", Type: List, Doc: "Only nodes with all of these."},
			{Name: "procs_per_node", Type: Integer, Doc: "Processors kept on each node; whole nodes if not set."},
			{Name: "licenses", Type: String, Doc: "Licences kept, as in \"matlab:2,ansys:1\"; then only nodes that " +
				"are named are kept."},
			{Name: "start", Type: String, Doc: "When it begins, as in \"2026-12-01T08:00:00Z\"; of one with `days`, " +
				"the first day. Now if not set."},
			{Name: "end", Type: String, Doc: "When it ends; never if neither end nor duration is set."},
			{Name: "duration", Type: Duration, Unit: schema.Seconds, Whole: true,
				Doc: "How long it lasts from its start."},
			{Name: "days", Type: List, Doc: "Days on which it comes again: mon, tue, wed, thu, fri, sat, sun, " +
				"weekdays, weekend or daily."},
			{Name: "from", Type: String, Doc: "Time of the day at which it begins then, as in \"08:00\"; midnight if " +
				"not set."},
			{Name: "to", Type: String, Doc: "Time of the day at which it ends; one that is not after `from` is on " +
				"the next day. Midnight if not set."},
			who("users", "Users whose jobs may use it."), who("groups", "Unix groups whose jobs may."),
			who("accounts", "Accounts whose jobs may."),
			who("qos", "QOS whose jobs may."), who("classes", "Classes (partitions) whose jobs may."),
			{Name: "maintenance", Type: Bool,
				Doc: "true: no job may use it, and the jobs that still run when it begins are not in its way."},
		},
	}
}

// weightAndCap are the two numbers that components and terms share. Either may
// be CEL, because Maui adds a weight of the job's QOS to the global one.
func weightAndCap(of string) []AttrDoc {
	return []AttrDoc{
		{Name: "weight", Kind: Either, Type: Number, Doc: "Multiplies " + of + " after the cap; 1 if not set."},
		{Name: "cap", Kind: Either, Type: Number, Doc: "Upper bound of " + of + "; none unless above 0."},
	}
}

// limitBlock is the same block for the whole policy and inside a credential.
func limitBlock(id string) BlockDoc {
	return BlockDoc{
		ID: id, Type: "limit", Labels: []string{"name"}, Instances: true,
		Doc: "A throttle: bounds what the jobs of a credential, or all of them, may have.",
		Attributes: []AttrDoc{
			{Name: "soft", Type: Bound, Doc: "Bound of Maui's first pass; the hard one if not set; " +
				"\"none\" says that there is explicitly none. " +
				"A policy from scratch has one pass, in which the tighter of the two stops a job."},
			{Name: "hard", Type: Bound, Doc: "Bound that is never exceeded; \"none\" says that there is explicitly " +
				"none."},
			{Name: "count", Type: String, Doc: "What is counted: jobs, procs, nodes, proc_seconds, pe, walltime, " +
				"memory, or a TRES such as gres/gpu; as the limit's name says if not set."},
			{Name: "per", Type: Names, Doc: "The credentials the count is kept per, beside the one the limit is " +
				"in: user, group, account, qos or class."},
			{Name: "phase", Type: String, Values: []string{"submit", "idle", "active", "job"},
				Doc: "When in a job's life it is checked; as the limit's name begins if not set, such as idle_jobs, " +
					"else active."},
			{Name: "when", Kind: Either, Type: Bool, Doc: "For which jobs."},
			{Name: "reason", Type: String, Doc: "The reason shown for the jobs it blocks."},
		},
	}
}

// credentialBlocks makes one block type for each credential. Accounts nest and
// hold users, so that a Slurm association tree is written as it is drawn.
func credentialBlocks() []BlockDoc {
	var list []BlockDoc
	for _, word := range credentialIDs {
		object := schema.ObjectByName(word)
		b := BlockDoc{
			ID: word, Type: word, Labels: []string{"name"}, Instances: true, Object: object.Name,
			Doc:    object.Doc + " The name DEFAULT is the row of all others, by the base's own rule.",
			Blocks: []string{"credential/limit", "credential/fairshare"},
		}
		if word == "class" {
			b.Doc = "Another word for partition."
		}
		if word == "account" {
			b.Doc += " In a policy that uses slurm it is the account's association, and a user's block within it the " +
				"user's: limits, shares and `priority` are those of the association."
			b.Blocks = append(b.Blocks, "account", "user")
		}
		list = append(list, b)
	}
	share := func(name, doc string) AttrDoc { return AttrDoc{Name: name, Type: Number, Doc: doc} }
	return append(list,
		limitBlock("credential/limit"),
		BlockDoc{
			ID: "credential/fairshare", Type: "fairshare", Once: true, Doc: "The credential's share of the machine.",
			Attributes: []AttrDoc{
				share("target", "Percent it should get: more lowers, less raises its priority."),
				share("floor", "Percent below which its priority is raised."),
				share("ceiling", "Percent above which its priority is lowered."),
				share("cap", "Usage above which its jobs do not start."),
				share("relative_cap", "Percent of all usage above which its jobs do not start."),
				{Name: "shares", Type: Share,
					Doc: "Raw shares among its siblings in the tree; \"parent\" uses the parent's."},
				{Name: "override", Type: Bool, Doc: "true: may change what an earlier file set."},
			},
		})
}
