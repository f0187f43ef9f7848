//go:build browser

package browser_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// desk is `fairway desk` with a page open on it.
type desk struct {
	*page
	address string // without the token
	token   string
}

// openDesk starts a desk; it ends when its standard input does.
func openDesk(t *testing.T, args ...string) *desk {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"desk", "--no-open"}, args...)...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the desk ends with %v", err)
		}
	})
	d := &desk{}
	for lines := bufio.NewScanner(stderr); d.token == ""; {
		if !lines.Scan() {
			t.Fatal("the desk prints no address")
		}
		if m := regexp.MustCompile(`(http://\S+/)#token=(\S+)`).FindStringSubmatch(lines.Text()); m != nil {
			d.address, d.token = m[1], m[2]
		}
	}
	d.page = newPage(t)
	d.size(1400, 900, "light")
	d.open(d.address + "#token=" + d.token)
	d.ranked(`{}`)
	return d
}

const rankedNow = `document.body.dataset.ranked === arguments[0] && document.body.dataset.settled === arguments[0]`

// ranked waits until the queue is ranked by a change and nothing is under way.
func (d *desk) ranked(change string) {
	d.t.Helper()
	d.until(rankedNow, change)
}

var (
	examples = "../../examples/"
	meadow   = []string{examples + "slurm-queue/slurm.conf", examples + "slurm-queue/assoc.cfg", "-s",
		examples + "slurm-queue",
		"--now", "2026-11-20T12:00:00Z"}
)

// column is what the table shows of each job in sight.
func (d *desk) column(name string) (cells []string) {
	d.t.Helper()
	d.run(&cells, `return [...document.querySelectorAll('.row .' + arguments[0])].map(e => e.textContent)`, name)
	return cells
}

// evaluated is the same by eval: ids with priorities, ranked jobs first.
func evaluated(t *testing.T, args []string, params ...string) (ids, priorities []string) {
	t.Helper()
	line := append([]string{"eval"}, args...)
	for _, p := range params {
		line = append(line, "--param", p)
	}
	out, err := exec.Command(binary, append(line, "-o", "json", "-t", "pending")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Jobs []struct {
			ID       string
			Priority *int64
		}
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	for _, j := range all.Jobs {
		ids = append(ids, j.ID)
		if j.Priority == nil {
			priorities = append(priorities, "–")
		} else {
			priorities = append(priorities, strconv.FormatInt(*j.Priority, 10))
		}
	}
	return ids, priorities
}

// sameAsEval compares the table with eval.
func (d *desk) sameAsEval(args []string, params ...string) {
	d.t.Helper()
	ids, priorities := evaluated(d.t, args, params...)
	shown := d.column("id")
	for i := range shown {
		shown[i], _, _ = strings.Cut(shown[i], " ")
	}
	if got, want := fmt.Sprint(shown), fmt.Sprint(ids); got != want {
		d.t.Errorf("the page has %s, eval %s", got, want)
	}
	if got, want := strings.ReplaceAll(fmt.Sprint(d.column("priority")), ",", ""), fmt.Sprint(priorities); got != want {
		d.t.Errorf("the page has priorities %s, eval %s", got, want)
	}
}

// value is what the field beside a slider has.
func (d *desk) value(key string) (text string) {
	d.t.Helper()
	d.run(&text, `return document.querySelector('[data-key="'+arguments[0]+'"] .entry').value`, key)
	return text
}

// A slider moves by keyboard and by mouse, a field by typing, and each time the queue is the one that eval ranks.
func TestDeskSliders(t *testing.T) {
	d := openDesk(t, meadow...)
	d.sameAsEval(meadow)
	slider := `[data-key="PriorityWeightAge"] input[type=range]`
	d.run(nil, `document.querySelector(arguments[0]).focus()`, slider)
	d.press(arrowRight, arrowRight, end)
	at := d.value("PriorityWeightAge")
	if at == "1000" {
		t.Fatal("the keyboard moves nothing")
	}
	d.ranked(`{"PriorityWeightAge":"` + at + `"}`)
	d.sameAsEval(meadow, "PriorityWeightAge="+at)
	d.picture("desk-keyboard")

	fairshare := `[data-key="PriorityWeightFairshare"] input[type=range]`
	d.drag(fairshare, 0.25, 0.01)
	d.until(`document.querySelector('[data-key="PriorityWeightFairshare"] .entry').value !== '10000'`)
	share := d.value("PriorityWeightFairshare")
	d.ranked(`{"PriorityWeightAge":"` + at + `","PriorityWeightFairshare":"` + share + `"}`)
	d.sameAsEval(meadow, "PriorityWeightAge="+at, "PriorityWeightFairshare="+share)

	d.fill(`[data-key="PriorityWeightAge"] .entry`, "77")
	d.click(`[data-key="PriorityWeightFairshare"] button`)
	d.ranked(`{"PriorityWeightAge":"77"}`)
	d.sameAsEval(meadow, "PriorityWeightAge=77")

	d.fill(`[data-key="PriorityWeightAge"] .entry`, "much")
	d.until(`!document.querySelector('[data-key="PriorityWeightAge"] .mistake').hidden`)
	if text := d.text(`[data-key="PriorityWeightAge"] .mistake`); !strings.Contains(text, "PriorityWeightAge") {
		t.Errorf("the mistake is %q", text)
	}
	d.quiet(d.address)

	// The address is all there is to it: without the token another tab sees the same once it has one.
	d.fill(`[data-key="PriorityWeightAge"] .entry`, "90000")
	d.ranked(`{"PriorityWeightAge":"90000"}`)
	var address string
	d.run(&address, `return location.href`)
	if strings.Contains(address, d.token) || !strings.Contains(address, "PriorityWeightAge=90000") {
		t.Errorf("the address is %s", address)
	}
	d.open("about:blank")
	d.open(address + "&token=" + d.token)
	d.ranked(`{"PriorityWeightAge":"90000"}`)
	d.sameAsEval(meadow, "PriorityWeightAge=90000")
	d.quiet(d.address)
}

// A job is found, opened and compared with another by keyboard alone.
func TestDeskKeyboard(t *testing.T) {
	d := openDesk(t, meadow...)
	d.run(nil, `document.querySelector('.row').focus()`)
	d.press(arrowDown, arrowDown, enter)
	d.until(`document.getElementById('explanation').textContent.startsWith('job 5007')`)
	d.press(arrowUp, " ")
	d.until(`document.getElementById('explanation').textContent.startsWith('job 5009 is before job 5007')`)
	d.press(end)
	d.until(`document.activeElement.getAttribute('aria-rowindex') === '11'`)
	d.quiet(d.address)
}

// Names that try to be more than names are shown as they are.
func TestDeskHostileNames(t *testing.T) {
	folder := t.TempDir()
	evil := []string{`<img src=x onerror=alert(1)>`, `"><script>document.title='owned'</script>`, `';alert(1)//`,
		"\u202egpj.exe",
		`{{constructor.constructor('alert(1)')()}}`, "a\u0000b", strings.Repeat("x", 300), `&lt;b&gt;`}
	var jobs []map[string]any
	for i, name := range evil {
		jobs = append(jobs, map[string]any{"id": fmt.Sprint(100 + i), "name": name, "user": name, "account": name,
			"qos":       name,
			"partition": name, "state": "pending", "submit_time": 1700000000 - 100*i, "procs": 1, "walltime_seconds": 600})
	}
	text, err := json.Marshal(map[string]any{"now": 1700000000, "jobs": jobs})
	if err != nil {
		t.Fatal(err)
	}
	queue := filepath.Join(folder, "queue.json")
	if err := os.WriteFile(queue, text, 0o644); err != nil {
		t.Fatal(err)
	}
	d := openDesk(t, examples+"maui-queue/maui.cfg", "-s", queue)
	names := d.column("id")
	if len(names) != len(evil) {
		t.Fatalf("%d of %d jobs are shown", len(names), len(evil))
	}
	shown := strings.Join(names, "\n")
	for _, name := range evil[:3] {
		if !strings.Contains(shown, name) {
			t.Errorf("%q is not shown as it is:\n%s", name, shown)
		}
	}
	d.click(".row")
	d.until(`document.getElementById('explanation').textContent !== ''`)
	var made int
	d.run(&made, `return document.querySelectorAll('img, main script, main b, iframe').length`)
	if title := d.text("title"); made != 0 || strings.Contains(title, "owned") {
		t.Errorf("%d elements come from names; the title is %q", made, title)
	}
	var wide bool
	d.size(400, 800, "dark")
	d.run(&wide, `return document.documentElement.scrollWidth > innerWidth`)
	if wide {
		t.Error("at 400 pixels the page is wider than the window")
	}
	d.picture("desk-hostile")
	d.quiet(d.address)
}

// Without the token a person at the right address sees nothing of the queue.
func TestDeskStranger(t *testing.T) {
	d := openDesk(t, meadow...)
	other := newPage(t)
	other.open(d.address)
	other.until(`document.getElementById('notice').textContent.includes('token')`)
	other.open("about:blank")
	other.open(d.address + "#token=AAAAAAAAAAAAAAAAAAAAAAAAAA")
	other.until(`document.getElementById('notice').textContent.includes('token is missing or wrong')`)
	var text string
	other.run(&text, `return document.documentElement.textContent`)
	if strings.Contains(text, "physics") || strings.Contains(text, "5004") {
		t.Error("a stranger sees the queue")
	}
}

// It is readable in light and dark, wide and narrow: nothing is cut off at the side.
func TestDeskLooks(t *testing.T) {
	d := openDesk(t, meadow...)
	for _, looks := range []string{"light", "dark"} {
		for _, width := range []int{1400, 800, 400} {
			d.size(width, 900, looks)
			d.until(`innerWidth === arguments[0]`, width)
			var wide bool
			d.run(&wide, `return document.documentElement.scrollWidth > innerWidth`)
			if wide {
				t.Errorf("at %d pixels the page is wider than the window", width)
			}
			d.picture(fmt.Sprintf("desk-%s-%d", looks, width))
		}
	}
	d.quiet(d.address)
}

// Each view says something about a change, and is quiet about it.
func TestDeskViews(t *testing.T) {
	for _, c := range []struct {
		name, change, view, has string
		args                    []string
	}{
		{"gains", "set.PriorityWeightAge=90000", "gains", "Accounts", meadow},
		{"plan", "set.PriorityWeightAge=90000&set.PriorityWeightJobSize=0", "plan", "start now",
			[]string{examples + "slurm-plan/slurm.conf",
				"-s", examples + "slurm-plan", "--now", "2026-11-20T12:00:00Z"}},
		{"shares", "", "shares", "Fairshare tree", []string{examples + "slurm-share-tree/slurm.conf",
			examples + "slurm-share-tree/assoc.cfg", "-s", examples + "slurm-share-tree/usage.json"}},
		{"windows", "set.FSUSERWEIGHT=7", "shares", "Fairshare",
			[]string{examples + "maui-fairshare/maui.cfg", "-s", examples + "maui-fairshare"}},
		{"expressions", "set.the factor of term waiting / hours=job.procs%2B", "queue", "",
			[]string{examples + "gpu-centre/centre.fairway.hcl",
				"-s", examples + "gpu-centre/queue.json"}},
		{"limits", "", "limits", "the fullest first",
			[]string{examples + "maui-limits/maui.cfg", "-s", examples + "maui-limits"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := openDesk(t, c.args...)
			d.open("about:blank")
			d.open(d.address + "#token=" + d.token + "&" + c.change + "&view=" + c.view)
			d.until(`document.getElementById('view').textContent.includes(arguments[0])`, c.has)
			for _, width := range []int{1400, 400} {
				d.size(width, 900, map[int]string{1400: "light", 400: "dark"}[width])
				d.until(`innerWidth === arguments[0]`, width)
				var wide bool
				if d.run(&wide, `return document.documentElement.scrollWidth > innerWidth`); wide {
					t.Errorf("at %d pixels the page is wider than the window", width)
				}
				d.picture(fmt.Sprintf("desk-%s-%d", c.name, width))
			}
			d.quiet(d.address)
		})
	}
}

// A workload is played by the files and by each change, while the queue can be looked at.
func TestDeskReplay(t *testing.T) {
	folder := examples + "replay/"
	d := openDesk(t, folder+"maui.cfg", "-s", folder+"week.swf", "-s", folder+"nodes.json", "--now",
		"2026-11-23T12:00:00Z", "--workload", folder+"week.swf")
	d.click("#tab-replay")
	d.until(`document.getElementById('view').textContent.includes('All 120 jobs start when they start by the files')`)
	d.click("#tab-queue")
	d.fill(`[data-key="XFACTORWEIGHT"] .entry`, "500")
	d.ranked(`{"XFACTORWEIGHT":"500"}`)
	d.click("#tab-replay")
	d.until(`document.getElementById('view').textContent.includes('→') && ` +
		`[...document.querySelectorAll('#view img.chart')].length === 3 && ` +
		`[...document.querySelectorAll('#view img.chart')].every(e => e.complete && e.naturalWidth > 0)`)
	out, err := exec.Command(binary, "replay", folder+"maui.cfg", "--workload", folder+"week.swf", "--nodes",
		folder+"nodes.json", "--param", "XFACTORWEIGHT=500").Output()
	if err != nil {
		t.Fatal(err)
	}
	mean := strings.Fields(regexp.MustCompile(`(?m)^all .*$`).FindString(string(out)))[3]
	if text := d.text("#view .tiles dd"); !strings.HasSuffix(text, "→ "+mean) {
		t.Errorf("the mean wait is %q on the page, %s by replay", text, mean)
	}
	for _, width := range []int{1400, 400} {
		d.size(width, 900, map[int]string{1400: "light", 400: "dark"}[width])
		d.until(`innerWidth === arguments[0]`, width)
		var wide bool
		if d.run(&wide, `return document.documentElement.scrollWidth > innerWidth`); wide {
			t.Errorf("at %d pixels the page is wider than the window", width)
		}
		d.picture(fmt.Sprintf("desk-replay-%d", width))
	}
	d.quiet(d.address)
}

// A change is saved after its diff was shown, and the file has that.
func TestDeskSave(t *testing.T) {
	folder := t.TempDir()
	var files []string
	for _, name := range []string{"slurm.conf", "assoc.cfg"} {
		text, err := os.ReadFile(examples + "slurm-queue/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(folder, name))
	}
	d := openDesk(t, append(files, meadow[2:]...)...)
	d.fill(`[data-key="PriorityWeightAge"] .entry`, "4321")
	d.ranked(`{"PriorityWeightAge":"4321"}`)
	d.click("#save")
	d.until(`document.querySelector('dialog pre') && ` +
		`document.querySelector('dialog pre').textContent.includes('\n+PriorityWeightAge=4321\n')`)
	d.picture("desk-save")
	was, err := os.ReadFile(files[0])
	if err != nil || strings.Contains(string(was), "4321") {
		t.Fatalf("the file is written before the person says so: %v", err)
	}
	d.click("#save-write")
	d.until(`document.getElementById('saved')`)
	is, err := os.ReadFile(files[0])
	if want := strings.Replace(string(was), "PriorityWeightAge=1000", "PriorityWeightAge=4321", 1); err != nil ||
		string(is) != want {
		t.Errorf("the file has become %q: %v", is, err)
	}
	d.click("#save-close")
	d.sameAsEval(append(files, meadow[2:]...))
	d.quiet(d.address)
}

// A move of a slider in a queue of 10,000 jobs is in the page well within a second on any machine; how long it takes is
// logged.
func TestDeskSpeed(t *testing.T) {
	folder := t.TempDir()
	one := filepath.Join(folder, "one.json")
	long := filepath.Join(folder, "long.json")
	for _, args := range [][]string{
		{"snapshot", "convert", examples + "slurm-queue", "--now", "2026-11-20T12:00:00Z", "-o", "json=" + one},
		{"snapshot", "synth", one, "--jobs", "10000", "-o", "json=" + long},
	} {
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	d := openDesk(t, append(slices.Clone(meadow[:2]), "-s", long)...)
	d.run(nil, `performance.clearMeasures('re-rank'); `+
		`document.querySelector('[data-key="PriorityWeightAge"] input[type=range]').focus()`)
	for range 20 {
		d.press(arrowRight)
	}
	at := d.value("PriorityWeightAge")
	d.ranked(`{"PriorityWeightAge":"` + at + `"}`)
	var times []float64
	d.run(&times, `return performance.getEntriesByName('re-rank').map(e => e.duration).sort((a, b) => a - b)`)
	if len(times) == 0 {
		t.Fatal("nothing is ranked anew")
	}
	median := times[len(times)/2]
	t.Logf("%d re-ranks of 10,000 jobs in the page: median %.1f ms, from %.1f to %.1f", len(times), median, times[0],
		times[len(times)-1])
	if median > 1000 {
		t.Errorf("a re-rank takes %.0f ms", median)
	}
	d.sameFirstAsEval(append(slices.Clone(meadow[:2]), "-s", long), "PriorityWeightAge="+at)
	d.run(nil, `document.getElementById('scroll').scrollTop = 200000`)
	d.until(`[...document.querySelectorAll('.row')].some(e => Number(e.getAttribute('aria-rowindex')) > 5000)`)
	d.picture("desk-10k")
	d.quiet(d.address)
}

// sameFirstAsEval compares the jobs in sight with the first ones of eval.
func (d *desk) sameFirstAsEval(args []string, params ...string) {
	d.t.Helper()
	ids, _ := evaluated(d.t, args, params...)
	for i, shown := range d.column("id") {
		if id, _, _ := strings.Cut(shown, " "); id != ids[i] {
			d.t.Fatalf("row %d is job %s, not %s", i, id, ids[i])
		}
	}
}
