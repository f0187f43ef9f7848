package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// block is a record in the words of the policy language, with what is in it. A machine has no record.
type block struct {
	id, name string
	*Record
	inside []*block
}

// word opens the block.
func (k *block) word() string { return k.id[strings.LastIndexByte(k.id, '/')+1:] }

// blocks are the records in the words of the policy language, by the first of them, as far as it has any: the nodes and
// partitions of a machine, and the accounts and QOS of a database.
func (g *gathered) blocks() (first map[*Record]*block, taken map[*Record]bool) {
	first, taken = map[*Record]*block{}, map[*Record]bool{}
	machine := &block{id: "machine"}
	ids := map[string]string{"NodeName": "machine/node", "PartitionName": "machine/partition"}
	for i := range g.Records {
		r := &g.Records[i]
		if id := ids[r.Kind]; id != "" && r.Value == nil && r.Name != "" {
			if machine.inside == nil {
				first[r] = machine
			}
			machine.inside, taken[r] = append(machine.inside, &block{id: id, name: r.Name, Record: r}), true
		}
	}
	if database, ok := g.database(); ok {
		for i := range g.Records {
			if r := &g.Records[i]; InDump(r.Kind) {
				if !slices.ContainsFunc(g.Records[:i], func(r Record) bool { return InDump(r.Kind) }) {
					first[r] = database
				}
				taken[r] = true
			}
		}
	}
	return first, taken
}

// database draws the tree of a dump; false for one that is no tree.
func (g *gathered) database() (cluster *block, ok bool) {
	var qos []*block
	root := &block{id: "database"}
	accounts, parent := map[string]*block{"root": root}, root
	for i := range g.Records {
		r := &g.Records[i]
		name := strings.ToLower(r.Name)
		inside := &block{id: "database/" + strings.ToLower(r.Kind), name: r.Name, Record: r}
		switch strings.ToLower(r.Kind) {
		case "cluster":
			if root.Record != nil {
				return nil, false
			}
			root.Record, root.name = r, r.Name
		case "parent":
			parent = accounts[name]
		case "account":
			if accounts[name] != nil {
				return nil, false
			}
			accounts[name] = inside
			fallthrough
		case "user":
			if root.Record == nil || parent == nil {
				return nil, false
			}
			parent.inside = append(parent.inside, inside)
		case "qos":
			qos = append(qos, inside)
		}
	}
	root.inside = append(qos, root.inside...)
	return root, root.Record != nil
}

// block writes one with what is in it.
func (w *Writer) block(b *strings.Builder, k *block, depth int, format func(depth int, lines string) string) {
	lines := &strings.Builder{}
	indent, head := strings.Repeat("  ", depth), k.word()
	remark, line := "", 0
	if k.Record != nil {
		if w.above(lines, k.Span); lines.Len() > 0 {
			b.WriteString(format(depth, lines.String()))
			lines.Reset()
		}
		w.isText(k.Kind, k.name, k.Span)
		head += " " + Quote(k.name)
		remark, line = w.comment(k.Span, 0), k.Span.Position().Line
		w.worded(lines, k, line)
	}
	first, _, _ := strings.Cut(lines.String(), "\n")
	switch {
	case lines.Len()+len(k.inside) == 0:
		b.WriteString(indent + head + " {}" + remark + "\n")
		return
	case strings.Contains(first, "#"): // comments on lines that follow each other are aligned
		whole := format(depth, head+" {"+remark+"\n"+lines.String()+"}\n")
		b.WriteString(strings.TrimSuffix(whole, indent+"}\n"))
	default:
		b.WriteString(indent + head + " {" + remark + "\n")
		if lines.Len() > 0 {
			b.WriteString(format(depth+1, lines.String()))
		}
	}
	for i, inside := range k.inside {
		if i > 0 || lines.Len() > 0 || remark != "" {
			b.WriteString("\n")
		}
		w.block(b, inside, depth+1, format)
	}
	b.WriteString(indent + "}\n")
}

// worded writes the attributes of a block, and its limits. What the language has no word for is among its settings.
func (w *Writer) worded(b *strings.Builder, k *block, line int) {
	words := policy.RecordWords(k.id)
	limits, bounded := w.limitBlocks(k, line)
	var rest []Setting
	for _, s := range k.Settings {
		at := slices.IndexFunc(words, func(x policy.AttrDoc) bool { return strings.EqualFold(x.Setting, s.Name) })
		switch {
		case bounded && isLimit(k, s.Name):
		case at < 0:
			rest = append(rest, s)
		default:
			literal, ok := attribute(&words[at], s.Text)
			if !ok {
				rest = append(rest, s)
				continue
			}
			w.isText(s.Name, s.Text, s.Span)
			w.above(b, s.Span)
			fmt.Fprintf(b, "%s = %s%s\n", words[at].Name, literal, w.comment(s.Span, line))
		}
	}
	if len(rest) > 0 {
		b.WriteString("settings = {\n")
		for _, s := range rest {
			w.setting(b, s, nil, line)
		}
		b.WriteString("}\n")
	}
	b.WriteString(strings.Join(limits, ""))
}

// isLimit reports a setting of the database that is a limit.
func isLimit(k *block, name string) bool {
	return strings.HasPrefix(k.id, "database") && !strings.EqualFold(name, "MinPrioThresh") &&
		slices.ContainsFunc([]string{"Grp", "Max", "Min"}, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// limitBlocks are the limits of a record, one for each resource; false if one of them is in a notation that a limit block
// does not have, as their order counts.
func (w *Writer) limitBlocks(k *block, line int) (list []string, ok bool) {
	for _, s := range k.Settings {
		if !isLimit(k, s.Name) {
			continue
		}
		for i, part := range strings.Split(s.Text, ",") {
			tres, number, of := cutLast(part, "=")
			name := s.Name
			if of {
				name += "=" + tres
			}
			n, err := strconv.ParseUint(number, 10, 32)
			if err != nil || strconv.FormatUint(n, 10) != number || i > 0 && !of || strings.ContainsAny(s.Name, "+-") {
				return nil, false
			}
			if strings.Contains(s.Name, "Wall") {
				number = duration(int64(n) * 60)
			}
			list = append(list, fmt.Sprintf("limit %s { hard = %s }%s\n", Quote(name), number, w.comment(s.Span, line)))
		}
	}
	return list, true
}

// cutLast cuts a part such as gres/gpu=4; a number alone has no name.
func cutLast(text, sign string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sign); i >= 0 {
		return text[:i], text[i+len(sign):], true
	}
	return "", text, false
}

// attribute is a setting as the attribute of a block; false if the attribute would come to something else.
func attribute(x *policy.AttrDoc, text string) (literal string, ok bool) {
	whole := number(text, nil) && text[0] != '-'
	switch x.Type {
	case policy.String:
		return Quote(text), text != ""
	case policy.List:
		list := strings.Split(text, ",")
		for i := range list {
			list[i] = Quote(list[i])
		}
		return "[" + strings.Join(list, ", ") + "]", text != ""
	case policy.Bool:
		return map[string]string{"YES": "true", "NO": "false"}[text], text == "YES" || text == "NO"
	case policy.Share:
		if text == "parent" || text == "2147483647" { // as a dump has it
			return Quote("parent"), true
		}
	case policy.Number:
		f, err := strconv.ParseFloat(text, 64)
		plain := strings.Trim(text, "0123456789.") == ""
		return strconv.FormatFloat(f, 'f', -1, 64), err == nil && plain && (f != 0 || text == "0")
	case policy.Duration:
		if !x.Minutes {
			n, _ := strconv.ParseInt(text, 10, 64)
			return duration(n), whole
		}
		minutes, err := slurmtext.ParseTimeMinutes(text)
		if minutes == slurmtext.Infinite {
			return Quote("unlimited"), true
		}
		return duration(minutes * 60), err == nil && (minutes > 0 || text == "0")
	}
	return text, whole
}

// duration is a time in the largest unit that it is a whole number of.
func duration(seconds int64) string {
	for _, unit := range []struct {
		name    string
		seconds int64
	}{{"d", 86400}, {"h", 3600}, {"m", 60}} {
		if seconds > 0 && seconds%unit.seconds == 0 {
			return Quote(fmt.Sprint(seconds/unit.seconds) + unit.name)
		}
	}
	return fmt.Sprint(seconds)
}
