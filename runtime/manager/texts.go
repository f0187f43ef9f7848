package manager

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// readWhole reads what commands printed. What cannot be read of a job makes all of it doubtful: half a record may be
// that of a job that would then seem to have gone.
func readWhole(t snapshot.Texts) (*snapshot.Snapshot, error) {
	s, diags, err := snapshot.Read(t, slices.Sorted(maps.Keys(t)), snapshot.Options{})
	if err != nil {
		return nil, err
	}
	for _, source := range s.Sources {
		if source.Bad > 0 {
			for _, d := range diags {
				if d.Code == "snapshot-bad-record" {
					return nil, fmt.Errorf("%s: %d records cannot be read, the first: %s", source.Name, source.Bad, d.Message)
				}
			}
			return nil, fmt.Errorf("%s: %d records cannot be read", source.Name, source.Bad)
		}
	}
	for _, d := range diags {
		if d.Severity == diag.Error {
			name := ""
			if d.Span.File != nil {
				name = d.Span.File.Name + ": "
			}
			return nil, errors.New(name + d.Message)
		}
	}
	return s, nil
}
