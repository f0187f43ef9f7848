package snapshot

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
)

// merge adds what another input knows.
func merge(s *format.Snapshot, o *format.Snapshot, p column.Precedence) {
	if o.Certainty > s.Certainty ||
		(p == column.LaterWins && o.Certainty == s.Certainty && o.Certainty != format.NowUnknown) {
		s.Now, s.Certainty = o.Now, o.Certainty
	}
	if s.Accounting && o.Accounting && o.Certainty == s.Certainty && o.Certainty == format.NowRecorded {
		s.Now = max(s.Now, o.Now) // of several logs, the last line of the last
	}
	s.Family = chosen(s.Family, o.Family, p)
	s.Version = chosen(s.Version, o.Version, p)
	if s.Until == "" || o.Until != "" && o.Until < s.Until {
		s.Until = o.Until
	}
	s.Cluster = chosen(s.Cluster, o.Cluster, p)
	slurm.Merge(s, o)
	s.Jobs = column.Join(s.Jobs, o.Jobs, "job.id", p)
	s.Nodes = column.Join(s.Nodes, o.Nodes, "node.id", p)
	s.Reservations = column.Join(s.Reservations, o.Reservations, "reservation.name", p)
	s.Licenses = column.Join(s.Licenses, o.Licenses, "license.name", p)
	for _, name := range format.SortedKeys(o.Credentials) {
		if s.Credentials == nil {
			s.Credentials = map[string]*column.Table{}
		}
		s.Credentials[name] = column.Join(s.Credentials[name], o.Credentials[name], schema.ColumnID(name+".name"), p)
	}
	// A job is in sprio once per partition, so its rows have no single key
	// to join by: one recording is taken whole.
	if o.Sprio != nil && (s.Sprio == nil || p == column.LaterWins) {
		s.Sprio = o.Sprio
	}
	s.Usage = format.MergeUsage(s.Usage, o.Usage, p)
	if s.UsageFiles == nil {
		s.UsageFiles = map[int64]string{}
	}
	for start, name := range o.UsageFiles {
		s.UsageFiles[start] = chosen(s.UsageFiles[start], name, p)
	}
	s.Sources = append(s.Sources, o.Sources...)
	s.Captures = append(s.Captures, o.Captures...)
}

func chosen(have, other string, p column.Precedence) string {
	if have == "" || (other != "" && p == column.LaterWins) {
		return other
	}
	return have
}

// HasUsage reports whether an input states what was used: files of windows, or usage of associations.
func HasUsage(s *format.Snapshot) bool {
	return len(s.Usage) > 0 || s.Credentials["association"].Column("association.usage_seconds") != nil
}

// Add adds what another input knows, and replaces what both state.
func Add(s, other *format.Snapshot) { merge(s, other, column.LaterWins) }
