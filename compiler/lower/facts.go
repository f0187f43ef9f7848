package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/slurmfiles"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// knownWords lists the flags of a version, and what it knows under an old name. What several keys took over has none.
func knownWords(version string) (list []ir.Word) {
	for _, t := range []struct {
		table  stdlib.Table
		record string
		list   string
	}{{stdlib.SlurmParams, "global", ""}, {stdlib.SlurmScheduler, "SchedulerParameters", "SchedulerParameters"},
		{stdlib.SlurmPriorityFlags, "PriorityFlags", "PriorityFlags"}} {
		for _, row := range t.table.Params() {
			flag := t.list == "PriorityFlags" && row.Effective == "yes"
			if (flag || row.ReplacedBy != "" && !strings.ContainsAny(row.ReplacedBy, "/ ")) && row.Record == t.record &&
				slurmconf.Exists(&row, version) {
				now, _, _ := strings.Cut(
					row.ReplacedBy,
					">=",
				) // a word may be younger than its key, which is no part of its name
				list = append(list, ir.Word{List: t.list, Name: row.Name, Now: now})
			}
		}
	}
	return list
}

// facts joins what the files say, the scheduler's main file before its dumps.
func (l *lowering) facts() {
	out := &l.out.Facts
	for _, main := range []bool{true, false} {
		for _, f := range l.fronts {
			if (f.Base != "" || f.Written) == main {
				out.Records = append(out.Records, f.Facts.Records...)
				out.Refused = append(out.Refused, f.Facts.Refused...)
				out.Partial = out.Partial || f.Facts.Partial
				out.Dumped = out.Dumped || f.Facts.Dumped
				out.Clusters = append(out.Clusters, f.Facts.Clusters...)
			}
		}
	}
	if l.family == "slurm" {
		out.Words = knownWords(l.out.Version)
	}
	for _, p := range l.site {
		for i := range p.ParamDecls {
			d := &p.ParamDecls[i]
			read := false
			for _, other := range l.site {
				read = read || other.Mentions(append([]string{d.Name}, d.Aliases...))
			}
			out.Declared = append(out.Declared, ir.Declared{Name: d.Name, Read: read, Span: d.Span})
		}
	}
}

// Stated puts parameters from outside after the last line of the scheduler's own file, where they win over what
// comes before. Whoever writes the file anew then finds them there, and so does all that is made of it besides
// parameters, such as a plan's settings. Units without such a file stay as they are.
func Stated(units []Unit, params []ParamOverride) []Unit {
	units = slices.Clone(units)
	for i := range units {
		u := &units[i]
		for _, p := range params {
			name := "--param"
			if p.Span.File != nil {
				name = p.Span.File.Name
			}
			switch {
			case p.Typed.Known() || strings.ContainsAny(p.Value, "\r\n"): // it has no text of one line
			case u.Maui != nil:
				line, _ := mauicfg.Parse(source.NewFile(name, []byte(p.Name+" "+p.Value)))
				file := *u.Maui
				file.Included = append(slices.Clone(file.Included), line)
				u.Maui = &file
			case u.Slurm != nil:
				value := p.Value
				if strings.ContainsAny(value, " \t#") {
					value = `"` + value + `"`
				}
				lines, _ := slurmconf.Load(nil, name, source.NewFile(name, []byte(p.Name+"="+value)))
				u.Slurm = slices.Concat(u.Slurm, lines)
			}
		}
	}
	return units
}

// switchesOf are the switches of a topology.conf, in its order. What is wrong with it lint reports.
func switchesOf(f *source.File) (list []ir.Switch) {
	for _, s := range slurmfiles.Switches(f) {
		list = append(list, ir.Switch(s))
	}
	return list
}
