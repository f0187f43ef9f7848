package format

// RecordIDs knows jobs by the numbers that only some outputs use.
type RecordIDs struct {
	ByRecord   map[string]string // the record number of a split-off task: 8 → 6_0
	Components map[string]string // the record number of a heterogeneous job's component: 10+1 → 11
	Unsplit    map[string]bool   // arrays with a row for the tasks not split off
}

func NewRecordIDs() *RecordIDs {
	return &RecordIDs{ByRecord: map[string]string{}, Components: map[string]string{}, Unsplit: map[string]bool{}}
}

// Add notes that a record number belongs to a task. squeue --array shows the
// record of the tasks not split off under each of them: two tasks of one number
// mean that it is the array's.
func (ids *RecordIDs) Add(record, id string) {
	if have, ok := ids.ByRecord[record]; ok && have != id {
		id = record
	}
	ids.ByRecord[record] = id
}
