package anonymize

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestEveryColumn: each column of text says what names it holds, and nothing else is listed.
func TestEveryColumn(t *testing.T) {
	known := map[schema.ColumnID]bool{}
	for _, o := range schema.Objects {
		for _, c := range o.Columns {
			if c.Type != schema.String && c.Type != schema.StringList || c.ID.Object() == "cluster" { // which has no table
				continue
			}
			known[c.ID] = true
			if ruleOf(c.ID) == nil {
				t.Errorf("%s has no rule", c.ID)
			}
		}
	}
	for id := range columns {
		if !known[id] && id.Object() != "sprio" {
			t.Errorf("%s is no column of text", id)
		}
	}
	b := column.NewBuilder("job")
	b.Row()
	b.String("job.secret", "amy")
	if _, _, err := Snapshot(&snapshot.Snapshot{Jobs: b.Table()}, Options{Key: []byte("k")}); err == nil {
		t.Error("a column without a rule passes")
	}
}

// drawName draws a name by which it is found wherever it survives: such letters are in no word of ours.
func drawName(t *rapid.T) string {
	return rapid.StringMatching(`[qxz]{3}[qxzQXZ]{3}[0-9]{0,2}[qxz]`).Draw(t, "name")
}

// texts writes a name into every kind of text that holds one.
var texts = map[schema.ColumnID]string{
	"job.id": "77.$", "job.dependency": "afterok:77.$@$,singleton,afterany:12_3(unfulfilled)",
	"job.state_reason": "ReqNodeNotAvail,_UnavailableNodes:$[1-4]",
	"job.state_word":   "CANCELLED by $", "job.association": "$/$/$", "association.name": "$/$", "association.parent": "$",
	"job.gres_per_node": "gpu:$:2(S:0-1),$:3",
	"job.gres_per_task": "gres/$=2", "job.gres_per_job": "gres:$",
	"job.procs_per_gres": "$:3", "node.gres": "gpu:$:4(S:0-1)",
	"job.feature_expression": "[$*2&$]|!$", "job.licenses": "$@$:2,$",
	"job.reservation": "$,$", "job.recorded_partition_priorities": "$=12", "job.allocated_procs": "$",
	"job.allocated_cores": "$", "job.allocated_mem_mb": "$", "job.array_task_list": "$",
	"partition.billing_weights": "CPU=1.0,GRES/$=2,license/$=1.5", "qos.limits": "MaxTRESPerUser=gres/$=4",
	"association.limits": "GrpTRES=license/$=4",
	"reservation.users":  "-$", "reservation.licenses": "$:3", "reservation.job": "$.7", "qos.flags": "$7",
	"qos.preempt_mode": "$7", "partition.oversubscribe": "FORCE:$", "reservation.flags": "$7",
	"job.state": "running", "partition.state": "UP", "reservation.state": "ACTIVE", "node.state": "DOWN* ($)",
	"qos.qos_list": "+$", "association.qos_list": "-$",
}

// drawSnapshot fills every column of text of every table.
func drawSnapshot(t *rapid.T) (s *snapshot.Snapshot, names []string) {
	text := func(id schema.ColumnID) string {
		pattern := texts[id]
		if pattern == "" {
			pattern = "$"
		}
		for strings.Contains(pattern, "$") {
			name := drawName(t)
			names = append(names, name)
			pattern = strings.Replace(pattern, "$", name, 1)
		}
		return pattern
	}
	table := func(o *schema.Object) *column.Table {
		b := column.NewBuilder(o.Name)
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			b.Row()
			for _, c := range o.Columns {
				switch {
				case c.Type == schema.String:
					b.String(c.ID, text(c.ID))
				case c.Type == schema.StringList:
					b.List(c.ID, []string{text(c.ID), text(c.ID)})
				case c.ID.Name() == "class_slots":
					b.Double(c.ID+schema.ColumnID("("+text("")+")"), 3)
				case schema.Keyed(c.ID.Name()):
					for _, form := range []string{"gres/", "gres/gpu:", "license/"} {
						b.Double(c.ID+schema.ColumnID("("+form+text("")+")"), 3)
					}
				case c.Type == schema.Int:
					b.Int(c.ID, 7)
				}
			}
		}
		return b.Table()
	}
	s = &snapshot.Snapshot{Now: 1_700_000_000, Family: "slurm", Credentials: map[string]*column.Table{}}
	for _, o := range schema.Objects {
		switch o.Name {
		case "job":
			s.Jobs = table(o)
		case "node":
			s.Nodes = table(o)
		case "reservation":
			s.Reservations = table(o)
		case "license":
			s.Licenses = table(o)
		case "cluster":
		default:
			s.Credentials[o.Name] = table(o)
		}
	}
	b := column.NewBuilder("sprio")
	b.Row()
	for _, name := range []string{"id", "user", "account", "partition_name", "qos_name"} {
		b.String(snapshot.SprioColumn(name), text(""))
	}
	s.Sprio = b.Table()
	usage := map[string]map[string]float64{}
	for _, object := range []string{"user", "group", "account", "qos", "partition", "sched"} {
		usage[object] = map[string]float64{text(""): 5}
	}
	s.Usage = []snapshot.UsageWindow{{StartTime: 1, Usage: usage, Passed: snapshot.PassedUsage{Usage: usage}}}
	s.Sources = []snapshot.Source{{Name: text("")}}
	return s, names
}

// TestNoNameSurvives: whatever is in a snapshot, in whatever text, is in none of the bytes that are
// written of it, in no spelling.
func TestNoNameSurvives(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		s, names := drawSnapshot(t)
		out, _, err := Snapshot(s, Options{Key: []byte("secret"), Stable: rapid.Bool().Draw(t, "stable")})
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := snapshot.WriteJSON(&text, out); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.Contains(strings.ToLower(text.String()), strings.ToLower(name)) {
				t.Fatalf("%q survives in\n%s", name, text.String())
			}
		}
		if len(text.Bytes()) < 1000 {
			t.Fatalf("nothing is left: %s", text.String())
		}
	})
}

// TestOrderAndEquality: names are equal, and in one order, exactly where they were; users and accounts
// together, root among them. With Stable, equality alone stays, and it does in any other snapshot too.
func TestOrderAndEquality(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.OneOf(rapid.StringMatching(`[a-z]{1,3}[-0-9]{0,2}`),
			rapid.SampledFrom([]string{"root", "roos", "rooz", "a", "DEFAULT"})), 1, 20).Draw(t, "names")
		b := column.NewBuilder("job")
		for _, text := range list {
			b.Row()
			b.String("job.user", text)
			b.String("job.account", text)
			b.String("job.association", text+"/"+text)
		}
		s := &snapshot.Snapshot{Jobs: b.Table()}
		stable := rapid.Bool().Draw(t, "stable")
		out, _, err := Snapshot(s, Options{Key: []byte("k"), Stable: stable})
		if err != nil {
			t.Fatal(err)
		}
		user := func(row int) string { return out.Jobs.Value("job.user", row).Str }
		account := func(row int) string { return out.Jobs.Value("job.account", row).Str }
		for i := range list {
			if got := out.Jobs.Value("job.association", i).Str; got != account(i)+"/"+user(i) {
				t.Fatalf("association %s of %s and %s", got, account(i), user(i))
			}
			if named := list[i] == "root" || list[i] == "DEFAULT"; named != (user(i) == list[i]) {
				t.Fatalf("%s becomes %s", list[i], user(i))
			}
			for k := range list {
				if (user(i) == user(k)) != (list[i] == list[k]) || (account(i) == account(k)) != (list[i] == list[k]) {
					t.Fatalf("%s and %s become %s and %s", list[i], list[k], user(i), user(k))
				}
				lower := list[i] != "DEFAULT" && list[k] != "DEFAULT"
				if !stable && lower && list[i] != list[k] &&
					((user(i) < user(k)) != (list[i] < list[k]) || (user(i) < account(k)) != (list[i] < list[k])) {
					t.Fatalf("%s and %s become %s, %s and %s", list[i], list[k], user(i), user(k), account(k))
				}
			}
		}
		alone := &snapshot.Snapshot{Jobs: s.Jobs.Pick([]int{0})}
		again, _, err := Snapshot(alone, Options{Key: []byte("k"), Stable: stable})
		if err != nil {
			t.Fatal(err)
		}
		if stable && again.Jobs.Value("job.user", 0).Str != user(0) {
			t.Fatalf("%s becomes another name in another snapshot", list[0])
		}
	})
}

// TestSpellings: names that schedulers take for one still differ in their spelling alone.
func TestSpellings(t *testing.T) {
	b := column.NewBuilder("job")
	for _, text := range []string{"phys", "Phys", "PHYS", "chem"} {
		b.Row()
		b.String("job.account", text)
		b.String("job.user", text)
	}
	out, names, err := Snapshot(&snapshot.Snapshot{Jobs: b.Table()}, Options{Key: []byte("k")})
	if err != nil {
		t.Fatal(err)
	}
	var accounts, users []string
	for row := range 4 {
		accounts, users = append(accounts, out.Jobs.Value("job.account", row).Str),
			append(users, out.Jobs.Value("job.user", row).Str)
	}
	if accounts[0] != strings.ToLower(accounts[0]) || !strings.EqualFold(accounts[0], accounts[1]) ||
		!strings.EqualFold(accounts[0], accounts[2]) || strings.EqualFold(accounts[0], accounts[3]) {
		t.Errorf("accounts %q", accounts)
	}
	if strings.EqualFold(users[0], users[1]) {
		t.Errorf("users %q", users)
	}
	if all := slices.Concat(accounts, users); len(slices.Compact(slices.Sorted(slices.Values(all)))) != 8 {
		t.Errorf("%q are not 8 names", all)
	}
	if pairs := names.Pairs(); len(pairs) != 8 || pairs[0].Kind != Account || pairs[0].Name != "PHYS" ||
		pairs[0].New != accounts[2] {
		t.Errorf("%v", pairs)
	}
}

// TestTexts: what is no name stays as it is, word for word.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		id         schema.ColumnID
		text, want string // $ stands for any one name
	}{
		{"job.id", "77", "77"}, {"job.id", "77_3", "77_3"}, {"job.id", "77+1", "77+1"},
		{"job.id", "77_[1-3,7%2]", "77_[1-3,7%2]"}, {"job.id", "77[].head", "77[].$"}, {"job.id", "77[4].head", "77[4].$"},
		{"job.id", "j.7", "$"},
		{"job.dependency", "afterok:12_3(unfulfilled),afterany:14", "afterok:12_3(unfulfilled),afterany:14"},
		{"job.dependency", "afterok:7.head@head", "afterok:7.$@$"}, {"job.dependency", "after:12+30", "after:12+30"},
		{"job.state_reason", "AssocGrpCPUMinutesLimit", "AssocGrpCPUMinutesLimit"},
		{"job.state_reason", "ReqNodeNotAvail,_UnavailableNodes:f[1-4]", "ReqNodeNotAvail"},
		{"job.state_reason", "None", "None"},
		{"job.state_reason", "Job's_account_not_permitted_to_use_this_partition_(p_allows_a_not_b)",
			"Job's_account_not_permitted_to_use_this_partition"}, {"job.state_reason", "held by amy", ""},
		{"job.state_reason", "Alice", ""}, {"job.state_word", "ALICE_was_here", ""},
		{"job.state_word", "PREEMPTED,alice", ""},
		{"node.state", "MIXED*+PLANNED", "MIXED*+PLANNED"}, {"node.state", "down-alice", ""},
		{"node.state", "idle-", "idle-"}, {"partition.oversubscribe", "alice", ""}, {"partition.state", "Alice", ""},
		{"qos.flags", "alice", ""},
		{"qos.flags", "NoDecay,alice", ""}, {"qos.preempt_mode", "alice", ""}, {"reservation.flags", "alice_lab", ""},
		{"reservation.state", "ALICE", ""},
		{"job.feature_expression", "[zen*2&ib]|!old", "[$*2&$]|!$"}, {"job.licenses", "fluent@flex:2,matlab", "$:2,$"},
		{"job.gres_per_node", "gpu:a100:2(S:0-1),shard:8", "gpu:$:2(S:0-1),shard:8"},
		{"node.gres", "gpu:2", "gpu:2"}, {"node.state", "IDLE+DRAIN", "IDLE+DRAIN"},
		{"node.state", "job-exclusive,busy", "job-exclusive,busy"}, {"job.state_word", "CANCELLED by 1001", "CANCELLED"},
		{"qos.limits", "GrpTRES=cpu=100", "GrpTRES=cpu=100"}, {"qos.limits", "MaxJobsPU=4", "MaxJobsPU=4"},
		{"qos.limits", "GrpTRESMins=gres/gpu:a100=100", "GrpTRESMins=gres/gpu:$=100"},
		{"partition.billing_weights", "CPU=1.0,Mem=0.25G,GRES/gpu=2", "CPU=1.0,Mem=0.25G,GRES/gpu=2"},
		{"partition.oversubscribe", "FORCE:4", "FORCE:4"}, {"qos.flags", "DenyOnLimit", "DenyOnLimit"},
		{"reservation.flags", "ignore_jobs", "ignore_jobs"}, {"reservation.users", "-amy", "-$"},
		{"association.name", "root", "root"}, {"association.name", "root/root", "root/root"},
		{"association.name", "/amy", "/$"},
		{"job.allocated_procs", "0-3,7", "0-3,7"}, {"job.recorded_partition_priorities", "gpu=12", "$=12"},
		{"job.comment", "for amy", ""}, {"job.state_reason", "(Resources)", "Resources"}, {"job.state_reason", "(null)", ""},
		{"job.state_reason", "(ReqNodeNotAvail, UnavailableNodes:n1)", "ReqNodeNotAvail"}, {"job.state_reason", "(amy)", ""},
		{"job.qos", "DEFAULT", "DEFAULT"},
	} {
		b := column.NewBuilder(c.id.Object())
		b.Row()
		if schema.Lookup(c.id).Type == schema.StringList {
			b.List(c.id, []string{c.text})
		} else {
			b.String(c.id, c.text)
		}
		w := &walk{names: &Names{options: Options{Key: []byte("k"), Stable: true, Reasons: slurmReasons()},
			of: map[name]string{}, left: map[string]bool{}}}
		for range 2 {
			out, err := w.column(b.Table().Column(c.id))
			if err != nil {
				t.Fatal(err)
			}
			if !w.names.made {
				if err := w.names.make(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			got := out.Value(0).Str + strings.Join(out.Value(0).List, "|")
			for _, p := range w.names.Pairs() {
				got = strings.ReplaceAll(got, p.New, "$")
			}
			if got != c.want {
				t.Errorf("%s: %q becomes %q, want %q", c.id, c.text, got, c.want)
			}
		}
	}
}

// slurmReasons are those of the library's table.
func slurmReasons() map[string]bool {
	text, err := os.ReadFile("../../stdlib/slurm/reasons.csv")
	if err != nil {
		panic(err)
	}
	reasons := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		reasons[strings.Split(line, ",")[1]] = true
	}
	return reasons
}

// TestHead: the scheduler is one that there is, and its version a number.
func TestHead(t *testing.T) {
	for _, c := range [][2]string{{"slurm 22.05", "slurm 22.05"}, {"slurm 22.05.8-mysite.example.org", "slurm 22.05.8"},
		{"maui amy", "maui "}, {"AmysFork 3.3", " 3.3"}, {"pbs ", "pbs "}} {
		family, version, _ := strings.Cut(c[0], " ")
		out, names, err := Snapshot(&snapshot.Snapshot{Family: family, Version: version}, Options{Key: []byte("k")})
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Family + " " + out.Version; got != c[1] || (len(names.LeftOut()) > 0) != (c[0] != c[1]) {
			t.Errorf("%q becomes %q, without %q", c[0], got, names.LeftOut())
		}
	}
}

// TestKeep: names of a kind that is kept stay, and no others.
func TestKeep(t *testing.T) {
	b := column.NewBuilder("job")
	b.Row()
	b.String("job.user", "amy")
	b.String("job.partition", "gpu")
	in := &snapshot.Snapshot{Jobs: b.Table()}
	out, _, err := Snapshot(in, Options{Key: []byte("k"), Keep: map[Kind]bool{Partition: true}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintln(out.Jobs.Value("job.partition", 0).Str, out.Jobs.Value("job.user", 0).Str != "amy",
		in.Jobs.Value("job.user", 0).Str); got != "gpu true amy\n" {
		t.Error(got)
	}
}

// TestStableOrder: with Stable the order of rows follows from the key and the set of names, not from the order in the
// file.
func TestStableOrder(t *testing.T) {
	listed := func(names ...string) (list []string) {
		b := column.NewBuilder("user")
		for _, n := range names {
			b.Row()
			b.String("user.name", n)
		}
		s := &snapshot.Snapshot{Credentials: map[string]*column.Table{"user": b.Table()}}
		out, _, err := Snapshot(s, Options{Key: []byte("k"), Stable: true})
		if err != nil {
			t.Fatal(err)
		}
		for row := range out.Credentials["user"].Rows {
			list = append(list, out.Credentials["user"].Value("user.name", row).Str)
		}
		return list
	}
	if a, b := listed("ana", "bo", "cy", "di", "ed"), listed("ed", "cy", "ana", "di", "bo"); !slices.Equal(a, b) ||
		!slices.IsSorted(a) {
		t.Errorf("%v, %v", a, b)
	}
}

// TestStableShape: with Stable neither rows of nodes nor lists tell the order of the old names, what a job has on a
// host stays with the host, and two snapshots that differ only in names become two of one shape.
func TestStableShape(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		old := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{3,6}`), 6, 6, rapid.ID).Draw(t, "names")
		new := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Z]{3,6}`), 6, 6, rapid.ID).Draw(t, "other names")
		order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5}).Draw(t, "order")
		build := func(names []string) *snapshot.Snapshot {
			jobs, nodes, partitions := column.NewBuilder("job"), column.NewBuilder("node"), column.NewBuilder("partition")
			jobs.Row()
			jobs.String("job.user", names[0])
			jobs.String("job.comment", "/home/"+names[0]+"/run.sh, mail to "+names[0]+"@site.org")
			var hosts, procs []string
			for _, i := range order {
				nodes.Row()
				nodes.String("node.id", names[i])
				nodes.Int("node.procs", int64(i+1))
				hosts, procs = append(hosts, names[i]), append(procs, fmt.Sprint(i+1))
			}
			jobs.List("job.allocated_hosts", hosts)
			jobs.List("job.allocated_procs", procs)
			jobs.List("job.hosts", hosts)
			partitions.Row()
			partitions.String("partition.name", names[1])
			partitions.List("partition.accounts_allowed", hosts)
			return &snapshot.Snapshot{Jobs: jobs.Table(), Nodes: nodes.Table(),
				Credentials: map[string]*column.Table{"partition": partitions.Table()}}
		}
		shape := func(names []string) string {
			out, pairs, err := Snapshot(build(names), Options{Key: []byte("k"), Stable: true})
			if err != nil {
				t.Fatal(err)
			}
			procs := map[string]string{}
			var ids []string
			for row := range out.Nodes.Rows {
				ids = append(ids, out.Nodes.Value("node.id", row).Str)
				procs[ids[row]] = fmt.Sprint(out.Nodes.Value("node.procs", row).Int)
			}
			has := out.Jobs.Value("job.allocated_hosts", 0).List
			for i, host := range has {
				if got := out.Jobs.Value("job.allocated_procs", 0).List[i]; got != procs[host] {
					t.Fatalf("processors %s are on %s, which has %s", got, host, procs[host])
				}
			}
			allowed := out.Credentials["partition"].Value("partition.accounts_allowed", 0).List
			for _, list := range [][]string{ids, has, out.Jobs.Value("job.hosts", 0).List, allowed} {
				if len(list) != len(names) || !slices.IsSorted(list) {
					t.Fatalf("%v is in another order", list)
				}
			}
			var text bytes.Buffer
			if err := snapshot.WriteJSON(&text, out); err != nil {
				t.Fatal(err)
			}
			shown := text.String()
			for _, pair := range pairs.Pairs() {
				if strings.Contains(strings.ToLower(regexp.MustCompile(`_[0-9a-f]{12}`).ReplaceAllString(shown, "")),
					`"`+strings.ToLower(pair.Name)+`"`) {
					t.Fatalf("%s is shown in %s", pair.Name, shown)
				}
			}
			if strings.Contains(shown, "site.org") || strings.Contains(shown, "run.sh") {
				t.Fatal(shown)
			}
			shown = regexp.MustCompile(`_[0-9a-f]{12}`).ReplaceAllString(shown, "_")
			return regexp.MustCompile(`\d+`).ReplaceAllString(shown, "0")
		}
		if a, b := shape(old), shape(new); a != b {
			t.Fatalf("%s\n%s", a, b)
		}
	})
}
