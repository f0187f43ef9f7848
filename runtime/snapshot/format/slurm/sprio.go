package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// sprio is the only output that has the site factor and the factors of each
// partition of a job. It prints them weighted (a whole number) or normalised
// (with decimals), and a format may ask for both under the same header.
//
// Columns: sprio.id (as job.id), sprio.user, sprio.account, sprio.partition_name,
// sprio.qos_name; sprio.priority, .site, .nice; and for age, assoc,
// fairshare, job_size, partition, qos and tres(NAME) the weighted value under that
// name and the normalised one under NAME_norm (tres_norm(NAME)).

func RecognizeSprio(h *format.Head) int {
	t := tableHeader(h.Text, "JOBID", "PRIORITY")
	if t == nil {
		return format.Foreign
	}
	if slices.ContainsFunc([]string{"SITE", "AGE", "FAIRSHARE", "JOBSIZE", "ASSOC"}, t.has) {
		return format.Certain
	}
	return format.Foreign
}

// sprioColumns says what each header is; a factor is weighted or normalised.
var sprioColumns = map[string]struct {
	name   string
	factor bool
}{
	"USER": {"user", false}, "ACCOUNT": {"account", false}, "QOSNAME": {"qos_name", false}, "QOS_NAME": {"qos_name",
		false},
	"PRIORITY": {"priority", true}, "SITE": {"site", true}, "ADMIN": {"site", true}, "NICE": {"nice", true},
	"AGE": {"age", true}, "ASSOC": {"assoc", true}, "FAIRSHARE": {"fairshare", true}, "JOBSIZE": {"job_size", true},
	"PARTITION": {"partition", true}, "QOS": {"qos", true},
}

// ReadSprio reads sprio with -l, -n, -o or none of them. The row of weights
// (-w) is policy and no part of a snapshot.
func ReadSprio(in *format.Input) error {
	in.Snapshot.Family = "slurm"
	t := tableHeader(in.Text, "JOBID", "PRIORITY")
	t.rows(in.Text, func(r *tableRow) {
		if r.cells[0] == "Weights" {
			in.InfoOnce("snapshot-nothing-used", "weights", r.start, r.end,
				"the weights of sprio -w are no part of a snapshot").
				Note("they come from the policy: slurm.conf or scontrol show config")
			return
		}
		if r.cells[0] == "JOBID" {
			return // printed again for the next set of jobs
		}
		s, err := t.sprioRow(r)
		if err != nil {
			badRow(in, r.start, r.end, err)
			return
		}
		in.Record()
		b := in.Sprio()
		b.Row()
		for _, f := range s.words {
			b.String(format.SprioColumn(f.name), f.text)
		}
		for _, f := range s.numbers {
			b.Double(format.SprioColumn(f.name), f.value)
		}
	})
	return nil
}

// sprioFields are the cells of a row under the names of their columns.
type sprioFields struct {
	words   []sprioWord
	numbers []sprioNumber
}

type sprioWord struct{ name, text string }

type sprioNumber struct {
	name  string
	value float64
}

// sprioRow reads a row. Without separators the cells are as many as the header's,
// less the last one when a job has no TRES factors.
func (t *slurmTable) sprioRow(r *tableRow) (*sprioFields, error) {
	if n := len(t.header) - len(r.cells); n > 1 || n < 0 || n == 1 && t.header[len(t.header)-1] != "TRES" {
		return nil, fieldError("row", "the row has %d cells where the header has %d", len(r.cells), len(t.header))
	}
	s := &sprioFields{}
	partitionNamed := false
	for i, cell := range r.cells {
		header := t.header[i]
		switch {
		case header == "JOBID":
			s.words = append(s.words, sprioWord{"id", cell})
		case header == "PARTITION" && !partitionNamed:
			partitionNamed = true
			s.words = append(s.words, sprioWord{"partition_name", cell})
		case header == "TRES":
			if err := s.tres(cell, !t.piped); err != nil {
				return nil, fieldError("TRES", "%s", err)
			}
		default:
			if err := s.field(header, cell); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// field reads a cell. Weighted values are printed without decimals and
// normalised ones with, which tells columns of the same header apart.
func (s *sprioFields) field(header, cell string) error {
	column, ok := sprioColumns[header]
	switch {
	case !ok || cell == "":
		return nil
	case !column.factor:
		s.words = append(s.words, sprioWord{column.name, cell})
		return nil
	}
	value, err := textDouble(cell)
	if err != nil {
		return fieldError(header, "%s", err)
	}
	name := column.name
	if strings.Contains(cell, ".") {
		name += "_norm"
	}
	if value.Known() {
		s.numbers = append(s.numbers, sprioNumber{name, value.Double})
	}
	return nil
}

// sprioTRESWidth is the width of the column in sprio's own formats; what is
// longer is cut there, so a cell of that width may lack its end.
const sprioTRESWidth = 20

// tres reads cpu=8,mem=43 or, normalised, cpu=0.01,mem=0.02.
func (s *sprioFields) tres(cell string, cut bool) error {
	if isOpen(cell) || cut && len(cell) >= sprioTRESWidth {
		return nil
	}
	prefix := "tres("
	if strings.Contains(cell, ".") {
		prefix = "tres_norm("
	}
	weights, err := slurmtext.ParseTRESWeights(cell)
	if err != nil {
		return err
	}
	for _, w := range weights {
		s.numbers = append(s.numbers, sprioNumber{prefix + w.Name + ")", w.Value})
	}
	return nil
}
