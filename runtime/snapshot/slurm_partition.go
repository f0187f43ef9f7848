package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// Partitions, reservations and licences are mostly what their fields say.

var (
	partitionFields   = fieldsOf("partition")
	reservationFields = fieldsOf("reservation")
)

var (
	partitionName    = partitionFields.slot("partition.name")
	partitionWeights = partitionFields.slot("partition.billing_weights")

	reservationName    = reservationFields.slot("reservation.name")
	reservationStart   = reservationFields.slot("reservation.start_time")
	reservationEnd     = reservationFields.slot("reservation.end_time")
	reservationTRES    = reservationFields.slot("tres")
	reservationProcs   = reservationFields.slot("reservation.procs")
	reservationFlagged = reservationFields.slot("reservation.flags")
)

var (
	slurmPartition = &slurmObject{
		fields: partitionFields, rows: credentialRows("partition"), settle: settlePartition,
		key: "PartitionName", noun: "partition", none: "No partitions in the system",
	}
	slurmReservation = &slurmObject{
		fields: reservationFields, rows: (*input).reservations, settle: settleReservation,
		key: "ReservationName", noun: "reservation", none: "No reservations in the system", empty: true,
	}
	slurmLicense = &slurmObject{
		fields: fieldsOf("license"), rows: (*input).licenses,
		key: "LicenseName", noun: "licence", none: "No licenses configured in Slurm", empty: true,
	}
)

func credentialRows(object string) func(*input) *column.Builder {
	return func(in *input) *column.Builder { return in.credentials(object) }
}

func settlePartition(_ *slurmRows, r *slurmRecord) error {
	r.setText(partitionWeights, r.text(partitionWeights))
	return nil
}

func settleReservation(_ *slurmRows, r *slurmRecord) error {
	start, end := r.get(reservationStart), r.get(reservationEnd)
	if start.Known() && end.Known() && end.Int <= start.Int {
		return fieldError("EndTime", "reservation %s ends before it begins", r.text(reservationName))
	}
	if procs, ok := r.tres(reservationTRES).Get("cpu"); ok {
		r.setInt(reservationProcs, procs)
	}
	r.setList(reservationFlagged, r.list(reservationFlagged))
	return nil
}

// textFlags are the flags of a reservation in small letters; text has them joined by commas, JSON as a list or joined.
func textFlags(text string) (schema.Value, error) {
	if isOpen(text) {
		text = ""
	}
	return flagWords(strings.Split(text, ",")), nil
}

func (c *slurmJSON) reservationFlags(path string) (schema.Value, error) {
	if c.peek() == '"' {
		w, err := c.words(path)
		return flagWords(strings.Split(w.Str, ",")), err
	}
	list, err := c.wordList(path, nil)
	return flagWords(list), err
}

func flagWords(words []string) schema.Value {
	var list []string
	for _, word := range words {
		word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(word)), "=") // purge_comp=00:05:00
		if word != "" {
			list = append(list, word)
		}
	}
	return schema.ListValue(list)
}

func recognizeReservationsJSON(h *head) int { return recognizeListAndMeta(h, "reservations") }
func recognizeLicensesJSON(h *head) int     { return recognizeListAndMeta(h, "licenses") }

func recognizeListAndMeta(h *head, list string) int {
	if h.json.keys[list] && h.json.keys["meta"] {
		return certain
	}
	return foreign
}
