package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Round is what was handed to a batch system at one time: tasks of some cells each. Tasks are numbered through all
// rounds, so that a number says which cells are meant.
type Round struct {
	FormatVersion int        `json:"format_version"`
	First         int        `json:"first"` // number of the first task
	Tasks         [][]string `json:"tasks"` // names of cells
	TaskSeconds   float64    `json:"task_seconds"`
	Arrays        []Array    `json:"arrays,omitempty"` // of Slurm, in the order in which they were submitted
}

// Array is a job array of Slurm: its tasks are numbered from 0, and the first is task Offset of the sweep.
type Array struct {
	Job    string `json:"job"`
	Offset int    `json:"offset"`
	Count  int    `json:"count"`
}

// Cells are those of a task; nil if the task is of another round.
func (r *Round) Cells(task int) []string {
	if task < r.First || task >= r.First+len(r.Tasks) {
		return nil
	}
	return r.Tasks[task-r.First]
}

// Task is the number of a task of an array; -1 if the array is of another round.
func (r *Round) Task(job string, index int) int {
	for _, a := range r.Arrays {
		if a.Job == job && index >= 0 && index < a.Count {
			return a.Offset + index
		}
	}
	return -1
}

// Encode writes a round.
func (r *Round) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", " ")
	return append(text, '\n'), err
}

// DecodeRound reads a round.
func DecodeRound(text []byte) (*Round, error) {
	r := &Round{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("it is no round of a sweep: %w", err)
	}
	if r.FormatVersion != FormatVersion || r.First < 0 {
		return nil, errors.New("it is no round of a sweep, or one of another version of the format")
	}
	for _, id := range slices.Concat(r.Tasks...) {
		if !isName(id) {
			return nil, fmt.Errorf("%q is no name of a cell", id)
		}
	}
	for _, a := range r.Arrays {
		if a.Offset < r.First || a.Count < 1 || a.Offset+a.Count > r.First+len(r.Tasks) {
			return nil, fmt.Errorf("array %s has tasks that the round does not have", a.Job)
		}
	}
	return r, nil
}

// Pack puts cells into tasks of about so many seconds each, in their order, and into no more tasks than most. Costs are
// seconds. A cell that takes longer is a task of its own.
func Pack(cells []*Cell, cost func(*Cell) float64, seconds float64, most int) [][]string {
	if len(cells) == 0 {
		return nil
	}
	total := 0.0
	for _, c := range cells {
		total += cost(c)
	}
	for ; ; seconds = max(seconds*1.25, total/float64(most)) {
		if tasks := pack(cells, cost, seconds); len(tasks) <= most || seconds > total {
			return tasks
		}
	}
}

func pack(cells []*Cell, cost func(*Cell) float64, seconds float64) (tasks [][]string) {
	filled := 0.0
	for _, c := range cells {
		if len(tasks) == 0 || filled+cost(c) > seconds {
			tasks, filled = append(tasks, nil), 0
		}
		tasks[len(tasks)-1] = append(tasks[len(tasks)-1], c.ID)
		filled += cost(c)
	}
	return tasks
}

// Chunks cuts tasks into arrays of no more than most each.
func (r *Round) Chunks(most int) (list []Array) {
	for at := 0; at < len(r.Tasks); at += most {
		list = append(list, Array{Offset: r.First + at, Count: min(most, len(r.Tasks)-at)})
	}
	return list
}
