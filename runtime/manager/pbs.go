package manager

// PBS reads with the commands that PBS Professional, OpenPBS and TORQUE have in common. They print times of
// a zone without its name, so that it is chosen here.
var PBS = Reading{
	Kind: "pbs", Program: "qstat", Environment: []string{"TZ=UTC", "LC_ALL=C"},
	Forms: []Form{
		{"qstat", "qstat -f", Command{Argv: []string{"qstat", "-f"}, File: "qstat.txt", Gives: "the jobs", Needed: true, Whole: wholeStanzas, None: noJobs, jobs: stanzaJobs}, pbsList},
		{"json", "qstat -f -F json, of PBS Professional and OpenPBS", Command{
			Argv: []string{"qstat", "-f", "-F", "json"}, File: "qstat.json", Gives: "the jobs", Needed: true, Whole: wholeJSON, jobs: pbsJSONJobs}, pbsList},
	},
	commands: func(jobs []Command) []Command {
		return append([]Command{{Argv: []string{"pbsnodes", "-a"}, File: "pbsnodes.txt", Gives: "the nodes", Needed: true, Whole: wholeStanzas}}, jobs...)
	},
}

// pbsList is qselect, which prints the ids of all jobs that are not done.
var pbsList = Command{Argv: []string{"qselect"}, Gives: "a list of jobs that shows whether one is missing", Whole: wholeList, jobs: lineJobs, role: unfinished}

// noJobs stands for a queue of which qstat prints nothing, because it is empty.
const noJobs = `{"format_version": 1, "family": "pbs", "jobs": []}` + "\n"
