package replay

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"regexp"
	"slices"
)

// schedulerLog is Maui's log, in full recordings only.
const schedulerLog = "expected/maui.log.excerpt.gz"

var backfillStart = regexp.MustCompile(`MBF\w+: +job (\S+)\.0 started`)

// readBackfilled finds the jobs that backfill started: whether it or the priority pass starts a job
// depends on where the job fits, which is not the selection's business. A copy lists them; else
// the log tells, and, where that is cut short, the flags that checkjob printed.
func (r *Recording) readBackfilled() error {
	log, err := unpack(r.files, schedulerLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, m := range backfillStart.FindAllSubmatch(log, -1) {
		r.Backfilled = append(r.Backfilled, JobName(m[1]))
	}
	for _, id := range slices.Sorted(maps.Keys(r.CheckJob)) {
		if name := JobName(id); slices.Contains(r.CheckJob[id].Flags, "BACKFILL") && !slices.Contains(r.Backfilled, name) {
			r.Backfilled = append(r.Backfilled, name)
		}
	}
	return nil
}

func unpack(files fs.FS, name string) ([]byte, error) {
	packed, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}
