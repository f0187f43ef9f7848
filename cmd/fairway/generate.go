package main

// The committed reference is what `fairway doc` prints; the gate fails when it is not.
//go:generate go run ../messages ../.. messages.txt
//go:generate go run . doc language -o markdown=../../lang/LANGUAGE.md
//go:generate go run . doc columns -o markdown=../../lang/COLUMNS.md
//go:generate go run . doc functions -o markdown=../../lang/FUNCTIONS.md
//go:generate go run . doc rules -o markdown=../../lang/RULES.md
//go:generate go run . doc params -o markdown=../../stdlib/PARAMETERS.md
//go:generate go run . doc deviations -o markdown=../../stdlib/DEVIATIONS.md
//go:generate go run . doc state -o markdown=../../runtime/checkpoint/STATE.md
