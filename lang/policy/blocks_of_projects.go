package policy

// projectBlocks is the part of the language in which a site says once what all verbs have to know of its files.
var projectBlocks = []BlockDoc{
	{
		ID: "project", Type: "project", Once: true,
		Doc: "What a site says of its configurations, in a file fairway.hcl in their folder or one above it. Every " +
			"verb reads the release from it, and `lint` all of it; flags on the command line win over it. Names of " +
			"files are as seen from the file's own folder. `fairway init` writes one, `fairway lint --show-config` " +
			"shows what is in force.",
		Attributes: []AttrDoc{
			{Name: "slurm_version", Type: String, Doc: "Release of Slurm as \"YY.MM\", of files that state none."},
			{Name: "files", Type: Names, Doc: "Files, folders and patterns that `lint` reads when it is given none."},
			{Name: "snapshot", Type: Names, Doc: "Files or folders with what the resource manager says, by which " +
				"`lint` tests weights and limits; of a site with one policy."},
			{Name: "fail_on", Type: String, Values: []string{"error", "warning", "info", "never"},
				Doc: "`lint` exits with 1 from this severity on; warning if not set."},
		},
		Blocks: []string{"project/policy", "project/severity", "project/ignore"},
	},
	{
		ID: "project/policy", Type: "policy", Labels: []string{"name"},
		Doc: "One of several clusters: files that are linted together.",
		Attributes: []AttrDoc{
			{Name: "files", Type: Names, Required: true,
				Doc: "Files of one policy: slurm.conf, a dump, a policy file."},
			{Name: "slurm_version", Type: String, Doc: "Release of Slurm as \"YY.MM\", in the place of the project's."},
		},
	},
	{
		ID: "project/severity", Type: "severity", Labels: []string{"rule"},
		Doc: "What the findings of a rule are called. The rule is a code or a number, and may hold * as in " +
			"slurm-gpu-*.",
		Attributes: []AttrDoc{
			{Name: "level", Type: String, Required: true, Values: []string{"error", "warning", "info", "off"},
				Doc: "The severity; off leaves the findings out."},
		},
	},
	{
		ID: "project/ignore", Type: "ignore", Labels: []string{"rule"},
		Doc: "Findings that the site has decided about. A comment in the file, `# fairway:ignore RULE REASON`, " +
			"does the same for one line.",
		Attributes: []AttrDoc{
			{Name: "reason", Type: String, Required: true, Doc: "Why they are left out."},
			{Name: "files", Type: Names, Doc: "Files or patterns in which they are left out; all if not set."},
			{Name: "until", Type: String, Doc: "The last day on which they are, as \"YYYY-MM-DD\"."},
		},
	},
}
