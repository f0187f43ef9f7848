package snapshot

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// merge adds what another input knows.
func (s *Snapshot) merge(o *Snapshot, p precedence) {
	if o.certainty > s.certainty || (p == laterWins && o.certainty == s.certainty && o.certainty != nowUnknown) {
		s.Now, s.certainty = o.Now, o.certainty
	}
	if s.accounting && o.accounting && o.certainty == s.certainty && o.certainty == nowRecorded {
		s.Now = max(s.Now, o.Now) // of several logs, the last line of the last
	}
	s.Family = chosen(s.Family, o.Family, p)
	s.Version = chosen(s.Version, o.Version, p)
	s.Cluster = chosen(s.Cluster, o.Cluster, p)
	s.mergeSlurm(o)
	s.Jobs = join(s.Jobs, o.Jobs, "job.id", p)
	s.Nodes = join(s.Nodes, o.Nodes, "node.id", p)
	s.Reservations = join(s.Reservations, o.Reservations, "reservation.name", p)
	s.Licenses = join(s.Licenses, o.Licenses, "license.name", p)
	for _, name := range sortedKeys(o.Credentials) {
		if s.Credentials == nil {
			s.Credentials = map[string]*column.Table{}
		}
		s.Credentials[name] = join(s.Credentials[name], o.Credentials[name], schema.ColumnID(name+".name"), p)
	}
	// A job stands in sprio once per partition, so its rows have no single key
	// to join by: one recording is taken whole.
	if o.Sprio != nil && (s.Sprio == nil || p == laterWins) {
		s.Sprio = o.Sprio
	}
	s.Usage = mergeUsage(s.Usage, o.Usage, p)
	if s.usageFiles == nil {
		s.usageFiles = map[int64]string{}
	}
	for start, name := range o.usageFiles {
		s.usageFiles[start] = chosen(s.usageFiles[start], name, p)
	}
	s.Sources = append(s.Sources, o.Sources...)
	s.Captures = append(s.Captures, o.Captures...)
}

func chosen(have, other string, p precedence) string {
	if have == "" || (other != "" && p == laterWins) {
		return other
	}
	return have
}
