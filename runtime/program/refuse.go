package program

// Why a job has no priority although every expression gave it a number. Every evaluator uses these words.
const (
	ValueInfinite = "the value is infinite"
	ValueNaN      = "the value is not a number (NaN)"
	ScoreInfinite = "the score is infinite"
	ScoreNaN      = "the score is not a number (NaN)"
	PriorityLarge = "the priority does not fit into 64 bits"
	PriorityNaN   = "the priority is not a number (NaN)"
)
