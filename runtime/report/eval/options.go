package eval

// Options are the wishes of the reader; the zero value is every view's default.
type Options struct {
	Limit  int  // rows of the table; 0 shows all
	Width  int  // columns of the terminal; 0 is unlimited
	Colour bool // ANSI escapes

	Long    bool // sprio -l, sshare -l
	Norm    bool // sprio -n: factors instead of contributions
	Weights bool // sprio -w: the weights instead of jobs

	Parsable   bool // sshare -P
	Partitions bool // sshare -m

	Spreadsheet bool // CSV: no text is a formula to a spreadsheet

	Jobs []int // checkjob: only these; nil shows all

	All bool // explanations: also what has no effect
}
