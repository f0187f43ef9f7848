// Package mauicfg reads maui.cfg: text in, a lossless syntax tree and then the
// configuration Maui would hold out.
//
//	Parse     text → *File      every byte belongs to a token; Print gives it back
//	Load      text → *File      the same, with the files of its #INCLUDE lines
//	Evaluate  *File → *Config   typed settings, and what Maui ignores and why
//	Format    *File → text      canonical layout, same meaning
//
// The lowering of maui.cfg to policies, the formatter and content detection
// (Sniff, IsTemplate) call it. Rules cite the Maui 3.x source by function, in
// own words; where the manual says something else, Options selects the manual.
package mauicfg
