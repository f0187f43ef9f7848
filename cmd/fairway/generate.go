package main

// The committed reference is what `fairway doc` prints; the gate fails when it is not.
//go:generate go run . doc language -o ../../lang/LANGUAGE.md
//go:generate go run . doc columns -o ../../lang/COLUMNS.md
//go:generate go run . doc functions -o ../../lang/FUNCTIONS.md
//go:generate go run . doc rules -o ../../lang/RULES.md
//go:generate go run . doc params -o ../../stdlib/PARAMETERS.md
