// Package mauicfg reads maui.cfg: text in, a lossless syntax tree and then the
// configuration Maui would hold out.
//
//	Parse     text → *File      every byte belongs to a token; Print gives it back
//	Load      text → *File      the same, with the files of its #INCLUDE lines
//	Evaluate  *File → *Config   typed settings, and what Maui ignores and why
//	Format    *File → text      canonical layout, same meaning
//
// The lowering of maui.cfg to policies, the formatter and content detection
// (Sniff) call it.
//
// Rules are what the Maui 3.x source does (MCfgAdjustBuffer cleans the text up,
// MSysLoadConfig loads it), in own words and checked against recorded runs:
// the values Maui printed with showconfig, and the jobs it started. Where the
// manual says something else, Options selects the manual.
//
// A line takes this way: scan (lexer.go) → Line
// (parse.go) → statement, the line as Maui sees it after its clean-up
// (statement.go) → its table row (known.go) → Param (params.go) or Object
// (families.go), its value read by type (read.go, readnumber.go). The names
// themselves, their types and what becomes of them are in stdlib/maui.
package mauicfg
