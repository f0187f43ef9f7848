package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// captured reads the manifest of a directory where it has one, and returns the other files. Until done the times
// in them are in UTC, as the commands were asked.
func (r *reading) captured(dir string, names []string) (rest []string, m *format.Manifest, done func(), err error) {
	place := r.options.Location
	done = func() { r.options.Location = place }
	i := slices.Index(names, path.Join(dir, format.ManifestFile))
	if i < 0 {
		return names, nil, done, nil
	}
	if m, err = r.manifest(dir); m == nil || err != nil {
		return names, nil, done, err
	}
	r.options.Location = time.UTC
	return slices.Delete(names, i, i+1), m, done, nil
}

// manifest reads the manifest of a directory, and compares its files with it. It is nil for a file of that
// name that is something else.
func (r *reading) manifest(dir string) (*format.Manifest, error) {
	return r.described(dir, func(string) bool { return true })
}

// described is manifest that compares only some files.
func (r *reading) described(dir string, compared func(file string) bool) (*format.Manifest, error) {
	name := path.Join(dir, format.ManifestFile)
	text, err := r.text(name)
	if err != nil {
		return nil, r.unpackable(name, err)
	}
	if !strings.Contains(string(text[:min(len(text), format.HeadBytes)]), `"`+format.ManifestKind+`"`) {
		return nil, nil
	}
	place := source.NewFile(name, text).Span(0, 0)
	m := &format.Manifest{}
	switch err := json.Unmarshal(text, m); {
	case err != nil:
		r.diags.Errorf("snapshot-broken-file", place, "the manifest cannot be read: %s", err).
			Note("capture again, or copy the snapshot again")
	case m.FormatVersion != format.ManifestVersion || m.Timezone != "UTC":
		r.diags.Errorf("snapshot-format-version", place, "the manifest is of version %d, with times in %q",
			m.FormatVersion, m.Timezone).
			Note("this program reads version %d with times in UTC; a newer one captured the snapshot",
				format.ManifestVersion)
	case !m.Complete:
		r.diags.Errorf("snapshot-capture-damaged", place, "the capture was not finished").
			Note("it was interrupted or is still under way; capture again")
	default:
		for _, f := range m.Files {
			if !compared(f.Name) {
				continue
			}
			if err := r.sameAs(dir, f); err != nil {
				r.diags.Errorf("snapshot-capture-damaged", place, "%s is not what was captured: %s", f.Name, err).
					Note("copy the snapshot again; or, if the file was changed on purpose, remove %s, and the "+
						"files are read as they are", format.ManifestFile)
			}
		}
	}
	return m, nil
}

// sameAs says how a file differs from its line in the manifest.
func (r *reading) sameAs(dir string, f format.ManifestFileSum) error {
	if !fs.ValidPath(f.Name) {
		return fmt.Errorf("%q is no name of a file in the folder", f.Name)
	}
	if info, err := fs.Stat(r.fsys, path.Join(dir, f.Name)); err == nil && info.Mode()&noFile != 0 {
		return errors.New("it is no regular file")
	}
	file, err := r.fsys.Open(path.Join(dir, f.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("it is not there")
	}
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	switch {
	case err != nil:
		return err
	case n != f.Bytes:
		return fmt.Errorf("it has %d bytes instead of %d", n, f.Bytes)
	case hex.EncodeToString(sum.Sum(nil)) != f.SHA256:
		return errors.New("its checksum differs")
	}
	return nil
}
