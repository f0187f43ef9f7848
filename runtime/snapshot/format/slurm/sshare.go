package slurm

import (
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// maxTreeDepth bounds the account tree; the deepest known have some ten levels.
const maxTreeDepth = 1000

func RecognizeSshare(h *format.Head) int {
	if t := tableHeader(h.Text, "Account", "User", "RawShares"); t != nil {
		return format.Certain
	}
	return format.Foreign
}

// RecognizeSsharePartitions puts a listing that names partitions before one
// that has to leave out the associations by partition.
func RecognizeSsharePartitions(h *format.Head) int {
	if t := tableHeader(h.Text, "Account", "User", "Partition", "RawShares"); t != nil {
		return format.Certain
	}
	return format.Foreign
}

// ReadSshare reads sshare -P and sshare's columns. The tree is in the blanks
// before the account, one per level, so the account above is the last one that
// stood one level further left. The User column of an account is empty. LevelFS is inf
// for an association without usage and blank for one that uses its parent's shares.
func ReadSshare(in *format.Input) error {
	t := tableHeader(in.Text, "Account", "User", "RawShares")
	if !t.piped && t.rulers == nil {
		return &format.BrokenError{Offset: t.body,
			Message: "the line of hyphens under the header is missing, so the columns are unknown"}
	}
	repeated := map[string]int{}
	if !t.has("Partition") {
		t.rows(in.Text, func(r *tableRow) { repeated[slurmtext.AssociationKey(t.cell(r, "Account"), t.cell(r, "User"), "")]++ })
	}
	rows, fields := newSlurmRows(in, slurmAssociation), t.fields(associationFields.texts("sshare"))
	var path []string // accounts from the root to the last one read
	t.rows(in.Text, func(row *tableRow) {
		r := rows.record(row.start, row.end)
		if err := t.read(r, row.cells, fields); err != nil {
			badRow(in, row.start, row.end, err)
			return
		}
		if key := r.associationKey(); repeated[key] > 1 {
			in.Warn("snapshot-partition-not-stated", row.start, row.end,
				"%s has several associations here, without their partitions", key).
				Note("the row is left out; ask for the partition too: " +
					"sshare -a -P -o Account,User,Partition,RawShares,RawUsage,FairShare,LevelFS")
			return
		}
		if row.indent > maxTreeDepth {
			badRow(in, row.start, row.end, fieldError("Account", "the account is %d levels deep", row.indent))
			return
		}
		if r.text(associationUser) == "" {
			for len(path) <= row.indent {
				path = append(path, "")
			}
			path = append(path[:row.indent], r.text(associationAccount))
			above := ""
			if row.indent > 0 {
				above = path[row.indent-1]
			}
			r.setText(associationParent, above)
		}
		if err := rows.add(r); err != nil {
			badRow(in, row.start, row.end, err)
		}
	})
	return nil
}
