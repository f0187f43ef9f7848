package pbs

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// request is what a PBS resource string adds up to.
type request struct {
	nodes, chunks, procs, gpus int64
	perNode                    int64 // processors of each node if all parts agree, else 0
	memBytes                   int64
	features, hosts            []string
}

// maxPart bounds each number of a resource string, so that sums stay sane.
const maxPart = math.MaxInt32

// nodeSpec reads TORQUE's "2:ppn=4:ib+n07:ppn=8" (qsub manual, "nodes"): parts
// joined by plus signs, each a count or a host name, then ppn=, gpus= and
// properties.
func nodeSpec(text string) (r request, ok bool) {
	text, _, _ = strings.Cut(text, "#") // what follows are flags such as #shared
	return eachPart(text, true, func(r *request, item string, count int64) bool {
		name, value, isPair := strings.Cut(item, "=")
		if !isPair {
			r.features = appendNew(r.features, item)
			return true
		}
		switch name {
		case "ppn":
			return perPart(value, 1, &r.procs) // the part's processors, counted below
		case "gpus":
			return perPart(value, count, &r.gpus)
		}
		return true // other resources have no column
	})
}

// selection reads PBS Professional's "2:ncpus=4:mem=8gb+1:ncpus=1:ngpus=2"
// (qsub manual, "select").
func selection(text string) (r request, ok bool) {
	r, ok = eachPart(text, false, func(r *request, item string, count int64) bool {
		name, value, _ := strings.Cut(item, "=")
		switch name {
		case "ncpus":
			return perPart(value, 1, &r.procs)
		case "ngpus":
			return perPart(value, count, &r.gpus)
		case "host", "vnode":
			r.hosts = appendNew(r.hosts, value)
		case "mem":
			bytes, ok := pbsBytes(value)
			all, fits := format.Product(bytes, count)
			if !ok || !fits || all > math.MaxInt64-r.memBytes {
				return false
			}
			r.memBytes += all
		}
		return true
	})
	r.nodes, r.perNode = 0, 0 // chunks may share a node
	return r, ok
}

// eachPart adds up the parts. item sets procs of a single unit of the part in
// a request of its own; here they are multiplied by the part's count.
func eachPart(text string, hostsLead bool, item func(r *request, item string, count int64) bool) (whole request,
	ok bool) {
	for i, part := range strings.Split(text, "+") {
		items := strings.Split(strings.TrimSpace(part), ":")
		count, err := strconv.ParseInt(items[0], 10, 64)
		switch {
		case items[0] == "" || count < 0 || count > maxPart:
			return whole, false
		case err == nil:
			items = items[1:]
		case hostsLead:
			whole.hosts = appendNew(whole.hosts, items[0])
			count, items = 1, items[1:]
		default:
			count = 1 // a chunk without its count
		}
		one := request{features: whole.features, hosts: whole.hosts, memBytes: whole.memBytes, gpus: whole.gpus}
		for _, it := range items {
			if !item(&one, it, count) {
				return whole, false
			}
		}
		if one.procs == 0 {
			one.procs = 1
		}
		all, fits := format.Product(one.procs, count)
		if !fits || all > math.MaxInt64-whole.procs {
			return whole, false
		}
		switch {
		case i == 0:
			whole.perNode = one.procs
		case whole.perNode != one.procs:
			whole.perNode = 0
		}
		whole.features, whole.hosts, whole.memBytes, whole.gpus = one.features, one.hosts, one.memBytes, one.gpus
		whole.procs += all
		whole.nodes += count
		whole.chunks += count
	}
	return whole, true
}

func perPart(text string, count int64, sum *int64) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > maxPart || n*count > math.MaxInt64-*sum {
		return false
	}
	*sum += n * count
	return true
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// maxSlots bounds how many slots one entry of exec_host may stand for.
const maxSlots = 1 << 16

// execHosts expands exec_host to a host per processor: "n1/0+n1/1" and
// "n1/0-3,5" (TORQUE), "n1/0*4" (PBS Professional).
func execHosts(text string) (hosts []string, ok bool) {
	for _, entry := range strings.Split(text, "+") {
		host, slots, _ := strings.Cut(entry, "/")
		if host == "" {
			return nil, false
		}
		n, ok := slotCount(slots)
		if !ok || len(hosts)+n > maxSlots*16 {
			return nil, false
		}
		for range n {
			hosts = append(hosts, host)
		}
	}
	return hosts, true
}

func slotCount(slots string) (int, bool) {
	if _, times, ok := strings.Cut(slots, "*"); ok {
		n, err := strconv.Atoi(times)
		return n, err == nil && n > 0 && n <= maxSlots
	}
	if slots == "" {
		return 1, true
	}
	count := 0
	for _, span := range strings.Split(slots, ",") {
		first, last, isSpan := strings.Cut(span, "-")
		if !isSpan {
			last = first
		}
		a, err1 := strconv.Atoi(first)
		b, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || a < 0 || b < a || b-a >= maxSlots || count > maxSlots {
			return 0, false
		}
		count += b - a + 1
	}
	return count, true
}
