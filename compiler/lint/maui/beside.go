package maui

import "github.com/fairway-sched/fairway/compiler/lint/rule"

// besideRules compare what is set with what is written beside it.
var besideRules = []rule.Rule{{Code: "maui-comment-differs", Check: commentsDiffer}}

func commentsDiffer(p *rule.Pass) { p.CommentsDiffer(p.TimedParams(rule.MauiTime)) }
