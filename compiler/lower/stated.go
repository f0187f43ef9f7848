package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

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
