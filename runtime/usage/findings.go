package usage

import (
	"fmt"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// nowhere is the place of what no single text shows.
var nowhere source.Span

// Findings says what is to be known about the windows as a whole. An error means
// that they are not what was asked for.
func (r *Report) Findings() diag.List {
	var list diag.List
	ended := r.Runs - r.Running
	switch {
	case r.Usage == fairshare.DedicatedPESeconds && r.Cluster.Procs == 0:
		list.Errorf("usage-no-cluster", nowhere, "processor equivalents need the size of the machine").
			Note("add --nodes with what pbsnodes -a or scontrol show node says")
	case ended > 0 && r.Unmeasured == ended:
		list.Errorf("usage-no-cpu-time", nowhere, "none of %s has a processor time", howMany(ended, "finished job")).
			Note("it is in resources_used.cput of accounting logs and in TotalCPU of sacct; --usage DEDICATEDPS counts " +
				"processors")
	case r.Unmeasured > 0:
		list.Warnf("usage-partly-measured", nowhere, "%s of %d have no processor time", howMany(r.Unmeasured, "finished job"),
			ended).
			Note("they count with their processors, as in Maui")
	}
	if r.Overdue > 0 {
		list.Warnf("usage-overdue", nowhere, "%s without an end although the time limit is over", howMany(r.Overdue, "job")).
			Note("counted up to the limit; the log with the end may be missing")
	}
	switch current := r.Windows[0].StartTime; {
	case r.Runs == 0:
		list.Warnf("usage-no-runs", nowhere, "no job of the records ran between %s and %s",
			timeText(r.Windows[len(r.Windows)-1].StartTime), timeText(r.Now)).
			Note("%s", r.toldText())
	case r.Told.Known && r.Told.Last < current-r.IntervalSeconds:
		list.Warnf("usage-records-end", nowhere, "the records end %s, and now is %s", timeText(r.Told.Last), timeText(r.Now)).
			Note("later windows have only what still runs; give newer records, or --now for when these were taken")
	}
	for _, object := range r.Unnamed {
		note := "there is no usage for it"
		if object == "qos" {
			note += "; --policy maui.cfg gives each job the QOS that Maui would"
		}
		list.Infof("usage-unnamed-credential", nowhere, "no record names a %s", word(object)).Note("%s", note)
	}
	for _, n := range r.BadNames {
		list.Warnf("usage-unwritable-name", nowhere, "the %s %q has no line in the files", word(n.Object), n.Name).
			Note("names in them have no blanks and at most %d letters; it counts in the total", longestName)
	}
	return list
}

// Kept notes that a file stays as it is.
func Kept(list *diag.List, w *Window, d Decision) {
	why := "the records do not reach there"
	if w.Cover != None {
		why = "the records " + string(w.Cover)
	}
	list.Infof("usage-window-kept", nowhere, "%s is kept: %s", FileName(w.StartTime), d.Why).
		Note("%s; --force replaces it", why)
}

// IntervalDiffers notes a file of another window length.
func IntervalDiffers(list *diag.List, name string, has, want int64) {
	list.Errorf("usage-interval-differs", nowhere, "%s is a window of %d seconds, not of %d", name, has, want).
		Note("--interval is FSINTERVAL of the site's maui.cfg, --policy reads it from there; --force replaces such files")
}

func (r *Report) toldText() string {
	if !r.Told.Known {
		return "the records have no run at all"
	}
	return fmt.Sprintf("they tell of %s to %s", timeText(r.Told.First), timeText(r.Told.Last))
}

// word is Maui's word for a credential, as people say it.
func word(object string) string {
	switch object {
	case "partition":
		return "class"
	case "qos":
		return "QOS"
	}
	return object
}

func timeText(epochSeconds int64) string {
	return time.Unix(epochSeconds, 0).UTC().Format(time.RFC3339)
}

// howMany writes "1 job", "2 jobs".
func howMany(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
