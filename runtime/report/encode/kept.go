package encode

import "reflect"

// Kept is a part of a report that often is what it was in the one before: while it stays the same, its text does.
type Kept[T comparable] struct {
	Value T
	last  T
	text  []byte // of last
}

type keeper interface{ write(j *JSON) }

var keeperType = reflect.TypeFor[keeper]()

func (k *Kept[T]) write(j *JSON) {
	j.separate()
	if len(k.text) > 0 && k.Value == k.last { // no NaN is
		j.buf = append(j.buf, k.text...)
		return
	}
	start := len(j.buf)
	j.comma = false
	j.value(reflect.ValueOf(&k.Value).Elem(), false)
	k.text, k.last = k.text[:0], k.Value
	if len(j.buf) > start { // else it has gone out already
		k.text = append(k.text, j.buf[start:]...)
	}
}
