package celexpr

import (
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"

	"github.com/fairway-sched/fairway/lang/diag"
)

// foreign are spellings from other languages, with CEL's.
var foreign = map[string]struct{ message, instead string }{
	"=":      {"= does not compare in CEL", "=="},
	"<>":     {"<> is not CEL", "!="},
	":=":     {"there are no assignments in CEL", "=="},
	"and":    {"and is not an operator of CEL", "&&"},
	"or":     {"or is not an operator of CEL", "||"},
	"AND":    {"AND is not an operator of CEL", "&&"},
	"OR":     {"OR is not an operator of CEL", "||"},
	"not":    {"not is not an operator of CEL", "!"},
	"NOT":    {"NOT is not an operator of CEL", "!"},
	"&":      {"& is not an operator of CEL", "&&"},
	"|":      {"| is not an operator of CEL", "||"},
	"**":     {"** is not an operator of CEL", ""},
	"^":      {"^ is not an operator of CEL", ""},
	"=~":     {"=~ is not an operator of CEL", ""},
	"!~":     {"!~ is not an operator of CEL", ""},
	"if":     {"there is no if in CEL", ""},
	"then":   {"there is no then in CEL", ""},
	"else":   {"there is no else in CEL", ""},
	";":      {"an expression has no ; in it", ""},
	"#":      {"# does not begin a comment in CEL", ""},
	"++":     {"there is no ++ in CEL", ""},
	"`":      {"` does not quote in CEL", ""},
	"import": {"import is a reserved word", ""},
}

// advice is what to write where no single token will do.
var advice = map[string]string{
	"**": "write pow(x, y)", "^": "write pow(x, y)",
	"=~": "write text.matches('pattern')", "!~": "write !text.matches('pattern')",
	"if": "write condition ? a : b", "then": "write condition ? a : b", "else": "write condition ? a : b",
	";": "it is one value; combine with && || and ?:",
	"#": "write // comment",
	"`": "write 'text'",
}

// syntaxErrors explains why the text is no CEL: by the first token that another
// language would have, else by cel-go's first error; ANTLR's later ones mostly follow
// from it.
func syntaxErrors(t *text, issues *cel.Issues, list *diag.List) {
	for i, tok := range t.tokens {
		word := t.token(i)
		f, known := foreign[word]
		switch {
		case tok.kind == tokenOpenString:
			list.Errorf(codeSyntax, t.tokenSpan(i), "the string is not closed").
				Note("it begins with %s and must end with the same", word[:stringPrefix(word)+1])
			return
		case known && (tok.kind == tokenOperator || tok.kind == tokenWord):
			d := list.Errorf(codeSyntax, t.tokenSpan(i), "%s", f.message)
			if f.instead != "" {
				d.Note("write %s", f.instead).Suggest(t.tokenSpan(i), f.instead)
			} else if a := advice[word]; a != "" {
				d.Note("%s", a)
			}
			return
		}
	}
	if i, ok := unbalanced(t); ok {
		list.Errorf(codeSyntax, t.tokenSpan(i), "unmatched %s", t.token(i))
		return
	}
	errs := issues.Errors()
	if len(errs) == 0 { // no place at all: the text is too long
		list.Errorf(codeSyntax, t.file(0, len(t.cel)), "%s", plain(issues.Err().Error()))
		return
	}
	first := errs[0]
	message, note := plain(first.Message), ""
	if strings.Contains(message, "expecting") || strings.Contains(message, "no viable alternative") ||
		strings.Contains(message, "extraneous") {
		message, note = unexpected(t, first)
	}
	if strings.HasPrefix(message, "token recognition error") {
		message = "this is no word of CEL"
		if i := t.tokenAt(t.offsetOf(first.Location)); i < len(t.tokens) && t.tokens[i].kind == tokenString {
			message = "the string has an escape that CEL does not know"
			note = `\ is a backslash; r'…' takes every backslash as it is`
		}
	}
	d := list.Errorf(codeSyntax, t.location(first.Location), "%s", message)
	if note != "" {
		d.Note("%s", note)
	}
}

// unexpected words ANTLR's complaint about a token by what is around it.
func unexpected(t *text, e *cel.Error) (message, note string) {
	if strings.Contains(e.Message, "'<EOF>'") && !strings.Contains(e.Message, "expecting <EOF>") {
		return "the expression ends too early", "something must follow"
	}
	i := t.tokenAt(t.offsetOf(e.Location))
	if i >= len(t.tokens) {
		return "the expression ends too early", "something must follow"
	}
	message = "unexpected " + strconv.Quote(t.token(i))
	if i > 0 && isOperand(t, i) && isOperand(t, i-1) {
		note = "an operator is missing between " + t.token(i-1) + " and " + t.token(i)
		if plain := withoutUnit(t, i); plain != "" {
			message, note = "numbers have no units in CEL", "write "+plain
		}
	}
	return message, note
}

// units are those that people write after a number, by how many of the column's own they are: seconds or megabytes.
var units = map[string]string{
	"s": "1", "m": "60", "min": "60", "h": "3600", "d": "86400", "MB": "1", "M": "1", "GB": "1024", "G": "1024",
	"TB": "1024 * 1024", "T": "1024 * 1024",
}

// withoutUnit is what to write for 4h or 16GB, whose number is the token before i; "" where i is no unit.
func withoutUnit(t *text, i int) string {
	factor := units[t.token(i)]
	if factor == "" || t.tokens[i-1].kind != tokenNumber || t.tokens[i-1].end != t.tokens[i].start {
		return ""
	}
	number, of := t.token(i-1), "in seconds"
	if t.token(i)[0] < 'a' {
		of = "in MB"
	}
	if factor != "1" {
		number += " * " + factor
	}
	return number + " where the column is " + of
}

// isOperand reports whether a token can be a value: two in a row lack an operator.
func isOperand(t *text, i int) bool {
	k := t.tokens[i].kind
	return k == tokenWord || k == tokenNumber || k == tokenString
}

// unbalanced finds the first bracket without partner, which says more than
// ANTLR's surprise at the end of the text.
func unbalanced(t *text) (int, bool) {
	for i, tok := range t.tokens {
		if tok.kind == tokenOperator && strings.Contains("()[]{}", t.token(i)) {
			if _, ok := t.pairs[i]; !ok {
				return i, true
			}
		}
	}
	return 0, false
}

// plain makes one lower-case sentence of a message of cel-go's.
func plain(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	message = strings.TrimPrefix(message, "Syntax error: ")
	message = strings.ReplaceAll(message, " (in container '')", "")
	message = strings.ReplaceAll(message, "google.protobuf.Timestamp", "timestamp")
	message = strings.ReplaceAll(message, "google.protobuf.Duration", "duration")
	message = strings.TrimSuffix(message, ".")
	if message != "" && message[0] >= 'A' && message[0] <= 'Z' {
		message = strings.ToLower(message[:1]) + message[1:]
	}
	return message
}
