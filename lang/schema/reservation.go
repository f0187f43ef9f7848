package schema

// reservationColumns are the columns of an advance reservation, standing reservation or maintenance window.
var reservationColumns = []Column{
	{ID: "reservation.name", Type: String, Maui: "ReservationID", Slurm: "ReservationName",
		Doc: "Name of the reservation."},
	{ID: "reservation.start_time", Type: Timestamp, Unit: Epoch, Absent: AbsentUnknown, Maui: "Start", Slurm: "StartTime",
		Doc: "When it begins; the next time of one that is repeated."},
	{ID: "reservation.end_time", Type: Timestamp, Unit: Epoch, Absent: AbsentUnknown, Maui: "End", Slurm: "EndTime",
		Doc: "When it ends."},
	{ID: "reservation.hosts", Type: StringList, Absent: AbsentUnknown, Maui: "Nodes", Slurm: "Nodes",
		Doc: "Nodes it holds; none for one of licences alone."},
	{ID: "reservation.procs", Type: Int, Unit: Count, Absent: AbsentUnknown, Maui: "Tasks", Slurm: "TRES=cpu",
		Doc: "Processors it holds in total; all of its nodes' if unknown."},
	{ID: "reservation.licenses", Type: String, Absent: AbsentZero, Slurm: "Licenses",
		Doc: "Licences it holds, as written."},
	{ID: "reservation.job", Type: String, Absent: AbsentZero, Maui: "Job",
		Doc: "The job that a scheduler keeps it for; empty for one that people may use."},
	{ID: "reservation.users", Type: StringList, Absent: AbsentUnknown, Maui: "ACL USER", Slurm: "Users",
		Doc: "Users whose jobs may use it; a minus in front keeps one out."},
	{ID: "reservation.groups", Type: StringList, Absent: AbsentUnknown, Maui: "ACL GROUP", Slurm: "Groups",
		Doc: "Unix groups whose jobs may use it."},
	{ID: "reservation.accounts", Type: StringList, Absent: AbsentUnknown, Maui: "ACL ACCT", Slurm: "Accounts",
		Doc: "Accounts whose jobs may use it; a minus in front keeps one out."},
	{ID: "reservation.qoses", Type: StringList, Absent: AbsentUnknown, Maui: "ACL QOS", Doc: "QOS whose jobs may use it."},
	{ID: "reservation.classes", Type: StringList, Absent: AbsentUnknown, Maui: "ACL CLASS",
		Doc: "Classes (queues) whose jobs may use it."},
	{ID: "reservation.partition", Type: String, Absent: AbsentZero, Slurm: "PartitionName",
		Doc: "Partition it is in; empty if any."},
	{ID: "reservation.flags", Type: StringList, Absent: AbsentUnknown, Slurm: "Flags",
		Doc: "Slurm's flags in small letters, such as maint, ignore_jobs, flex, daily, weekly, weekday, weekend; maint " +
			"marks a maintenance window, which only jobs that are let in may use; daily and its like repeat."},
	{ID: "reservation.state", Type: String, Absent: AbsentZero, Slurm: "State",
		Doc: "ACTIVE or INACTIVE when the snapshot was taken."},
}

// licenseColumns are the columns of a licence that jobs count against.
var licenseColumns = []Column{
	{ID: "license.name", Type: String, Slurm: "LicenseName", Doc: "Name, with the server of a remote one: fluent@flex."},
	{ID: "license.total", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "Total", Doc: "Licences there are."},
	{ID: "license.used", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "Used",
		Doc: "Licences that running jobs have."},
	{ID: "license.free", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "Free", Doc: "Licences not in use."},
	{ID: "license.reserved", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "Reserved",
		Doc: "Licences that reservations hold."},
	{ID: "license.deficit", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "LastDeficit",
		Doc: "Licences of a remote server that are used outside the cluster beyond its share."},
}
