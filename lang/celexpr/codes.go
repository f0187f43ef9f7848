package celexpr

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
