package main

const pushHelp = `Push computes the priorities of the policy and hands them to the resource manager.
Without --yes it only prints what it would change; nothing is sent.

How a priority gets there:
  --to slurm        SiteFactor: is added to what slurmctld computes, which goes on; needs
                    the outputs of sprio in the snapshot. A job's value is the policy's
                    priority less what slurmctld had without it, as of its last pass.
                    What ages in between is the difference that --threshold is for.
    --by nice       the same with Nice; a user's own nice value is replaced
    --by priority   instead of slurmctld's priority, which is not computed any more; a
                    user's nice value is set to 0 by slurmctld, which --undo does not bring
                    back, and policies do not see it
                    Whichever of the three it is, policies do not see the site factor: it
                    is push's, whoever set it.
  --to pbs          qalter -p: the first job of the queue gets 1023, the last -1024, the
                    others their place between
    --by resource=NAME  a resource of the site, by which its job_sort_formula sorts
  --to maui         setspri: the first job of the queue gets 1000, the last 1
  --to file=PATH    a line of JSON for each waiting job, replaced as a whole
  --to command=PROGRAM  a program of the site: "PROGRAM read" prints such a line for each
                    job, {"job": "12", "submitted": "1795175400", "value": 0}, with the
                    value of now, 0 if it has none, and "standing": held, started or
                    ended if it does not wait; none at all is an error. "PROGRAM set"
                    gets the lines that change, and may print {"job": "12", "refused":
                    "why"} for those that it does not take; if why has "later", "busy"
                    or "temporarily" in it, the next run tries them again

Each job is looked at right before it is changed: one that started, went away or that
somebody else changed since the snapshot is skipped. Afterwards it is looked at again,
and changes that did not take effect are reported.

A job that the resource manager refuses to change for what it asks for, such as more than
its partition has, costs no other job its value, and the run does not fail. The audit has
what was refused and why, and metrics count it. The job is tried again once it asks for
something else, or after 24 hours. What passes by itself, such as a job that is just ending,
is tried by each run, after the others. For a reason that Fairway does not know, or for none,
the run fails (exit code 1) until that has been so in three runs and for an hour, in which
other jobs took: then it is a refusal. The run fails also where every change was refused, of
jobs of several users, and always where the resource manager fails, has no time, or denies
whoever runs this any change; it ends early where that is so of many jobs.

Runs are bounded: --max-changes, --max-share (a run beyond is refused as a whole),
--threshold, --rate, --timeout for each command, and --deadline for all of a run, from the
snapshot on. They hold the lock of --state-dir, and write to its audit.jsonl before and
after each command what is sent and what took. The next run goes on with what a killed one
began; what it has to set right counts as its changes. Queue times and usage, as eval
--state-dir keeps them, go on from run to run there too (fairway doc state).

--apply FILE carries a plan out as it stands, if its policy and its snapshot are still
those that it was made of. Its bounds count and those of --max-changes, --max-share and
--config too, whichever are tighter; with --config the plan must be for the target of that
run. If the controller lost more than the last command
since, jobs are skipped: make the plan anew. --undo RUN shows how jobs that still have
the values of a run get those from before, and with --yes gives them; --max-changes bounds it.

Where the controller's clock was set back, a snapshot is of an earlier time than the last run,
and usage could count twice. Push sends nothing then (exit code 1; the metrics
fairway_run_errors{kind="clock"} and fairway_clock_behind_seconds say so) until the clock has
come to that time, or has gone on for 10 minutes from where it was set back to; with
--clock-set-back it goes on at once. Queue times and usage go on from the new time.

The state directory and the files in it, the file of --config, that of --apply, the policy
with what it includes, the snapshot, the program of --to command, and all folders and links
that lead to them belong to who runs this or to root, and only they may write them, no group
either: these files choose the program that runs, the target and what is sent. In a folder
such as /tmp, where all may write and only owners remove, so do the files themselves.
Where they are a service's, push as its user: sudo -u fairway -s.

With --config FILE a run block of the file says what is pushed, so that a line of cron is
short; fairway doc language describes it, and fairway lint FILE checks it. What is given on
the command line wins: policy files, --snapshot or --live, --to with --by, and each other
flag; -o is instead of all outputs of the file. --yes is given on the command line only.
With it such a run prints nothing unless something is wrong, and then what is wrong, and
writes the outputs of the file; without it the plan is printed.

-o prom=FILE writes metrics for Prometheus, also when the run fails: the time of the last
success, exit code and duration, jobs, unreadable records, changes. A file of --config that
cannot be read so far that it says where they go leaves them as they are. A run that finds the
lock held writes FILE-locked.prom instead, and leaves the metrics of the other alone.

Exit codes: 0 done, or nothing to do; 1 refused by a bound, a changed policy, the age of the
snapshot or a clock that was set back, or changes did not take; 3 input that cannot be read;
4 wrong usage; 5 the resource manager or the disk failed, or the --deadline has passed, and
what was not sent by then is for the next run; 75 another run holds the lock; 130 interrupted.`

const pushExamples = `  # what would change, from a saved snapshot
  fairway push site.fairway.hcl -s snapshot/ --to slurm

  # what follows, as the user whose state directory it is: sudo -u fairway -s
  # every minute from cron: silent unless something is wrong
  fairway push slurm.conf site.fairway.hcl --live --to slurm --threshold 50 \
      --max-share 0.5 --yes --quiet --state-dir /var/lib/fairway/state

  # the same from a file, as in examples/cron; without --yes it shows what it would do
  fairway push --config /etc/fairway/fairway.hcl --yes

  # look first, then do exactly that
  fairway push site.fairway.hcl --live --keep snap --to slurm --out plan.json
  fairway push --apply plan.json --state-dir /var/lib/fairway/state

  # what was done, and back
  fairway push --runs --state-dir /var/lib/fairway/state
  fairway push --yes --undo 20261120T120000Z-a1b2c3 --state-dir /var/lib/fairway/state

  # TORQUE with its own scheduler; a file for anything else
  fairway push site.fairway.hcl -s qstat.txt --to pbs
  fairway push site.fairway.hcl -s queue.json --to file=priorities.jsonl --yes --state-dir state`
