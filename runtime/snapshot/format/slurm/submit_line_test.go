package slurm

import (
	"fmt"
	"testing"
)

func TestSubmitOptions(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"sbatch -p main -N 2-4 -n8 --begin=now+60 job.sh -n 3", "map[N:2-4 begin:now+60 n:8 p:main]"},
		{"sbatch --dependency afterok:12 --exclusive -c 4 --wrap exec sleep -n 9",
			"map[c:4 dependency:afterok:12 exclusive:]"},
		{`sbatch --array="0-7%2" -H x.sh`, "map[H: array:0-7%2]"},
		{"sbatch -N", "map[N:]"},
		{"", "map[]"},
	} {
		if got := fmt.Sprint(submitOptions(c.line)); got != c.want {
			t.Errorf("%q: got %s, want %s", c.line, got, c.want)
		}
	}
}

func FuzzSubmitOptions(f *testing.F) {
	f.Add("sbatch -N 2 --array=1-3%1 x.sh")
	f.Fuzz(func(_ *testing.T, line string) {
		for _, v := range submitOptions(line) {
			megabytes(v)
		}
	})
}
