package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/compiler/lower/maui"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// manualOf names the deviation on whose other side a line would not be odd.
var manualOf = map[string]string{
	"maui-wrong-case":      "name_case",
	"maui-two-field-time":  "two_field_time",
	"maui-documented-only": "manual_parameters", "maui-documented-attribute": "manual_parameters",
}

// readMaui reads a maui.cfg, with how to follow the manual instead.
func readMaui(file *mauicfg.File, opt Options) *front.Front {
	f := maui.Read(file, opt)
	f.Diags = manualNotes(f.Diags)
	return f
}

// MauiConfig is what Maui holds after loading a file under the given choices.
func MauiConfig(file *mauicfg.File, opt Options) *mauicfg.Config { return maui.Config(file, opt) }

// manualNotes adds to findings of the parser how to follow the manual instead.
func manualNotes(found diag.List) diag.List {
	for _, d := range found {
		name := manualOf[d.Code]
		if name != "" && d.Span.Text() == "SCHEDULINGCRITERIA" {
			name = "backfill_metric"
		}
		if name != "" {
			d.Note("--deviation %s reads it as the manual says", name)
		}
	}
	return found
}

// hints says where the outcome of a configuration surely depends on whether the program or
// its manual is followed. Only what the configuration shows by itself is here.
func (l *lowering) hints() {
	if l.family != "maui" {
		return
	}
	l.hintWeights()
	l.hintCaps()
	l.hintBackfill()
	for _, f := range l.fronts {
		if f.Maui != nil {
			l.hintObjects(f.Maui)
		}
		for _, s := range f.Partitions {
			l.hint(
				"partition_weights",
				s.Span,
				"%s[%s] changes reports alone, in the manual it ranks the jobs of that partition",
				s.Name,
				s.Partition,
			)
		}
	}
}

func (l *lowering) hint(deviation string, at source.Span, format string, args ...any) {
	if l.opt.Documented(deviation) {
		return
	}
	l.diags.Infof("deviation-matters", at, format, args...).
		Note("--deviation %s, or deviations = [%q] in a policy, follows the manual", deviation, deviation)
}

// isSet reports a parameter that the site set to something else than zero.
func (l *lowering) isSet(name string) (*ir.Param, bool) {
	p := l.params.by[name]
	return p, p != nil && !p.Set.IsZero() && (p.Value.Int != 0 || p.Value.Double != 0)
}

// componentTerms are the weights of a component's terms, for the components whose own
// weight has another default in the manual. USAGEWEIGHT ranks no waiting job.
var componentTerms = map[string]string{
	"FSWEIGHT":     "FSUSERWEIGHT FSGROUPWEIGHT FSACCOUNTWEIGHT FSQOSWEIGHT FSCLASSWEIGHT",
	"RESWEIGHT":    "NODEWEIGHT PROCWEIGHT MEMWEIGHT SWAPWEIGHT DISKWEIGHT PSWEIGHT PEWEIGHT WALLTIMEWEIGHT",
	"TARGETWEIGHT": "TARGETQUEUETIMEWEIGHT TARGETXFACTORWEIGHT",
}

func (l *lowering) hintWeights() {
	for _, name := range []string{"UPROCWEIGHT", "UJOBWEIGHT"} {
		if p, ok := l.isSet(name); ok {
			l.hint("user_activity", p.Set, "%s has no effect, in the manual it weighs what the user has running", name)
		}
	}
	for _, component := range []string{"FSWEIGHT", "RESWEIGHT", "TARGETWEIGHT"} {
		if c := l.params.by[component]; !c.Set.IsZero() {
			continue
		}
		for _, name := range strings.Fields(componentTerms[component]) {
			if p, ok := l.isSet(name); ok {
				l.hint(
					"component_weight_defaults",
					p.Set,
					"%s counts because %s is 1 if unset, in the manual it is 0",
					name,
					component,
				)
				break
			}
		}
	}
}

func (l *lowering) hintCaps() {
	for _, c := range [][2]string{{"SERVICEWCAP", "SERVICEWEIGHT"}, {"TARGETCAP", "TARGETWEIGHT"},
		{"CREDCAP", "CREDWEIGHT"}, {"FSCAP", "FSWEIGHT"}, {"RESCAP", "RESWEIGHT"}} {
		capped, ok := l.isSet(c[0])
		weight := l.params.by[c[1]].Value.Int
		if ok && (capped.Value.Int > 0 || capped.Value.Double > 0) && weight > 1 {
			l.hint(
				"component_cap",
				capped.Set,
				"%s applies before %s, in an example of the manual after it",
				c[0],
				c[1],
			)
		}
	}
	for _, p := range l.params.list {
		if whole, _, fraction := strings.Cut(p.Raw, "."); fraction && whole != "" && mauicfg.FractionInManual(p.Name) {
			l.hint("fractional_caps", p.Set, "the fraction of %s is cut off, in the manual it counts", p.Name)
		}
	}
}

func (l *lowering) hintBackfill() {
	if p := l.params.by["BACKFILLPOLICY"]; p.Value.Str == "GREEDY" {
		l.hint("greedy_backfill", p.Set, "BACKFILLPOLICY GREEDY starts no job, in the manual the best combination")
	}
}

func (l *lowering) hintObjects(cfg *mauicfg.Config) {
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		switch o.Family {
		case "CLASSCFG":
			if o.Index == "DEFAULT" && len(o.Attrs) > 0 {
				l.hint(
					"class_default",
					o.Attrs[0].Span,
					"CLASSCFG[DEFAULT] is a class of that name, in the manual the default of all classes",
				)
			}
		case "QOSCFG":
			l.hintQOS(o)
		case "SRCFG":
			start := o.Attr("STARTTIME", "")
			if p := o.Attr("PERIOD", ""); p != nil && p.Value.Text == "WEEK" && start != nil {
				l.hint(
					"weekly_reservation",
					start.Span,
					"STARTTIME of a weekly reservation is ignored, in an example of the manual it counts",
				)
			}
		}
		l.hintNegative(o)
	}
	for _, g := range cfg.Ignored {
		if g.Name == "BACKFILLMETRIC" && (g.Raw == "PE" || g.Raw == "PESECONDS") {
			l.hint("backfill_metric", g.Span, "BACKFILLMETRIC %s is not taken, in the manual it is a metric", g.Raw)
		}
	}
}

func (l *lowering) hintQOS(o *mauicfg.Object) {
	if a := o.Attr("QTTARGET", ""); a != nil && a.Value.Int > 0 {
		if _, weighed := l.isSet("TARGETQUEUETIMEWEIGHT"); weighed {
			l.hint(
				"queue_time_target",
				a.Span,
				"any QTTARGET makes its term 1e8 at once, in the manual it grows as the target nears",
			)
		}
	}
	if a := o.Attr("QFLAGS", ""); a != nil {
		for _, flag := range maui.UnsetFlags {
			if slices.Contains(a.Value.List, flag) {
				l.hint("qos_flags", a.Span, "%s is never set, in the manual it is a flag like others", flag)
			}
		}
	}
}

// hintNegative: what becomes of negative priorities has another default in the manual.
func (l *lowering) hintNegative(o *mauicfg.Object) {
	a := o.Attr("PRIORITY", "")
	enabled, reject := l.params.by["ENABLENEGJOBPRIORITY"], l.params.by["REJECTNEGPRIOJOBS"]
	if a != nil && a.Value.Int < 0 && enabled.Value.Int == 0 && reject.Set.IsZero() {
		l.hint(
			"reject_negative_default",
			a.Span,
			"a job whose priority falls below 1 gets 1, with the manual's default of REJECTNEGPRIOJOBS it may not "+
				"start",
		)
	}
}

// systemWalltime is the limit of jobs for which neither they nor their QOS or class state
// one, where the manual's parameter for it counts. The program has no such parameter.
func (l *lowering) systemWalltime() {
	const column schema.ColumnID = "partition.walltime_default_seconds"
	p := l.params.by["SYSTEMDEFAULTJOBWALLTIME"]
	if l.family != "maui" || p == nil || l.tables.row(column, "DEFAULT") != nil {
		return
	}
	l.tables.setOthers(column, ir.TableRow{Value: p.Value, Span: p.Set, Source: p.Name})
}
