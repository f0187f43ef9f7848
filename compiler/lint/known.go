package lint

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
)

// Known is a numbered rule that an earlier stage reports: what a text shows by
// itself is the parsers', and what keeps a policy from running is the lowering's.
type Known struct {
	ID     string
	Codes  []string
	Source string
}

// known maps numbers to codes. An ! marks findings that lint calls errors, because the setting has no effect or the opposite one. To the parser they are
// warnings: the scheduler itself starts with them. A ? marks notes of the parser that lint calls warnings.
var known = []struct{ id, codes, source string }{
	{"M001", "maui-unknown-parameter! maui-moab-name maui-moab-file", "MConfig.c; only names of its table are looked up"},
	{"M002", "maui-wrong-case!", "MConfig.c; manual 3.4 says otherwise"},
	{"M003", "maui-indented-name!", "MConfig.c; only *CFG lines may be indented"},
	{"M004", "maui-unknown-attribute! maui-documented-attribute! maui-ignored-attribute", "manual appendix F"},
	{"M005", "maui-lost-equals!", "MConfig.c, MCfgAdjustBuffer"},
	{"M006", "maui-old-name? maui-documented-only", "MConfig.c, against the manual's appendix F"},
	{"M007", "maui-no-setter!", "MConfig.c, against the manual's appendix F"},
	{"M008", "maui-unused-parameter", "MConfig.c, against the manual's appendix F"},
	{"M009", "maui-overridden?", "MSys.c, MSysLoadConfig: the last line counts"},
	{"M010", "maui-overridden?", "MSys.c, MSysLoadConfig: the last line counts"},
	{"M011", "maui-sticky-index!", "MConfig.c; the index is not reset between lines"},
	{"M012", "maui-comment-in-list! maui-comment-in-value", "MConfig.c, MCfgAdjustBuffer"},
	{"M013", "maui-slash-comment!", "MConfig.c, MCfgAdjustBuffer"},
	{"M014", "maui-truncated", "MConfig.c; buffers of 64 bytes"},
	{"M015", "maui-line-truncated!", "MConfig.c; a line buffer of 1024 bytes"},
	{"M016", "maui-octal", "strtol(3) with base 0"},
	{"M017", "maui-number-rest", "strtol(3)"},
	{"M018", "maui-minus-one!", "MConfig.c; -1 stands for no value"},
	{"M019", "maui-bad-bool!", "MConfig.c; the words of a boolean"},
	{"M020", "maui-two-field-time", "MUTime.c; manual appendix F says otherwise"},
	{"M021", "maui-time-on-number!", "strtol(3) stops at the colon"},
	{"M022", "maui-bad-enum maui-bad-element", "manual appendix F"},
	{"M023", "maui-poll-interval", "manual appendix F, RMPOLLINTERVAL"},
	{"M024", "maui-no-server-host!", "manual 3.2"},
	{"M025", "maui-quoted-blank", "MConfig.c, MCfgAdjustBuffer"},
	{"M026", "maui-table-full maui-out-of-range", "Maui's compiled-in table sizes"},
	{"M106", "maui-negative-target", "MFSCheckCap"},
	{"M107", "fairshare-decay maui-out-of-range", "manual 6.3"},
	{"M108", "fairshare-interval fairshare-depth", "manual 6.3"},
	{"M119", "maui-no-effect", "the parser of GROUPCFG"},
	{"M202", "maui-hard-zero!", "recorded runs; manual 6.2.1"},
	{"M204", "maui-not-enforced!", "recorded runs; manual 6.2.1 says otherwise"},
	{"M205", "maui-limit-index! maui-limit-index-dropped!", "recorded runs; manual 6.2.1 says otherwise"},
	{"M206", "maui-default-idle-limit!", "recorded runs; manual 6.2.2"},
	{"M208", "maui-no-storage", "manual 7.3.2"},
	{"M211", "maui-bad-element maui-flag-within", "manual 7.3.1"},
	{"M213", "maui-node-limit", "recorded runs; manual 6.2.1"},
	{"M214", "maui-policy-switch? maui-policy-off", "manual appendix F"},
	{"M306", "maui-bucket-index", "strtol(3); manual 7.1.3"},
	{"M314", "maui-ignored-attribute maui-unused-parameter", "manual appendix F"},
	{"SL001", "slurm-unknown-key", "slurm.conf(5)"},
	{"SL002", "slurm-removed-key", "release notes"},
	{"SL003", "slurm-newer-key", "release notes"},
	{"SL004", "slurm-deprecated-key slurm-defunct-key", "slurm.conf(5)"},
	{"SL005", "slurm-duplicate-key", "parse_config.c"},
	{"SL006", "slurm-second-pair", "parse_config.c"},
	{"SL007", "slurm-swallowed-value slurm-missing-value", "parse_config.c"},
	{"SL008", "slurm-indented-include slurm-include", "parse_config.c"},
	{"SL009", "slurm-quote", "parse_config.c"},
	{"SL010", "slurm-comment-ends-line", "parse_config.c"},
	{"SL011", "slurm-fatal-setting slurm-refused-word", "read_config.c"},
	{"SL012", "slurm-number-notation", "strtoul(3) with base 0"},
	{"SL013", "slurm-time", "slurm.conf(5)"},
	{"SL014", "slurm-time-minutes-seconds", "slurm.conf(5)"},
	{"SL015", "slurm-duplicate-partition slurm-duplicate-node", "read_config.c"},
	{"SL016", "slurm-late-default", "slurm.conf(5), PartitionName"},
	{"SL017", "slurm-not-inherited slurm-not-in-default", "read_config.c"},
	{"SL018", "slurm-unknown-node", "read_config.c"},
	{"SL019", "slurm-node-cpus", "slurm.conf(5), CPUs"},
	{"SL020", "slurm-weight-ignored", "slurm.conf(5), PriorityType"},
	{"SL024", "slurm-weight-sum!", "slurm.conf(5), PriorityWeightAge"},
	{"SL025", "slurm-weight-ignored", "slurm.conf(5), PriorityWeightFairshare"},
	{"SL033", "slurm-unknown-word slurm-word-works-as", "slurm.conf(5), PriorityFlags"},
	{"SL034", "slurm-word-reversed!", "read_config.c: flags are searched as parts of the text"},
	{"SL036", "slurm-word-other-version", "release notes of 15.08"},
	{"SL042", "slurm-unknown-tres", "slurm.conf(5), PriorityWeightTRES"},
	{"SL043", "slurm-billing-weight", "slurm.conf(5), PriorityWeightTRES"},
	{"SL052", "slurm-unknown-tres", "slurm.conf(5), TRESBillingWeights"},
	{"SL060", "slurm-deprecated-key slurm-overruled", "slurm.conf(5), PriorityTier"},
	{"SL073", "slurm-word-bounds", "slurm.conf(5), SchedulerParameters"},
	{"SL074", "slurm-unknown-word slurm-word-value slurm-word-repeated", "slurm.conf(5), SchedulerParameters"},
	{"SL075", "slurm-word-switch", "slurm.conf(5), SchedulerParameters"},
	{"SL086", "slurm-two-defaults", "slurm.conf(5), Default"},
	{"SL090", "limits-not-enforced slurm-enforce", "slurm.conf(5), AccountingStorageEnforce"},
	{"SL097", "slurm-overruled", "slurm.conf(5), AllowAccounts"},
	{"SL148", "slurm-excluded-node", "slurm.conf(5), SuspendExcNodes; log of slurmctld 22.05"},
}

// KnownRules lists the numbered rules that are not this package's.
func KnownRules() []Known {
	list := make([]Known, len(known))
	for i, k := range known {
		list[i] = Known{k.id, strings.Fields(strings.NewReplacer("!", "", "?", "").Replace(k.codes)), k.source}
	}
	return list
}

// marks are the severities that lint gives to codes of other packages.
var marks = map[string]diag.Severity{"!": diag.Error, "?": diag.Warning}

// raised are the codes that are more severe here.
func raised() map[string]diag.Severity {
	codes := map[string]diag.Severity{}
	for _, k := range known {
		for _, code := range strings.Fields(k.codes) {
			for mark, severity := range marks {
				if name, ok := strings.CutSuffix(code, mark); ok {
					codes[name] = severity
				}
			}
		}
	}
	return codes
}

// Raise gives findings of earlier stages the severity that they have in lint.
func Raise(list diag.List) {
	codes := raised()
	for _, d := range list {
		if s, ok := codes[d.Code]; ok && s < d.Severity {
			d.Severity = s
		}
	}
}

// SeverityOf is how severe lint takes findings of a code.
func SeverityOf(c diag.CodeDoc) diag.Severity {
	if s, ok := raised()[c.Code]; ok && s < c.Severity {
		return s
	}
	return c.Severity
}

// Codes finds the codes of a rule by its number or code, without regard to case.
func Codes(name string) []string {
	var list []string
	for _, k := range KnownRules() {
		if strings.EqualFold(k.ID, name) {
			list = append(list, k.Codes...)
		}
	}
	for _, r := range Rules() {
		if strings.EqualFold(r.ID, name) || strings.EqualFold(r.Code, name) {
			list = append(list, r.Code)
		}
	}
	return list
}

// IDs are the numbers of a code.
func IDs(code string) []string {
	var list []string
	for _, k := range KnownRules() {
		for _, c := range k.Codes {
			if c == code {
				list = append(list, k.ID)
			}
		}
	}
	for _, r := range Rules() {
		if r.Code == code {
			list = append(list, r.ID)
		}
	}
	return list
}

// Sources say where the facts behind a code are documented.
func Sources(code string) []string {
	var list []string
	add := func(text string) {
		for _, old := range list {
			if old == text {
				return
			}
		}
		list = append(list, text)
	}
	for _, k := range KnownRules() {
		for _, c := range k.Codes {
			if c == code {
				add(k.Source)
			}
		}
	}
	for _, r := range Rules() {
		if r.Code == code {
			add(r.Source)
		}
	}
	return list
}

// OnDemand reports a rule that is asked only where that is wanted.
func OnDemand(code string) bool {
	for _, r := range Rules() {
		if r.Code == code {
			return r.OnDemand
		}
	}
	return false
}
