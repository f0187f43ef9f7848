package sacctmgr

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"cluster  -  X:\r\n", "Cluster - 'X'\n"},
		{"User - \"o'b\" : fairshare = 5 : MaxJ=3:GrpJob=2 # c \n", "User - \"o'b\":Fairshare=5:MaxJobs=3:GrpJobs=2 # c\n"},
		{"Account - a:Desc='x: y':QOS+=p,q:Org=", "Account - 'a':Description='x: y':QOS+='p,q'\n"},
		{"Account - a:Nonsense='x'\n", "Account - 'a':Nonsense='x'\n"},
		{"\n  # c\n\n\nfoo bar\n\n", "# c\n\n\nfoo bar\n"},
		{"Account - a:grptres=gres/gpu:a100=2:MaxTRES=gres/gpu=2",
			"Account - 'a':GrpTRES='gres/gpu:a100=2':MaxTRESPerJob=gres/gpu=2\n"},
		{"User - 'a':junk", "User - 'a':junk\n"},
	} {
		tree, _ := Parse(source.NewFile("x.cfg", []byte(c.in)))
		if got := string(Format(tree)); got != c.want {
			t.Errorf("%q gives %q, want %q", c.in, got, c.want)
		}
	}
}

// checkFormat tests the laws: formatting twice is formatting once, and what the
// file means stays.
func checkFormat(t *testing.T, text []byte) {
	t.Helper()
	tree, dump, _ := evaluate("x.cfg", text)
	once := Format(tree)
	again, dump2, _ := evaluate("x.cfg", once)
	if twice := Format(again); !bytes.Equal(once, twice) {
		t.Errorf("formatting %q gives %q, again %q", text, once, twice)
	}
	if a, b := meaning(dump), meaning(dump2); a != b {
		t.Errorf("formatting %q to %q changes\n%s\nto\n%s", text, once, a, b)
	}
}

func meaning(d *Dump) string {
	var b strings.Builder
	settings := func(list Settings) {
		for _, s := range list {
			fmt.Fprintf(&b, " %s=%q %d %v %v %v %v %v", s.Name, s.Text, s.Number, s.Decimal, s.Names, s.TRES, s.Add, s.Remove)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintln(&b, d.Cluster)
	for _, q := range d.QOS {
		b.WriteString(q.Name)
		settings(q.Settings)
	}
	for _, a := range d.Associations {
		fmt.Fprintf(&b, "%q %q %q %q %d %d %v", a.Account, a.User, a.Partition, a.Parent, a.Depth, a.Shares, a.ParentShares)
		settings(a.Settings)
	}
	return b.String()
}

// FuzzParse: whatever the text, printing gives it back, formatting keeps its
// meaning and nothing panics.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"QOS - 'normal':Description='a: b'\nCluster - 'c':Fairshare=1:QOS='normal'\nParent - 'root'\nUser - " +
			"'root':AdminLevel='Administrator'\n",
		"Cluster - c:\nAccount - 'A':GrpTRES=nodes=10,mem=1G:GrpJob=2\nParent - 'a'\nUser - u:Fairshare=parent:QOS+=x # c\r\n",
		"User - 'x:y\nParent -\nsacctmgr -i add account x\n{{ a }}\na|b\n",
		"Cluster - 'c'\nAccount - 'a':GrpTRES=cpu=1,gres/gpu:a100=2:MaxTRES=license/m:x=-1 # y\nUser - " +
			"'u':GrpTRES=gres/gpu:MaxJobs=2:GrpTRES=a/b :c=1\n",
		"Account - 'a':GrpCPUs=4:GrpMem=5:GrpWall=1-0:MaxWall=-1:Partition=\"p\":=3:junk",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tree, _, _ := evaluate("x.cfg", text)
		if !bytes.Equal(tree.Print(), text) {
			t.Fatalf("%q prints as %q", text, tree.Print())
		}
		checkFormat(t, text)
		if n := Sniff(text); n < 0 || n > 100 {
			t.Fatalf("Sniff gives %d", n)
		}
	})
}
