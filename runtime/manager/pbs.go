package manager

import (
	"bytes"
	"errors"
)

// PBS reads with the commands of PBS Professional, OpenPBS and TORQUE. They print times of a zone without its name, so
// that it is chosen here.
var PBS = Reading{
	Kind: "pbs", Program: "qstat", Environment: []string{"TZ=UTC", "LC_ALL=C"},
	Forms: []Form{
		{"qstat", "qstat -f -w of PBS Professional 18 and later and of OpenPBS, or qstat -x of TORQUE", qstatLines, pbsList},
		{"json", "qstat -f -F json, of OpenPBS; versions before 23 do not print every environment so that it can be read",
			Command{
				Argv: []string{"qstat", "-f", "-F", "json"}, File: "qstat.json", Gives: "the jobs", Needed: true, Whole: wholeJSON,
				jobs: pbsJSONJobs, hide: hidePrivateJSON}, pbsList},
	},
	commands: func(jobs []Command) []Command {
		nodes := Command{Argv: []string{"pbsnodes", "-a"}, File: "pbsnodes.txt", Gives: "the nodes", Needed: true,
			Whole: wholeStanzas, hide: hideNodes}
		return append([]Command{nodes}, jobs...)
	},
}

// qstatLines prints each attribute on one line, a line break in its value as \n, so that no text of a user, such as a
// variable of the environment, passes for an attribute or for a job (seen in the source of OpenPBS, from 18.1 on).
// TORQUE does not know -w, and has XML.
var qstatLines = Command{Argv: []string{"qstat", "-f", "-w"}, File: "qstat.txt", Gives: "the jobs", Needed: true,
	Whole: wholeUnwrapped, None: noJobs, jobs: stanzaJobs, hide: hidePrivateLines, instead: &qstatXML}

// qstatXML has no < in a value (TORQUE's source, each version).
var qstatXML = Command{Argv: []string{"qstat", "-x"}, File: "qstat.xml", Gives: "the jobs", Needed: true,
	Whole: wholeXML, None: noJobs, jobs: xmlJobs, hide: hidePrivateXML}

// pbsList is qselect, which prints the ids of all jobs that are not done.
var pbsList = Command{Argv: []string{"qselect"}, Gives: "a list of jobs that shows whether one is missing",
	Whole: wholeList, jobs: lineJobs, role: unfinished}

// noJobs stands for a queue that qstat prints nothing for, because it is empty.
const noJobs = `{"format_version": 1, "family": "pbs", "jobs": []}` + "\n"

// wholeUnwrapped: stanzas, and no value goes on in the next line.
func wholeUnwrapped(text []byte) error {
	if bytes.Contains(text, []byte("\n\t")) {
		return errors.New("long values go on in the next line in spite of -w, so that a line break in the environment of " +
			"a job could pass for an attribute of it, or for another job: PBS Professional before 18 is not read")
	}
	return wholeStanzas(text)
}

// wholeXML: the document ends. An empty queue is an empty one, or no text at all.
func wholeXML(text []byte) error {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || bytes.HasSuffix(text, []byte("</Data>")) || bytes.HasSuffix(text, []byte("<Data/>")) ||
		bytes.HasSuffix(text, []byte("<Data />")) {
		return nil
	}
	return errors.New("the output is no whole XML document of TORQUE")
}
