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

// blockIDs are the blocks that records are, by the record's kind. Those of a dump are drawn as a tree.
var blockIDs = map[string]string{"NodeName": "machine/node", "PartitionName": "machine/partition",
	"USERCFG": "credentials/user", "GROUPCFG": "credentials/group", "ACCOUNTCFG": "credentials/account",
	"QOSCFG": "credentials/qos", "CLASSCFG": "credentials/class"}

// blocks are the records in the words of the policy language, by the first of them, as far as it has any: the nodes and
// partitions of a machine, the credentials of Maui, and the accounts and QOS of a database.
func (g *gathered) blocks() (first map[*Record]*block, taken map[*Record]bool) {
	first, taken = map[*Record]*block{}, map[*Record]bool{}
	around := map[string]*block{}
	for i := range g.Records {
		r := &g.Records[i]
		if id := blockIDs[r.Kind]; id != "" && r.Value == nil && r.Name != "" {
			in, _, _ := strings.Cut(id, "/")
			if around[in] == nil {
				around[in] = &block{id: in}
				first[r] = around[in]
			}
			around[in].inside, taken[r] = append(around[in].inside, &block{id: id, name: r.Name, Record: r}), true
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
	var set []string
	for _, s := range k.Settings {
		name, literal := attribute(words, s)
		switch {
		case bounded && isLimit(k, s.Name):
		case name == "" || slices.Contains(set, name):
			rest = append(rest, s)
		default:
			set = append(set, name)
			w.isText(s.Name, s.Text, s.Span)
			w.above(b, s.Span)
			fmt.Fprintf(b, "%s = %s%s\n", name, literal, w.comment(s.Span, line))
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

// isLimit reports a setting that is a limit.
func isLimit(k *block, name string) bool {
	begins := map[string][]string{"database": {"Grp", "Max", "Min"}, "credentials": {"MAX", "OMAX"}}
	in, _, _ := strings.Cut(k.id, "/")
	return !strings.EqualFold(name, "MinPrioThresh") &&
		slices.ContainsFunc(begins[in], func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// limitBlocks are the limits of a record, in Slurm one for each resource; false if one of them is in a notation that a
// limit block does not have, as their order counts.
func (w *Writer) limitBlocks(k *block, line int) (list []string, ok bool) {
	bounds := slurmBounds
	if strings.HasPrefix(k.id, "credentials") {
		bounds = mauiBounds
	}
	for _, s := range k.Settings {
		if !isLimit(k, s.Name) {
			continue
		}
		each := bounds(s)
		if each == nil {
			return nil, false
		}
		for _, l := range each {
			list = append(list, fmt.Sprintf("limit %s {%s}%s\n", Quote(l[0]), l[1], w.comment(s.Span, line)))
		}
	}
	return list, true
}

// slurmBounds are the names of limits and what is in their blocks: one for each resource.
func slurmBounds(s Setting) (list [][2]string) {
	for i, part := range strings.Split(s.Text, ",") {
		tres, n, of := cutLast(part, "=")
		name := s.Name
		if of {
			name += "=" + tres
		}
		value, err := strconv.ParseUint(n, 10, 32)
		if err != nil || !number(n, nil) || i > 0 && !of || strings.ContainsAny(s.Name, "+-") {
			return nil
		}
		if strings.Contains(s.Name, "Wall") {
			n = duration(int64(value) * 60)
		}
		list = append(list, [2]string{name, " hard = " + n + " "})
	}
	return list
}

// mauiBounds is a limit of Maui, with its soft bound if there is one.
func mauiBounds(s Setting) [][2]string {
	soft, hard, two := strings.Cut(s.Text, ",")
	if n, ok := seconds(soft); ok && s.Name == "MAX.WCLIMIT" { // Maui reads no other limit as a time
		return [][2]string{{s.Name, " hard = " + duration(n) + " "}}
	}
	switch whole := number(soft, nil) && soft[0] != '-'; {
	case !whole || two && (!number(hard, nil) || hard[0] == '-'):
		return nil
	case two:
		return [][2]string{{s.Name, "\nsoft = " + soft + "\nhard = " + hard + "\n"}}
	}
	return [][2]string{{s.Name, " hard = " + soft + " "}}
}

// cutLast cuts a part such as gres/gpu=4; a number alone has no name.
func cutLast(text, sign string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sign); i >= 0 {
		return text[:i], text[i+len(sign):], true
	}
	return "", text, false
}

// attribute is a setting as an attribute of a block; "" if the attribute would come to something else.
func attribute(words []policy.AttrDoc, s Setting) (name, literal string) {
	for i := range words {
		if x := &words[i]; strings.EqualFold(x.Setting, s.Name) || x.Also != "" && strings.EqualFold(x.Also, s.Name) {
			if text, ok := strings.CutSuffix(s.Text, x.Suffix); ok {
				if literal, ok := attributeValue(x, text); ok {
					return x.Name, literal
				}
			}
		}
	}
	return "", ""
}

// attributeValue is the literal for a setting's text; false if the attribute would come to something else.
func attributeValue(x *policy.AttrDoc, text string) (literal string, ok bool) {
	whole := number(text, nil) && text[0] != '-'
	switch x.Type {
	case policy.Integer:
		return text, number(text, nil)
	case policy.String:
		return Quote(text), text != ""
	case policy.List:
		list := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || string(r) == x.Between })
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
			n, ok := seconds(text)
			if whole {
				n, _ = strconv.ParseInt(text, 10, 64)
			}
			return duration(n), ok || whole
		}
		minutes, err := slurmtext.ParseTimeMinutes(text)
		if minutes == slurmtext.Infinite {
			return Quote("unlimited"), true
		}
		return duration(minutes * 60), err == nil && (minutes > 0 || text == "0")
	}
	return text, whole
}

// seconds are those of a time with hours, minutes and seconds, and maybe days, as Maui has it.
func seconds(text string) (sum int64, ok bool) {
	fields := strings.Split(text, ":")
	if len(fields) < 3 || len(fields) > 4 {
		return 0, false
	}
	for i, unit := range []int64{86400, 3600, 60, 1}[4-len(fields):] {
		n, err := strconv.ParseUint(fields[i], 10, 16)
		if err != nil {
			return 0, false
		}
		sum += int64(n) * unit
	}
	return sum, true
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
