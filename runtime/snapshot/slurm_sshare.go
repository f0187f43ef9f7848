package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

func recognizeSshare(h *head) int {
	if t := tableHeader(h.text, "Account", "User", "RawShares"); t != nil {
		return certain
	}
	return foreign
}

// maxTreeDepth bounds the account tree; the deepest known have some ten levels.
const maxTreeDepth = 1000

// recognizeSsharePartitions puts a listing that names partitions before one
// that has to leave out the associations by partition.
func recognizeSsharePartitions(h *head) int {
	if t := tableHeader(h.text, "Account", "User", "Partition", "RawShares"); t != nil {
		return certain
	}
	return foreign
}

// readSshare reads sshare -P and sshare's columns. The tree is in the blanks
// before the account, one per level, so the account above is the last one that
// stood one level further left. The User column of an account is empty.
func readSshare(in *input) error {
	t := tableHeader(in.text, "Account", "User", "RawShares")
	if !t.piped && t.rulers == nil {
		return &brokenError{t.body, "the line of hyphens under the header is missing, so the columns cannot be told"}
	}
	repeated := map[string]int{}
	if t.column("Partition", 0) < 0 {
		t.rows(in.text, func(r *tableRow) { repeated[associationKey(t.cell(r, "Account"), t.cell(r, "User"), "")]++ })
	}
	var path []string // accounts from the root to the last one read
	t.rows(in.text, func(r *tableRow) {
		a, err := t.share(r)
		if err != nil {
			in.badRow(r, err)
			return
		}
		if key := associationKey(a.account, a.user, a.partition); repeated[key] > 1 {
			in.warn("snapshot-partition-not-stated", r.start, r.end, "%s has several associations here, and it is not said for which partitions", key).
				Note("the row is left out; ask for the partition too: sshare -a -P -o Account,User,Partition,RawShares,RawUsage,FairShare,LevelFS")
			return
		}
		if r.indent > maxTreeDepth {
			in.badRow(r, fieldError("Account", "the account stands %d levels deep", r.indent))
			return
		}
		if a.user == "" {
			for len(path) <= r.indent {
				path = append(path, "")
			}
			path = append(path[:r.indent], a.account)
			a.parent = known("")
			if r.indent > 0 {
				a.parent = known(path[r.indent-1])
			}
		}
		if err := addAssociation(in, a); err != nil {
			in.badRow(r, err)
		}
	})
	return nil
}

// share reads a row. LevelFS is inf for an association without usage and
// blank for one that uses its parent's shares.
func (t *slurmTable) share(r *tableRow) (*slurmAssociation, error) {
	a := &slurmAssociation{}
	err := t.whole(r)
	if err != nil {
		return nil, err
	}
	for i, name := range t.header {
		switch cell := r.cells[i]; name {
		case "Account":
			a.account = cell
		case "User":
			a.user = cell
		case "Partition":
			a.partition = cell
		case "RawShares":
			a.shares, err = textShares(cell)
		case "RawUsage":
			a.used.billing, err = textUsage(cell)
		case "GrpTRESRaw":
			a.used.tresMinutes, err = textTRES(cell)
		case "NormShares":
			a.normShares, err = textDouble(cell)
		case "FairShare":
			a.fairshare, err = textDouble(cell)
		case "LevelFS":
			a.level, err = textDouble(cell)
		}
		if err != nil {
			return nil, fieldError(name, "%s", err)
		}
	}
	return a, nil
}

func recognizeSacctmgrAssociations(h *head) int {
	t := tableHeader(h.text, "Account", "User")
	if t != nil && t.piped && (t.column("Share", 0) >= 0 || t.column("ParentName", 0) >= 0 || t.column("Def QOS", 0) >= 0) {
		return certain
	}
	return foreign
}

// readSacctmgrAssociations reads sacctmgr show assoc -P (or -p). The limits
// are policy and come with it.
func readSacctmgrAssociations(in *input) error {
	t := tableHeader(in.text, "Account", "User")
	hasParent := t.column("ParentName", 0) >= 0 || t.column("Par Name", 0) >= 0
	t.rows(in.text, func(r *tableRow) {
		a := &slurmAssociation{account: t.cell(r, "Account"), user: t.cell(r, "User"), partition: t.cell(r, "Partition")}
		err := t.whole(r)
		if err == nil && t.column("Share", 0) >= 0 {
			a.shares, err = textShares(t.cell(r, "Share"))
		}
		if err == nil && t.column("Priority", 0) >= 0 {
			a.priority, err = textPriority(t.cell(r, "Priority"))
		}
		if err == nil && t.column("LFT", 0) >= 0 {
			a.place, err = textCount(t.cell(r, "LFT"))
		}
		if hasParent {
			a.parent = known(t.cell(r, "ParentName") + t.cell(r, "Par Name"))
		}
		if t.column("QOS", 0) >= 0 {
			a.qos = textList(t.cell(r, "QOS"))
		}
		if err == nil {
			err = t.limits(r, &a.limits)
		}
		if err == nil {
			err = addAssociation(in, a)
		}
		if err != nil {
			in.badRow(r, err)
		}
	})
	return nil
}

// limits reads the columns of a row that limit something.
func (t *slurmTable) limits(r *tableRow, l *slurmLimits) error {
	for i, name := range t.header {
		if i < len(r.cells) {
			if err := l.cell(name, r.cells[i]); err != nil {
				return fieldError(name, "%s", err)
			}
		}
	}
	return nil
}

func recognizeSacctmgrQOS(h *head) int {
	t := tableHeader(h.text, "Name")
	if t != nil && t.piped && (t.column("UsageFactor", 0) >= 0 || t.column("GraceTime", 0) >= 0 || t.column("Priority", 0) >= 0 && t.column("Flags", 0) >= 0) {
		return certain
	}
	return foreign
}

// unknownFlags reports flags that no QOS of a known version has.
func (in *input) unknownFlags(r *tableRow, q *slurmQOS) {
	for _, flag := range q.flags.value {
		if !slurmtext.IsQOSFlag(flag) {
			in.warn("snapshot-qos-flag", r.start, r.end, "QOS %s has the flag %s, which no known version has", q.name, flag).
				Note("it counts as not there; the flags are %s", strings.Join(slurmtext.QOSFlags, ", ")).
				DidYouMean(source.Span{}, flag, slurmtext.QOSFlags)
		}
	}
}

// readSacctmgrQOS reads sacctmgr show qos -P.
func readSacctmgrQOS(in *input) error {
	t := tableHeader(in.text, "Name")
	t.rows(in.text, func(r *tableRow) {
		q := &slurmQOS{name: t.cell(r, "Name")}
		err := t.whole(r)
		if err == nil && t.column("Priority", 0) >= 0 {
			q.priority, err = textPriority(t.cell(r, "Priority"))
		}
		if err == nil && t.column("UsageFactor", 0) >= 0 {
			q.usageFactor, err = textDouble(t.cell(r, "UsageFactor"))
		}
		if t.column("Flags", 0) >= 0 {
			q.flags = textList(t.cell(r, "Flags"))
			in.unknownFlags(r, q)
		}
		if t.column("Preempt", 0) >= 0 {
			q.preempts = textList(t.cell(r, "Preempt"))
		}
		if t.column("PreemptMode", 0) >= 0 {
			q.preemptMode = known(t.cell(r, "PreemptMode"))
		}
		if err == nil && t.column("LimitFactor", 0) >= 0 {
			q.limitFactor, err = textDouble(t.cell(r, "LimitFactor"))
		}
		if err == nil && t.column("UsageThres", 0) >= 0 {
			q.usageThreshold, err = textDouble(t.cell(r, "UsageThres"))
		}
		if err == nil {
			err = t.limits(r, &q.limits)
		}
		if err == nil {
			err = addQOS(in, q)
		}
		if err != nil {
			in.badRow(r, err)
		}
	})
	return nil
}

func recognizeAssocMgr(h *head) int { return startsWith(h, "Current Association Manager state") }

// readAssocMgr reads scontrol show assoc_mgr: what the controller holds, with
// priorities already inherited and usage to two decimals.
func readAssocMgr(in *input) error {
	associations := in.text
	if i := strings.Index(string(in.text), "\nQOS Records"); i >= 0 {
		associations = in.text[:i+1]
	}
	eachPairsRecord(associations, "ClusterName", func(r *pairsRecord) {
		a, err := managedAssociation(r)
		if err == nil {
			err = addAssociation(in, a)
		}
		if err != nil {
			in.badPairs(r, err)
		}
	})
	eachPairsRecord(in.text, "QOS", func(r *pairsRecord) {
		q := &slurmQOS{held: true}
		var err error
		for _, p := range r.pairs {
			switch p.key {
			case "QOS":
				q.name = userName(p.value)
			case "Priority":
				// "Account Limits=" follows, whose name has a blank.
				number, _, _ := strings.Cut(strings.ReplaceAll(p.value, "\n", " "), " ")
				q.priority, err = textCount(number)
			case "UsageRaw":
				q.used.billing, err = textDouble(p.value)
			default:
				if err = q.used.pair(p); err == nil && !strings.HasSuffix(p.key, "PU") && !strings.HasSuffix(p.key, "PA") {
					err = q.limits.managed(p.key, p.value)
				}
			}
			if err != nil {
				err = fieldError(p.key, "%s", err)
				break
			}
		}
		if err == nil {
			err = q.limits.within(string(in.text[r.start:r.end]))
		}
		if err == nil {
			err = addQOS(in, q)
		}
		if err != nil {
			in.badPairs(r, err)
		}
	})
	return nil
}

// managedAssociation reads a record of the association section. Norm, Level and
// Factor are printed with two decimals only; sshare has six.
func managedAssociation(r *pairsRecord) (a *slurmAssociation, err error) {
	a = &slurmAssociation{}
	for _, p := range r.pairs {
		switch p.key {
		case "Account":
			a.account = p.value
		case "UserName":
			a.user = userName(p.value)
		case "Partition":
			a.partition = p.value
		case "ParentAccount":
			a.parent = known(userName(p.value))
		case "Priority":
			if a.priority, err = textCount(p.value); a.priority.value == infinite32 || a.priority.value == noVal32 {
				a.priority = open[int64]()
			}
		case "SharesRaw/Norm/Level/Factor":
			first, _, _ := strings.Cut(p.value, "/")
			a.shares, err = textShares(first)
		case "Lft":
			a.place, err = textCount(p.value)
		case "UsageRaw/Norm/Efctv":
			first, _, _ := strings.Cut(p.value, "/")
			a.used.billing, err = textDouble(first)
		default:
			if err = a.used.pair(p); err == nil {
				err = a.limits.managed(p.key, p.value)
			}
		}
		if err != nil {
			return nil, fieldError(p.key, "%s", err)
		}
	}
	return a, nil
}
