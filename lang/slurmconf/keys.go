package slurmconf

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// known looks a key up and says everything there is to say about the key
// itself. It returns nil when the pair has no effect in this version. Beside it are the pairs of its record.
func (e *evaluator) known(record string, pair Pair, beside []Pair) *stdlib.Param {
	key, p := pair.Key, Known(record, pair.Key.Text)
	switch {
	case p == nil:
		e.unknownKey(record, key)
	case p.Type == "directive":
		e.ds.Errorf("slurm-include", key.Span, "%s takes no equals sign", p.Name).Note("write: Include path/to/file.conf")
	case before(e.version, p.Since):
		e.ds.Errorf("slurm-newer-key", key.Span, "%s is known from %s on, not in %s", p.Name, p.Since, e.version).
			Note("Slurm %s refuses the whole file; delete the key or read it for a newer version", e.version)
	case !Exists(p, e.version):
		d := e.ds.Errorf("slurm-removed-key", key.Span, "%s was removed in %s", p.Name, p.Until).
			Note("Slurm %s refuses the whole file", e.version)
		e.instead(d, p)
	case effectiveIn(p, "defunct", e.version):
		e.ds.Infof("slurm-defunct-key", key.Span, "%s has no effect any more", p.Name).
			Note("Slurm logs it and goes on; delete the line")
	case e.fatal(p, pair):
	case p.Effective == "deprecated" && e.hasSuccessor(p):
		d := e.ds.Infof("slurm-deprecated-key", key.Span, "%s", oldName(p))
		switch {
		case e.oldController(d, p):
		case slices.ContainsFunc(beside, func(o Pair) bool { return strings.EqualFold(o.Key.Text, p.ReplacedBy) }):
			d.Note("delete it: %s is there too", p.ReplacedBy)
			d.Suggest(pairSpan(pair), "")
		default:
			e.instead(d, p)
		}
		return p
	default:
		return p
	}
	return nil
}

// pairSpan is a pair with the blanks before it.
func pairSpan(pair Pair) source.Span {
	start, end := int(pair.Key.Span.Start), int(max(pair.Key.Span.End, pair.Value.Span.End))
	for text := pair.Key.Span.File.Text; start > 0 && (text[start-1] == ' ' || text[start-1] == '\t'); {
		start--
	}
	if text := pair.Key.Span.File.Text; end < len(text) && text[end] == '"' {
		end++
	}
	return pair.Key.Span.File.Span(start, end)
}

// hasSuccessor reports whether this version already knows what replaces p.
// A replacement may be Key, Key=word, or several names with a slash.
func (e *evaluator) hasSuccessor(p *stdlib.Param) bool {
	name, _, _ := strings.Cut(p.ReplacedBy, "=")
	name, _, _ = strings.Cut(name, "/")
	q := Known(p.Record, name)
	return !before(e.version, p.NewSince) && (q == nil || Exists(q, e.version))
}

// oldName says what an old key is; Slurm takes it all the same.
func oldName(p *stdlib.Param) string {
	if Known(p.Record, p.ReplacedBy) != nil {
		return p.Name + " is an old name of " + p.ReplacedBy
	}
	return p.Name + " is an old key"
}

// oldController says how the old keys of controllers are written today, where another name for the key alone would mean
// something else: each SlurmctldHost is one more controller, the first of them the primary, with its address after it.
func (e *evaluator) oldController(d *diag.Diagnostic, p *stdlib.Param) bool {
	switch {
	case d == nil:
		return false
	case p.Name == "ControlAddr", p.Name == "BackupAddr":
		host := map[string]string{"ControlAddr": "ControlMachine", "BackupAddr": "BackupController"}[p.Name]
		d.Note("the address comes after the host of %s: SlurmctldHost=HOST(ADDRESS)", host)
	case p.Name == "BackupController":
		d.Note("use a second line SlurmctldHost, after that of the primary controller")
	case p.Name == "ControlMachine" && e.moreOfControllers:
		d.Note("use SlurmctldHost=HOST or SlurmctldHost=HOST(ADDRESS), before the lines of backups")
	default:
		return false
	}
	return true
}

// oldControllers are the keys besides ControlMachine that are SlurmctldHost today.
func oldControllers(l *Line) bool {
	return slices.ContainsFunc(l.Pairs, func(p Pair) bool {
		return slices.ContainsFunc([]string{"ControlAddr", "BackupController", "BackupAddr"},
			func(name string) bool { return strings.EqualFold(name, p.Key.Text) })
	})
}

// instead says what to write for a key, if this release knows it.
func (e *evaluator) instead(d *diag.Diagnostic, p *stdlib.Param) {
	if d == nil {
		return // one of too many
	}
	if p.ReplacedBy == "" || !e.hasSuccessor(p) {
		d.Note("delete the key")
		return
	}
	d.Note("use %s", strings.ReplaceAll(p.ReplacedBy, "/", " and "))
	if q := Known(p.Record, p.ReplacedBy); q != nil {
		d.Suggest(d.Span, q.Name)
	}
}

// fatal covers keys that still parse but stop slurmctld (read_config.c,
// _validate_and_set_defaults). FastSchedule=1 and a boolean that is off are what
// the program does anyway, so they are only logged.
func (e *evaluator) fatal(p *stdlib.Param, pair Pair) bool {
	if !effectiveIn(p, "fatal", e.version) {
		return false
	}
	if p.Name == "FastSchedule" && pair.Value.Text == "1" {
		e.instead(e.ds.Infof("slurm-defunct-key", pair.Key.Span, "%s has no effect any more", p.Name), p)
		return true
	}
	if p.Type == "bool" {
		if on, err := parseBool(pair.Value.Text); err == nil && !on {
			e.instead(e.ds.Infof("slurm-defunct-key", pair.Key.Span, "%s has no effect any more", p.Name), p)
			return true
		}
	}
	e.instead(e.ds.Errorf("slurm-fatal-setting", pair.Key.Span, "%s=%s keeps slurmctld from starting", p.Name,
		pair.Value.Text), p)
	return true
}

// unknownKey says where the key belongs, if anywhere, before it guesses at a
// spelling: a record key at the start of a line is mostly a lost backslash.
func (e *evaluator) unknownKey(record string, key Word) {
	d := e.ds.Errorf("slurm-unknown-key", key.Span, "%s is no key of %s", key.Text, where(record)).
		Note("Slurm refuses the whole file because of it")
	if d == nil {
		return // one of too many: no search for a better name
	}
	switch kinds := recordsWith(key.Text); {
	case strings.EqualFold(key.Text, "JobDefaults"):
		d.Note("scontrol shows two keys under this name: write DefCpuPerGPU=N or DefMemPerGPU=N")
	case record == "global" && len(kinds) > 0:
		d.Note("%s belongs on a %s line; is a backslash missing at the end of the line before?", key.Text,
			strings.Join(kinds, " or "))
	case record != "global" && Known("global", key.Text) != nil:
		d.Note("%s is a global key and takes a line of its own", key.Text)
	case Elsewhere(key.Text) != "":
		d.Note("%s is set %s", key.Text, Elsewhere(key.Text))
	default:
		d.DidYouMean(key.Span, key.Text, names(record, e.version))
	}
}

func where(record string) string {
	if record == "global" {
		return "slurm.conf"
	}
	return "a " + record + " line"
}

// swallows reports an empty value that took the next pair: blanks after the
// equals sign are skipped, so Features= Weight=5 stores Features="Weight=5".
func swallows(record string, pair Pair) bool {
	key, _, ok := strings.Cut(pair.Value.Text, "=")
	return ok && pair.Value.Span.Start > pair.Op.Span.End && (Known(record, key) != nil || Known("global", key) != nil)
}

func (e *evaluator) swallowed(record string, pair Pair) {
	if !swallows(record, pair) {
		return
	}
	at := pair.Op.Span.Sub(len(pair.Op.Span.Text()), len(pair.Op.Span.Text()))
	e.ds.Errorf("slurm-swallowed-value", pair.Value.Span, "%s has no value and swallows %s", pair.Key.Text,
		pair.Value.Text).
		Note("write %s=\"\" for an empty value, or delete the key", pair.Key.Text).Suggest(at, `""`)
}
