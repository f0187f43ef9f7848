package format

import "bytes"

// Keys are the keys of objects that one program writes: an object mostly has the keys of the one before it, in their
// order and with the same blanks. That is compared as a whole, and only what differs is read as JSON.
type Keys[M any] struct {
	Find func(key []byte) M // what a key means; the cursor is before its value

	known  map[string]*knownKey[M]
	before knownKey[M] // the first key comes after it
}

// mostKeys is more than the records of any program have; what has more keys is not kept.
const mostKeys = 1 << 12

type knownKey[M any] struct {
	means M
	lead  []byte       // from the end of what is before it to its value; nil for one that is not kept
	keyAt int          // where the key begins in that
	then  *knownKey[M] // what came after it last
}

// Object calls member for each member of an object, with the cursor before the value. A value that member leaves alone
// is skipped. FuzzKeys holds it equal to Cursor.Object.
func (k *Keys[M]) Object(c *Cursor, member func(M) error) error {
	last := &k.before
	more, err := c.begin('{', '}')
	for more {
		key := last.then
		if key != nil && bytes.HasPrefix(c.Text[c.At:], key.lead) {
			c.KeyAt = c.At + key.keyAt
			c.At += len(key.lead)
			c.Peek()
		} else {
			if key, err = k.find(c); err != nil {
				return err
			}
			if key.lead != nil {
				last.then = key
			}
		}
		before := c.At
		if err := member(key.means); err != nil {
			return err
		}
		if more, err = c.next('}', before); err != nil {
			return err
		}
		last = key
	}
	return err
}

// find reads a key as JSON.
func (k *Keys[M]) find(c *Cursor) (*knownKey[M], error) {
	start := c.At
	name, err := c.key()
	if err != nil {
		return nil, err
	}
	key := k.known[string(name)]
	if key == nil {
		key = &knownKey[M]{means: k.Find(name)}
		if len(k.known) == mostKeys {
			return key, nil
		}
		if k.known == nil {
			k.known = map[string]*knownKey[M]{}
		}
		k.known[string(name)] = key
	}
	key.lead, key.keyAt = c.Text[start:c.At], c.KeyAt-start
	return key, nil
}

// Again passes a value if it is written like an earlier one, which was read as JSON.
func (c *Cursor) Again(earlier []byte) bool {
	end := c.At + len(earlier)
	if len(earlier) == 0 || end >= len(c.Text) || !bytes.HasPrefix(c.Text[c.At:], earlier) {
		return false
	}
	switch c.Text[end] {
	case ',', '}', ']', ' ', '\t', '\n', '\r': // else a number goes on
		c.At = end
		return true
	}
	return false
}
