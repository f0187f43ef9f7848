package lower

import (
	"fmt"

	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// chooseVersion: what the command line or a policy file states wins over a comment in the scheduler's file, that over
// the site's project file, and that over the snapshot. Where none does, the front end finds the newest release that
// accepts the file.
func (l *lowering) chooseVersion(units []Unit) {
	snapshot := l.opt.SnapshotVersion
	if l.opt.Version == "" {
		if at := commented(units); !at.IsZero() {
			l.opt.Version, l.version = at.Text(), at
		}
	}
	if l.opt.Version == "" {
		l.opt.Version, l.version = l.opt.SiteVersion.Text, l.opt.SiteVersion.Span
	}
	if l.opt.Version == "" {
		l.opt.Version = snapshot
		return
	}
	stated, _ := slurmconf.Branch(l.opt.Version)
	if is, ok := slurmconf.Branch(snapshot); ok && snapshot != "" && is != stated && !l.version.IsZero() {
		l.diags.Infof("snapshot-version", l.version, "the policy is for Slurm %s, but the snapshot is of %s",
			l.opt.Version, snapshot).
			Note("the policy's version counts; delete it, or choose with --slurm-version")
	}
}

// commented is the release that a comment in the scheduler's files states.
func commented(units []Unit) source.Span {
	for _, u := range units {
		if u.Slurm == nil && u.Dump == nil {
			continue
		}
		for _, f := range append([]*source.File{u.Source}, slurmconf.Sources(u.Slurm)...) {
			if at := slurmconf.Stated(f); !at.IsZero() {
				return at
			}
		}
	}
	return source.Span{}
}

// versionNumber is how expressions see a version: 2205 for 22.05, 206 for 2.6.
func versionNumber(version string) int64 {
	var year, month int64
	if n, _ := fmt.Sscanf(version, "%d.%d", &year, &month); n != 2 {
		return 0
	}
	return year*100 + month
}
