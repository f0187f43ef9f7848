package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
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
	Partition = &slurmObject{
		fields: partitionFields, rows: credentialRows("partition"), settle: settlePartition,
		key: "PartitionName", noun: "partition", None: "No partitions in the system",
	}
	Reservation = &slurmObject{
		fields: reservationFields, rows: (*format.Input).Reservations, settle: settleReservation,
		key: "ReservationName", noun: "reservation", None: "No reservations in the system", empty: true,
	}
	License = &slurmObject{
		fields: fieldsOf("license"), rows: (*format.Input).Licenses,
		key: "LicenseName", noun: "licence", None: "No licenses configured in Slurm", empty: true,
	}
)

func credentialRows(object string) func(*format.Input) *column.Builder {
	return func(in *format.Input) *column.Builder { return in.Credentials(object) }
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
	if c.Peek() == '"' {
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

func RecognizeReservationsJSON(h *format.Head) int { return recognizeListAndMeta(h, "reservations") }
func RecognizeLicensesJSON(h *format.Head) int     { return recognizeListAndMeta(h, "licenses") }

func recognizeListAndMeta(h *format.Head, list string) int {
	if h.JSON.Keys[list] && h.JSON.Keys["meta"] {
		return format.Certain
	}
	return format.Foreign
}
