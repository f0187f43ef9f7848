package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// invalidQOS is also the reason of a job whose QOS is gone, which has none then.
const invalidQOS = "InvalidQOS"

// invalid finds a job whose association or QOS slurmctld does not have, or whose association may
// not use its QOS.
func (g *guard) invalid(job int) *evaluation.Block {
	key, qos := g.result.Jobs.Text("job.association", job), askedQOS(g.result, job)
	if g.rules.Associations && slices.Contains(g.rules.Complete, "association") && !g.hasAssociation(key) {
		return &evaluation.Block{Kind: evaluation.BlockAccess, Text: "InvalidAccount",
			Refusal: &evaluation.Refusal{Name: key, Text: "the accounts' database has no association " + key}}
	}
	if g.rules.QOS && qos == "" && g.result.Jobs.Text("job.state_reason", job) == invalidQOS {
		return &evaluation.Block{Kind: evaluation.BlockAccess, Text: invalidQOS,
			Refusal: &evaluation.Refusal{Name: key, Text: "the QOS that it was submitted with is gone"}}
	}
	if x := g.refusedQOS(key, qos, false); x != nil {
		return &evaluation.Block{Kind: evaluation.BlockAccess, Text: invalidQOS, Refusal: x}
	}
	return nil
}

func (g *guard) hasAssociation(key string) bool {
	if set := g.values.Set["association.parent"]; set != nil && evaluation.HasRow(set, key) {
		return true
	}
	if t := g.result.Tree; t != nil {
		if _, ok := t.Node(key); ok {
			return true
		}
	}
	_, ok := g.values.Rows("association")[key]
	return ok && !slices.Contains(g.rules.Complete, "association")
}

// refusedQOS asks whether a job of an association may have its QOS: it must be there, and in the
// list of the association (_determine_and_validate_qos, schedule). Of several QOS, which
// jobs may ask for since 24.11, one will do for a job that waits; submission asks for all. Operators may
// give a job any QOS; of this no output says anything.
func (g *guard) refusedQOS(key, asked string, submission bool) *evaluation.Refusal {
	if !g.rules.QOS || asked == "" {
		return nil
	}
	var last *evaluation.Refusal
	for qos := range strings.SplitSeq(asked, ",") {
		x := g.refusedOneQOS(key, strings.ToLower(qos), submission)
		if x == nil && !submission {
			return nil
		}
		if x != nil {
			last = x
		}
	}
	return last
}

func (g *guard) refusedOneQOS(key, qos string, submission bool) *evaluation.Refusal {
	if g.qosNames == nil {
		g.qosNames = g.values.Names("qos")
	}
	if (g.listsQOS() || submission && len(g.qosNames) > 0) && !g.hasQOS(qos) {
		return &evaluation.Refusal{Name: key, Text: "the accounts' database has no QOS " + qos}
	}
	may := g.allowedQOS(key)
	if !may.set || slices.Contains(may.list, qos) {
		return nil
	}
	these := "no QOS"
	if len(may.list) > 0 {
		these = "the QOS " + strings.Join(may.list, ", ")
	}
	return &evaluation.Refusal{Name: may.at, Column: qosList,
		Text: fmt.Sprintf("it asks for QOS %s, and its association %s may use %s", qos, key, these)}
}

// listsQOS reports that all QOS there are are known: a dump has them since 25.x, and sacctmgr show
// qos prints them.
func (g *guard) listsQOS() bool {
	return slices.Contains(g.rules.Complete, "qos") || g.result.Snapshot.ListsQOS()
}

// usualQOS is in each database: slurmdbd makes it whenever it starts, and sacctmgr load takes no QOS away that a file
// does not have.
const usualQOS = "normal"

func (g *guard) hasQOS(name string) bool {
	if set := g.values.Set["qos.priority"]; set != nil && evaluation.HasRow(set, name) {
		return true
	}
	if slices.Contains(g.rules.Complete, "qos") {
		return name == usualQOS
	}
	_, ok := g.qosNames[name]
	return ok
}

const qosList schema.ColumnID = "association.qos_list"

// maxAccounts bounds the way up, so that a circle of accounts ends.
const maxAccounts = 1000

// allowedQOS: without a list of its own an association has that of the account above; names with +
// and - change that list. Where lists are known, an association without any on its way to the root may
// use no QOS.
func (g *guard) allowedQOS(key string) allowed {
	if known, ok := g.allowed[key]; ok {
		return known
	}
	x := g.findAllowedQOS(key)
	if g.allowed == nil {
		g.allowed = map[string]allowed{}
	}
	g.allowed[key] = x
	return x
}

func (g *guard) findAllowedQOS(key string) allowed {
	if g.values.Set[qosList] == nil && !anyStated(g.result.Snapshot.Credentials["association"].Column(qosList)) {
		return allowed{}
	}
	if g.above == nil {
		g.above = g.values.Parents(g.result.Program.Tree)
	}
	if _, known := g.above[key]; !known {
		return allowed{} // no input says where it hangs
	}
	x := allowed{at: key, set: true}
	var changes [][]string // from the association upwards
	for range maxAccounts {
		if own := g.values.Of(qosList, key); len(own.List) > 0 {
			if len(changes) == 0 {
				x.at = key
			}
			if !changesList(own.List) {
				x.list = slices.Clone(own.List)
				break
			}
			changes = append(changes, own.List)
		}
		parent := g.above[key]
		if parent == "" || parent == key {
			break
		}
		key = parent
	}
	for _, list := range slices.Backward(changes) {
		for _, word := range list {
			name := strings.TrimLeft(word, "+-")
			x.list = slices.DeleteFunc(x.list, func(have string) bool { return have == name })
			if name != "" && word[0] != '-' {
				x.list = append(x.list, name)
			}
		}
	}
	return x
}

// changesList reports a list that adds to and takes from the one above.
func changesList(list []string) bool {
	return slices.ContainsFunc(list, func(word string) bool { return word != "" && (word[0] == '+' || word[0] == '-') })
}

// anyStated reports a column in which some list is not empty.
func anyStated(c *column.Column) bool {
	return c != nil && slices.ContainsFunc(c.Lists, func(list []string) bool { return len(list) > 0 })
}

// askedQOS is the QOS that a job asked for, or several, with commas; its default if it named none.
func askedQOS(r *evaluation.Result, job int) string {
	return cmp.Or(r.Snapshot.Jobs.Text("job.qos", job), r.Jobs.Text("job.qos", job))
}
