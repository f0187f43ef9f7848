package sacctmgr

import "github.com/fairway-sched/fairway/lang/diag"

// Codes documents every diagnostic of this package. Where a code has two
// severities, the stronger one is stated.
var Codes = []diag.CodeDoc{
	{Code: "sacctmgr-abbreviation", Severity: diag.Warning, What: "an option that is not written out", Why: "sacctmgr completes it, but to what may change with new options",
		Example: "Cluster - 'c'\nAccount - 'a':GrpJob=5\n", Instead: "GrpJobs=5"},
	{Code: "sacctmgr-blank-option", Severity: diag.Warning, What: "an option without value", Why: "sacctmgr discards it", Example: "Cluster - 'c'\nAccount - 'a':GrpJobs=\n", Instead: "a value, or no option"},
	{Code: "sacctmgr-cluster", Severity: diag.Error, What: "no cluster, a second one, or objects before it", Why: "a flat file describes one cluster, which must come first",
		Example: "Account - 'a'\n", Instead: "Cluster - 'name' before the accounts"},
	{Code: "sacctmgr-duplicate", Severity: diag.Error, What: "an account is defined twice", Why: "an account has one place in the tree (for users, QOS and options a warning)",
		Example: "Cluster - 'c'\nAccount - 'a'\nAccount - 'a'\n", Instead: "one line"},
	{Code: "sacctmgr-more-findings", Severity: diag.Error, What: "a file has more findings than are told", Why: "it has the severity of the worst of those left out",
		Instead: "correct what is told first, or give a dump", Case: "a dump with a mistake on each of its thousand lines"},
	{Code: "sacctmgr-name", Severity: diag.Error, What: "an object without a name", Why: "sacctmgr refuses the file", Example: "Cluster -  :Fairshare=1\n", Instead: "Cluster - 'name':Fairshare=1"},
	{Code: "sacctmgr-option", Severity: diag.Error, What: "text between colons that is not Key=value", Why: "sacctmgr refuses the file; often a colon within a value lacks quotes",
		Example: "Cluster - 'c'\nAccount - 'a':Description=x:y\n", Instead: "Description='x:y'"},
	{Code: "sacctmgr-quote", Severity: diag.Error, What: "quotes that do not enclose a value", Why: "what stands after them may be taken for part of the value",
		Example: "Cluster - 'c'\nAccount - 'a:Fairshare=1\n", Instead: "Account - 'a':Fairshare=1"},
	{Code: "sacctmgr-script", Severity: diag.Error, What: "a list of sacctmgr commands", Why: "their effect depends on the database", Example: "sacctmgr -i add account x\n", Instead: "the output of sacctmgr dump"},
	{Code: "sacctmgr-syntax", Severity: diag.Error, What: "a line that is no object", Why: "sacctmgr refuses the file", Example: "Cluster - 'c'\nhello\n", Instead: "Object - 'name':options"},
	{Code: "sacctmgr-table", Severity: diag.Error, What: "a table with | between its columns", Why: "it says less than a dump and is read as a snapshot", Example: "Cluster|Account|User\nc|a|u\n", Instead: "the output of sacctmgr dump"},
	{Code: "sacctmgr-template", Severity: diag.Error, What: "marks of a template language", Why: "the file only becomes a flat file when it is rendered", Example: "Cluster - '{{ name }}'\n", Instead: "the rendered file"},
	{Code: "sacctmgr-too-large", Severity: diag.Error, What: "a file of more than 16 MB or 1048576 lines", Why: "no association tree is that large, and reading on would take minutes", Instead: "the output of sacctmgr dump", Case: "a log that was given as a dump"},
	{Code: "sacctmgr-tres", Severity: diag.Error, What: "a list of TRES that cannot be read or names no TRES", Why: "sacctmgr ignores the limit", Example: "Cluster - 'c'\nAccount - 'a':GrpTRES=nodes=5\n", Instead: "GrpTRES=node=5"},
	{Code: "sacctmgr-typed-tres", Severity: diag.Warning, What: "a typed resource without quotes, as sacctmgr dump prints it", Why: "sacctmgr load before 26.05.1 takes its colon for the end of the option and refuses the file",
		Example: "Cluster - 'c'\nAccount - 'a':GrpTRES=cpu=100,gres/gpu:a100=2\n", Instead: "GrpTRES='cpu=100,gres/gpu:a100=2'"},
	{Code: "sacctmgr-unknown-object", Severity: diag.Error, What: "a line that begins with an unknown object", Why: "sacctmgr refuses the file", Example: "Clustr - 'c'\n", Instead: "Cluster - 'c'"},
	{Code: "sacctmgr-unknown-option", Severity: diag.Error, What: "an option the object does not have", Why: "sacctmgr refuses the line", Example: "Cluster - 'c'\nAccount - 'a':GropJobs=5\n", Instead: "GrpJobs=5"},
	{Code: "sacctmgr-unknown-parent", Severity: diag.Error, What: "a Parent line names an account that was not defined before", Why: "sacctmgr reads from top to bottom and refuses it",
		Example: "Cluster - 'c'\nParent - 'a'\n", Instead: "Account - 'a' first"},
	{Code: "sacctmgr-qos-flag", Severity: diag.Warning, What: "a flag that no QOS can have", Why: "sacctmgr passes over it", Example: "QOS - 'q':Flags='DenyOnLimits'\nCluster - 'c'\n", Instead: "Flags='DenyOnLimit'"},
	{Code: "sacctmgr-value", Severity: diag.Error, What: "a value that is not of the option's type", Why: "sacctmgr ignores the option", Example: "Cluster - 'c'\nAccount - 'a':Fairshare=much\n", Instead: "Fairshare=10"},
}
