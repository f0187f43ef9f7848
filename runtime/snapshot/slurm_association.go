package snapshot

import (
	"math"
	"strconv"
	"strings"
)

// slurmAssociation is a node of the association tree as sshare, sacctmgr,
// scontrol show assoc_mgr and JSON state it.
type slurmAssociation struct {
	account, user, partition string
	parent                   optional[string] // account above; the account itself for users
	shares                   optional[int64]  // open when the parent's are used
	priority                 optional[int64]
	fairshare, level         optional[float64]
	normShares               optional[float64]
	place                    optional[int64]    // lft of the database
	qos                      optional[[]string] // that its jobs may use
	used                     slurmUsage
	limits                   slurmLimits
}

// sharesOfParent is SLURMDB_FS_USE_PARENT, printed as a number by some outputs.
const sharesOfParent = math.MaxInt32

// associationKey names an association as the job table refers to it.
func associationKey(account, user, partition string) string {
	key := account
	if user != "" {
		key += "/" + user
	}
	if partition != "" {
		key += "/" + partition
	}
	return key
}

// addAssociation writes an association.
func addAssociation(in *input, a *slurmAssociation) error {
	if a.account == "" {
		return fieldError("Account", "the record names no account")
	}
	in.snapshot.Family = "slurm"
	in.record()
	b := in.credentials("association")
	b.Row()
	b.String("association.name", associationKey(a.account, a.user, a.partition))
	switch {
	case a.user != "":
		b.String("association.parent", a.account)
	case a.parent.stated:
		b.String("association.parent", a.parent.value)
	}
	setInt(b, "association.shares", a.shares)
	setInt(b, "association.priority", a.priority)
	setDouble(b, "association.fairshare_factor", a.fairshare)
	setDouble(b, "association.level_fairshare", a.level)
	setDouble(b, "association.norm_shares", a.normShares)
	setInt(b, "association.tree_place", a.place)
	setList(b, "association.qos_list", a.qos)
	a.used.set(b, "association")
	a.limits.set(b, "association")
	return nil
}

// textShares reads raw shares; "parent" leaves them open.
func textShares(text string) (optional[int64], error) {
	if text == "parent" || isOpen(text) {
		return open[int64](), nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return open[int64](), fieldError("RawShares", "%q is neither a number nor parent", text)
	}
	if n == sharesOfParent {
		return open[int64](), nil
	}
	return known(n), nil
}

// qoses reads sacctmgr show qos --json and slurmrestd's answer.
func (c *slurmJSON) qoses(in *input) error {
	var q slurmQOS
	return c.records(in, func(key []byte) (err error) {
		switch string(key) {
		case "name":
			var w optional[string]
			w, err = c.words("name")
			q.name = w.value
		case "priority":
			q.priority, err = c.integer("priority")
		case "usage_factor":
			var n jsonNumber
			if n, err = c.numeric("usage_factor"); n.set && !n.infinite {
				q.usageFactor = known(n.value)
			}
		case "flags":
			q.flags, err = c.qosFlags()
		case "limits":
			err = c.members(func(key []byte) (err error) {
				if string(key) == "factor" {
					q.limitFactor, err = c.finiteReal("limits.factor")
					return err
				}
				return c.limitTree("limits."+string(key), jsonQOSLimits, &q.limits)
			})
		case "preempt":
			return c.members(func(key []byte) (err error) {
				var list []string
				switch string(key) {
				case "list":
					list, err = c.wordList("preempt.list", nil)
					q.preempts = known(list)
				case "mode":
					list, err = c.wordList("preempt.mode", nil)
					q.preemptMode = known(strings.Join(list, ","))
				}
				return err
			})
		case "usage_threshold":
			q.usageThreshold, err = c.finiteReal("usage_threshold")
		}
		return err
	}, func() { q = slurmQOS{} }, func() error { return addQOS(in, &q) })
}

// slurmQOS is a quality of service.
type slurmQOS struct {
	name        string
	priority    optional[int64]
	usageFactor optional[float64]
	flags       optional[[]string]
	used        slurmUsage
	limits      slurmLimits
	held        bool // by the controller, and not from the database

	limitFactor, usageThreshold optional[float64]

	preempts    optional[[]string]
	preemptMode optional[string]
}

// addQOS writes a QOS.
func addQOS(in *input, q *slurmQOS) error {
	if q.name == "" {
		return fieldError("Name", "the record names no QOS")
	}
	in.snapshot.Family = "slurm"
	in.record()
	b := in.credentials("qos")
	b.Row()
	b.String("qos.name", q.name)
	setInt(b, "qos.priority", q.priority)
	setDouble(b, "qos.usage_factor", q.usageFactor)
	setList(b, "qos.flags", q.flags)
	setDouble(b, "qos.limit_factor", q.limitFactor)
	setDouble(b, "qos.usage_threshold", q.usageThreshold)
	setList(b, "qos.preempt_list", q.preempts)
	setString(b, "qos.preempt_mode", q.preemptMode)
	q.used.set(b, "qos")
	if q.held {
		b.List(heldLimits, q.limits.list)
		q.limits.setThreshold(b, "qos")
	} else {
		q.limits.set(b, "qos")
	}
	return nil
}

// associations reads sacctmgr show assoc --json and slurmrestd's answer.
func (c *slurmJSON) associations(in *input) error {
	var a slurmAssociation
	return c.records(in, func(key []byte) (err error) {
		var w optional[string]
		switch string(key) {
		case "account":
			w, err = c.words("account")
			a.account = w.value
		case "user":
			w, err = c.words("user")
			a.user = w.value
		case "partition":
			w, err = c.words("partition")
			a.partition = w.value
		case "parent_account":
			a.parent, err = c.words("parent_account")
		case "priority":
			a.priority, err = c.integer("priority")
		case "max":
			err = c.limitTree("max", jsonAssociationLimits, &a.limits)
		case "qos":
			var list []string
			list, err = c.wordList("qos", nil)
			a.qos = known(list)
		case "shares_raw":
			if a.shares, err = c.integer("shares_raw"); a.shares.value == sharesOfParent {
				a.shares = open[int64]()
			}
		}
		return err
	}, func() { a = slurmAssociation{} }, func() error { return addAssociation(in, &a) })
}

// shares reads sshare --json (23.11 and later), where the list lies within an object.
func (c *slurmJSON) shares(in *input) error {
	if c.peek() == '{' {
		return c.object(func(key []byte) error {
			if string(key) == "shares" && c.peek() == '[' {
				return c.shareList(in)
			}
			return nil
		})
	}
	return c.shareList(in)
}

// shareList: name and parent are account and account above, or user and account;
// the type says which.
func (c *slurmJSON) shareList(in *input) error {
	var a slurmAssociation
	var name, parent string
	var kinds []string
	return c.records(in, func(key []byte) (err error) {
		var w optional[string]
		switch string(key) {
		case "name":
			w, err = c.words("name")
			name = w.value
		case "parent":
			w, err = c.words("parent")
			parent = w.value
		case "partition":
			w, err = c.words("partition")
			a.partition = w.value
		case "type":
			kinds, err = c.wordList("type", nil)
		case "shares":
			if a.shares, err = c.integer("shares"); a.shares.value == sharesOfParent {
				a.shares = open[int64]()
			}
		case "usage":
			a.used.billing, err = c.real("usage")
		case "shares_normalized":
			a.normShares, err = c.real("shares_normalized")
		case "fairshare":
			return c.members(func(key []byte) (err error) {
				switch string(key) {
				case "factor":
					a.fairshare, err = c.real("fairshare.factor")
				case "level":
					a.level, err = c.real("fairshare.level")
				}
				return err
			})
		}
		return err
	}, func() { a, name, parent, kinds = slurmAssociation{}, "", "", nil }, func() error {
		if len(kinds) > 0 && strings.EqualFold(kinds[0], "USER") {
			a.account, a.user = parent, name
		} else {
			a.account, a.parent = name, known(parent)
		}
		return addAssociation(in, &a)
	})
}

// real reads a decimal number; infinite is +Inf.
func (c *slurmJSON) real(field string) (optional[float64], error) {
	n, err := c.numeric(field)
	switch {
	case !n.set:
		return open[float64](), err
	case n.infinite:
		return known(math.Inf(1)), err
	}
	return known(n.value), err
}

// finiteReal reads a decimal number; infinite is none.
func (c *slurmJSON) finiteReal(field string) (optional[float64], error) {
	n, err := c.real(field)
	if math.IsInf(n.value, 0) {
		return open[float64](), err
	}
	return n, err
}
