package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
)

// modelSettings are the settings that a fairshare model reads. A block of the language takes those of
// all models.
func modelSettings(model string) []string {
	var names []string
	switch {
	case model == "windows":
		for _, p := range windowParams {
			names = append(names, p.name)
		}
		names = append(names, "ratio")
	case slices.Contains(treeModels, model):
		names = append(names, "usage")
		for _, p := range treeParams {
			names = append(names, p.name)
		}
	}
	return names
}

// knownSettings refuses what a model would not look at.
func (l *lowering) knownSettings(f policy.Fairshare) {
	names := modelSettings(f.Name)
	if names == nil {
		return // no such model: check says so
	}
	for _, s := range f.Settings {
		if slices.Contains(names, s.Name) {
			// of windows check says it
			if n := asType(s.Value, schema.Double); n.Type == schema.Double && n.Double < 0 && f.Name != "windows" {
				l.diags.Errorf("fairshare-setting", s.Span, "%s of %s is negative", s.Name, f.Name).
					Note("write a number from 0")
			}
			continue
		}
		d := l.diags.Errorf("fairshare-setting", s.Span, "the fairshare model %s has no setting %s", f.Name, s.Name)
		d.Note("it has %s", strings.Join(names, ", "))
		if i := slices.IndexFunc(append([]string{"windows"}, treeModels...), func(other string) bool {
			return slices.Contains(modelSettings(other), s.Name)
		}); i >= 0 {
			d.Note("%s is a setting of %s", s.Name, append([]string{"windows"}, treeModels...)[i])
		}
	}
}

// targetNumber refuses a target that no usage can reach or keep. Of a maui.cfg, which may have one,
// its hints say what it does.
func (l *lowering) targetNumber(c *policy.Credential, s policy.Setting) bool {
	f := asType(s.Value, schema.Double).Double
	if f >= 0 {
		return true
	}
	d := l.diags.Errorf("fairshare-target", s.Span, "the fairshare %s %g of %s %s is negative", s.Name, f, c.Word,
		c.Name)
	if s.Name == "cap" || s.Name == "relative_cap" {
		d.Note("usage is never below 0, so no job of it could ever start; write a cap from 0, or a hold")
	} else {
		d.Note("write percent of all usage, above 0")
	}
	return false
}
