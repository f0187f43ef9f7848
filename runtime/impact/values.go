package impact

import (
	"reflect"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Values are the numbers of the summary under the names that JSON has, for conditions on them.
func (s *Summary) Values() map[string]schema.Value {
	out := map[string]schema.Value{}
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("json")
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			out[name] = schema.DoubleValue(f.Float())
		case reflect.Bool:
			out[name] = schema.BoolValue(f.Bool())
		default:
			out[name] = schema.IntValue(f.Int())
		}
	}
	return out
}
