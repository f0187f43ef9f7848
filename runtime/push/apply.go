package push

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/manager"
)

// Machine carries plans out.
type Machine struct {
	Feeder  manager.Feeder
	Exec    func(context.Context, manager.Call) ([]byte, error)
	Journal Journal
	Now     func() time.Time
	Wait    func(context.Context, time.Duration) error // returns early with an error when the context ends
	// Afterwards is for the looking at what was sent last: also when the time is up it must be known what took.
	Afterwards func(context.Context) (context.Context, context.CancelFunc)
	// PerSecond is how many changes are sent in a second at most; 0 is without a limit.
	PerSecond float64
	// MaxChanges is how many jobs a run may change, those included that a broken-off run left with another value; 0 is
	// without a bound.
	MaxChanges int
	Refused    []Refused // by the last run, of what it was to change
	Missed     []Refused // did not take in the last run and are no matter of the job, as far as it is known

	run    string
	batch  int
	counts Counts
	failed error         // of the first command after which something did not take
	denied users         // of changes that were denied or not answered, since the last that took
	open   map[key]int64 // values that a broken-off command may have left
	gone   users         // of jobs that were not listed any more after they were changed
	known  Lessons       // of the runs before
}

// mostDenied is how many changes that are denied, one after the other and of several users, say that all will be.
const mostDenied = 50

// users are those of some jobs. A job whose user is not known may be anybody's.
type users struct {
	jobs, unknown int
	names         map[string]bool
}

func (u *users) add(name string) {
	if u.jobs++; name == "" {
		u.unknown++
		return
	}
	if u.names == nil {
		u.names = map[string]bool{}
	}
	u.names[name] = true
}

// several reports jobs of more than one user, so that it is not what one of them did.
func (u *users) several() bool { return len(u.names)+u.unknown > 1 }

// key is a job for good: ids are used again.
type key struct{ job, submitted string }

// ErrBeyond says that a run would change more jobs than it may.
var ErrBeyond = errors.New("which is more than --max-changes")

// ErrNothingTook says that the resource manager answers but does not do what it is asked.
var ErrNothingTook = errors.New("none of the changes took")

// ErrAllRefused says that the resource manager refused every change, of jobs of several users.
var ErrAllRefused = errors.New("every change was refused")

// Apply carries a plan out. earlier is the journal so far. An error says that it was broken off, which
// loses nothing: applied again, or made anew, it goes on.
func (m *Machine) Apply(ctx context.Context, p *Plan, earlier []Entry) (Counts, error) {
	m.run, m.batch = p.Run, 0
	m.forget()
	m.known = Learn(earlier, m.Now())
	if err := m.write(Entry{Event: Begin, Target: &p.Target, Undoes: p.Undoes, Planned: len(p.Changes)}); err != nil {
		return m.counts, err
	}
	left := Unsettled(earlier)
	batches := slices.Collect(slices.Chunk(p.Changes, m.batchSize()))
	all, err := m.ask(ctx, slices.Concat(left, first(batches)))
	if err != nil {
		return m.counts, err
	}
	all, err = m.settle(ctx, left, all, first(batches), len(p.Changes))
	switch {
	case errors.Is(err, ErrBeyond): // nothing was begun
		return m.counts, cmpError(m.write(Entry{Event: End, Counts: &m.counts, Error: err.Error()}), err)
	case err != nil:
		return m.counts, err
	}
	settled := m.counts.Changed
	skipped, err := m.sendAll(ctx, batches, all)
	m.counts.Skipped = len(skipped)
	if err == nil && m.counts.Changed == settled && m.counts.Missed > 0 {
		err = m.nothing()
	}
	if err == nil && m.counts.Changed == settled {
		err = m.allRefused()
		if err == nil && m.gone.several() { // a list without any of them is no answer
			err = fmt.Errorf("%w: none of the %d jobs is listed after it", ErrNothingTook, m.gone.jobs)
		}
	}
	if err != nil && !errors.Is(err, ErrNothingTook) && !errors.Is(err, ErrAllRefused) {
		return m.counts, err
	}
	if len(skipped) > 0 {
		if err := m.write(Entry{Event: Skipping, Skipped: skipped}); err != nil {
			return m.counts, err
		}
	}
	end := Entry{Event: End, Counts: &m.counts}
	if err != nil { // a run without any effect has come to its end all the same
		end.Error = err.Error()
	}
	return m.counts, cmpError(m.write(end), err)
}

// forget begins to count anew.
func (m *Machine) forget() {
	m.counts, m.denied, m.gone, m.Refused, m.Missed, m.failed = Counts{}, users{}, users{}, nil, nil, nil
}

// sendAll sends one batch after the other. all is how the jobs of the first are held.
func (m *Machine) sendAll(ctx context.Context, batches [][]Change, all []manager.Holding) (skipped []Skipped,
	err error) {
	for i, batch := range batches {
		if err := ctx.Err(); err != nil {
			return skipped, err
		}
		settings, changes, passed := m.sift(batch, all)
		skipped = append(skipped, passed...)
		next := first(batches[i+1:])
		if len(settings) == 0 {
			if len(next) > 0 {
				if all, err = m.ask(ctx, next); err != nil {
					return skipped, err
				}
			}
			continue
		}
		var gone []Skipped
		all, gone, err = m.send(ctx, settings, changes, all, next)
		if skipped = append(skipped, gone...); err != nil {
			return skipped, err
		}
	}
	return skipped, nil
}

// batchSize is how many changes are sent before it is looked what took; at a limited rate, no more than a
// second's. A file is written as a whole.
func (m *Machine) batchSize() int {
	n := m.Feeder.Batch()
	if m.PerSecond > 0 && n < math.MaxInt32 {
		n = min(n, max(1, int(m.PerSecond)))
	}
	return n
}

// first is the first batch, nil if there is none.
func first(batches [][]Change) []Change {
	if len(batches) == 0 {
		return nil
	}
	return batches[0]
}

// write makes an entry safe.
func (m *Machine) write(e Entry) error {
	e.Time, e.Run = m.Now().UTC().Format(time.RFC3339), m.run
	if err := m.Journal.Append(e); err != nil {
		return fmt.Errorf("the audit cannot be written, so nothing more is sent: %w", err)
	}
	return nil
}

// ask asks for the jobs as they are held now. That all questions fail is no answer.
func (m *Machine) ask(ctx context.Context, changes []Change) ([]manager.Holding, error) {
	jobs := make([]manager.Holding, len(changes))
	for i, c := range changes {
		jobs[i] = manager.Holding{Job: c.Job, Name: c.Name, Submitted: c.Submitted}
	}
	return Ask(ctx, m.Feeder, m.Exec, jobs)
}

// Ask asks a resource manager how it holds jobs.
func Ask(ctx context.Context, f manager.Feeder, exec func(context.Context, manager.Call) ([]byte, error),
	jobs []manager.Holding) ([]manager.Holding, error) {
	calls := f.Ask(jobs)
	texts := make([][]byte, len(calls))
	failed := 0
	var before error
	for i, c := range calls {
		if c.Instead && before == nil {
			continue
		}
		text, err := exec(ctx, c)
		if c.Instead && err != nil {
			return nil, fmt.Errorf("%s: %w; %s: %w", strings.Join(calls[i-1].Argv, " "), before, strings.Join(c.Argv, " "), err)
		}
		if before = err; err != nil {
			if failed++; !c.MayFail || failed == len(calls) || ctx.Err() != nil {
				return nil, fmt.Errorf("%s: %w", c.Program(), err)
			}
			text = nil
		}
		texts[i] = text
	}
	held, err := f.Answer(jobs, texts)
	return single(held), err
}

// single marks jobs that an answer tells of more than once. Texts of users, such as a job's name with a line
// break, can pass for a record of a job that is somebody else's; nothing tells which record is the true one.
func single(held []manager.Holding) []manager.Holding {
	times := map[string]int{}
	for _, h := range held {
		if !h.Left {
			times[h.Job]++
		}
	}
	for i := range held {
		if times[held[i].Job] > 1 {
			held[i].Unknown = "two records have its id; a line break in the text of a job may have made one of them"
		}
	}
	return held
}

// sift picks what is to be sent of a batch.
func (m *Machine) sift(batch []Change, all []manager.Holding) (settings []manager.Setting, changes []Change,
	skipped []Skipped) {
	index := byKey(all)
	names := map[string]bool{} // ids that are held, whoever has them
	for _, h := range all {
		names[h.Job] = true
	}
	low, high := m.Feeder.Range()
	for _, c := range batch {
		h, ok := index[key{c.Job, c.Submitted}]
		through, broken := m.open[key{c.Job, c.Submitted}]
		why := ""
		switch {
		case !ok && names[c.Job]:
			why = "its id is that of another job by now"
		case !ok:
			why = "it has gone"
		case h.Standing == manager.Started || h.Standing == manager.Ended:
			why = "it has " + h.Standing.String()
		case h.Standing == manager.Held:
			why = "it is held by now"
		case h.Unknown != "":
			why = h.Unknown
		case h.Name == "":
			why = "its id is none that commands take"
		case h.Value == c.New && !h.Computed:
			m.counts.Already++
			continue
		case c.New < low || c.New > high: // of a plan or an audit that push did not write
			why = fmt.Sprintf("it would get %d, and %s takes %d to %d", c.New, m.Feeder.Kind(), low, high)
		case m.known.Refuses(c) != "":
			why = m.known.Refuses(c)
		case h.Value != c.Old && !(c.Computed && h.Computed) && !(broken && through == h.Value):
			why = fmt.Sprintf("somebody else has set it to %d since", h.Value)
		}
		if why != "" {
			skipped = append(skipped, Skipped{c.Job, why})
			continue
		}
		c.Old, c.Name = h.Value, h.Name
		changes = append(changes, c)
		settings = append(settings, manager.Setting{Holding: h, New: c.New})
	}
	return settings, changes, skipped
}

func byKey(all []manager.Holding) map[key]manager.Holding {
	index := make(map[key]manager.Holding, len(all))
	for _, h := range all {
		index[key{h.Job, h.Submitted}] = h
	}
	return index
}

// send sends one batch and looks what took, and how the jobs of the next one are held.
func (m *Machine) send(ctx context.Context, settings []manager.Setting, changes []Change, all []manager.Holding,
	next []Change) ([]manager.Holding, []Skipped, error) {
	settings, changes = m.alongside(settings, changes, all)
	slices.SortStableFunc(settings, compareRest)
	if m.PerSecond > 0 && m.batch > 0 {
		if err := m.Wait(ctx, time.Duration(float64(len(settings))/m.PerSecond*float64(time.Second))); err != nil {
			return nil, nil, err
		}
	}
	calls := m.Feeder.Set(settings, all)
	m.batch++
	if err := m.write(Entry{Event: Intent, Batch: m.batch, Commands: commands(calls), Changes: changes}); err != nil {
		return nil, nil, err
	}
	unsent, said, failure := m.execute(ctx, settings, calls)
	if ctx.Err() != nil {
		next = nil
	}
	after, cancel := m.Afterwards(ctx)
	defer cancel()
	all, err := m.ask(after, slices.Concat(changes, next))
	if err != nil {
		failure = cmpError(failure, err)
		return nil, nil, errors.Join(failure, m.write(Entry{Event: Failed, Batch: m.batch, Error: failure.Error()}))
	}
	took, missed, gone := outcome(changes, all)
	done := Entry{Event: Done, Batch: m.batch, Took: took}
	if unsent == 0 {
		said.of(changes, missed, &done)
	} else { // what does not have its value was not refused
		done.Unsent = missed
		failure = fmt.Errorf("%d of %d commands did not come to their end: %w", unsent, len(calls), ctx.Err())
	}
	if failure != nil {
		done.Error = failure.Error()
	}
	if m.counts.Changed += len(took); unsent > 0 {
		return nil, gone, cmpError(m.write(done), ctx.Err())
	}
	for _, c := range changes {
		switch {
		case c.Keep:
		case slices.Contains(gone, Skipped{c.Job, wentAway}):
			m.gone.add(c.User)
		case slices.Contains(done.Missed, c.Job):
			m.counts.Missed++
		case slices.Contains(missed, c.Job):
			m.counts.Refused++
		}
	}
	m.Refused = append(m.Refused, done.Refused...)
	m.Missed = append(m.Missed, said.reasons(changes, done.Missed)...)
	if err := m.write(done); err != nil {
		return nil, nil, err
	}
	if len(done.Missed) > 0 {
		m.failed = cmpError(m.failed, failure)
	}
	if len(took) > 0 {
		m.denied = users{}
	} else if m.pointless(changes, done.Missed, said, failure) {
		return nil, gone, m.nothing()
	}
	return all, gone, nil
}

// nothing is ErrNothingTook with what a command reported.
func (m *Machine) nothing() error {
	if m.failed == nil {
		return ErrNothingTook
	}
	return fmt.Errorf("%w: %w", ErrNothingTook, m.failed)
}

// allRefused is ErrAllRefused where that is so, with what was reported first.
func (m *Machine) allRefused() error {
	var of users
	for _, r := range m.Refused {
		of.add(r.User)
	}
	if !of.several() {
		return nil
	}
	first := m.Refused[0]
	return fmt.Errorf("%w, %d of jobs of several users, so that it may be no matter of the jobs: %s (job %s)",
		ErrAllRefused, of.jobs, source.Plain(first.Why), source.Plain(first.Job))
}

// sayings are what commands reported of changes that did not take.
type sayings struct {
	jobs map[string]manager.Refusal
	more bool // something else went wrong, or was printed: who is silent may be meant
}

// of parts the changes that did not take: those that the resource manager does not want, job by job, and the others. Of
// these it may be the job's doing too where it says what no table has, or nothing while all else is explained.
func (s *sayings) of(changes []Change, missed []string, done *Entry) {
	for _, c := range changes {
		r, said := s.jobs[c.Job]
		forNow := r.Of == manager.ForNow
		entry := Refused{Job: c.Job, Submitted: c.Submitted, Asks: c.Asks, User: c.User, Why: r.Why, ForNow: forNow}
		switch {
		case !slices.Contains(missed, c.Job):
			continue
		case said && (r.Of == manager.TheJob || forNow):
			done.Refused = append(done.Refused, entry)
			continue
		case said && r.Of == manager.Unknown:
			done.Unsure = append(done.Unsure, entry)
		case !said && !s.more && !c.Keep:
			entry.Why = "it kept its value without a word"
			done.Unsure = append(done.Unsure, entry)
		}
		done.Missed = append(done.Missed, c.Job)
	}
}

// reasons are why changes were missed, for people.
func (s *sayings) reasons(changes []Change, missed []string) (list []Refused) {
	for _, c := range changes {
		if !c.Keep && slices.Contains(missed, c.Job) {
			list = append(list, Refused{Job: c.Job, Why: cmp.Or(s.jobs[c.Job].Why, "no reason was given")})
		}
	}
	return list
}

// pointless reports that what did not take says of all other jobs that theirs will not either. What is reported of the
// jobs of one user never does: the user may have made it so.
func (m *Machine) pointless(changes []Change, missed []string, said sayings, failure error) bool {
	var complaint *manager.Complaint
	if len(missed) > 0 && failure != nil && !errors.As(failure, &complaint) {
		return true // a command could not be run, or was ended
	}
	for _, c := range changes {
		of := said.jobs[c.Job].Of
		if (of == manager.NoAnswer || of == manager.WhoeverAsk) && slices.Contains(missed, c.Job) {
			m.denied.add(c.User)
		}
	}
	return m.denied.jobs > mostDenied && m.denied.several()
}

// execute runs commands until the time is up: unsent are those that were not run then, or were ended.
func (m *Machine) execute(
	ctx context.Context, settings []manager.Setting, calls []manager.Call,
) (unsent int, said sayings, failure error) {
	said.jobs = map[string]manager.Refusal{}
	for i, c := range calls {
		printed, err := m.Exec(ctx, c)
		complaint := &manager.Complaint{}
		complained := errors.As(err, &complaint)
		found, more := m.Feeder.Refused(settings, c, printed, complaint.Text)
		maps.Copy(said.jobs, found)
		for _, refusal := range found {
			said.more = said.more || refusal.Of == manager.NoAnswer || refusal.Of == manager.WhoeverAsk
		}
		if err != nil {
			said.more = said.more || more || !complained || len(found) == 0
			failure = worse(failure, fmt.Errorf("%s: %w", c.Program(), err))
		}
		switch {
		case ctx.Err() != nil && err != nil:
			return len(calls) - i, said, failure
		case ctx.Err() != nil:
			return len(calls) - i - 1, said, failure
		}
	}
	return 0, said, failure
}

// worse is the first of two errors, but one of a command that could not be run before one of a command that complained.
func worse(first, second error) error {
	var complaint *manager.Complaint
	if first != nil && errors.As(first, &complaint) && !errors.As(second, &complaint) {
		return second
	}
	return cmpError(first, second)
}

func cmpError(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

func commands(calls []manager.Call) []Command {
	list := make([]Command, len(calls))
	for i, c := range calls {
		list[i] = Command{Argv: c.Argv, File: c.File}
		if c.File == "" { // of a file the changes tell enough
			list[i].Input = string(c.Input)
		}
	}
	return list
}

// alongside adds the jobs that the commands change too, with the values that they have, so that these are
// set again afterwards.
func (m *Machine) alongside(settings []manager.Setting, changes []Change, all []manager.Holding) ([]manager.Setting,
	[]Change) {
	at := map[key]int{}
	for i, c := range changes {
		at[key{c.Job, c.Submitted}] = i
	}
	for _, s := range slices.Clone(settings) {
		value := s.New
		for _, h := range m.Feeder.Alongside(s.Holding, all) {
			k := key{h.Job, h.Submitted}
			if i, ok := at[k]; ok {
				changes[i].Through = &value
				continue
			}
			if h.Unknown != "" || h.Name == "" {
				continue
			}
			at[k] = len(changes)
			changes = append(changes, Change{Job: h.Job, Name: h.Name, Submitted: h.Submitted, Old: h.Value, New: h.Value,
				Through: &value, Keep: true})
			settings = append(settings, manager.Setting{Holding: h, New: h.Value})
		}
	}
	return settings, changes
}

// wentAway is why a job is skipped that was there before its change and is not afterwards.
const wentAway = "it went away meanwhile"

// outcome says for which jobs the change took. One that waits no more is neither.
func outcome(changes []Change, all []manager.Holding) (took, missed []string, gone []Skipped) {
	index := byKey(all)
	for _, c := range changes {
		h, ok := index[key{c.Job, c.Submitted}]
		switch {
		case c.Keep && ok && h.Value == c.New:
		case !ok:
			gone = append(gone, Skipped{c.Job, wentAway})
		case h.Standing == manager.Started || h.Standing == manager.Ended:
			gone = append(gone, Skipped{c.Job, "it " + h.Standing.String() + " meanwhile"})
		case h.Unknown == "" && h.Value == c.New:
			took = append(took, c.Job)
		default:
			missed = append(missed, c.Job)
		}
	}
	return took, missed, gone
}

// settle ends what commands of a run that was broken off began: tasks that were left with the value of
// their array get what they were to have, which for most is what they had.
// The audit has these values, so that they count, and are bounded, as those of a plan are.
func (m *Machine) settle(ctx context.Context, left []Change, all []manager.Holding, next []Change,
	planned int) ([]manager.Holding, error) {
	m.open = map[key]int64{}
	index := byKey(all)
	var rest []Change
	var settled []Settled
	for _, c := range left {
		k := key{c.Job, c.Submitted}
		m.open[k] = *c.Through
		switch h, ok := index[k]; {
		case !ok || h.Standing == manager.Started || h.Standing == manager.Ended:
			settled = append(settled, Settled{c.Job, c.Submitted})
		case h.Unknown != "": // of a job that is held, sprio says nothing; it is settled once it is released
		case h.Value == *c.Through && h.Value != c.New:
			rest = append(rest, c)
		default:
			settled = append(settled, Settled{c.Job, c.Submitted})
		}
	}
	if len(settled) > 0 {
		if err := m.write(Entry{Event: Settling, Settled: settled}); err != nil {
			return nil, err
		}
	}
	settings, changes, _ := m.sift(rest, all)
	if n := len(settings); n > 0 && m.MaxChanges > 0 && n+planned > m.MaxChanges {
		return nil, fmt.Errorf("%d jobs would change, %d of them to settle what a run left that was broken off, %w %d",
			n+planned, n, ErrBeyond, m.MaxChanges)
	}
	if len(settings) > 0 {
		after, _, err := m.send(ctx, settings, changes, all, next)
		switch {
		case err == nil:
			all = after
		case !errors.Is(err, ErrNothingTook):
			return nil, err
		default: // they stay open, and must not keep all others from what they are to get
			if all, err = m.ask(ctx, slices.Concat(left, next)); err != nil {
				return nil, err
			}
		}
	}
	m.forget()
	index = byKey(all)
	for _, c := range rest {
		if h, ok := index[key{c.Job, c.Submitted}]; ok && h.Unknown == "" && h.Value == c.New {
			m.counts.Changed++
		}
	}
	return all, nil
}
