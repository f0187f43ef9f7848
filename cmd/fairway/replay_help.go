package main

// replayLong describes `fairway replay`, and replayExamples has lines to try.
const (
	replayLong = `Replay answers what the last month would have been under another policy: it takes jobs
that ran, with their submit times, requests and run times, and plays them from an empty
machine, or from the queue of a snapshot, to the last end. Who waits, who overtakes and who
has used how much feeds back, as it does on a real machine.

Each scheduler keeps its own time. Of a maui.cfg that is Maui's iteration every
RMPOLLINTERVAL, with its reservations, clocks and usage windows going on from one to the
next, as in SERVERMODE SIMULATION; SIMINITIALQUEUEDEPTH counts only there. Jobs end at the
first iteration after their run time, and are cancelled once they exceed their limit by
JOBMAXOVERRUN. A job for which there can never be nodes is taken out. A policy from scratch
is asked whenever a job has come or ended.

A slurm.conf is played by slurmctld's clocks, as recorded runs of 22.05 show them: a tick of
about a second makes a main pass if a submission or an end has asked for one and the last
is batch_sched_delay ago, and one that tests all jobs every sched_interval; backfill has cycles
every bf_interval if anything has changed; priorities are computed at submission and every
PriorityCalcPeriod, with usage, decay and age as of then. Arrays, dependencies, begin times,
limits and preemption count; a preempted job that is requeued runs again in full. No trace
says when the controller was started, so ticks and cycles are up to one period off, and on
a full machine single starts differ as those of two real runs do. The machine is that of the
NodeName lines, unless --nodes is given; QOS and associations that are not in a dump come
from the output of sacctmgr show qos -P and show assoc -P, given with the policy files.
No job is suspended for another, and no reservation is taken from a trace.

Records that make no job, such as those of jobs that never ran, are counted, named and left
out, and the exit code is 1 then.

What the words mean
  main         the job started in its turn
  backfill     it started before others that waited
  slowdown     bounded: (wait + run) / max(run, 10 s), at least 1
  utilisation  busy processors over all of them, while any job waited or ran; jobs that
               never start do not count as work

What is played
  --workload   jobs that ran: Standard Workload Format (also .gz, .zst), sacct -P and --json,
               PBS accounting, jobs.json; may repeat
  --nodes      the machine; may repeat
  --snapshot   begin with this queue, its running jobs and its usage, in place of --nodes; of a
               trace with the state at --now. A record in the workload says how long a job of
               the queue runs, else it runs for as long as it may
  --procs      a machine that is one pool of so many processors; what jobs ask of nodes, such as
               how many, does not count there
  --from, --to only the jobs that were submitted in this time
  --runtime    recorded; limit: as if each job ran for as long as it may; or habits: the share of
               its limit that one of the last jobs of the same user, account, size and limit
               used, drawn by chance; where those are fewer than five, of the user's of that
               size, then of the user, the account, the size, and of all
  --arrivals   recorded; scaled=1.2: the same jobs in less time, for 1.2 times the load; or
               bootstrap: blocks of a day, or of a tenth of a workload of less than ten days,
               drawn with replacement
  --seed       of what is drawn; the same seed draws the same
  --param      with another value of a parameter
  --semantics, --deviation, --slurm-version, --without, --lang
               how the policy is read, as in eval

What is shown
  --warm-up    leave the jobs of the first hours out of the figures
  --against    another policy on the same jobs, as its files have it (--param and --without are
               of POLICY alone). Whether a difference is more than luck is seen on --drawn N
               workloads that are drawn from this one (as by --arrivals bootstrap): the interval
               is the difference, and to each side 1.96 standard deviations of it over them
  --output     table, html (one page with plots and the machine over time), csv (a row for
               each job), json (all) or jsonl (a job a line); =FILE writes a file
  --timezone   zone of times that the workload writes without one
  --dump       what a compiler pass made of the policy, and no replay`

	replayExamples = `  # what would the trace have been under this policy?
  fairway replay maui.cfg --workload trace.swf --nodes nodes.json

  # the same of a cluster with Slurm: its nodes are in slurm.conf
  fairway replay slurm.conf sacctmgr.cfg qos.psv --workload sacct.psv

  # the figures, and every job as data
  fairway replay maui.cfg -w trace.swf.gz -n nodes.json -o table -o html=replay.html -o csv=jobs.csv

  # EASY backfill on one pool of processors, without the first day
  fairway replay site.fairway.hcl -w trace.swf --procs 128 --warm-up 24h

  # today's queue to its end, with run times from the accounting of last month
  fairway replay maui.cfg -s snapshot/ -w sacct.psv --runtime habits

  # is a deeper reservation better, or is that luck?
  fairway replay maui.cfg --param RESERVATIONDEPTH=8 --against maui.cfg -w trace.swf -n nodes.json

  # with a deeper reservation, and only one week
  fairway replay maui.cfg -w trace.swf -n nodes.json --param RESERVATIONDEPTH=4 --from 1700000000 --to 1700604800`
)
