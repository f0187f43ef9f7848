package slurmtext

import (
	"math"
	"strconv"
	"strings"
)

// TRES is one trackable resource and its count in the base unit: MiB for mem
// and bb, joules for energy, pieces for the rest. Name is canonical: the type
// in lower case, what follows the slash as written ("gres/gpu:a100").
type TRES struct {
	Name  string
	Count int64 // -1 clears a limit; Infinite for INFINITE and UNLIMITED
}

// TRESList keeps the order of the text.
type TRESList []TRES

// Get finds a TRES by canonical name. The first of several wins, as in
// slurmdb_tres_list_from_string, which ignores later ones.
func (l TRESList) Get(name string) (int64, bool) {
	for _, t := range l {
		if t.Name == name {
			return t.Count, true
		}
	}
	return 0, false
}

// fixedTRES are the built-in TRES; the index plus one is the number that state
// files and accounting prints use in the place of the name.
var fixedTRES = [...]string{"cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"}

// FixedTRES are the TRES that every cluster has, in the order in which Slurm sums them.
func FixedTRES() []string { return fixedTRES[:] }

// IsFixedTRES reports whether every cluster has the TRES of this canonical
// name; all others must be in AccountingStorageTRES.
func IsFixedTRES(name string) bool {
	for _, f := range fixedTRES {
		if f == name {
			return true
		}
	}
	return false
}

// IsTRESType reports whether type is one that Slurm has: the fixed ones and
// the families gres, license, bb, ic and fs.
func IsTRESType(name string) bool {
	kind, _, named := strings.Cut(name, "/")
	switch kind {
	case "gres", "license", "bb", "ic", "fs":
		return named
	}
	return IsFixedTRES(name)
}

// ParseTRES reads "cpu=4,mem=8G,gres/gpu:a100=2". A number in the place of the
// name is one of the fixed TRES ("1=4" is cpu). Suffixes K M G T P are powers
// of 1024 on the base unit, so for mem "8192", "8192M" and "8G" are the same;
// a fraction of the base unit is cut off. Empty text is an empty list.
func ParseTRES(text string) (TRESList, error) {
	var list TRESList
	err := eachTRES(text, func(name, value string, nameAt, valueAt int) error {
		count, err := parseTRESCount(name, value)
		if err != nil {
			return shift(err, valueAt)
		}
		list = append(list, TRES{Name: name, Count: count})
		return nil
	})
	return list, err
}

// TRESWeight is one entry of PriorityWeightTRES or TRESBillingWeights, the
// value being per base unit (per MiB for mem).
type TRESWeight struct {
	Name  string
	Value float64
}

// largestWeight bounds weights so that no sum of weighed counts is infinite. slurmctld cuts priorities to 32 bits and
// charges to 64, where larger weights come to the same.
const largestWeight = 1e250

// ParseTRESWeights reads "CPU=1.0,Mem=0.25G,GRES/gpu=2". The unit suffix says
// per how much, so it divides: 0.25G for mem is 0.25/1024 per MiB
// (slurm.conf manual, TRESBillingWeights).
func ParseTRESWeights(text string) ([]TRESWeight, error) {
	var list []TRESWeight
	err := eachTRES(text, func(name, value string, nameAt, valueAt int) error {
		digits, factor := cutUnit(name, value)
		weight, err := strconv.ParseFloat(digits, 64)
		if err != nil || math.IsNaN(weight) || math.IsInf(weight, 0) {
			return errorAt(valueAt, "the weight %q is no number with an optional unit K, M, G, T or P", value)
		}
		list = append(list, TRESWeight{Name: name, Value: max(-largestWeight, min(weight/factor, largestWeight))})
		return nil
	})
	return list, err
}

// eachTRES walks over the name=value entries and hands over canonical names.
// Spaces around an entry and empty entries are tolerated, as Slurm's strtok is.
func eachTRES(text string, visit func(name, value string, nameAt, valueAt int) error) error {
	for pos := 0; pos <= len(text); {
		entry := text[pos:]
		if i := strings.IndexByte(entry, ','); i >= 0 {
			entry = entry[:i]
		}
		next := pos + len(entry) + 1
		trimmed := strings.TrimLeft(entry, " \t")
		at := pos + len(entry) - len(trimmed)
		trimmed = strings.TrimRight(trimmed, " \t")
		pos = next
		if trimmed == "" {
			continue
		}
		name, value, ok := strings.Cut(trimmed, "=")
		if !ok || name == "" || value == "" {
			return errorAt(at, "%q is no name=number entry", trimmed)
		}
		canonical, err := canonicalTRES(name)
		if err != nil {
			return shift(err, at)
		}
		if err := visit(canonical, value, at, at+len(name)+1); err != nil {
			return err
		}
	}
	return nil
}

func canonicalTRES(name string) (string, error) {
	if id, err := strconv.Atoi(name); err == nil {
		if id < 1 || id > len(fixedTRES) {
			return "", errorAt(0, "TRES number %s is not one of the fixed ones (1 to %d) and its name is not stated", name,
				len(fixedTRES))
		}
		return fixedTRES[id-1], nil
	}
	kind, rest, named := strings.Cut(name, "/")
	kind = strings.ToLower(kind)
	if !named {
		return kind, nil
	}
	if kind == "fs" {
		rest = strings.ToLower(rest) // fs/disk is the only one and a fixed name
	}
	return kind + "/" + rest, nil
}

func parseTRESCount(name, value string) (int64, error) {
	if isInfiniteWord(value) && value != "-1" {
		return Infinite, nil
	}
	digits, factor := cutUnit(name, value)
	if whole, err := strconv.ParseInt(digits, 10, 64); err == nil && factor == 1 {
		if whole < -1 || whole == Infinite {
			return 0, errorAt(0, "the count %q is out of range", value)
		}
		return whole, nil
	}
	number, err := strconv.ParseFloat(digits, 64)
	if err != nil || strings.Trim(digits, "0123456789.") != "" {
		return 0, errorAt(0, "the count %q is no number with an optional unit K, M, G, T or P", value)
	}
	if number *= factor; number >= math.MaxInt64 {
		return 0, errorAt(0, "the count %q is out of range", value)
	}
	return int64(number), nil
}

// cutUnit splits a unit letter off and returns how many base units
// it stands for. The base of mem and bb is MiB, so K is 1/1024 there and M is 1.
func cutUnit(name, value string) (digits string, factor float64) {
	power := strings.IndexByte("KMGTP", value[len(value)-1]&^0x20) + 1
	if power == 0 {
		return value, 1
	}
	if kind, _, _ := strings.Cut(name, "/"); kind == "mem" || kind == "bb" {
		power -= 2
	}
	return value[:len(value)-1], math.Pow(1024, float64(power))
}
