package main

// planLong describes `fairway plan`, and planExamples has a line to try for each of its options.
const (
	planLong = `Plan ranks the queue as eval does and then places the jobs: those that start now, by
the main pass or by backfill, those that get a reservation, and of all others when they
would start. It needs the nodes (scontrol show node, pbsnodes, a nodes file) and where
the running jobs are; reservations, maintenance windows and licences count where the
snapshot or the policy states them.

Jobs of a maui.cfg are planned as Maui does, those of a slurm.conf as slurmctld does, and
those of a policy from scratch, or of any with --planner native, by one planner whose
settings are the policy's backfill block: EASY backfill is a reservation depth of 1,
conservative backfill an unlimited one.

Where nodes have cores of several threads, slurmctld gives a job whole cores, and so does
its plan. If slurmctld plans a start although the job would run into a reservation, the
job is reported as delayed by it; estimates keep out of reservations.

A job that a limit stops starts, in the plan, once planned ends have freed the limit: the
plan names the limit and the job whose end does it. slurmctld plans no start for such a
job and Maui keeps nothing for it, so its start is an estimate and moves none of theirs.
A limit that no planned end frees leaves it without a time: one that its request is above,
one on what was used up, one on jobs that wait or are present, a fairshare cap.

Times are those at which running jobs reach their limits, so most jobs start sooner than
planned. What the input contradicts itself in, such as two jobs that fill one node, or
leaves open, such as a time limit, is reported on standard error; fairway doc rule CODE
explains each. A job of Slurm's may preempt others: the plan names them, and what they lose.

What the words mean
  running      the job runs already, to its limit at most
  main         it starts now, in the order of the ranking
  backfill     it starts now, before others that wait for the same nodes
  reservation  its nodes are kept from that time on; later jobs do not delay it
  estimate     it would start then, after those before it, but nothing is kept for it: whatever
               starts, ends or is submitted meanwhile moves it. Of Maui and Slurm these are the
               times beyond what one pass of the scheduler says, in the order of now
  never        it can never have what it asks for; the plan names the obstacle. A job without
               a time that is not never waits for something with no known end
  sooner       a smaller request (a shorter time limit, fewer nodes or processors) that would
               start before the job does, as large as starts then. It delays no job that runs,
               starts or was considered before; of Maui and Slurm it is offered only where a
               new plan with it confirms the time

How sure that is
  --estimate plays the queue --draws times, as replay does, with run times that jobs like these
  had by a history: the share of the limit that one of the last 60 jobs of the same user,
  account, size and limit used; where those are fewer than five, of the user's of that size,
  then of the user, the account, the size, and of all. In 80 of 100 draws a user's jobs all run
  long, or all short; 20 of 100 jobs run as any user's of that size, and 15 for any time up to
  their limit. The table and JSON have the times by which the job started in 10, 50 and 90 of
  100 draws. Jobs that are submitted later are not part of it. --ledger keeps the times for
  fairway estimate score

What is planned
  --snapshot   the queue, its nodes and reservations: files or folders, each adding to
               the ones before it
  --now        from when; a trace may begin at 0. Jobs that by its records
               started before run or have ended
  --pass       with the priorities of the last pass of slurmctld, by which it places jobs: a time,
               or printed, to seek it in the priorities and factors that squeue and sprio printed
  --procs      on a machine of so many processors in place of the snapshot's nodes. It is in
               every partition that a job names, so traces need no nodes
  --started    as if these jobs had just been started, in this order; not of Slurm's policies
  --backfilled which of the jobs of --started it started by backfill
  --state      with the queue times and usage that the last evaluation left. A plan as Maui's is an
               iteration: it keeps them there for the next one, with its reservations and the jobs
               it set aside, so that plans every few minutes follow a running Maui. Other
               plans, and --state-dir, only read

How
  --planner    policy is what the policy's scheduler does, native the one planner for all
  --depth      how many jobs get a reservation, in place of the policy's number: 0 for
               none, 1 for EASY backfill, unlimited for conservative backfill
  --param      with another value of a parameter, to see what it would change
  --semantics, --deviation, --slurm-version, --fairshare, --without, --lang
               how the policy is read, as in eval

What is shown
  --view       native        waiting jobs by their starts, where, and what they wait for
               why           a paragraph for each: until when, and what would start sooner
               showbf        what is free now and for how long, as Maui prints it
               showstart     the earliest start of each job, as Maui prints it
               squeue-start  as squeue --start prints it
  --output     table, csv, json (the whole plan) or jsonl (a job a line); =FILE writes a file
  --gantt      nodes over time as a chart, one SVG file that browsers show
  --job        only these jobs; an array's id stands for its tasks
  --limit      only the first jobs of a view
  --timezone   in the local time of a place
  --dump       what a compiler pass made of the policy, and no plan`

	planExamples = `  # when will my job start, and how sure is that?
  fairway plan slurm.conf -s snapshot/ --estimate sacct.psv

  # when will my queue start?
  fairway plan slurm.conf -s squeue.json -s nodes.json

  # from a moment of your choice, in local time
  fairway plan slurm.conf -s snapshot/ --now 2026-11-20T12:00:00Z --timezone Europe/Stockholm

  # with the priorities that slurmctld goes by, which are of its last pass
  fairway plan slurm.conf assoc.cfg -s snapshot/ --pass printed

  # as the schedulers' own commands print it
  fairway plan slurm.conf -s snapshot/ --view squeue-start
  fairway plan maui.cfg -s snapshot/ --view showbf
  fairway plan maui.cfg -s snapshot/ --view showstart --job 4242

  # what do these two jobs wait for, and what smaller request would start sooner?
  fairway plan slurm.conf -s snapshot/ --view why --job 4242,4243

  # the first ten starts
  fairway plan slurm.conf -s snapshot/ --limit 10

  # a chart, and the same as data
  fairway plan slurm.conf -s snapshot/ --gantt plan.svg -o json=plan.json

  # what would conservative backfill change? and what none at all?
  fairway plan site.fairway.hcl -s snapshot/ --depth unlimited
  fairway plan slurm.conf -s snapshot/ --planner native --depth 0

  # what would a deeper reservation change in Maui?
  fairway plan maui.cfg -s snapshot/ --param RESERVATIONDEPTH=4

  # every few minutes: reservations and queue times go on from plan to plan
  fairway plan maui.cfg -s snapshot/ --state maui.state -o json=plan.json

  # after the scheduler has started two jobs, the second by backfill
  fairway plan maui.cfg -s snapshot/ --started 4242,4243 --backfilled 4243

  # a trace has no nodes: a machine of 128 processors, at a time of the trace
  fairway plan site.fairway.hcl -s trace.swf --procs 128 --now 1027839845
  fairway plan site.fairway.hcl -s trace.swf --procs 128 --now 0`
)
