package mauicfg

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/stdlib"
)

// What the manual has and Maui's parser has not. Which of it is taken is given by
// Options; lower chooses by the names of the library's deviations.

// manualMetrics are values of BACKFILLMETRIC in appendix F that the table of
// the source does not have.
var manualMetrics = []string{"PE", "PESECONDS"}

// manualPolicies are the words of chapter 6.3's template for FSPOLICY, and the parser's.
var manualPolicies = map[string]string{"PSDEDICATED": "DEDICATEDPS", "PSUTILIZED": "UTILIZEDPS"}

// manualFractions are the caps whose format is DOUBLE in appendix F; Maui keeps them
// in C longs.
var manualFractions = []string{"FSCAP", "QUEUETIMECAP", "RESCAP", "XFACTORCAP"}

// FractionInManual reports whether a parameter is a whole number to Maui, but may have a
// fraction in the manual.
func FractionInManual(param string) bool { return slices.Contains(manualFractions, param) }

// typeOf is the type by which a value is read.
func (e *evaluator) typeOf(row stdlib.Param) string {
	switch {
	case e.opt.FractionalCaps && row.Record == "" && FractionInManual(row.Name):
		return "float"
	case e.opt.TargetTimes && (row.Name == "QTTARGET" || row.Name == "QOSTARGETQT"):
		return "time"
	case row.Name == "MAXWCPERUSER":
		return "timelimit"
	}
	return row.Type
}

// modelled are the parameters of the manual without a name in the source, or without
// code after their name, whose meaning a model of Fairway has.
var modelled = []string{"MAXPEPERUSERCOUNT", "MAXPEPERUSERPOLICY", "MAXWCPERUSER", "SMAXPEPERUSERCOUNT",
	"SYSTEMDEFAULTJOBWALLTIME"}

// inManual finds the row by which a line is read that counts in the manual alone; false if
// the program is followed, or the manual does not have the name either.
func (e *evaluator) inManual(st *statement, row stdlib.Param) (stdlib.Param, bool) {
	now, renamed := vocab().params[row.ReplacedBy]
	follow := e.opt.ManualNames
	if now.Name == "BACKFILLMETRIC" {
		follow = e.opt.ManualMetrics
	}
	if !follow || row.Documented == "no" {
		return row, false
	}
	if renamed {
		row = now
	}
	if row.Effective != "yes" && !IsFamily(row) && row.Effective != "run-priority" && row.Effective != "broken" &&
		!slices.Contains(modelled, row.Name) {
		e.diags.Warnf("maui-not-modelled", st.name.span, "%s is documented, but Fairway does not compute it",
			st.name.text).
			Note("the line is taken as the manual says and changes nothing; remove it")
	}
	return row, true
}

// timeLimit reads SOFT[,HARD] where both are times, as the manual writes MAXWCPERUSER.
func (e *evaluator) timeLimit(s setting, w word) Value {
	soft, hard, both := strings.Cut(w.text, ",")
	v := Value{Kind: KindLimit, Soft: int32Wrapped(e.timeValue(s, word{text: soft, span: w.span}).Int)}
	v.Hard = v.Soft
	if both {
		v.Hard = int32Wrapped(e.timeValue(s, word{text: hard, span: w.span}).Int)
	}
	return v
}
