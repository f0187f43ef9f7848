package diff

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// listWords makes an item of each word of a list, so that order, case and repetition are no difference and what
// differs reports word by word. Words that have a field of their own are left to it.
func listWords(p *ir.Policy, v *ir.Param) (out []item) {
	for _, x := range words(v) {
		_, word, _ := strings.Cut(x.name, " ")
		if saidByField(v.Name, word) {
			continue
		}
		x.group = wordGroup(p, v.Name, word)
		if moved := movedWord(p, v.Name, word); moved != "" {
			x.key, x.moved = moved, true
		}
		out = append(out, x)
	}
	return out
}

// words are the words of a list; Slurm finds the first where one is repeated.
func words(v *ir.Param) (out []item) {
	seen := map[string]bool{}
	for entry := range strings.SplitSeq(v.Value.Str, ",") {
		word, value, assigned := strings.Cut(strings.TrimSpace(entry), "=")
		if x := wordItem(v, v.Name, word, value, assigned); word != "" && !seen[x.key] {
			seen[x.key] = true
			out = append(out, x)
		}
	}
	return out
}

// unread says of words with a field of their own that both sides give other values, which are none to Slurm: the fields
// have not changed.
func (c *comparison) unread() {
	list := func(p, other *ir.Policy) (out []item) {
		for i := range p.Params {
			v := &p.Params[i]
			there := param(other, v.Name)
			if there == nil || !isList(p, v.Name) || v.Value.Str == there.Value.Str {
				continue
			}
			for _, x := range words(v) {
				_, word, _ := strings.Cut(x.name, " ")
				if saidByField(v.Name, word) &&
					slices.ContainsFunc(words(there), func(y item) bool { return x.key == y.key }) &&
					!slices.ContainsFunc(c.found, func(d Difference) bool { return isWordOf(d.Name, word) }) {
					out = append(out, x)
				}
			}
		}
		return out
	}
	c.items(list(c.before, c.after), list(c.after, c.before))
}

// isWordOf reports a word within what a field is called.
func isWordOf(option, word string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(option, func(c rune) bool { return strings.ContainsRune(" (),", c) }),
		func(name string) bool { return strings.EqualFold(name, word) })
}

// wordItem is a word of a list; the list may have had another name when v was written.
func wordItem(v *ir.Param, list, word, value string, assigned bool) item {
	if value = strings.TrimSpace(value); !assigned {
		value = "on"
	}
	x := item{group: Other, key: strings.ToLower(list + " " + word), name: v.Name + " " + word,
		means: strings.ToLower(value), side: Side{Value: value, Span: v.Set}}
	if v.Set.IsZero() {
		x.side.Value += " (default)"
	}
	return x
}

// saidByField reports a word that a field of enforcedFields or planFields stands for.
func saidByField(param, word string) bool {
	if param == "AccountingStorageEnforce" && (strings.EqualFold(word, "all") || strings.EqualFold(word, "none")) {
		return true
	}
	for _, list := range [][]field{enforcedFields, planFields} {
		for _, f := range list {
			if f.param == param && param != "PriorityFlags" && isWordOf(f.option, word) {
				return true
			}
		}
	}
	return false
}

// fairshareFlags are the flags of PriorityFlags that say how usage counts. All others change factors.
var fairshareFlags = []string{"DEPTH_OBLIVIOUS", "FAIR_TREE", "NO_FAIR_TREE", "MAX_TRES", "MAX_TRES_GRES",
	"TICKET_BASED"}

// wordGroup says what a word affects.
func wordGroup(p *ir.Policy, list, word string) Group {
	switch list {
	case "AccountingStorageTRES":
		return Fairshare
	case "PriorityFlags":
	default:
		return Other
	}
	flag := "" // Slurm searches the text for the flags it knows, within longer words too
	for _, known := range p.Facts.Words {
		if known.List == list && len(known.Name) > len(flag) && strings.Contains(strings.ToUpper(word), known.Name) {
			flag = known.Name
		}
	}
	switch {
	case flag == "":
		return Other
	case slices.Contains(fairshareFlags, flag):
		return Fairshare
	}
	return Priority
}

// tresMeaning is a list of weights by name, whatever their order and their units; "" if it is none.
func tresMeaning(text string) string {
	weights, err := slurmtext.ParseTRESWeights(text)
	if err != nil {
		return ""
	}
	slices.SortStableFunc(weights, func(a, b slurmtext.TRESWeight) int { return cmp.Compare(a.Name, b.Name) })
	return weightsText(weights)
}

func weightsText(weights []slurmtext.TRESWeight) string {
	words := make([]string, len(weights))
	for i, w := range weights {
		words[i] = w.Name + "=" + strconv.FormatFloat(w.Value, 'g', -1, 64)
	}
	return strings.Join(words, " ")
}
