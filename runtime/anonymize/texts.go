package anonymize

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Texts in which names are among other words. Each keeps what it knows to be no name; everything else is
// renamed or left out.

// numbers, as in 1,3,7-9%2: anything else is left out.
func numbers(_ *Names, text string) string {
	if strings.Trim(text, "0123456789,:;-%.") != "" {
		return ""
	}
	return text
}

var (
	idForm = source.Pattern(`^[0-9]+(_[0-9]+|\+[0-9]+|(_)?\[[-0-9,:%]*\])?`)
	digits = source.Pattern(`^[0-9]+([.][0-9]+)?[KMGTPkmgtp]?$`)
)

// jobID keeps the number of a job, of its task and of its place in a heterogeneous one; what follows it is the
// server that PBS adds. An id without a number in front is a name.
func jobID(n *Names, text string) string {
	number := idForm().FindString(text)
	rest := text[len(number):]
	switch {
	case number == "":
		return n.name(Word, text)
	case rest == "":
		return number
	case rest[0] == '.':
		return number + "." + n.name(Host, rest[1:])
	}
	return number + n.name(Word, rest)
}

// dependencyWords are the words of Slurm's and PBS's dependencies.
var dependencyWords = map[string]bool{
	"after": true, "afterok": true, "afterany": true, "afternotok": true, "aftercorr": true, "afterburstbuffer": true,
	"expand": true, "singleton": true, "before": true,
	"beforeok": true, "beforeany": true, "beforenotok": true, "on": true, "synccount": true, "syncwith": true,
	"runone": true, "depend": true,
	"afterstarray": true, "afterokarray": true, "afternotokarray": true, "afteranyarray": true, "beforestarray": true,
	"beforeokarray":    true,
	"beforenotokarray": true, "beforeanyarray": true, "unfulfilled": true, "fulfilled": true, "failed": true,
}

// dependency: words, and jobs that may be with their server, as in afterok:7.head@head.
func dependency(n *Names, text string) string {
	return between(text, ":,()=?@*", func(part string, _ byte) string {
		if dependencyWords[part] {
			return part
		}
		if at := strings.TrimLeft(part, "+"); digits().MatchString(at) {
			return part
		}
		if idForm().MatchString(part) {
			return jobID(n, part)
		}
		return n.name(Host, part)
	})
}

// features is an expression of names, counts after * and brackets.
func features(n *Names, text string) string {
	return between(text, "&|!*[](),;<>:= ", func(part string, before byte) string {
		if before == '*' && digits().MatchString(part) {
			return part
		}
		return n.name(Feature, part)
	})
}

// licenses is NAME or NAME:COUNT, several with a comma or another sign between.
func licenses(n *Names, text string) string {
	return between(text, ",;|: ", func(part string, before byte) string {
		if before == ':' && digits().MatchString(part) {
			return part
		}
		return n.name(License, part)
	})
}

// common are words of resources that every cluster has.
var common = map[string]bool{
	"gres": true, "gpu": true, "mps": true, "shard": true, "nic": true, "tres": true, "cpu": true, "mem": true,
	"node": true, "billing": true, "energy": true, "vmem": true,
	"pages": true, "fs": true, "disk": true, "bb": true, "ic": true, "ofed": true, "license": true, "craynetwork": true,
	"s": true, "none": true,
}

// resources is generic resources with types, counts and sockets, as in gpu:a100:2(S:0-1),shard:8.
func resources(n *Names, text string) string {
	return between(text, ":,()/= ", func(part string, _ byte) string {
		if common[strings.ToLower(part)] || digits().MatchString(part) || numbers(n, part) != "" {
			return part
		}
		return n.name(Resource, part)
	})
}

// trackable is the name of a trackable resource: cpu, gres/gpu:a100, license/fluent.
func trackable(n *Names, text string) string {
	kind, of, ok := strings.Cut(text, "/")
	if ok && strings.EqualFold(kind, "license") {
		return kind + "/" + n.name(License, of)
	}
	return resources(n, text)
}

// billing is what usage costs: CPU=1.0,GRES/gpu:a100=2.
var billing = listOf(func(n *Names, text string) string {
	of, cost, ok := cutLast(text)
	if !ok || !digits().MatchString(cost) {
		return ""
	}
	return trackable(n, of) + "=" + cost
})

// limit is NAME=VALUE or NAME=TRES=VALUE.
func limit(n *Names, text string) string {
	what, value, ok := strings.Cut(text, "=")
	if !ok || word().FindString(what) != what {
		return ""
	}
	if of, bound, ok := cutLast(value); ok && numbers(n, bound) != "" {
		return what + "=" + trackable(n, of) + "=" + bound
	}
	if numbers(n, value) == "" {
		return ""
	}
	return text
}

// partitionNumber is PARTITION=NUMBER.
func partitionNumber(n *Names, text string) string {
	of, number, ok := cutLast(text)
	if !ok || numbers(n, number) == "" {
		return ""
	}
	return n.name(Partition, of) + "=" + number
}

func cutLast(text string) (before, after string, ok bool) {
	i := strings.LastIndexByte(text, '=')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// between changes the parts of a text that are between signs; before is the sign before a part.
func between(text, signs string, change func(part string, before byte) string) string {
	var out strings.Builder
	start, sign := 0, byte(0)
	for i := 0; i <= len(text); i++ {
		if i < len(text) && strings.IndexByte(signs, text[i]) < 0 {
			continue
		}
		if i > start {
			out.WriteString(change(text[start:i], sign))
		}
		if i < len(text) {
			sign = text[i]
			out.WriteByte(sign)
		}
		start = i + 1
	}
	return out.String()
}
