package manager

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"

	"github.com/fairway-sched/fairway/lang/source"
)

// A snapshot is shown around, so that nothing is kept in it by which one could log in somewhere: passwords of the
// configuration, and what users put into the environment and the command line of their jobs.

// hidePasswords is source.Mask of each line.
func hidePasswords(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		content := bytes.TrimRight(line, "\r\n")
		out.WriteString(source.Mask(string(content)))
		out.Write(line[len(content):])
	}
	return out.Bytes()
}

// private are the attributes of a job of PBS and TORQUE with what its user wrote and nothing is computed from.
const private = `(?:Variable_List|Submit_arguments|submit_args|argument_list|executable|job_arguments)`

var (
	privateLine = regexp.MustCompile(`(?m)^(    ` + private + ` = ).+$`)
	privateXML  = regexp.MustCompile(`(<(` + private + `)>)[^<]+(</)`)
	privateName = regexp.MustCompile(`^` + private + `$`)
)

func hidePrivateLines(text []byte) []byte {
	return privateLine.ReplaceAll(text, []byte("${1}"+source.Hidden))
}

func hidePrivateXML(text []byte) []byte {
	return privateXML.ReplaceAll(text, []byte("${1}"+source.Hidden+"${3}"))
}

// hidePrivateJSON empties the members of these names, wherever they are.
func hidePrivateJSON(text []byte) []byte {
	var out bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(text))
	last := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil // it was found whole
		}
		name, ok := token.(string)
		if !ok || !privateName.MatchString(name) {
			continue
		}
		after := int(d.InputOffset())
		if rest := bytes.TrimLeft(text[after:], " \t\r\n"); len(rest) == 0 || rest[0] != ':' {
			continue // a value that is called so
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		out.Write(text[last:after])
		out.WriteString(`: "` + source.Hidden + `"`)
		last = int(d.InputOffset())
	}
	out.Write(text[last:])
	return out.Bytes()
}
