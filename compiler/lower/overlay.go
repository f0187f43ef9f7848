package lower

import (
	"bytes"
	"io/fs"
)

// With has other texts in the place of some files, by the names that people see.
func (f Files) With(texts map[string][]byte) Files {
	if f.FS == nil || len(texts) == 0 {
		return f
	}
	over := overlay{FS: f.FS, texts: map[string][]byte{}}
	for name, text := range texts {
		over.texts[f.path(name)] = text
	}
	f.FS = over
	return f
}

// Has reports whether a file is there, with this text.
func (f Files) Has(name string, text []byte) bool {
	if f.FS == nil {
		return false
	}
	there, err := fs.ReadFile(f.FS, f.path(name))
	return err == nil && bytes.Equal(there, text)
}

// overlay is a file system in which some files read differently. Readers of included files read
// them whole.
type overlay struct {
	fs.FS
	texts map[string][]byte
}

func (o overlay) ReadFile(name string) ([]byte, error) {
	if text, ok := o.texts[name]; ok {
		return bytes.Clone(text), nil
	}
	return fs.ReadFile(o.FS, name)
}
