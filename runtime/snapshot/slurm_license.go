package snapshot

// slurmLicense is a licence as text and JSON state it.
type slurmLicense struct {
	name                                 string
	total, used, free, reserved, deficit optional[int64]
}

// addSlurmLicense writes a licence.
func addSlurmLicense(in *input, l *slurmLicense) error {
	if l.name == "" {
		return fieldError("LicenseName", "the record names no licence")
	}
	in.record()
	b := in.licenses()
	b.Row()
	b.String("license.name", l.name)
	setInt(b, "license.total", l.total)
	setInt(b, "license.used", l.used)
	setInt(b, "license.free", l.free)
	setInt(b, "license.reserved", l.reserved)
	setInt(b, "license.deficit", l.deficit)
	return nil
}

func recognizeScontrolLicense(h *head) int {
	return max(startsWith(h, "LicenseName="), startsWith(h, noLicenses))
}

// noLicenses is what scontrol says of a cluster without any.
const noLicenses = "No licenses configured in Slurm"

// readScontrolLicense reads `scontrol show license`, as blocks or with -o.
func readScontrolLicense(in *input) error {
	in.snapshot.Family = "slurm"
	in.licenses()
	eachPairsRecord(in.text, "LicenseName", func(p *pairsRecord) {
		l, err := &slurmLicense{}, error(nil)
		for _, pair := range p.pairs {
			switch pair.key {
			case "LicenseName":
				l.name = pair.value
			case "Total":
				l.total, err = textCount(pair.value)
			case "Used":
				l.used, err = textCount(pair.value)
			case "Free":
				l.free, err = textCount(pair.value)
			case "Reserved":
				l.reserved, err = textCount(pair.value)
			case "LastDeficit":
				l.deficit, err = textCount(pair.value)
			}
			if err != nil {
				err = fieldError(pair.key, "%s", err)
				break
			}
		}
		if err == nil {
			err = addSlurmLicense(in, l)
		}
		if err != nil {
			in.badPairs(p, err)
		}
	})
	return nil
}

func recognizeLicensesJSON(h *head) int {
	if h.json.keys["licenses"] && h.json.keys["meta"] {
		return certain
	}
	return foreign
}

// licenses reads the list of scontrol show license --json and slurmrestd.
func (c *slurmJSON) licenses(in *input) error {
	in.licenses()
	var l slurmLicense
	return c.records(in, func(key []byte) (err error) {
		switch string(key) {
		case "LicenseName":
			var w optional[string]
			w, err = c.words("LicenseName")
			l.name = w.value
		case "Total":
			l.total, err = c.integer("Total")
		case "Used":
			l.used, err = c.integer("Used")
		case "Free":
			l.free, err = c.integer("Free")
		case "Reserved":
			l.reserved, err = c.integer("Reserved")
		case "LastDeficit":
			l.deficit, err = c.integer("LastDeficit")
		}
		return err
	}, func() { l = slurmLicense{} }, func() error { return addSlurmLicense(in, &l) })
}
