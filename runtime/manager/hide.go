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

// hidePasswords is for lines of NAME = VALUE, whose values go to the end of the line, blanks and quotes and all.
func hidePasswords(text []byte) []byte {
	return configLine().ReplaceAllFunc(text, func(line []byte) []byte {
		m := configLine().FindSubmatch(line)
		name, value := string(m[2]), string(m[3])
		if source.Secret(name) && value != "(null)" && value != "(none)" {
			value = source.Hidden
		}
		return append(append([]byte{}, m[1]...), source.Mask(value)...)
	})
}

var configLine = source.Pattern(`(?m)^(\s*(\w+)\s*=[ \t]*)(\S[^\r\n]*?)[ \t\r]*$`)

// written are the fields with what users and administrators write in their own words. Only there passwords are looked
// for: a text must not be able to hide what the scheduler says beside it.
const (
	writtenRecord = `^(?:JobName|Comment|AdminComment|SystemComment|Command|` +
		`SubmitLine|StdErr|StdIn|StdOut|WorkDir|MailUser|Extra|Reason)$`
	writtenPBS  = `(?:Job_Name|comment|note|Error_Path|Output_Path|init_work_dir|Mail_Users|message)`
	writtenJSON = `^(?:name|comment|admin_comment|system_comment|administrator|job|system|command|` +
		`submit_line|standard_error|standard_input|standard_output|` +
		`current_working_directory|mail_user|extra|stderr_expanded|stdin_expanded|stdout_expanded|` + writtenPBS + `)$`
)

var (
	recordKey       = source.Pattern(`(?:^|\s)([A-Za-z][\w:/-]*)=`)
	writtenRecordIs = source.Pattern(writtenRecord)
	writtenLine     = source.Pattern(`(?m)^(\s+` + writtenPBS + ` = )(.+)$`)
	writtenXML      = source.Pattern(`(<` + writtenPBS + `>)([^<]+)`)
	writtenName     = source.Pattern(writtenJSON)
)

// hideRecords takes passwords out of the words of users in lines of KEY=VALUE KEY=VALUE, as scontrol -o prints them.
func hideRecords(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		keys := recordKey().FindAllSubmatchIndex(line, -1)
		last := 0
		for i, k := range keys {
			name, end := string(line[k[2]:k[3]]), len(bytes.TrimRight(line, "\r\n"))
			if i+1 < len(keys) {
				end = keys[i+1][0]
			}
			value := string(line[k[1]:end])
			switch {
			case value == "" || value == "(null)":
				continue
			case source.Secret(name): // no key of the scheduler's is called so
				value = source.Hidden
			case writtenRecordIs().MatchString(name):
				value = source.Mask(value)
			default:
				continue
			}
			out.Write(line[last:k[1]])
			out.WriteString(value)
			last = end
		}
		out.Write(line[last:])
	}
	return out.Bytes()
}

// masked is source.Mask of the second group of each match.
func masked(of *regexp.Regexp, text []byte) []byte {
	return of.ReplaceAllFunc(text, func(match []byte) []byte {
		m := of.FindSubmatch(match)
		return append(append([]byte{}, m[1]...), source.Mask(string(m[2]))...)
	})
}

func hideNodes(text []byte) []byte { return masked(writtenLine(), text) }

// private are the attributes of a job of PBS and TORQUE with what its user wrote and nothing is computed from.
const private = `(?:Variable_List|Submit_arguments|submit_args|argument_list|executable|job_arguments)`

var (
	privateLine = source.Pattern(`(?m)^(    ` + private + ` = ).+$`)
	privateXML  = source.Pattern(`(<(` + private + `)>)[^<]+(</)`)
	privateName = source.Pattern(`^` + private + `$`)
)

func hidePrivateLines(text []byte) []byte {
	return masked(writtenLine(), privateLine().ReplaceAll(text, []byte("${1}"+source.Hidden)))
}

func hidePrivateXML(text []byte) []byte {
	return masked(writtenXML(), privateXML().ReplaceAll(text, []byte("${1}"+source.Hidden+"${3}")))
}

// hidePrivateJSON empties the members of these names, wherever they are, and takes passwords out of the words of users.
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
		private := ok && privateName().MatchString(name)
		if !private && !(ok && writtenName().MatchString(name)) {
			continue
		}
		after := int(d.InputOffset())
		if rest := bytes.TrimLeft(text[after:], " \t\r\n"); len(rest) == 0 || rest[0] != ':' {
			continue // a value that is called so
		}
		rest := bytes.TrimLeft(bytes.TrimLeft(text[after:], " \t\r\n")[1:], " \t\r\n")
		if !private && (len(rest) == 0 || rest[0] != '"') {
			continue // an object, whose own members are looked at
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		shown := []byte(`"` + source.Hidden + `"`)
		if !private {
			var words string
			if json.Unmarshal(value, &words) != nil {
				return nil
			}
			less := source.MaskLines(words)
			if less == words {
				continue
			}
			if shown, err = json.Marshal(less); err != nil {
				return nil
			}
		}
		out.Write(text[last:after])
		out.WriteString(": ")
		out.Write(shown)
		last = int(d.InputOffset())
	}
	out.Write(text[last:])
	return out.Bytes()
}
