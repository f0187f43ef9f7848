//go:build browser

package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// ids are those of the jobs in sight.
func (d *desk) ids() (list []string) {
	for _, text := range d.column("id") {
		id, _, _ := strings.Cut(text, " ")
		list = append(list, id)
	}
	return list
}

// The queue is filtered by each field and by a CEL condition, whose mistakes are shown at it, and sorted by lists and by
// heads; all of it is in the address. A report of a change is kept as a page.
func TestDeskFilters(t *testing.T) {
	d := openDesk(t, meadow...)
	all := d.ids()
	settled := func(want string) {
		d.t.Helper()
		d.until(`[...document.querySelectorAll('.row .id')].map(e => e.textContent.split(' ')[0]).join(' ') === arguments[0]`,
			want)
	}
	for _, c := range []struct{ field, text, want string }{
		{"user", "ana", "5004 5003"}, {"account", "chemistry", "5008 5009 5007 5006"}, {"qos", "urgent", "5004"},
		{"partition", "gpu", "5008 5012"}, {"where", "job.procs >= 256 && job.user == 'ana'", "5003"},
	} {
		d.fill(`#filters [name=`+c.field+`]`, c.text)
		settled(c.want)
		var address string
		d.until(`decodeURIComponent(location.hash).includes(arguments[0])`, c.field+"=")
		d.run(&address, `return location.hash`)
		if strings.Contains(address, d.token) {
			t.Errorf("the address has the token: %s", address)
		}
		d.run(nil, `const e = document.querySelector('#filters [name=' + arguments[0] + ']'); e.value = '';
			e.dispatchEvent(new Event('input', { bubbles: true }))`, c.field)
		settled(strings.Join(all, " "))
	}
	d.fill(`#filters [name=where]`, "job.prox > 3")
	d.until(`document.getElementById('where-mistake').textContent.includes('prox')`)
	d.fill(`#filters [name=where]`, "true")
	d.until(`document.getElementById('where-mistake').hidden`)
	d.click(`#heads button`)
	d.run(nil, `const e = document.querySelector('#filters [name=sort]'); e.value = 'job';
		e.dispatchEvent(new Event('input', { bubbles: true }))`)
	settled(strings.Join(slices.Sorted(slices.Values(all)), " "))

	folder := t.TempDir()
	d.cdp("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": folder})
	d.fill(`[data-key="PriorityWeightAge"] .entry`, "90000")
	d.until(`!document.getElementById('report').disabled`)
	d.click("#report")
	var page []byte
	for begun := time.Now(); len(page) == 0 && time.Since(begun) < 20*time.Second; time.Sleep(50 * time.Millisecond) {
		page, _ = os.ReadFile(filepath.Join(folder, "change.html"))
	}
	if !strings.Contains(string(page), "PriorityWeightAge") {
		t.Error(fmt.Sprintf("the report is %.200q", page))
	}
	d.quiet(d.address, "blob:"+strings.TrimSuffix(d.address, "/"))
}
