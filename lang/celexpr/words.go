package celexpr

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
)

// This file is what an editor asks of expressions while they are written: their words, and the functions there are.

// WordKind is a kind of word.
type WordKind int

// The kinds of words.
const (
	NameWord WordKind = iota
	NumberWord
	StringWord
	OperatorWord
)

// Word is one word of an expression, by its bytes.
type Word struct {
	Kind       WordKind
	Start, End int
}

// Words splits an expression, however broken. Comments are left out.
func Words(text string) (list []Word) {
	for _, t := range tokenize(text) {
		kind := OperatorWord
		switch t.kind {
		case tokenWord:
			kind = NameWord
		case tokenNumber:
			kind = NumberWord
		case tokenString, tokenOpenString:
			kind = StringWord
		}
		list = append(list, Word{kind, t.start, t.end})
	}
	return list
}

// FunctionDoc is a function or a macro of expressions. Method is one that comes after a dot.
type FunctionDoc struct {
	Name       string
	Method     bool
	Signatures []string
	Doc        string
}

// Functions lists those that an expression may call, by name.
var Functions = sync.OnceValue(func() (list []FunctionDoc) {
	env, err := baseEnv()
	if err != nil {
		panic("INVARIANT: the vocabulary makes a CEL environment: " + err.Error())
	}
	all := env.Functions()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		if strings.ContainsAny(name, "@_!-") || name == "" || f.IsDeclarationDisabled() {
			continue // operators, and what Fairway makes of names
		}
		doc := FunctionDoc{Name: name, Doc: f.Description()}
		for _, o := range f.Documentation().Children {
			doc.Signatures = append(doc.Signatures, o.Signature)
		}
		for _, o := range f.OverloadDecls() {
			doc.Method = doc.Method || o.IsMemberFunction()
		}
		list = append(list, doc)
	}
	return slices.Concat(list, macroDocs(env))
})

// macroDocs are the macros, each once.
func macroDocs(env *cel.Env) (list []FunctionDoc) {
	seen := map[string]bool{}
	for _, m := range env.Macros() {
		if !seen[m.Function()] {
			seen[m.Function()] = true
			doc := FunctionDoc{Name: m.Function(), Method: m.IsReceiverStyle(), Doc: macroSentences[m.Function()]}
			if strings.HasPrefix(doc.Doc, "math.") {
				doc.Name, doc.Method = "math."+doc.Name, false
			}
			list = append(list, doc)
		}
	}
	slices.SortFunc(list, func(a, b FunctionDoc) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// macroSentences say what the macros do.
var macroSentences = map[string]string{
	"has":        "has(job.column): whether the column is known.",
	"all":        "list.all(x, condition): whether the condition is true of all elements.",
	"exists":     "list.exists(x, condition): whether the condition is true of an element.",
	"exists_one": "list.exists_one(x, condition): whether it is true of exactly one element.",
	"map":        "list.map(x, value): the list of the values.",
	"filter":     "list.filter(x, condition): the elements for which the condition is true.",
	"greatest":   "math.greatest(a, b, …): the largest.",
	"least":      "math.least(a, b, …): the smallest.",
	"sortBy":     "list.sortBy(x, key): the elements in the order of the keys.",
}

// FunctionOf finds a function by its name; nil if there is none.
func FunctionOf(name string) *FunctionDoc {
	list := Functions()
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}
