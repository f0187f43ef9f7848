package policy

import "github.com/fairway-sched/fairway/lang/schema"

const (
	aDay  = 86400.0
	aYear = 366 * aDay
)

// runBlocks is the part of the language that says how `fairway push` is run again and again.
var runBlocks = []BlockDoc{
	{
		ID: "run", Type: "run", Labels: []string{"name"},
		Doc: "How `fairway push --config FILE` hands priorities over, so that the line of a cron table or a timer is " +
			"a short one. Flags on the command line win over it. Names of files are as seen from the file's own " +
			"folder. Only `--yes` on the command line sends anything.",
		Attributes: []AttrDoc{
			{Name: "policy", Type: Names, Required: true, Doc: "Policy files, in any of the three languages."},
			{Name: "snapshot", Type: Names, Doc: "Files, folders or archives with what the resource manager says; or " +
				"a `live` block."},
			{Name: "state_dir", Type: String, Required: true, Doc: "Folder with lock, audit and last plan."},
			{Name: "state", Type: String, Doc: "File that keeps queue times and usage from one run to the next, " +
				"instead of the one in state_dir."},
			{Name: "every", Type: Duration, Unit: schema.Seconds, Range: within(1, aYear),
				Doc: "How often cron or the timer starts it. `lint` compares times with it, and the metrics tell it, " +
					"for alerts on runs that do not come."},
			{Name: "slurm_version", Type: String, Doc: "Version of Slurm as \"YY.MM\"."},
			{Name: "semantics", Type: String, Values: []string{"observed", "documented"}, Doc: "As in a policy."},
			{Name: "timezone", Type: String, Doc: "Zone of times that a snapshot writes without one, as in " +
				"\"Europe/Stockholm\"; UTC if not set."},
		},
		Blocks: []string{"run/live", "run/feed", "run/bounds", "run/outputs"},
	},
	{
		ID: "run/live", Type: "live", Once: true, Doc: "The snapshot is taken by Slurm's own commands when it runs.",
		Attributes: []AttrDoc{
			{Name: "timeout", Type: Duration, Unit: schema.Seconds, Range: within(1, aDay),
				Doc: "How long a command may take, also one that feeds; 1m if not set."},
			{Name: "jobs", Type: String, Values: []string{"squeue", "json", "scontrol"},
				Doc: "Form in which jobs are read, as `fairway help snapshot capture` has them; squeue if not set. A " +
					"policy that looks at names, comments or excluded nodes of jobs needs json: in the text of " +
					"scontrol a name with a line break can pass for another job."},
		},
	},
	{
		ID: "run/feed", Type: "feed", Once: true, Doc: "Who is fed; see `fairway help push`.",
		Attributes: []AttrDoc{
			{Name: "to", Type: String, Required: true, Values: []string{"slurm", "pbs", "maui", "file", "command"},
				Doc: "Who is fed."},
			{Name: "by", Type: String, Values: []string{"site-factor", "nice", "priority", "resource"},
				Doc: "slurm: site-factor if not set, nice or priority; pbs: priority if not set, or resource."},
			{Name: "resource", Type: String, Doc: "pbs: the resource of the site that is set, where `by` is resource."},
			{Name: "path", Type: String, Doc: "The file, or the program, that is fed. A program without a slash is " +
				"looked for on the PATH."},
		},
	},
	{
		ID: "run/bounds", Type: "bounds", Once: true,
		Doc: "What a run may do at most. What is not set is as for `fairway push`.",
		Attributes: []AttrDoc{
			{Name: "max_changes", Type: Integer, Range: within(0, 1e9),
				Doc: "Jobs that may change; a run that would change more sends nothing. 0 is no bound."},
			{Name: "max_share", Type: Number, Range: within(0, 1),
				Doc: "Share of the waiting jobs that may change, from 0 to 1."},
			{Name: "threshold", Type: Integer, Range: within(0, 1e12),
				Doc: "A job stays as it is unless its value changes by so much."},
			{Name: "rate", Type: Number, Range: within(0, 1e6), Doc: "Changes sent in a second; 0 is no bound."},
			{Name: "deadline", Type: Duration, Unit: schema.Seconds, Range: within(1, aDay),
				Doc: "How long a run may take, from its beginning and with the snapshot; what is not sent by then is " +
					"for the next one. 5m if not set."},
			{Name: "max_age", Type: Duration, Unit: schema.Seconds, Range: within(1, aYear),
				Doc: "Age of a snapshot that is still acted on."},
		},
	},
	{
		ID: "run/outputs", Type: "outputs", Once: true,
		Doc: "Files that a run with --yes writes about itself, each as a whole; -o on the command line is " +
			"instead of them.",
		Attributes: []AttrDoc{
			{Name: "prom", Type: String, Doc: "Metrics for the textfile collector of Prometheus' node exporter: a " +
				"file NAME.prom in its folder."},
			{Name: "json", Type: String, Doc: "What the run did, as JSON."},
		},
	},
}

// Range is where a number has to lie.
type Range struct{ Least, Most float64 }

func within(least, most float64) *Range { return &Range{least, most} }
