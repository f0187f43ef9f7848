package slurm

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

var associationFields, qosFields = fieldsOf("association"), fieldsOf("qos")

// slurmAssociation is a node of the association tree; slurmQOS a quality of service, and heldQOS one as the controller
// holds it, and not from the database.
var (
	slurmAssociation = &slurmObject{
		fields: associationFields, rows: credentialRows("association"), settle: settleAssociation,
	}
	slurmQOS = &slurmObject{fields: qosFields, rows: credentialRows("qos"), settle: settleQOS, key: "Name", noun: "QOS"}
	heldQOS  = &slurmObject{
		fields: qosFields, rows: credentialRows("qos"), settle: settleHeldQOS, key: "Name", noun: "QOS",
	}
)

var (
	associationAccount   = associationFields.slot("account")
	associationUser      = associationFields.slot("user")
	associationPartition = associationFields.slot("partition")
	associationName      = associationFields.slot("association.name")
	associationParent    = associationFields.slot("association.parent")
	associationLimits    = associationFields.slot("association.limits")
	shareName            = associationFields.slot("share_name")
	shareParent          = associationFields.slot("share_parent")
	shareType            = associationFields.slot("share_type")

	qosName, qosFlagged = qosFields.slot("qos.name"), qosFields.slot("qos.flags")
	qosLimits, qosHeld  = qosFields.slot("qos.limits"), qosFields.slot("qos.limits_held")
)

// sharesOfParent is SLURMDB_FS_USE_PARENT, printed as a number by some outputs.
const sharesOfParent = math.MaxInt32

func (r *slurmRecord) associationKey() string {
	return slurmtext.AssociationKey(r.text(associationAccount), r.text(associationUser), r.text(associationPartition))
}

// settleAssociation names an association and the account above it. In sshare --json name and parent are account and
// account above, or user and account; the type says which.
func settleAssociation(_ *slurmRows, r *slurmRecord) error {
	if kinds := r.list(shareType); len(kinds) > 0 && strings.EqualFold(kinds[0], "USER") {
		r.setText(associationAccount, r.text(shareParent))
		r.setText(associationUser, r.text(shareName))
	} else if r.stated(shareName) || r.stated(shareParent) || r.stated(shareType) {
		r.setText(associationAccount, r.text(shareName))
		r.setText(associationParent, r.text(shareParent))
	}
	account := r.text(associationAccount)
	if account == "" {
		return fieldError("Account", "the record names no account")
	}
	r.setText(associationName, r.associationKey())
	r.setIf(r.text(associationUser) != "", associationParent, schema.StringValue(account))
	r.setIf(r.limits.stated, associationLimits, schema.ListValue(r.limits.list))
	return nil
}

func settleQOS(_ *slurmRows, r *slurmRecord) error {
	r.setIf(r.limits.stated, qosLimits, schema.ListValue(r.limits.list))
	return nil
}

func settleHeldQOS(w *slurmRows, r *slurmRecord) error {
	r.setList(qosHeld, r.limits.list)
	r.limits = limitList{}
	return settleQOS(w, r)
}

// textShares reads raw shares, alone or before a slash; "parent" leaves them open.
func textShares(text string) (v schema.Value, err error) {
	text, _, _ = strings.Cut(text, "/")
	if text == "parent" || isOpen(text) {
		return v, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return v, fmt.Errorf("%q is neither a number nor parent", text)
	}
	if n == sharesOfParent {
		return v, nil
	}
	return schema.IntValue(n), nil
}

// usedTime and usedTRES read what scontrol show assoc_mgr writes beside limits: limit(used), N for no limit.
// Times are in minutes, whole ones but for GrpWall. Where nothing is, nothing is known of use.
func usedTime(r *slurmRecord, s slot, text string) error {
	if text == "" {
		return nil
	}
	used, err := usedOf(text)
	if err != nil {
		return err
	}
	v, err := textDouble(used)
	v.Double *= 60
	r.set(s, v)
	return err
}

func usedTRES(r *slurmRecord, s slot, text string) error {
	if text == "" {
		return nil
	}
	var list []string
	for entry := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(entry, "=")
		used, err := usedOf(value)
		if err != nil {
			return err
		}
		list = append(list, name+"="+used)
	}
	return tresText(r, s, strings.Join(list, ","))
}

// usedOf is what is in the parentheses.
func usedOf(text string) (string, error) {
	_, rest, open := strings.Cut(text, "(")
	used, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !open || !closed || used == "" {
		return "", fmt.Errorf("%q is not of the form limit(used)", text)
	}
	return used, nil
}

func RecognizeSacctmgrAssociations(h *format.Head) int {
	t := tableHeader(h.Text, "Account", "User")
	if t != nil && t.piped && (t.has("Share") || t.has("ParentName") || t.has("Def QOS")) {
		return format.Certain
	}
	return format.Foreign
}

func RecognizeSacctmgrQOS(h *format.Head) int {
	t := tableHeader(h.Text, "Name")
	if t != nil && t.piped && (t.has("UsageFactor") || t.has("GraceTime") || t.has("Priority") && t.has("Flags")) {
		return format.Certain
	}
	return format.Foreign
}

// ReadSacctmgrAssociations and readSacctmgrQOS read sacctmgr show assoc and qos with -P (or -p).
func ReadSacctmgrAssociations(in *format.Input) error {
	return sacctmgr(in, tableHeader(in.Text, "Account", "User"), newSlurmRows(in, slurmAssociation))
}

func ReadSacctmgrQOS(in *format.Input) error {
	return sacctmgr(in, tableHeader(in.Text, "Name"), newSlurmRows(in, slurmQOS))
}

func sacctmgr(in *format.Input, t *slurmTable, rows *slurmRows) error {
	fields, limits := t.fields(rows.fields.texts("sacctmgr")), limitsInText()
	t.rows(in.Text, func(row *tableRow) {
		r := rows.record(row.start, row.end)
		err := t.read(r, row.cells, fields)
		for i, name := range t.header {
			if known, ok := limits[name]; ok && err == nil {
				if fault := r.limits.read(known, row.cells[i]); fault != nil {
					err = fieldError(name, "%s", fault)
				}
			}
		}
		if err == nil {
			unknownFlags(in, rows, r)
			err = rows.add(r)
		}
		if err != nil {
			badRow(in, row.start, row.end, err)
		}
	})
	return nil
}

// unknownFlags reports flags that no QOS of a known version has.
func unknownFlags(in *format.Input, rows *slurmRows, r *slurmRecord) {
	if rows.slurmObject != slurmQOS {
		return
	}
	for _, flag := range r.list(qosFlagged) {
		if !slurmtext.IsQOSFlag(flag) {
			in.Warn("snapshot-qos-flag", r.at.Start, r.at.End,
				"QOS %s has the flag %s, which no known version has", r.text(qosName), flag).
				Note("it counts as not there; the flags are %s", strings.Join(slurmtext.QOSFlags, ", ")).
				DidYouMean(source.Span{}, flag, slurmtext.QOSFlags)
		}
	}
}

func RecognizeAssocMgr(h *format.Head) int { return startsWith(h, "Current Association Manager state") }

// ReadAssocMgr reads scontrol show assoc_mgr: what the controller holds, with
// priorities already inherited and usage to two decimals.
func ReadAssocMgr(in *format.Input) error {
	associations, limits := in.Text, limitsInText()
	if i := strings.Index(string(in.Text), "\nQOS Records"); i >= 0 {
		associations = in.Text[:i+1]
	}
	managed := func(p *pairsRecord, r *slurmRecord, skipped ...string) error {
		for _, pair := range p.pairs {
			known, ok := limits[pair.key]
			for _, end := range skipped {
				ok = ok && !strings.HasSuffix(pair.key, end)
			}
			if !ok {
				continue
			}
			if err := r.limits.managed(known, pair.value); err != nil {
				return fieldError(pair.key, "%s", err)
			}
		}
		return nil
	}
	readPairs(in, associations, "ClusterName", associationFields.texts("assoc_mgr"), newSlurmRows(in, slurmAssociation),
		func(p *pairsRecord, r *slurmRecord) error { return managed(p, r) })
	readPairs(in, in.Text, "QOS", qosFields.texts("assoc_mgr"), newSlurmRows(in, heldQOS),
		func(p *pairsRecord, r *slurmRecord) error {
			if err := managed(p, r, "PU", "PA"); err != nil {
				return err
			}
			return r.limits.within(string(in.Text[p.start:p.end]), limits)
		})
	return nil
}
