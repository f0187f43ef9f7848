package snapshot

import (
	"archive/tar"
	"bytes"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// policyArchive is an archive of a manifest and a file; nil if no archive can have such a name.
func policyArchive(manifest, name, text string) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, file := range [][2]string{{format.ManifestFile, manifest}, {name, text}} {
		err := w.WriteHeader(&tar.Header{Name: file[0], Mode: 0o600, Size: int64(len(file[1]))})
		if err == nil {
			_, err = w.Write([]byte(file[1]))
		}
		if err != nil {
			return nil
		}
	}
	if w.Close() != nil {
		return nil
	}
	return out.Bytes()
}

// FuzzReadPolicy: whatever an archive holds, what is read of its policy is below its own name, and main files are
// those that the manifest has a checksum of.
func FuzzReadPolicy(f *testing.F) {
	m := format.NewManifest("slurm", "text", "1.0", "2023-11-14T22:13:20Z")
	const name, text = "policy/slurm.conf", "ClusterName=c\n"
	m.Holds(name, []byte(text))
	m.Policy, m.Complete = []string{name}, true
	manifest, err := m.Text()
	if err != nil {
		f.Fatal(err)
	}
	read := func(archive []byte) *Policy {
		p, diags, err := ReadPolicy(mapFS{"q.tar": string(archive)}.open(), "q.tar")
		if err != nil || diags.HasErrors() {
			return nil
		}
		return p
	}
	if p := read(policyArchive(string(manifest), name, text)); p == nil || string(p.Texts["q.tar/"+name]) != text {
		f.Fatalf("the policy of a captured snapshot is %v", p)
	}
	for _, other := range []string{name, "policy/../../x", "/policy/x", "policy", "sub/" + name} {
		f.Add(strings.ReplaceAll(string(manifest), name, other), other, text)
		f.Add(string(manifest), other, text)
	}
	f.Fuzz(func(t *testing.T, manifest, name, text string) {
		archive := policyArchive(manifest, name, text)
		if archive == nil {
			return
		}
		p := read(archive)
		if p == nil {
			return
		}
		for inner := range p.Texts {
			if !strings.HasPrefix(inner, "q.tar/") || strings.Contains(inner, "/../") {
				t.Errorf("%q is a file of the policy", inner)
			}
		}
		for _, file := range p.Main {
			if inner, ok := strings.CutPrefix(file, "q.tar/"); !ok || strings.Contains(file, "/../") ||
				!strings.Contains(manifest, inner[max(0, strings.LastIndex(inner, "/")):]) {
				t.Errorf("%q is a main file", file)
			}
		}
	})
}
