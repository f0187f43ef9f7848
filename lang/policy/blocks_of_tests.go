package policy

import "slices"

// promiseAttributes say which policy a promise is about.
var promiseAttributes = []AttrDoc{
	{Name: "policy", Type: Names, Doc: "Policy files, in any of the three languages, or names in `files`."},
	{Name: "semantics", Type: String, Values: []string{"observed", "documented"}, Doc: "As in a policy."},
	{Name: "slurm_version", Type: String, Doc: "Version as \"YY.MM\"."},
	{Name: "deviations", Type: List, Doc: "As in a policy."},
	{Name: "params", Type: Map, Element: Any, Doc: "Parameter values that replace the policy's."},
	{Name: "without", Type: List, Doc: "Parts of the policy to leave out."},
	{Name: "files", Type: Map, Element: String,
		Doc: "Files written inline, by name, so that a case is one text."},
	{Name: "cite", Type: String, Doc: "Where the expectation comes from."},
}

// testBlocks is the part of the language that is in *.fairwaytest.hcl.
var testBlocks = append([]BlockDoc{
	{
		ID: "test", Type: "test", Labels: []string{"title"},
		Doc: "A promise of a policy, checked on a snapshot by `fairway test`.",
		Attributes: slices.Concat(promiseAttributes, []AttrDoc{
			{Name: "snapshot", Type: Names, Doc: "Snapshot files or directories; inline job and node blocks add to " +
				"them."},
			{Name: "now", Type: Timestamp, Doc: "The run's clock: epoch seconds or RFC 3339 text."},
			{Name: "started", Type: List, Doc: "Ids of jobs that start in this evaluation: they wait while it " +
				"selects and run when it ends."},
			{Name: "tolerance", Type: Number, Doc: "How far expected numbers may be off; 0 if not set."},
		}),
		Blocks: append([]string{"test/job", "test/node", "test/usage", "test/expect", "test/assert", "test/step"},
			testCredentialIDs()...),
	},
	{
		ID: "check", Type: "check", Labels: []string{"title"},
		Doc: "A promise of a policy about any two jobs, job['a'] and job['b'], whatever else is in the queue. " +
			"`fairway test` draws queues that meet what the policy speaks of, and shows the smallest that breaks it.",
		Attributes: slices.Concat(promiseAttributes, []AttrDoc{
			{Name: "vary", Type: List, Doc: "The columns in which the two differ, such as submit_time; in all else they " +
				"are the same. If it is not set, they are any two jobs."},
			{Name: "given", Kind: CELText, Type: Bool, Doc: "Which pairs the promise is about; all if not set."},
			{Name: "condition", Kind: CELText, Type: Bool, Required: true, Doc: "Must be true of them."},
			{Name: "message", Type: String, Doc: "Printed when it is not."},
			{Name: "queues", Type: Integer, Doc: "How many queues are drawn; 200 if not set."},
			{Name: "seed", Type: Integer, Doc: "Begins the draw: the same seed draws the same queues; 1 if not set."},
		}),
	},
	{ID: "test/job", Type: "job", Labels: []string{"id"}, Instances: true, Object: "job",
		Doc: "A job of the snapshot."},
	{ID: "test/node", Type: "node", Labels: []string{"id"}, Instances: true, Object: "node",
		Doc: "A node of the snapshot."},
	{
		ID: "test/usage", Type: "usage", Doc: "What was used in one fairshare window of Maui, as its FS files say it.",
		Attributes: append([]AttrDoc{
			{Name: "start", Type: Timestamp, Doc: "When the window began: a multiple of the interval since 1970."},
			{Name: "total", Type: Number, Doc: "What all used; it is not the sum of the others."},
		}, usageAttributes()...),
	},
	{
		ID: "test/step", Type: "step", Doc: "A later iteration: it begins with what the one before left, and jobs " +
			"started there run. Its jobs arrive or change.",
		Attributes: []AttrDoc{
			{Name: "now", Type: Timestamp, Doc: "When it is."},
			{Name: "started", Type: List, Doc: "Ids of jobs that start in it."},
		},
		Blocks: []string{"test/job", "test/expect", "test/assert"},
	},
	{
		ID: "test/expect", Type: "expect", Labels: []string{"kind", "[id]"},
		Doc: "What must come out: expect \"job\" \"ID\", \"order\", \"counts\", \"finding\", \"error\", or of " +
			"fairshare windows \"user\" \"NAME\" and other credentials, of an account tree \"association\" " +
			"\"ACCOUNT/USER\".",
		Attributes: []AttrDoc{
			{Name: "priority", Type: Number, Doc: "job: the integer priority."},
			{Name: "stored", Type: Number, Doc: "job: the priority that is left when jobs that limits reject have " +
				"lost their queue time."},
			{Name: "score", Type: Number, Doc: "job: the sum before finishing."},
			{Name: "rank", Type: Integer, Doc: "job: its place, from 1."},
			{Name: "state", Type: String, Values: []string{"running", "eligible", "blocked", "held"},
				Doc: "job: its state."},
			{Name: "reason", Type: String, Doc: "job: why it is blocked: the scheduler's own words, or the name or " +
				"reason of the policy's limit."},
			{Name: "tolerance", Type: Number, Doc: "job, credential: how far the numbers may be off."},
			{Name: "jobs", Type: List, Doc: "order: job ids, highest priority first; other jobs may come between."},
			{Name: "running", Type: Integer, Doc: "counts: how many jobs run."},
			{Name: "eligible", Type: Integer, Doc: "counts: how many jobs may start."},
			{Name: "blocked", Type: Integer, Doc: "counts: how many jobs are blocked."},
			{Name: "held", Type: Integer, Doc: "counts: how many jobs are held."},
			{Name: "usage_percent", Type: Number, Doc: "credential: its decayed usage in percent of all."},
			{Name: "target", Type: Number, Doc: "credential: the target that counts for it, its own or a default."},
			{Name: "target_kind", Type: String, Values: []string{"target", "floor", "ceiling", "cap", "relative_cap"},
				Doc: "credential: what kind of target it is."},
			{Name: "target_missed", Type: Bool, Doc: "credential: diagnose -f would mark it with a star."},
			{Name: "delta", Type: Number, Doc: "credential: its fairshare factor."},
			{Name: "fairshare", Type: Number, Doc: "association: its fairshare factor."},
			{Name: "level_fs", Type: Number, Doc: "association: Fair Tree's shares over usage among siblings."},
			{Name: "norm_shares", Type: Number, Doc: "association: its normalised shares."},
			{Name: "usage", Type: Number, Doc: "association: its decayed usage in billing-seconds."},
			{Name: "norm_usage", Type: Number, Doc: "association: its part of all usage."},
			{Name: "effective_usage", Type: Number, Doc: "association: what is set against its shares."},
			{Name: "code", Type: String, Doc: "finding, error: the diagnostic's code."},
			{Name: "line", Type: Integer, Doc: "finding, error: the line it points at."},
		},
		Blocks: []string{"test/expect/term", "test/expect/why"},
	},
	{
		ID: "test/expect/why", Type: "why", Once: true, Doc: "What keeps the job from starting.",
		Attributes: []AttrDoc{
			{Name: "kind", Type: String, Values: []string{"limit", "fairshare_cap", "hold", "priority", "dependency",
				"begin_time", "state", "resources"}, Doc: "The kind of reason."},
			{Name: "object", Type: String, Doc: "The credential whose use counts: user, group, account, qos, " +
				"partition."},
			{Name: "name", Type: String, Doc: "Its name."},
			{Name: "limit", Type: String, Doc: "The limit's name, such as MAXJOB or idle_jobs."},
			{Name: "bound", Type: String, Values: []string{"soft", "hard"}, Doc: "Which of its numbers."},
			{Name: "value", Type: Number, Doc: "That number."},
			{Name: "in_use", Type: Number, Doc: "What is used already."},
			{Name: "request", Type: Number, Doc: "What the job would add."},
		},
	},
	{
		ID: "test/expect/term", Type: "term", Labels: []string{"component.term"},
		Doc: "One term of the job's priority.",
		Attributes: []AttrDoc{
			{Name: "factor", Type: Number, Doc: "The factor before weight and cap."},
			{Name: "weight", Type: Number, Doc: "The weight."},
			{Name: "contribution", Type: Number, Doc: "What it adds to the priority."},
		},
	},
	{
		ID: "test/assert", Type: "assert", Doc: "A condition over the results, such as job['1'].priority > " +
			"job['2'].priority.",
		Attributes: []AttrDoc{
			{Name: "condition", Kind: CELText, Type: Bool, Required: true, Doc: "Must be true."},
			{Name: "message", Type: String, Doc: "Printed when it is not."},
		},
	},
}, testCredentialBlocks()...)

func usageAttributes() []AttrDoc {
	var list []AttrDoc
	for _, object := range usageObjects {
		list = append(list, AttrDoc{Name: object, Type: Map, Element: Number, Doc: "What each " + object + " used."})
	}
	return list
}

func testCredentialIDs() []string {
	ids := make([]string, len(credentialIDs))
	for i, word := range credentialIDs {
		ids[i] = "test/" + word
	}
	return ids
}

// testCredentialBlocks are the rows of a snapshot's tables. They are blocks of
// their own because a snapshot row has columns that no policy may set, and no
// limits, shares or inheritance.
func testCredentialBlocks() []BlockDoc {
	var list []BlockDoc
	for _, word := range credentialIDs {
		object := word
		if word == "class" {
			object = "partition"
		}
		list = append(list, BlockDoc{
			ID: "test/" + word, Type: word, Labels: []string{"name"}, Instances: true, Object: object,
			Doc: "A row of the snapshot's " + object + " table.",
		})
	}
	return list
}
