package mauicfg

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar of one logical line (a line with its continuations).
//
//	line    = blank* ( setting | unknown )? comment? newline?
//	setting = NAME ( '[' index? ']'? )? ( blank | '=' | word )*
type lineNode struct {
	Indent  []lexer.Token `parser:"@(Space | Continuation)*"`
	Setting *settingNode  `parser:"( @@"`
	Unknown []lexer.Token `parser:"| @Unknown (@Unknown | @Space | @Continuation)* )?"`
	Comment []lexer.Token `parser:"@(Comment | Include)?"`
	End     []lexer.Token `parser:"@Newline?"`
}

// settingNode keeps the value flat: what its words mean depends on the name, and
// names are looked up after parsing.
type settingNode struct {
	Name  lexer.Token   `parser:"@Name"`
	Index *indexNode    `parser:"@@?"`
	Rest  []lexer.Token `parser:"@(Space | Continuation | Equals | Word)*"`
}

// indexNode has optional parts, because people forget the bracket.
type indexNode struct {
	Open  lexer.Token   `parser:"@Open"`
	Text  []lexer.Token `parser:"@Index?"`
	Close []lexer.Token `parser:"@Close?"`
}

// lineParser parses one line at a time: work stays linear in the text, and a
// line the grammar refuses cannot take its neighbours along.
var lineParser = participle.MustBuild[lineNode](participle.Lexer(definition{}))

// parseLine runs the grammar over the tokens of one line.
func parseLine(tokens []lexer.Token) (*lineNode, error) {
	lex, err := lexer.Upgrade(&replay{tokens: tokens})
	if err != nil {
		return nil, err
	}
	return lineParser.ParseFromLexer(lex)
}
