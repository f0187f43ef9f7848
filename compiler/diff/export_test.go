package diff

// EnforcedFields and PlanFields are the fields that are compared, or that are reported elsewhere.
func EnforcedFields() []string { return fieldNames(enforcedFields) }

// PlanFields: see EnforcedFields.
func PlanFields() []string { return fieldNames(planFields) }

func fieldNames(list []field) []string {
	out := append([]string(nil), notFields...)
	for _, f := range list {
		out = append(out, f.name)
	}
	return out
}
