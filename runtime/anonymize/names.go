package anonymize

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kind is what a name is the name of. The same word as a user and as an account becomes two names.
type Kind string

// The kinds, as pseudonyms and --keep write them.
const (
	User        Kind = "user"
	Group       Kind = "group"
	Account     Kind = "account"
	QOS         Kind = "qos"
	Partition   Kind = "partition" // classes and queues too
	Node        Kind = "node"
	Feature     Kind = "feature"
	Resource    Kind = "resource" // generic resources and their types
	License     Kind = "license"
	Reservation Kind = "reservation"
	Job         Kind = "job" // names of jobs
	Switch      Kind = "switch"
	Host        Kind = "host" // of the resource manager, in job ids
	Word        Kind = "word" // what is not known to be anything else
)

// Kinds is every kind.
var Kinds = []Kind{User, Group, Account, QOS, Partition, Node, Feature, Resource, License, Reservation, Job, Switch,
	Host, Word}

// folded are the kinds whose names schedulers compare without regard to case: sacctmgr writes accounts in
// small letters whatever jobs ask for.
var folded = map[Kind]bool{Account: true, QOS: true, Partition: true}

// reserved are words of the schedulers in places of names. They mean something, and are no names.
var reserved = map[string]bool{root: true, "DEFAULT": true, "ALL": true, "NONE": true, "[NONE]": true, "[ALL]": true,
	"SHARED": true, "(null)": true, "N/A": true}

// root is the one of them that is in the alphabet among names: the account above all others.
const root = "root"

// name is one name: base is what two spellings that count as one have in common.
type name struct {
	kind Kind
	text string
}

func (n name) base() string {
	if folded[n.kind] {
		return strings.ToLower(n.text)
	}
	return n.text
}

// Names is which name became which.
type Names struct {
	options Options
	of      map[name]string
	made    bool
	left    map[string]bool // unknown words, where only known ones pass
}

// leave notes a word that is left out.
func (n *Names) leave(text string) string {
	n.left[text] = true
	return ""
}

// LeftOut lists what stood where a state, a reason, a flag, the scheduler or its version does, and is none that is
// known: it may name somebody.
func (n *Names) LeftOut() []string { return slices.Sorted(maps.Keys(n.left)) }

// name notes a name, and once all have been made, gives the other one.
func (n *Names) name(kind Kind, text string) string {
	if text == "" || reserved[text] || n.options.Keep[kind] {
		return text
	}
	if n.made {
		return n.of[name{kind, text}]
	}
	n.of[name{kind, text}] = ""
	return text
}

// Pair is a name and what it became.
type Pair struct {
	Kind      Kind
	Name, New string
}

// Pairs lists all names, by kind and name.
func (n *Names) Pairs() []Pair {
	var list []Pair
	for have, other := range n.of {
		list = append(list, Pair{have.kind, have.text, other})
	}
	slices.SortFunc(list, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return list
}

// make gives every name another one. Names of all kinds are numbered together in the order of the alphabet,
// since users and accounts are in one tree, with what is before root before it.
func (n *Names) make() error {
	var bases []string
	spellings := map[name][]string{} // by kind and base
	for have := range n.of {
		bases = append(bases, have.base())
		of := name{have.kind, have.base()}
		spellings[of] = append(spellings[of], have.text)
	}
	slices.Sort(bases)
	bases = slices.Compact(bases)
	number := make(map[string]int, len(bases))
	for i, base := range bases {
		number[base] = i + 1
	}
	width := len(fmt.Sprint(len(bases)))
	taken := map[string]name{}
	for of, list := range spellings {
		hash := n.hash(of)
		other := fmt.Sprintf("%c%0*d_%s_%s", before(of.text), width, number[of.text], of.kind, hash[:8])
		if n.options.Stable {
			other = fmt.Sprintf("%s_%s", of.kind, hash[:12])
		}
		if twin, is := taken[other]; is {
			return fmt.Errorf("two names of %s have the same hash; take another key", twin.kind)
		}
		taken[other] = of
		slices.Sort(list)
		slices.Reverse(list) // small letters come last in the alphabet
		for i, text := range list {
			n.of[name{of.kind, text}] = spelling(other, i)
		}
	}
	n.made = true
	return nil
}

// before is a letter on the same side of root.
func before(text string) byte {
	if text < root {
		return 'p'
	}
	return 's'
}

// spelling writes a name in another case: as many ways as there are letters at its end.
func spelling(text string, variant int) string {
	letters := []byte(text)
	for i := 0; i < len(letters) && variant > 0; i++ {
		if letters[i] < 'a' || letters[i] > 'z' {
			continue
		}
		if variant&1 == 1 {
			letters[i] -= 'a' - 'A'
		}
		variant >>= 1
	}
	return string(letters)
}

func (n *Names) hash(of name) string {
	mac := hmac.New(sha256.New, n.options.Key)
	mac.Write([]byte(string(of.kind) + "\x00" + of.text))
	return hex.EncodeToString(mac.Sum(nil))
}
