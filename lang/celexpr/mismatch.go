package celexpr

import (
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
)

// checkErrors turns the type checker's errors into diagnostics. They name a node,
// and the types of a call's arguments in their text.
func checkErrors(t *text, root ast.Expr, issues *cel.Issues, list *diag.List) {
	byID := map[int64]ast.Expr{}
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) { byID[e.ID()] = e }))
	for _, err := range issues.Errors() {
		// The names pass changed nodes in place, so cel-go's ids lead to them.
		e := byID[err.ExprID]
		if e == nil {
			list.Errorf(codeType, t.location(err.Location), "%s", plain(err.Message))
			continue
		}
		if name, ok := quotedAfter(err.Message, "undeclared reference to "); ok {
			undeclared(t, e, name, list)
			continue
		}
		if function, ok := quotedAfter(err.Message, "found no matching overload for "); ok && e.Kind() == ast.CallKind {
			mismatch(t, e, function, argumentTypes(err.Message), list)
			continue
		}
		d := list.Errorf(codeType, t.span(e), "%s", plain(err.Message))
		if have, ok := quotedAfter(err.Message, "expected type 'bool' but found "); ok &&
			(have == "int" || have == "double") {
			zero := map[string]string{"int": "0", "double": "0.0"}[have]
			d.Message = "this is " + article(have) + " where a condition is wanted"
			d.Note("a number is not true or false by itself; compare it, as in %s != %s",
				strings.Join(strings.Fields(t.of(e)), " "), zero)
		}
	}
}

// enumerate joins types as in "int, int and double".
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// quotedAfter takes the quoted word of a message with a known beginning
// (cel-go checker/errors.go); the messages have no structure of their own.
func quotedAfter(message, prefix string) (string, bool) {
	rest, ok := strings.CutPrefix(message, prefix+"'")
	name, _, closed := strings.Cut(rest, "'")
	return name, ok && closed
}

// argumentTypes reads the types out of "… applied to 'string.(int, list(dyn))'".
func argumentTypes(message string) []string {
	_, signature, _ := strings.Cut(plain(message), "applied to '")
	signature = strings.TrimSuffix(signature, "'")
	receiver, args, _ := strings.Cut(signature, "(")
	var list []string
	if receiver = strings.TrimSuffix(receiver, "."); receiver != "" {
		list = append(list, receiver)
	}
	args = strings.TrimSuffix(args, ")")
	for depth, start, i := 0, 0, 0; i <= len(args); i++ {
		switch {
		case i == len(args) || args[i] == ',' && depth == 0:
			if arg := strings.TrimSpace(args[start:i]); arg != "" {
				list = append(list, arg)
			}
			start = i + 1
		case args[i] == '(':
			depth++
		case args[i] == ')':
			depth--
		}
	}
	return list
}

// undeclared reports a name that the vocabulary pass left alone.
func undeclared(t *text, e ast.Expr, name string, list *diag.List) {
	if e.Kind() == ast.CallKind {
		d := list.Errorf(codeUnknownFunction, t.span(e), "there is no function %q", name)
		if i, ok := t.nodeToken(e.ID()); ok && i > 0 && t.tokens[i-1].kind == tokenWord {
			d.Span = t.tokenSpan(i - 1)
		}
		known := functionNames()
		switch near := diag.Nearest(name, known); {
		case slices.Contains(known, "math."+name):
			d.Note("write math.%s", name).Suggest(d.Span, "math."+name)
		case name == "min" || name == "max":
			better := map[string]string{"min": "math.least", "max": "math.greatest"}[name]
			d.Note("write %s", better).Suggest(d.Span, better)
		case near != "":
			d.Note("did you mean %s?", near).Suggest(d.Span, near)
		default:
			d.Note("`fairway doc functions` lists them")
		}
		return
	}
	span := t.span(e)
	d := list.Errorf(codeUnknownName, span, "there is no name %q", name)
	switch name {
	case "True", "TRUE", "False", "FALSE":
		d.Note("write %s", strings.ToLower(name)).Suggest(span, strings.ToLower(name))
		return
	}
	// A bare column, or a scheduler's word for one.
	if c := likelyColumn(schema.ObjectByName("job"), name); c != nil {
		d.Note("did you mean %s? %s", c.ID, describeColumn(c)).Suggest(span, string(c.ID))
		return
	}
	var objects []string
	for _, o := range readableObjects() {
		objects = append(objects, o.Name)
	}
	if near := diag.Nearest(name, objects); near != "" {
		d.Note("did you mean %s?", near).Suggest(span, near)
		return
	}
	d.Note("columns are written with their object, as in job.procs, params as param.NAME, texts in quotes")
}

// functionNames are the functions and methods that did-you-mean may offer.
func functionNames() []string {
	names := []string{
		"size", "startsWith", "endsWith", "contains", "matches", "int", "double", "string", "duration", "timestamp",
		"math.sign", "math.isNaN", "math.isInf", "math.isFinite", "lowerAscii", "upperAscii", "split", "join",
		"replace",
		"substring", "trim", "indexOf", "getHours", "getMinutes", "getDayOfWeek", "getDate", "getMonth", "getFullYear",
	}
	for _, f := range schema.Functions {
		if f.Name[0] != '_' && f.Name[0] != '-' && f.Name[0] != '!' && !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// symbols are how operators are written that operators.FindReverse does not know.
var symbols = map[string]string{operators.Index: "[ ]", operators.Conditional: "? :"}

// symbol is how a function is written.
func symbol(function string) string {
	if shown := symbols[function]; shown != "" {
		return shown
	}
	if shown, ok := operators.FindReverse(function); ok {
		return shown
	}
	return function
}

// mismatch reports a call on values of the wrong types; CEL's numbers do not
// convert by themselves, which is the case worth a fix.
func mismatch(t *text, e ast.Expr, function string, have []string, list *diag.List) {
	args := e.AsCall().Args()
	if slices.Contains(have, "!error!") {
		return // what is in it has been reported
	}
	if e.AsCall().IsMemberFunction() {
		args = append([]ast.Expr{e.AsCall().Target()}, args...)
	}
	if function == operators.Conditional && len(have) == 3 && have[0] != "bool" && have[0] != "dyn" {
		list.Errorf(codeType, t.span(args[0]), "the condition of ? : is %s, not a bool", article(have[0]))
		return
	}
	d := list.Errorf(codeType, t.span(e), "%s does not take %s", symbol(function), enumerate(have))
	if len(have) == 2 && len(args) == 2 {
		offerSeconds(t, args, have, d)
	}
	var ints []ast.Expr
	for _, i := range intsAmongDoubles(function, have, len(args)) {
		ints = append(ints, args[i])
	}
	if len(ints) > 0 {
		offerDoubles(t, e, ints, d)
	}
}

// offerSeconds explains a number beside a duration: columns count seconds, minutes or MB as their names say, and are
// plain numbers.
func offerSeconds(t *text, args []ast.Expr, have []string, d *diag.Diagnostic) {
	i := slices.Index(have, "duration")
	if i < 0 || have[1-i] != "int" && have[1-i] != "double" {
		i := slices.Index(have, "string")
		if i < 0 || have[1-i] != "int" && have[1-i] != "double" || args[i].Kind() != ast.LiteralKind {
			return
		}
		if text, ok := args[i].AsLiteral().(types.String); ok && text != "" && isDigit(text[0]) {
			d.Note("numbers are written without quotes and units, in the unit that the column's name has: " +
				"4 * 3600 in seconds, 240 in minutes")
		}
		return
	}
	number := strings.Join(strings.Fields(t.of(args[1-i])), " ")
	if args[1-i].Kind() == ast.LiteralKind {
		d.Note("a duration is compared with a duration: write duration('%ss')", number).
			Suggest(t.span(args[1-i]), "duration('"+number+"s')")
		return
	}
	if strings.HasSuffix(number, "_seconds") {
		d.Note("%s is a number of seconds; compare it with a number, such as 4 * 3600", number)
		return
	}
	d.Note("%s is a number, in the unit that its name has; compare it with a number", number)
}

// intsAmongDoubles are the arguments that are an int where a double is wanted; none if more is wrong than that.
func intsAmongDoubles(function string, have []string, args int) (ints []int) {
	if len(have) != args {
		return nil
	}
	want := doubleParams(function, args)
	// An operator or overloaded function: a double beside the int decides.
	if want == nil && slices.Contains(have, "double") {
		want = slices.Repeat([]bool{true}, args)
	}
	for i, h := range have {
		switch {
		case h == "int" && want != nil && want[i]:
			ints = append(ints, i)
		case h != "double" && h != "int" && !(function == operators.Conditional && i == 0 && h == "bool"):
			return nil
		}
	}
	return ints
}

// offerDoubles offers the call with doubles for ints.
func offerDoubles(t *text, e ast.Expr, ints []ast.Expr, d *diag.Diagnostic) {
	start, _ := t.bytes(e)
	written := t.of(e)
	// From the back, so that earlier offsets stay right.
	for _, arg := range slices.Backward(ints) {
		from, to := t.bytes(arg)
		written = written[:from-start] + asDouble(t, arg) + written[to-start:]
	}
	d.Note("int and double do not mix; write %s", strings.Join(strings.Fields(written), " "))
	// One wrong argument is the smallest edit, and right even within escapes;
	// several need the whole call typed anew.
	if len(ints) == 1 {
		d.Suggest(t.span(ints[0]), asDouble(t, ints[0]))
	} else if t.raw() {
		d.Suggest(t.span(e), written)
	}
}

// doubleParams says which arguments of a function must be doubles, if it has
// only one overload.
func doubleParams(function string, count int) []bool {
	var want []bool
	for _, f := range schema.Functions {
		if f.Name != function || len(f.Params) != count {
			continue
		}
		if want != nil {
			return nil
		}
		for _, p := range f.Params {
			want = append(want, p == schema.Double)
		}
	}
	return want
}

// asDouble writes an int as a double: 4 as 4.0, anything else in double().
func asDouble(t *text, e ast.Expr) string {
	written := t.of(e)
	if e.Kind() == ast.LiteralKind && strings.Trim(written, "0123456789-") == "" {
		return written + ".0"
	}
	return "double(" + written + ")"
}

// wrongResult reports an expression of a type its place cannot use.
func wrongResult(l *lowering, want Want) {
	e := l.ast.Expr()
	have := l.ast.GetType(e.ID())
	span := l.text.span(e)
	name := plain(have.TypeName())
	if have.Kind() == types.ListKind {
		name = "list"
	}
	d := l.list.Errorf(codeResultType, span, "this is %s where %s is wanted", article(name), want)
	written := l.text.of(e)
	// Parentheses always: the text may be a condition or arithmetic of any rank.
	offer := func(fixed string) {
		d.Note("write %s", strings.Join(strings.Fields(fixed), " "))
		if l.text.raw() {
			d.Suggest(span, fixed)
		}
	}
	number := have.Kind() == types.IntKind || have.Kind() == types.DoubleKind
	switch {
	case want == WantNumber && have.Kind() == types.BoolKind:
		offer("(" + written + ") ? 1.0 : 0.0")
	case want == WantBool && have.Kind() == types.IntKind:
		offer("(" + written + ") != 0")
	case want == WantBool && have.Kind() == types.DoubleKind:
		offer("(" + written + ") != 0.0")
	case want == WantString && (number || have.Kind() == types.BoolKind):
		offer("string(" + written + ")")
	case have.Kind() == types.UintKind:
		offer("double(" + written + ")")
	case have.Kind() == types.DurationKind:
		offer("(" + written + ").getSeconds()")
	case have.Kind() == types.TimestampKind:
		d.Note("int(…) gives its epoch seconds, now - … the seconds since as a duration")
	default:
		d.Note("the result may come from a comparison, arithmetic or ? :")
	}
}

// article puts a or an before the name of a type.
func article(name string) string {
	if strings.ContainsRune("aeiou", rune(name[0])) && name != "uint" {
		return "an " + name
	}
	return "a " + name
}

// The codes of this package's diagnostics.
const (
	codeSyntax            = "cel-syntax"
	codeInterpolation     = "cel-interpolation"
	codeType              = "cel-type"
	codeResultType        = "cel-result-type"
	codeUnknownName       = "cel-unknown-name"
	codeUnknownFunction   = "cel-unknown-function"
	codeUnknownColumn     = "cel-unknown-column"
	codeUnknownParam      = "cel-unknown-param"
	codeParamWithoutValue = "cel-param-without-value"
	codeUnknownDeviation  = "cel-unknown-deviation"
	codeUnknownEach       = "cel-unknown-each"
	codeUnknownDefine     = "cel-unknown-define"
	codeLongDefine        = "cel-long-define"
	codeUnknownTRES       = "cel-unknown-tres"
	codeTRESNotConstant   = "cel-tres-not-constant"
	codeNotInScope        = "cel-not-in-scope"
	codeObjectAsValue     = "cel-object-as-value"
	codeHiddenName        = "cel-hidden-name"
	codeConstantFails     = "constant-expression-fails"
)
