package snapshot

// slurmIDs knows jobs by the numbers that only some outputs use.
type slurmIDs struct {
	byRecord   map[string]string // the record number of a split-off task: 8 → 6_0
	components map[string]string // the record number of a heterogeneous job's component: 10+1 → 11
	unsplit    map[string]bool   // arrays with a row for the tasks not split off
}

func newSlurmIDs() *slurmIDs {
	return &slurmIDs{byRecord: map[string]string{}, components: map[string]string{}, unsplit: map[string]bool{}}
}

// add notes that a record number belongs to a task. squeue --array shows the
// record of the tasks not split off under each of them: two tasks of one number
// mean that it is the array's.
func (ids *slurmIDs) add(record, id string) {
	if have, ok := ids.byRecord[record]; ok && have != id {
		id = record
	}
	ids.byRecord[record] = id
}
