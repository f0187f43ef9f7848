package source_test

import (
	"os"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

// TestShown: a password is hidden on each of the lines that it is on, and what is around it is shown.
func TestShown(t *testing.T) {
	for _, c := range [][2]string{
		{"StoragePass=\\\nhunter2 A=1\n", "StoragePass=\\\n(not shown) A=1\n"},
		{"StoragePass=hun\\\nter2\nA=1\n", "StoragePass=(not shown)\\\n(not shown)\nA=1\n"},
		{"Storage\\\nPass = \"hun \\  \nter2\" A=1\n", "Storage\\\nPass = (not shown)\\  \n(not shown) A=1\n"},
		{"A=b,\\\nkey=hun\\\nter2,\\\nttl=3\n", "A=b,\\\nkey=(not shown)\\\n(not shown),\\\nttl=3\n"},
		{"X=mysql://amy:hun\\\nter2@db/x\n", "X=mysql://amy:(not shown)\\\n(not shown)@db/x\n"},
		{"# a comment \\\nBANKPASSWORD hunter2\n", "# a comment \\\nBANKPASSWORD (not shown)\n"},
		{"StoragePass=hun ter2 A=1\n", "StoragePass=(not shown) A=1\n"},
		{"CLIENTCFG[x] CSKEY=hun ter2 KEY = hun ter3 # why\n", "CLIENTCFG[x] CSKEY=(not shown) KEY = (not shown) # why\n"},
		{"  Pass = hunter2\n", "  Pass = (not shown)\n"},
		{"BANKPASSWORD hun ter2\n", "BANKPASSWORD (not shown)\n"},
		{"  \"StoragePass\" : \"a \\\"b\" # c\n", "  \"StoragePass\" : (not shown) # c\n"},
		{"record \"StoragePass\" {\n  doc = 1\n  value = \"hunter2\"\n}\nvalue = 1\n",
			"record \"StoragePass\" {\n  doc = (not shown)\n  value = (not shown)\n}\nvalue = 1\n"},
		{"record \"StoragePass\" {\n  value = <<E\nhunter2\nE\n}\n",
			"record \"StoragePass\" {\n  value = (not shown)\n(not shown)\n(not shown)\n}\n"},
		{"record \"StoragePass\" { value = \"hun}ter2\" }\n", "record \"StoragePass\" { value = (not shown) }\n"},
		{"record \"AMCFG\" \"b\" {\n  settings = {\n    PASSWORD = (\n      \"hunter2\"\n    )\n    HOST = 1\n  }\n}\n",
			"record \"AMCFG\" \"b\" {\n  settings = {\n    PASSWORD = (not shown)\n      (not shown)\n    (not shown)\n    " +
				"HOST = 1\n  }\n}\n"},
		{"SchedulerParameters=secretkey=hun,token=ter,jwt=no,api_key=x,disable_user_top\n",
			"SchedulerParameters=secretkey=(not shown),token=(not shown),jwt=(not shown),api_key=(not shown)," +
				"disable_user_top\n"},
		{"CLIENTCFG[RM:x] CSKEY hunter2 HOST=h\nAMCFG[b] SECRETKEY hunter2\nSECRETKEY hunter2\n",
			"CLIENTCFG[RM:x] CSKEY (not shown) HOST=h\nAMCFG[b] SECRETKEY (not shown)\nSECRETKEY (not shown)\n"},
		{"X=host=http://u:hun@h,http://v:ter@i\nY=[amqp://a:hun@h1,b:ter@h2]\n",
			"X=host=http://u:(not shown)@h,http://v:(not shown)@i\nY=[amqp://a:(not shown)@h1,b:(not shown)@h2]\n"},
		{"AccountingStoragePass   = (null)\nStoragePass = (none) A=1\nBANKPASSWORD \"x\"\n",
			"AccountingStoragePass   = (null)\nStoragePass = (none) A=1\nBANKPASSWORD (not shown)\n"},
		{"A=1 \\\nB=2\\", "A=1 \\\nB=2\\"},
		{"\\\n\\\n", "\\\n\\\n"},
	} {
		f := source.NewFile("slurm.conf", []byte(c[0]))
		var got []string
		for i := range strings.Split(c[0], "\n") {
			got = append(got, f.Shown(i+1))
		}
		if strings.Join(got, "\n") != c[1] {
			t.Errorf("%q: %q, want %q", c[0], strings.Join(got, "\n"), c[1])
		}
	}
}

// FuzzShown: whatever a file says, each line keeps its part before the first password, and of lines that
// join and open nothing the line alone decides.
func FuzzShown(f *testing.F) {
	f.Add("StoragePass=hun\\\nter2 key=a\\\n://a:b@c")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("f", []byte(text))
		for i := range min(50, 1+strings.Count(text, "\n")) {
			line, shown := file.Line(i+1), file.Shown(i+1)
			if !strings.Contains(shown, source.Hidden) && shown != line {
				t.Errorf("line %d of %q: %q", i+1, text, shown)
			}
			if !strings.ContainsAny(text, "\\{([<") && shown != source.Mask(line) {
				t.Errorf("line %d of %q: %q, not %q", i+1, text, shown, source.Mask(line))
			}
		}
	})
}

// The text of a place is shown as its lines are.
func TestSpanShown(t *testing.T) {
	f := source.NewFile("slurm.conf", []byte("A=1\nStoragePass=hun ter2\nB=2\n"))
	for _, c := range []struct{ text, want string }{{"ter2", source.Hidden}, {"A=1", "A=1"},
		{"A=1\nStoragePass=hun", "A=1\nStoragePass=" + source.Hidden}, {"ter2\nB", source.Hidden + "\nB"}} {
		start := strings.Index(string(f.Text), c.text)
		if got := f.Span(start, start+len(c.text)).Shown(); got != c.want {
			t.Errorf("%q: %q", c.text, got)
		}
	}
	if got := (source.Span{}).Shown(); got != "" {
		t.Errorf("nowhere: %q", got)
	}
}

// TestMaskShapes: of each form in which passwords are written nothing is left of it, and all else stays.
func TestMaskShapes(t *testing.T) {
	text, err := os.ReadFile("testdata/passwords.txt")
	if err != nil {
		t.Fatal(err)
	}
	planted := strings.NewReplacer("{PW}", "Xhunter2X", "{BLANKS}", "Xhun ter2X")
	for line := range strings.Lines(string(text)) {
		line, want, planting := strings.Cut(strings.TrimRight(line, "\n"), " => ")
		if strings.HasPrefix(line, "# ") && !planting {
			if got := source.Mask(line); got != line {
				t.Errorf("%q becomes %q", line, got)
			}
			continue
		}
		if !planting {
			want = line
		}
		got := source.Mask(planted.Replace(line))
		if want = strings.ReplaceAll(want, "...", source.Hidden); strings.TrimSpace(got) != want || planting &&
			strings.Contains(got, "ter2") {
			t.Errorf("%q: %q, not %q", line, got, want)
		}
	}
}
