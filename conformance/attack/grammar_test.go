package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// mutateJSON changes one value of a JSON text, or of one line of it.
func mutateJSON(r *rand.Rand, text []byte, _ [][]byte) []byte {
	before, after := []byte(nil), []byte(nil)
	if !json.Valid(text) {
		l := lines(text)
		at := r.IntN(len(l))
		before, text, after = bytes.Join(l[:at], nil), l[at], bytes.Join(l[at+1:], nil)
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var value any
	if in.Decode(&value) != nil {
		return slices.Concat(before, []byte("{\"jobs\": ["), text, after)
	}
	number := 0
	count(value, &number)
	at := r.IntN(number)
	out, err := json.Marshal(changeAt(r, value, &at))
	if err != nil {
		out = []byte("{")
	}
	return slices.Concat(before, bytes.ReplaceAll(out, []byte(rawMark), []byte(one(r, rawValues))), []byte("\n"), after)
}

// rawMark stands for a value that the encoder cannot write.
const rawMark = `"\ue000raw"`

var rawValues = []string{
	"1e400", "-0", "1E+2", "123456789012345678901234567890", "NaN", "\"\\ud800\"", "\"\\u0000\"", "\"\xff\"", "", "01",
	"tru", "\"a\nb\"", "{\"a\":1,\"a\":2}", "[,]",
	strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
	strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
}

func count(value any, number *int) {
	*number++
	switch v := value.(type) {
	case []any:
		for _, x := range v {
			count(x, number)
		}
	case map[string]any:
		for _, x := range v {
			count(x, number)
		}
	}
}

// changeAt changes the value that is reached when at has come down to nothing.
func changeAt(r *rand.Rand, value any, at *int) any {
	if *at == 0 {
		*at--
		return otherValue(r, value)
	}
	*at--
	switch v := value.(type) {
	case []any:
		for i := range v {
			if v[i] = changeAt(r, v[i], at); *at < 0 {
				if r.IntN(6) == 0 {
					return append(v, v[i])
				}
				return v
			}
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			x := changeAt(r, v[k], at)
			if *at >= 0 {
				continue
			}
			switch r.IntN(8) {
			case 0:
				delete(v, k)
			case 1:
				v[one(r, nasty)] = x
			case 2:
				v[one(r, keys)] = x
			default:
				v[k] = x
			}
			return v
		}
	}
	return value
}

func otherValue(r *rand.Rand, old any) any {
	switch r.IntN(16) {
	case 0:
		return nil
	case 1:
		return map[string]any{"set": r.IntN(2) == 0, "infinite": r.IntN(2) == 0, "number": json.Number("-1")}
	case 2:
		return []any{old, old}
	case 3:
		return map[string]any{}
	case 4:
		return []any{}
	case 5:
		return one(r, nasty)
	case 6:
		return strings.Repeat(one(r, nasty), one(r, []int{1, 3, 1000}))
	case 7:
		return r.IntN(2) == 0
	case 8:
		return "\ue000raw"
	case 9:
		return slices.Repeat([]any{old}, one(r, []int{1, 3, 100}))
	case 11, 12:
		if list, ok := old.([]any); ok && len(list) > 0 {
			return many(r, list)
		}
	case 10:
		return string(extreme(r))
	}
	if n := extreme(r); json.Valid(n) && len(n) > 0 && (n[0] == '-' || n[0] >= '0' && n[0] <= '9') {
		return json.Number(n)
	}
	return json.Number("-1")
}

// many is a list with copies of one of its elements, each with other numbers and names in one place.
func many(r *rand.Rand, list []any) []any {
	of, ok := one(r, list).(map[string]any)
	if !ok {
		return list
	}
	keys := make([]string, 0, len(of))
	for k := range of {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	keys = append(keys, "id", "job_id", "name")
	key := one(r, keys)
	text, _ := json.Marshal(of)
	list = slices.Clone(list)
	for i := range min(one(r, []int{30, 1000, 10_000}), 3<<20/(1+len(text))) {
		other := maps.Clone(of)
		switch v := other[key].(type) {
		case json.Number:
			other[key] = 100_000 + i
		case string:
			other[key] = fmt.Sprint(v, i)
		}
		list = append(list, other)
	}
	return list
}

// mutateHCL puts a block or an attribute somewhere.
func mutateHCL(r *rand.Rand, text []byte, _ [][]byte) []byte {
	l := lines(text)
	add := one(r, hclParts)
	if strings.Contains(add, "%s") {
		add = strings.ReplaceAll(add, "%s", one(r, hclValues))
	}
	return bytes.Join(slices.Insert(l, r.IntN(len(l)), []byte(add+"\n")), nil)
}

var hclParts = []string{
	"locals {\n  x = %s\n}", "params = {\n  A = %s\n}", "  factor = %s", "  weight = %s", "  when = %s", "  priority = %s",
	"remove = true", "override = true", "use = %s", "enabled = %s",
	"  define \"a\" {\n    value = \"a\"\n  }",
	"  define \"a\" {\n    value = \"b\"\n  }\n  define \"b\" {\n    value = \"a\"\n  }",
	"  component \"x\" {\n    weight = %s\n    term \"t\" {\n      weight = %s\n      factor = %s\n    }\n  }",
	"  hold \"h\" {\n    when = %s\n    reason = %s\n  }",
	"  user \"u\" {\n    priority = %s\n    limit \"jobs\" {\n      hard = %s\n    }\n  }",
	"  account \"a\" {\n    account \"a\" {\n      account \"a\" {\n        shares = %s\n      }\n    }\n  }",
	"  fairshare \"windows\" {\n    interval = %s\n    depth = %s\n    decay = %s\n  }",
	"  backfill {\n    algorithm = %s\n    reservation_depth = %s\n  }", "policy \"p\" {\n  use = %s\n}",
	"test \"t\" {\n  policy = %s\n  now = %s\n}", "  job \"1\" {\n    procs = %s\n  }",
	"  expect \"job\" \"1\" {\n    priority = %s\n  }", "  assert {\n    condition = %s\n  }",
	"files = { \"maui.cfg\" = %s }",
	"  expect \"job\" \"*\" {\n    state = %s\n  }", "  step {\n    seconds = %s\n  }",
	"  usage \"user\" \"u\" {\n    windows = %s\n  }", "{", "}", "/*", "<<EOT", "  x = <<-CEL\n", "policy {",
	"policy \"a\" \"b\" {}",
	"for_each = %s", "dynamic \"user\" {\n  for_each = %s\n  content {}\n}", "include = %s", "semantics = %s",
	"version = %s",
}

var hclValues = []string{
	"[for i in range(1000000) : i]", "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a]]]",
	"{for k in range(100000) : tostring(k) => k...}", "\"${\"x\"}${1/0}\"", "1/0", "-(1/0)", "0/0", "1e4000",
	"\"[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, " +
		"[1,2,3,4,5,6,7,8,9].map(e, [1,2,3,4,5,6,7,8,9].map(f, a)))))).size()\"",
	"\"job.user.matches('(a+)+$')\"", "\"job.name.matches('a{1000}{1000}')\"", "\"1/0\"", "\"job.procs / 0\"",
	"\"job.procs % 0\"", "\"1.0/0.0\"", "\"0.0/0.0\"", "\"9223372036854775807 + 1\"", "\"job.nothing\"",
	"\"dyn(1) + dyn('a')\"",
	"\"duration('1e999s')\"", "\"timestamp('9999-12-31T23:59:59Z') + duration('9999999h')\"",
	"\"'a'.split('').join('x')\"", "\"'%s %d'.format([1, 'a'])\"", "\"[1][5]\"", "\"{'a': 1}['b']\"",
	"\"math.greatest([])\"", "\"lists.range(100000000).size()\"",
	"\"'x'.repeat(1000)\"", "\"string(bytes([255]))\"", "\"double(job.procs) * 1e308 * 10.0\"", "\"int(1e300)\"",
	"\"now.getHours('Nowhere/X')\"", "\"job.submit_time + now\"", "true", "null", "[]", "{}", "\"\"", "-1", "1e308",
	"\"inf\"", "\"NaN\"",
	"[1, \"a\", null]", "{ a = { b = { c = 1 } } }", "upper(lower(\"É\"))", "format(\"%1000000000d\", 1)",
	"format(\"%*d\", 1)", "regexall(\"(a|a)*b\", \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\")", "jsondecode(\"[[[\")",
	"base64decode(\"x\")", "substr(\"a\", -5, 99)",
	"element([], 1)", "setproduct(range(1000), range(1000), range(1000))", "cidrsubnet(\"1\", 2, 3)", "param.X", "local.x",
	"local.local", "\"${local.x}\"", "max([]...)", "pow(10, 1000)", "pow(2, 100000000)", "log(0, 0)",
	"parseint(\"zz\", 99)", "range(0, 1e9, 1e-9)",
	"strrev(\"é́\")", "chunklist(range(100), 0)", "zipmap([1], [])", "join(\"x\", [null])", "split(\"\", \"abc\")",
	"replace(\"aaa\", \"/a(?=b)/\", \"\")", "merge(1)", "each.key", "\"12h\"", "\"-1h\"", "\"99999999999h\"", "\"1-0\"",
	strings.Repeat("(", 3000) + "1" + strings.Repeat(")", 3000), strings.Repeat("[", 3000) + strings.Repeat("]", 3000),
	"\"" + strings.Repeat("(", 3000) + "1" + strings.Repeat(")", 3000) + "\"",
	"\"" + strings.Repeat("!", 20000) + "true\"", strings.Repeat("-", 20000) + "1",
	"\"" + strings.Repeat("1 + ", 20000) + "1\"", strings.Repeat("1 + ", 20000) + "1",
	strings.Repeat("true ? ", 2000) + "1" + strings.Repeat(" : 2", 2000),
	"\"" + strings.Repeat("true ? 1 : ", 2000) + "2\"", "a" + strings.Repeat(".b", 20000),
	"x" + strings.Repeat("[0]", 20000),
}

var hclAssigned = regexp.MustCompile(`(?m)= *("[^"\n]*"|[^\n]*)$`)

// mutateHCLValue changes the value of an attribute.
func mutateHCLValue(r *rand.Rand, text []byte, _ [][]byte) []byte {
	return replaceOne(r, text, hclAssigned, func(old []byte) []byte {
		switch r.IntN(4) {
		case 0:
			return slices.Concat([]byte("= "), extreme(r))
		case 1:
			return slices.Concat([]byte("= \""), bytes.ReplaceAll(extreme(r), []byte(`"`), nil), []byte("\""))
		}
		return []byte("= " + one(r, hclValues))
	})
}

// parameters are names that mean something; attacks fill in all that fairway doc params has.
var parameters = struct{ maui, slurm []string }{
	[]string{"QUEUETIMEWEIGHT", "XFACTORCAP", "RESERVATIONDEPTH", "FSDEPTH", "FSINTERVAL", "FSDECAY"},
	[]string{"PriorityWeightAge", "PriorityMaxAge", "PriorityDecayHalfLife", "PriorityType", "SchedulerParameters",
		"PriorityWeightTRES"},
}

var mauiObjects = []string{"USERCFG", "GROUPCFG", "ACCOUNTCFG", "QOSCFG", "CLASSCFG", "SYSCFG", "SRCFG", "NODECFG",
	"PARTITIONCFG", "RMCFG", "USERWEIGHT", "FSUSERWEIGHT"}
var mauiAttributes = []string{
	"PRIORITY", "FSTARGET", "MAXJOB", "MAXPROC", "MAXPS", "MAXIJOB", "MAXNODE", "MAXWC", "MAXMEM", "MAXPE", "QLIST",
	"QDEF", "PLIST", "PDEF", "ALIST", "ADEF", "FLAGS", "QTWEIGHT", "XFWEIGHT", "QFLAGS",
	"HOSTLIST", "STARTTIME", "ENDTIME", "DAYS", "PERIOD", "TASKCOUNT", "RESOURCES", "CLASSLIST", "ACCESS", "DEPTH",
	"MAXJOB[user]", "MAXPROC[CLASS:x]", "EMAXJOB", "OMAXJOB", "FSCAP", "WCOVERRUN",
}

// value is what may stand behind a name.
func value(r *rand.Rand) string {
	switch r.IntN(4) {
	case 0:
		return one(r, nasty)
	case 1:
		return string(extreme(r)) + "," + string(extreme(r))
	case 2:
		return one(r, []string{"n[1-100000]", "a:b:c", "10+", "10-", "10^", "10%", "50,100", "&a:b", "!x", "<3600", ">100",
			"MON,TUE", "08:00:00", "DEDICATEDPS", "UTILIZEDPES", "FIRSTFIT", "IGNIDLEJOBLIMIT,PREEMPTOR"})
	}
	return string(extreme(r))
}

func mutateMaui(r *rand.Rand, text []byte, _ [][]byte) []byte {
	l := lines(text)
	var b strings.Builder
	for range one(r, []int{1, 1, 1, 3, 200}) {
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "%s %s\n", one(r, parameters.maui), value(r))
			continue
		}
		fmt.Fprintf(&b, "%s[%s]", one(r, mauiObjects),
			one(r, []string{"DEFAULT", "a", "ana", "", "x]", "n[1-99]", "bo", "batch", one(r, nasty)}))
		for range 1 + r.IntN(4) {
			fmt.Fprintf(&b, " %s%s%s", one(r, mauiAttributes), one(r, []string{"=", "=", "=", " ", "==", "+="}), value(r))
		}
		b.WriteString("\n")
	}
	return bytes.Join(slices.Insert(l, r.IntN(len(l)), []byte(b.String())), nil)
}

var slurmLines = []string{
	"NodeName=%s CPUs=%s RealMemory=%s Weight=%s", "NodeName=DEFAULT Sockets=%s CoresPerSocket=%s ThreadsPerCore=%s",
	"PartitionName=%s Nodes=%s MaxTime=%s PriorityJobFactor=%s PriorityTier=%s", "PartitionName=DEFAULT MaxNodes=%s",
	"Include slurm.conf", "include %s", "Include ./*", "NodeSet=%s Nodes=%s", "NodeSet=a Nodes=a",
	"PartitionName=p Nodes=p AllowQos=%s DenyAccounts=%s QOS=%s", "DownNodes=%s State=%s", "FrontendName=%s",
	"PartitionName=%s TRESBillingWeights=CPU=%s,Mem=%sG,GRES/gpu=%s",
	"PriorityWeightTRES=CPU=%s,Mem=%s",
	"SchedulerParameters=bf_window=%s,bf_resolution=%s,bf_max_job_test=%s,bf_interval=%s", "NodeName=n[0-%s] CPUs=1",
	"NodeName=n[1-9999999]", "PriorityDecayHalfLife=%s", "PriorityMaxAge=%s", "PriorityUsageResetPeriod=%s",
	"MaxArraySize=%s",
	"PartitionName=a AllowGroups=%s MaxCPUsPerNode=%s OverSubscribe=FORCE:%s", "PriorityFlags=%s",
	"AccountingStorageTRES=%s", "Licenses=%s:%s,a*3", "EnforcePartLimits=%s", "ClusterName=%s",
}

func mutateSlurm(r *rand.Rand, text []byte, _ [][]byte) []byte {
	l := lines(text)
	var b strings.Builder
	for range one(r, []int{1, 1, 1, 3, 200}) {
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "%s=%s\n", one(r, parameters.slurm), value(r))
			continue
		}
		line := one(r, slurmLines)
		for strings.Contains(line, "%s") {
			line = strings.Replace(line, "%s", strings.ReplaceAll(value(r), "%s", ""), 1)
		}
		b.WriteString(line + "\n")
	}
	return bytes.Join(slices.Insert(l, r.IntN(len(l)), []byte(b.String())), nil)
}

var dumpFields = []string{
	"Fairshare", "GrpTRES", "GrpTRESMins", "GrpTRESRunMins", "GrpJobs", "GrpJobsAccrue", "GrpSubmit", "GrpWall", "MaxTRES",
	"MaxTRESPerJob", "MaxTRESMins", "MaxJobs", "MaxJobsPerUser", "MaxSubmitJobs", "MaxWall", "Priority", "QOS",
	"DefaultQOS",
	"DefaultAccount", "Partition", "ParentName", "Coordinator", "AdminLevel", "Flags", "MinPrioThreshold", "WCKeys",
	"Cluster",
}

// mutateDump adds records or fields to a sacctmgr dump: accounts below each other, below themselves, twice, or many.
func mutateDump(r *rand.Rand, text []byte, _ [][]byte) []byte {
	l := lines(text)
	field := func() string {
		return ":" + one(r, dumpFields) + "=" +
			one(r, []string{value(r), "'" + value(r) + "'", "cpu=" + string(extreme(r)),
				"cpu=1,mem=" + string(extreme(r)) + ",gres/gpu=" + string(extreme(r)), "'+a,-b,normal'", "parent"})
	}
	var b strings.Builder
	switch r.IntN(6) {
	case 0:
		name := one(r, []string{"root", "a", "physics", "lab", "chemistry"})
		fmt.Fprintf(&b, "Parent - '%s'\nAccount - '%s'%s\n", name, name, field())
	case 1:
		for i := range one(r, []int{3, 100, 3000}) {
			fmt.Fprintf(&b, "Parent - 'd%d'\nAccount - 'd%d':Fairshare=%d\n", i, i+1, i)
		}
	case 2:
		for i := range one(r, []int{10, 3000}) {
			fmt.Fprintf(&b, "User - 'u%d':DefaultAccount='x':Fairshare=%s\n", i, extreme(r))
		}
	case 3:
		fmt.Fprintf(&b, "Parent - 'a'\nAccount - 'b'%s\nParent - 'b'\nAccount - 'a'%s\n", field(), field())
	case 4:
		fmt.Fprintf(&b, "%s - '%s'%s%s\n", one(r, []string{"Cluster", "Parent", "Account", "User", "QOS", "user", ""}),
			one(r, nasty), field(), field())
	default:
		at := r.IntN(len(l))
		l[at] = append(bytes.TrimSuffix(slices.Clone(l[at]), []byte("\n")), field()+"\n"...)
	}
	return bytes.Join(slices.Insert(l, r.IntN(len(l)), []byte(b.String())), nil)
}

// mutateSWF changes columns of jobs.
func mutateSWF(r *rand.Rand, text []byte, _ [][]byte) []byte {
	l := lines(text)
	column := r.IntN(18)
	by := string(extreme(r))
	every := one(r, []int{1, 1, 7, 1000})
	for i := r.IntN(len(l)); i < len(l); i += every {
		if fields := strings.Fields(string(l[i])); len(fields) > column && fields[0] != ";" {
			fields[column] = by
			l[i] = []byte(strings.Join(fields, " ") + "\n")
		}
	}
	return bytes.Join(l, nil)
}
