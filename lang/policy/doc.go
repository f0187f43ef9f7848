// Package policy reads the policy language: *.fairway.hcl and
// *.fairwaytest.hcl. It is the one package that knows HCL.
//
// In comes a source.File, out comes first a File (Parse) and then, once the
// params are known, a Document for each policy (Policy.Evaluate): plain structs
// in which every value has its type and its place. The compiler's lowering and
// the test runner call it; the reference prints Blocks and Functions.
//
// # Two stages
//
// HCL is evaluated before the jobs arrive, CEL for each job. So an attribute is
//
//   - a constant: an HCL expression over param, local, each, documented and
//     version, evaluated once;
//
// - CEL: a literal string or heredoc, delivered as text with the bytes it has in the file (CEL), never evaluated here;
//   - either: weight = 2 * param.W is a constant, weight = "param.W + qos.xfactor_weight" is CEL.
//
// Reading takes two steps, because expressions read params and params come from
// several files:
//
//	file, diags := policy.Parse(src)             // headers, declarations, `params`, tests: constants
//	p := file.Policies[0]                        // p.Use, p.ParamDecls, p.Params
//	v, more := decl.Convert(setting)             // the caller matches settings with declarations …
//	doc, more := p.Evaluate(policy.Scope{Params: values, …})
//	all, more := policy.Merge(baseDoc, doc, laterDoc)
//
// # Inheritance
//
// Several files of one policy are one policy, laid over the base that it uses,
// by name (Apply, Merge): attributes that are set replace, the rest is kept,
// remove = true takes a block out, new blocks follow in order. A later file may
// change an earlier one only in a block with override = true (the mark counts for
// the blocks inside too; in the policy block itself, for the whole file). A base is always open
// to change. The name of a block that for_each made is label[key]; a later block
// named label alone is about all of them. Locals belong to their file.
//
// # Values
//
// Whole numbers are ints, weights and other plain numbers doubles. A duration
// is a number of seconds ("12h" is 43200), a memory size one of MB ("16G" is 16384), unlimited is
// slurmtext.Infinite in a setting and unknown in a column. A limit's bound is a double; "none"
// is -1. null means "not set", and is refused in a map. HCL computes with more digits than a double has
// and is rounded once, at the end.
//
// The table blocks.txt is the language: the structure check,
// the evaluation and the reference read them. An evaluated block stays a node until
// the last merge, so that merging has one rule for all; decode turns nodes into structs.
package policy
