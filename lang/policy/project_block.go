package policy

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Project is a project block. What is not set is a Text that says so.
type Project struct {
	SlurmVersion, FailOn Text
	Files, Snapshots     []Text
	Policies             []ProjectPolicy
	Severities           []ProjectSeverity
	Ignores              []ProjectIgnore
	Span                 source.Span
}

// ProjectPolicy is one of several clusters.
type ProjectPolicy struct {
	Name, SlurmVersion Text
	Files              []Text
	Span               source.Span
}

// ProjectSeverity changes what the findings of a rule are called.
type ProjectSeverity struct{ Rule, Level Text }

// ProjectIgnore leaves the findings of a rule out.
type ProjectIgnore struct {
	Rule, Reason, Until Text
	Files               []Text
	Span                source.Span
}

// project decodes a project block.
func (e *evaluator) project(n *node) *Project {
	p := &Project{
		SlurmVersion: n.text("slurm_version"), FailOn: n.text("fail_on"), Files: n.texts("files"),
		Snapshots: n.texts("snapshot"), Span: n.span,
	}
	e.named(append(append([]Text{p.SlurmVersion}, p.Files...), p.Snapshots...))
	for _, b := range n.blocks {
		switch b.doc.ID {
		case "project/policy":
			one := ProjectPolicy{Name: b.name, SlurmVersion: b.text("slurm_version"), Files: b.texts("files"),
				Span: b.span}
			if e.needsFiles(b, one.Files) {
				e.named(append([]Text{one.SlurmVersion}, one.Files...))
			}
			p.Policies = append(p.Policies, one)
		case "project/severity":
			if e.needs(b, "level") {
				p.Severities = append(p.Severities, ProjectSeverity{b.name, b.text("level")})
			}
		case "project/ignore":
			one := ProjectIgnore{Rule: b.name, Reason: b.text("reason"), Until: b.text("until"),
				Files: b.texts("files"), Span: b.span}
			if e.needs(b, "reason") {
				e.named(append([]Text{one.Reason, one.Until}, one.Files...))
				if strings.TrimSpace(one.Reason.Value) != "" {
					p.Ignores = append(p.Ignores, one)
				}
			}
		}
	}
	return p
}
