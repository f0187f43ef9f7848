package convert_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

// samples are values of the attributes of a machine, a database and credentials: by name, else by type.
var samples = map[string]string{
	"state": `"DOWN"`, "flags": `["DenyOnLimit", "NoDecay"]`, "preempt_mode": `"CANCEL"`, "oversubscribe": `"EXCLUSIVE"`,
	"gres": `"gpu:2"`, "target": "25", "billing_weights": `"CPU=2.0"`, "nodes": `"ALL"`, "admin_level": `"Operator"`,
	string(policy.Integer): "2", string(policy.Number): "0.5", string(policy.String): `"word"`, string(policy.Bool): "true",
	string(policy.List): `["b", "a"]`, string(policy.Duration): `"90m"`, string(policy.Memory): `"4G"`,
	string(policy.Share): `"parent"`,
}

// blockPlaces are policies with one block of each kind.
var blockPlaces = map[string]string{
	"machine/node":      "machine {\nnode \"n1\" {\n%s}\n}",
	"machine/partition": "machine {\nnode \"n1\" {}\npartition \"p\" {\n%s}\n}",
	"database":          "database \"c\" {\n%s}",
	"database/qos":      "database \"c\" {\nqos \"q\" {\n%s}\n}",
	"database/account":  "database \"c\" {\naccount \"x\" {\n%s}\n}",
	"database/user":     "database \"c\" {\naccount \"x\" {\nuser \"u\" {\n%s}\n}\n}",
	"credentials/user":  "credentials {\nuser \"u\" {\n%s}\n}",
	"credentials/class": "credentials {\nclass \"c\" {\n%s}\n}",
	"credentials/qos":   "credentials {\nqos \"q\" {\n%s}\n}",
}

// TestBlockWords: each attribute of a block is a setting that the scheduler knows, and is that setting in its files.
func TestBlockWords(t *testing.T) {
	for id, place := range blockPlaces {
		words := policy.RecordWords(id)
		var attributes strings.Builder
		use, target := "slurm", lower.Slurm
		if strings.HasPrefix(id, "credentials") {
			use, target = "maui", lower.Maui
		}
		for _, w := range words {
			if w.Setting == "FSTARGET" && w.Suffix != "" {
				continue // a credential has one
			}
			fmt.Fprintf(&attributes, "%s = %s\n", w.Name, cmp.Or(samples[w.Name], samples[string(w.Type)]))
		}
		text := "policy \"p\" {\nuse = \"" + use + "\"\n" + fmt.Sprintf(place, attributes.String()) + "\n}\n"
		unit, diags := lower.Parse(source.NewFile("p.fairway.hcl", []byte(text)), lower.HCL, lower.Files{})
		if diags.HasErrors() {
			t.Fatalf("%s\n%s", diags[0].Message, text)
		}
		out, diags := convert.To(target, []lower.Unit{unit}, lower.Options{})
		for _, d := range diags {
			if d.Severity == diag.Error {
				t.Errorf("%s: %s", id, d.Message)
			}
		}
		for _, w := range words {
			if !strings.Contains(string(out.Text)+string(out.Accounts), w.Setting+"=") {
				t.Errorf("%s: %s does not become %s\n%s%s", id, w.Name, w.Setting, out.Text, out.Accounts)
			}
		}
	}
}
