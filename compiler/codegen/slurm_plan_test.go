package codegen

import (
	"reflect"
	"testing"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Whatever the planner is to know of slurm.conf it is told.
func TestSlurmPlanIsWhole(t *testing.T) {
	var from ir.SlurmPlan
	for i, v := 0, reflect.ValueOf(&from).Elem(); i < v.NumField(); i++ {
		switch f := v.Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(i) + 1)
		case reflect.String:
			f.SetString(v.Type().Field(i).Name)
		default:
			t.Fatalf("%s is of a kind that this test does not set", v.Type().Field(i).Name)
		}
	}
	to := reflect.ValueOf(slurmPlan(&ir.Policy{SlurmPlan: &from})).Elem()
	for i := range to.NumField() {
		name := reflect.TypeFor[program.SlurmPlan]().Field(i).Name
		if want := reflect.ValueOf(from).FieldByName(name); !want.IsValid() || !to.Field(i).Equal(want) {
			t.Errorf("%s is %v, and the policy says %v", name, to.Field(i), want)
		}
	}
}
