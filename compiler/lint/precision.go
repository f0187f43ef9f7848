package lint

// Precision says how often lint is right about files that other people wrote. A test counts testdata/corpus.golden,
// which lists every finding, and testdata/corpus.judged, which says what a reader thinks of them.
const Precision = "Lint finds 513 things in 75 configurations that other people wrote, which were read one by one: " +
	"0 are false, 106 are true but of little use, about a text that is not quite a configuration or about what was " +
	"meant so, and 407 are true, keys among them that only a newer version calls old."
