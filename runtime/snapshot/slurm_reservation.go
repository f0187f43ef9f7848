package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/column"
)

// slurmReservation is a reservation as text and JSON state it.
type slurmReservation struct {
	name                               string
	start, end                         optional[int64]
	hosts                              optional[[]string]
	tres                               optional[slurmtext.TRESList]
	users, groups, accounts, qos       optional[[]string]
	licenses, partition, state, flagAs optional[string]
	flags                              []string
}

// addSlurmReservation writes a reservation.
func addSlurmReservation(in *input, r *slurmReservation) error {
	switch {
	case r.name == "":
		return fieldError("ReservationName", "the record names no reservation")
	case r.start.known && r.end.known && r.end.value <= r.start.value:
		return fieldError("EndTime", "reservation %s ends before it begins", r.name)
	}
	in.record()
	b := in.reservations()
	b.Row()
	b.String("reservation.name", r.name)
	if r.start.known {
		b.Time("reservation.start_time", r.start.value)
	}
	if r.end.known {
		b.Time("reservation.end_time", r.end.value)
	}
	setList(b, "reservation.hosts", r.hosts)
	if procs, ok := r.tres.value.Get("cpu"); ok {
		b.Int("reservation.procs", procs)
	}
	setString(b, "reservation.licenses", r.licenses)
	setList(b, "reservation.users", r.users)
	setList(b, "reservation.groups", r.groups)
	setList(b, "reservation.accounts", r.accounts)
	setList(b, "reservation.qoses", r.qos)
	setString(b, "reservation.partition", r.partition)
	setString(b, "reservation.state", r.state)
	setFlags(b, r)
	return nil
}

// setFlags writes flags in small letters; text has them joined by commas, JSON as a list or joined.
func setFlags(b *column.Builder, r *slurmReservation) {
	var list []string
	for _, word := range append(r.flags, strings.Split(r.flagAs.value, ",")...) {
		word, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(word)), "=") // purge_comp=00:05:00
		if word != "" {
			list = append(list, word)
		}
	}
	b.List("reservation.flags", list)
}

func recognizeScontrolReservation(h *head) int {
	return max(startsWith(h, "ReservationName="), startsWith(h, noReservations))
}

// noReservations is what scontrol says of a cluster without any.
const noReservations = "No reservations in the system"

// readScontrolReservation reads `scontrol show reservation`, as blocks or with -o.
func readScontrolReservation(in *input) error {
	in.snapshot.Family = "slurm"
	in.reservations()
	eachPairsRecord(in.text, "ReservationName", func(p *pairsRecord) {
		r, err := scontrolReservation(in, p)
		if err == nil {
			err = addSlurmReservation(in, r)
		}
		if err != nil {
			in.badPairs(p, err)
		}
	})
	return nil
}

func scontrolReservation(in *input, p *pairsRecord) (r *slurmReservation, err error) {
	r = &slurmReservation{}
	for _, pair := range p.pairs {
		switch pair.key {
		case "ReservationName":
			r.name = pair.value
		case "StartTime":
			r.start, err = textTime(pair.value, in.options.Location)
		case "EndTime":
			r.end, err = textTime(pair.value, in.options.Location)
		case "Nodes":
			r.hosts, err = textHosts(pair.value)
		case "TRES":
			r.tres, err = textTRES(pair.value)
		case "Users":
			r.users = textList(pair.value)
		case "Groups":
			r.groups = textList(pair.value)
		case "Accounts":
			r.accounts = textList(pair.value)
		case "AllowedQOS", "QOS":
			r.qos = textList(pair.value)
		case "Licenses":
			r.licenses = textString(pair.value)
		case "PartitionName":
			r.partition = textString(pair.value)
		case "State":
			r.state = textString(pair.value)
		case "Flags":
			r.flagAs = textString(pair.value)
		}
		if err != nil {
			return nil, fieldError(pair.key, "%s", err)
		}
	}
	return r, nil
}

func recognizeReservationsJSON(h *head) int {
	if h.json.keys["reservations"] && h.json.keys["meta"] {
		return certain
	}
	return foreign
}

// reservations reads the list of scontrol show reservation --json and slurmrestd.
func (c *slurmJSON) reservations(in *input) error {
	in.reservations()
	var r slurmReservation
	return c.records(in, func(key []byte) (err error) {
		switch string(key) {
		case "name":
			var w optional[string]
			w, err = c.words("name")
			r.name = w.value
		case "start_time":
			r.start, err = c.epoch("start_time")
		case "end_time":
			r.end, err = c.epoch("end_time")
		case "node_list":
			r.hosts, err = c.hosts("node_list")
		case "tres":
			r.tres, err = c.tres("tres")
		case "users":
			r.users, err = c.commaList("users")
		case "groups":
			r.groups, err = c.commaList("groups")
		case "accounts":
			r.accounts, err = c.commaList("accounts")
		case "qos":
			r.qos, err = c.commaList("qos")
		case "licenses":
			r.licenses, err = c.words("licenses")
		case "partition":
			r.partition, err = c.words("partition")
		case "flags":
			if c.peek() == '"' {
				r.flagAs, err = c.words("flags")
			} else {
				r.flags, err = c.wordList("flags", nil)
			}
		}
		return err
	}, func() { r = slurmReservation{} }, func() error { return addSlurmReservation(in, &r) })
}
