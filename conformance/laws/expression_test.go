package laws

import (
	"strings"

	"pgregory.net/rapid"
)

// expressions writes random CEL. Weights and caps may not read the job's own
// columns; overrides and holds may read the score.
type expressions struct {
	t     *rapid.T
	job   bool
	score bool

	defines map[byte][]string // by type, in a place that may read them
}

func (g expressions) pick(list ...string) string { return rapid.SampledFrom(list).Draw(g.t, "form") }

// The letters of the types in forms: %i int, %d double, %b bool, %s string, %l list of
// strings, %t time.
const typeLetters = "idbslt"

// forms of each type. Arguments are in parentheses or calls, so that precedence
// cannot change their meaning.
var forms = map[byte][]string{
	'i': {
		"(%i + %i)", "(%i - %i)", "(%i * %i)", "(%i / %i)", "(%i % %i)", "(-%i)", "(%b ? %i : %i)", "int(%d)", "math.abs(%i)",
		"math.least(%i, %i)", "math.greatest(%i, %i, %i)", "size(%s)", "size(%l)", "%t.getHours()", "int(%s)", "[%i, %i][1]",
		"%s.indexOf(%s)",
	},
	'd': {
		"(%d + %d)", "(%d - %d)", "(%d * %d)", "(%d / %d)", "(-%d)", "(%b ? %d : %d)", "double(%i)", "math.abs(%d)",
		"math.least(%d, %d)", "math.greatest(%d, %d)",
		"math.ceil(%d)", "math.floor(%d)", "math.round(%d)", "math.trunc(%d)", "math.sqrt(%d)", "clamp(%d, %d, %d)",
		"pow(%d, %d)", "exp(%d)", "ln(%d)", "log2(%d)", "log10(%d)", "double(%s)",
	},
	'b': {
		"(%b && %b)", "(%b || %b)", "(%b && %b && %b)", "(!%b)", "(%b ? %b : %b)", "(%i < %i)", "(%i <= %i)", "(%i > %i)",
		"(%i >= %i)", "(%d < %d)", "(%d >= %d)",
		"(%i == %i)", "(%i != %i)", "(%d == %d)", "(%d != %d)", "(%b == %b)", "(%s == %s)", "(%s != %s)", "(%s in %l)",
		"(%i in [0, 2, 4])", "(%d in [0.0, 1.5])", "(%s in ['amy', 'gpu', ''])",
		"%s.startsWith(%s)", "%s.endsWith('y')", "%s.contains(%s)", "%s.matches('^[a-c]')", "[0, 2].exists(n, n == %i)",
		"[1, 4].all(n, n < %i)", "%l.exists(w, w == %s)", "%l.all(w, w != %s)",
		"['amy', 'bob'].exists(w, w == %s)", "(%t < %t)", "math.isNaN(%d)", "math.isFinite(%d)",
	},
	's': {"(%s + %s)", "(%b ? %s : %s)", "string(%i)", "%s.upperAscii()", "%s.substring(1)", "%s.replace('a', 'b')",
		"%l[0]", "%l.join('-')"},
	'l': {"[%s, %s]", "%l.filter(w, w != %s)", "%s.split('m')"},
	't': {"(%b ? %t : %t)"},
}

var constants = map[byte][]string{
	'i': {"0", "1", "(-1)", "2", "3", "100", "4294967296", "9223372036854775807", "param.COUNT", "param.SPAN"},
	'd': {"0.0", "(-0.0)", "1.0", "0.5", "2.5", "(-3.0)", "1e300", "1e-300", "double('NaN')", "double('inf')",
		"param.RATIO"},
	'b': {"true", "false", "param.SWITCH"},
	's': {"''", "'amy'", "'gpu'", "'7'", "param.WORD"},
	'l': {"['amy', 'gpu']", "param.WORDS"},
	't': {"timestamp(1700000000)", "now"},
}

var credentialColumns = map[byte][]string{
	'i': {"user.priority", "qos.priority", "account.priority", "partition.priority_tier", "qoses.max_priority",
		"cluster.procs", "cluster.nodes"},
	'd': {"qos.usage_factor", "qos.xfactor_target", "partition.tres('cpu')"},
	'b': {"has(qos.usage_factor)", "has(partition.priority_tier)", "has(user.priority)"},
	's': {"user.name", "partition.state", "class.name"},
	'l': {"qos.flags"},
	't': {"now"},
}

var jobColumns = map[byte][]string{
	'i': {"job.procs", "job.nodes", "job.walltime_seconds", "job.queue_seconds", "job.nice", "job.gpus",
		"job.submit_rank"},
	'd': {"job.queue_minutes", "job.tres('gres/gpu')"},
	'b': {"job.held", "job.exclusive", "has(job.walltime_seconds)", "has(job.procs)", "has(job.begin_time)"},
	's': {"job.user", "job.name", "job.qos", "job.partition", "job.account"},
	'l': {"job.partitions", "job.features"},
	't': {"job.submit_time", "job.begin_time"},
}

// text writes an expression of a type.
func (g expressions) text(typ byte, depth int) string {
	if depth <= 0 || rapid.IntRange(0, 5).Draw(g.t, "leaf") == 0 {
		return g.leaf(typ)
	}
	form := g.pick(forms[typ]...)
	var out strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] == '%' && i+1 < len(form) && strings.IndexByte(typeLetters, form[i+1]) >= 0 {
			i++
			out.WriteString(g.text(form[i], depth-1))
			continue
		}
		out.WriteByte(form[i])
	}
	return out.String()
}

func (g expressions) leaf(typ byte) string {
	if names := g.defines[typ]; len(names) > 0 && rapid.IntRange(0, 2).Draw(g.t, "define") == 0 {
		return g.pick(names...)
	}
	switch n := rapid.IntRange(0, 9).Draw(g.t, "kind of leaf"); {
	case g.score && typ == 'd' && n < 4:
		return "score"
	case n < 3:
		return g.pick(constants[typ]...)
	case g.job && n < 8:
		return g.pick(jobColumns[typ]...)
	}
	return g.pick(credentialColumns[typ]...)
}

// number writes a weight, cap or bound; a factor may be a condition too.
func (g expressions) number(depth int) string    { return g.text(g.pick("i", "d", "d")[0], depth) }
func (g expressions) factor(depth int) string    { return g.text(g.pick("i", "d", "d", "b")[0], depth) }
func (g expressions) condition(depth int) string { return g.text('b', depth) }
