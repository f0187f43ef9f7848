package report

import (
	"io"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/report/maui"
	"github.com/fairway-sched/fairway/runtime/report/slurm"
)

// View is one way to show a result.
type View struct {
	Name     string
	Doc      string
	Families []string // policies it can show; nil is any
	Terms    bool     // needs Result.Terms and Sums
	Windows  bool     // needs fairshare windows; Maui's policies always have some to show
	Tree     bool     // needs an account tree
	Whole    bool     // is about the whole queue, so that no jobs can be chosen
	Limits   bool     // shows no more than Options.Limit by itself
	Write    func(w io.Writer, r *evaluation.Result, o eval.Options) error
}

// Views lists what `eval --view` offers.
var Views = []View{
	{Name: "native", Doc: "Ranked jobs with what contributed most.", Limits: true, Write: eval.WriteTable},
	{Name: "checkjob", Doc: "As Maui's checkjob -v prints it, for one job or all.", Families: []string{"maui"},
		Write: maui.WriteCheckJob},
	{Name: "diagnose-f", Doc: "As Maui's diagnose -f prints it: fairshare of each credential.", Windows: true, Whole: true,
		Write: maui.WriteDiagnoseF},
	{Name: "diagnose-p", Doc: "As Maui's diagnose -p prints it.", Families: []string{"maui"}, Terms: true,
		Write: maui.WriteDiagnoseP},
	{Name: "diagnose-q", Doc: "As Maui's diagnose -q prints it: blocked jobs and why.", Families: []string{"maui"},
		Write: maui.WriteDiagnoseQ},
	{Name: "showq", Doc: "As Maui's showq prints it: active, idle and blocked jobs.", Families: []string{"maui"},
		Write: maui.WriteShowq},
	{Name: "sprio", Doc: "As Slurm's sprio prints it; long, normalised and weights as options.",
		Families: []string{"slurm"}, Terms: true, Write: slurm.WriteSprio},
	{Name: "sshare", Doc: "As Slurm's sshare -a prints it: shares and usage of each association; " +
		"long, parsable and with partitions as options.", Tree: true, Whole: true, Write: slurm.WriteSshare},
}

// Formats lists what `eval -o` offers here.
var Formats = []View{
	{Name: "csv", Doc: "One row for each job, one column for each term.", Write: eval.WriteCSV},
	{Name: "json", Doc: "The whole result, as eval.schema.json describes it.", Write: eval.WriteJSON},
	{Name: "jsonl", Doc: "One job object on each line; findings go elsewhere.", Write: eval.WriteJSONLines},
	{Name: "prom", Doc: "The queue in numbers, for the textfile collector of Prometheus.", Whole: true,
		Write: eval.WriteProm},
	{Name: "table", Doc: "The native view.", Limits: true, Write: eval.WriteTable},
}

// Named returns the view of that name; one that is not in the list is added to diags.
func Named(list []View, name string, diags *diag.List) *View {
	return form.Named(list, func(v View) string { return v.Name }, name, "view or format %q", diags)
}

// Find returns the view of that name if it can show r; what is in the way is
// added to diags.
func Find(list []View, name string, r *evaluation.Result, diags *diag.List) *View {
	v := Named(list, name, diags)
	if v == nil {
		return nil
	}
	if v.Families != nil && !slices.Contains(v.Families, r.Program.Family) {
		diags.Errorf("view-other-family", source.Span{}, "view %s cannot show policy %q", name, r.Program.Policy).
			Note("%s is for %s policies; use the native view", name, form.Joined(v.Families))
		return nil
	}
	if v.Windows && r.Windows == nil && !r.Facts.Windows {
		diags.Errorf("view-needs-windows", source.Span{}, "view %s shows fairshare windows, and policy %q has none", name,
			r.Program.Policy).
			Note("use the native view, or add a block to the policy: fairshare \"windows\" { interval = \"12h\" }")
		return nil
	}
	if v.Tree && r.Tree == nil {
		diags.Errorf("view-needs-tree", source.Span{}, "view %s shows an account tree, and there is none", name).
			Note("the policy must share by one, as Slurm's do, and an input must say what was used: the output of sshare -a " +
				"-l -P or of scontrol show assoc_mgr").
			Note("with --fairshare recorded nothing is computed")
		return nil
	}
	if v.Terms && (r.Terms == nil || r.Sums == nil) {
		diags.Errorf("view-needs-terms", source.Span{}, "view %s shows terms, and this result holds only priorities", name).
			Note("evaluate again with terms kept")
		return nil
	}
	return v
}

// FindJob returns the index of the job of that id.
func FindJob(r *evaluation.Result, id string, diags *diag.List) (job int, ok bool) {
	ids := make([]string, r.Jobs.Rows)
	for i := range ids {
		ids[i] = eval.JobText(r, "job.id", i)
		if ids[i] == id {
			return i, true
		}
	}
	d := diags.Errorf("explain-unknown-job", source.Span{}, "the snapshot has no job %q", id)
	d.Note("the snapshot has %d jobs", len(ids))
	d.DidYouMean(source.Span{}, id, ids)
	d.Fix = nil
	return 0, false
}
