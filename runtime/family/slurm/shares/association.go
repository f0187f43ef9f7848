package shares

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// AssociationKeys names each job's association: with its partition if the
// snapshot or policy has one for it, else account/user (Slurm looks for the partition's first).
func AssociationKeys(t *column.Table, p *program.Program, s *snapshot.Snapshot) *column.Column {
	known := map[string]bool{}
	for name := range evaluation.NameIndex(s.Credentials["association"], "association.name") {
		known[name] = true
	}
	for i := range p.Settings {
		if set := &p.Settings[i]; set.Column.Object() == "association" {
			for name := range set.Rows {
				known[name] = true
			}
		}
	}
	if p.Tree != nil && len(p.Tree.Associations) > 0 { // the policy's tree is all there is
		clear(known)
		for i := range p.Tree.Associations {
			known[p.Tree.Associations[i].Key()] = true
		}
	}
	b := column.NewBuilder("association")
	out := b.At("job.association", schema.String)
	account, user, partition := t.Column("job.account"), t.Column("job.user"), t.Column("job.partition")
	text := func(c *column.Column, i int) string {
		if c == nil {
			return ""
		}
		return c.Dict[c.Codes[i]]
	}
	keys := map[[3]uint32]uint32{} // codes of associations by those of account, user and partition
	for i := range t.Rows {
		b.Row()
		of := [3]uint32{codeAt(account, i), codeAt(user, i), codeAt(partition, i)}
		if code, ok := keys[of]; ok {
			out.SetCode(i, code)
			continue
		}
		key := strings.ToLower(text(account, i)) + "/" + text(user, i)
		if exact := key + "/" + text(partition, i); known[exact] {
			key = exact
		}
		out.Set(i, schema.StringValue(key))
		keys[of] = out.Codes[i]
	}
	return b.Table().Column("job.association")
}

// codeAt is a code of a column of text; 0 where there is none.
func codeAt(c *column.Column, i int) uint32 {
	if c == nil {
		return 0
	}
	return c.Codes[i]
}
