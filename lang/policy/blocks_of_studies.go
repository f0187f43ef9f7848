package policy

import "github.com/fairway-sched/fairway/lang/schema"

// mostCells bounds what a study asks for, and with it what one of its lists and numbers may say.
const mostCells = 100_000

// studyBlocks is the part of the language that says what `fairway sweep` tries and what it measures.
var studyBlocks = []BlockDoc{
	{
		ID: "study", Type: "study", Labels: []string{"name"}, Once: true,
		Doc: "What `fairway sweep plan` makes cells of: every policy with every choice of its parameters, over every " +
			"workload and snapshot. Names of files are as seen from the file's own folder.",
		Attributes: []AttrDoc{
			{Name: "seeds", Type: Integer, Range: within(1, 10_000), Doc: "How many workloads are drawn of each one " +
				"whose arrivals are \"bootstrap\"; 1 if not set."},
			{Name: "keep_jobs", Type: Bool, Doc: "true: each cell keeps its jobs too, not only its figures."},
		},
		Blocks: []string{"study/policy", "study/workload", "study/snapshot", "study/metric"},
	},
	{
		ID: "study/policy", Type: "policy", Labels: []string{"name"},
		Doc: "A policy to try. Without a `param` it is tried as it is.",
		Attributes: []AttrDoc{
			{Name: "files", Type: Names, Required: true, Doc: "Files of the policy, in any of the three languages."},
			{Name: "hold", Type: Map, Element: Any, Doc: "Parameters that have one value throughout, in the notation " +
				"of the policy's file."},
			{Name: "where", Kind: CELText, Type: Bool, Doc: "Which choices are tried: a condition over param.NAME, " +
				"such as \"param.FSWEIGHT >= param.QUEUETIMEWEIGHT\"."},
			{Name: "draws", Type: Integer, Range: within(1, mostCells), Doc: "Try so many choices at random in the " +
				"place of all combinations."},
			{Name: "draw_seed", Type: Integer, Range: within(0, 1e9), Doc: "Another number draws other choices; 1 if " +
				"not set."},
			{Name: "slurm_version", Type: String, Doc: "Version of Slurm as \"YY.MM\"."},
			{Name: "semantics", Type: String, Values: []string{"observed", "documented"}, Doc: "As in a policy."},
		},
		Blocks: []string{"study/policy/param"},
	},
	{
		ID: "study/policy/param", Type: "param", Labels: []string{"name"},
		Doc: "A parameter that varies: a list of values, or numbers from one bound to another.",
		Attributes: []AttrDoc{
			{Name: "values", Type: ValueList, Doc: "The values, in the notation of the policy's file."},
			{Name: "from", Type: Number, Doc: "The smallest number."},
			{Name: "to", Type: Number, Doc: "The greatest number."},
			{Name: "step", Type: Number, Doc: "How far one number is from the next."},
			{Name: "steps", Type: Integer, Range: within(2, mostCells), Doc: "How many numbers there are, from and to " +
				"included, in the place of a step. Between whole bounds they are whole if they are 1 or more apart."},
			{Name: "scale", Type: String, Values: []string{"linear", "log"},
				Doc: "log: numbers are a factor apart, as weights of unknown size want it; linear if not set."},
		},
	},
	{
		ID: "study/workload", Type: "workload", Labels: []string{"name"},
		Doc: "Jobs that ran, which are replayed under each policy; see `fairway help replay`.",
		Attributes: []AttrDoc{
			{Name: "files", Type: Names, Required: true, Doc: "Files or folders with the jobs."},
			{Name: "nodes", Type: Names, Doc: "Files with the machine, and with what a dump lacks of QOS; the NodeName " +
				"lines of each policy's slurm.conf if not set."},
			{Name: "procs", Type: Integer, Range: within(1, 1e9), Doc: "A machine of so many processors, one pool, in " +
				"the place of nodes."},
			{Name: "from", Type: Timestamp, Doc: "Only jobs that were submitted from this time on."},
			{Name: "to", Type: Timestamp, Doc: "Only jobs that were submitted before this time."},
			{Name: "warm_up", Type: Duration, Unit: schema.Seconds, Whole: true, Range: within(0, aYear),
				Doc: "Jobs of so long a beginning are played but do not count."},
			{Name: "runtime", Type: String, Values: []string{"recorded", "limit"}, Doc: "How long jobs run: as they " +
				"did, or as long as they may; recorded if not set."},
			{Name: "arrivals", Type: String, Doc: "When jobs come: \"recorded\", as they did; \"scaled=1.2\", in less " +
				"time, which is more load; \"bootstrap\", drawn from the files by each seed. recorded if not set."},
			{Name: "timezone", Type: String, Doc: "Zone of times that the files write without one; UTC if not set."},
		},
	},
	{
		ID: "study/snapshot", Type: "snapshot", Labels: []string{"name"},
		Doc: "A queue at one moment, which is evaluated under each policy.",
		Attributes: []AttrDoc{
			{Name: "files", Type: Names, Required: true, Doc: "Files or folders with what the resource manager says."},
			{Name: "now", Type: Timestamp, Doc: "Evaluate as of this time; the snapshot's own if not set."},
			{Name: "plan", Type: Bool, Doc: "true: also plan when each job starts, which gives waits."},
			{Name: "timezone", Type: String, Doc: "Zone of times that the files write without one; UTC if not set."},
		},
	},
	{
		ID: "study/metric", Type: "metric", Labels: []string{"name"},
		Doc: "A figure that decides between policies, and perhaps a goal. `fairway doc metrics` lists the figures.",
		Attributes: append([]AttrDoc{
			{Name: "of", Type: String, Doc: "The figure, such as \"wait_seconds.p95\"; the block's name if not set."},
			{Name: "prefer", Type: String, Values: []string{"low", "high"},
				Doc: "Which is better; what the figure's own direction is if not set."},
			{Name: "at_most", Type: Bound, Doc: "The goal: the figure is not above this number, or time such as \"4h\"."},
			{Name: "at_least", Type: Bound, Doc: "The goal: the figure is not below this."},
		}, groupAttributes()...),
	},
}

// MetricGroups are what a metric may be of, in the place of all jobs.
var MetricGroups = []string{"user", "group", "account", "qos", "partition", "size"}

func groupAttributes() (list []AttrDoc) {
	for _, kind := range MetricGroups {
		a := AttrDoc{Name: kind, Type: String, Doc: "Of the jobs of this " + kind + " alone."}
		if kind == "size" {
			a.Doc = "Of the jobs of this class of sizes alone, such as \"3-4\" processors."
		}
		list = append(list, a)
	}
	return list
}
