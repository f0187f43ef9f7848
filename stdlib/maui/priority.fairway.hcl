# Maui's job priority. Components and terms are in the order in which Maui
# adds them; reordering them would change the last bits of a priority.
# Source of the rules: MJobGetStartPriority in Maui's MPriority.c and chapter 5.1
# of its manual. Parameters are in params.csv beside this file.

policy "maui" {
  doc = "Maui 3.3 and later: seven weighted components of weighted, capped factors."

  define "xfactor_limit" {
    value = "double(math.greatest(job.qos == \"\" ? 0 : param.XFMINWCLIMIT, job.walltime_seconds))"
    doc   = "The limit that the expansion factor divides by."
  }
  define "xfactor" {
    value = <<-CEL
      documented.xfactor_numerator
        ? 1.0 + double(job.queue_seconds) / define.xfactor_limit
        : double(job.queue_seconds + job.walltime_seconds) / define.xfactor_limit
    CEL
    doc   = "Expansion factor: how often the limit fits into queue time plus limit."
  }

  # Documented caps apply after the component weight: min(cap, weight · sum) is
  # weight · min(cap / weight, sum). The quotient is rounded up by an ulp or two, so that weight
  # times quotient never falls short of the cap by rounding and the stored integer is the cap.
  component "service" {
    weight = "param.SERVICEWEIGHT"
    cap    = "documented.component_cap && param.SERVICEWEIGHT > 0 ? double(param.SERVICEWCAP) / double(param.SERVICEWEIGHT) * 1.0000000000000002 : double(param.SERVICEWCAP)"
    doc    = "How long the job has waited and how that compares with its length."

    term "queuetime" {
      weight = "param.QUEUETIMEWEIGHT + qos.queue_time_weight"
      cap    = "param.QUEUETIMECAP"
      factor = "job.queue_minutes"
      doc    = "Minutes in the queue, fractional. A QOS's QTWEIGHT is added to the weight."
    }
    # A limit of 0 without a minimum makes Maui's expansion factor infinite, and the upper clamp then its priority
    # 1e9, as that of any number as large as 1e18.
    term "xfactor" {
      weight = "param.XFACTORWEIGHT + qos.xfactor_weight"
      cap    = "param.XFACTORCAP"
      factor = "clamp(define.xfactor, -1e18, 1e18)"
      doc    = "Expansion factor: queue time plus limit over limit. The minimum limit needs a QOS; jobs without one fall back to QOS DEFAULT."
    }
    term "spviolation" {
      weight = "param.SPVIOLATIONWEIGHT"
      cap    = "param.SPVIOLATIONCAP"
      factor = "job.soft_policy_violation ? 1.0 : 0.0"
      doc    = "1 for a running job over a soft limit."
    }
    term "bypass" {
      weight = "param.BYPASSWEIGHT"
      cap    = "param.BYPASSCAP"
      factor = "job.bypass_count"
      doc    = "How often backfill let another job overtake this one."
    }
  }

  component "target" {
    weight = "param.TARGETWEIGHT"
    cap    = "documented.component_cap && param.TARGETWEIGHT > 0 ? double(param.TARGETCAP) / double(param.TARGETWEIGHT) * 1.0000000000000002 : double(param.TARGETCAP)"
    doc    = "How near the job is to the service its QOS promises."

    term "targetqueuetime" {
      weight = "param.TARGETQUEUETIMEWEIGHT"
      cap    = "param.TARGETQUEUETIMECAP"
      factor = <<-CEL
        qos.queue_time_target_seconds <= 0 ? 0.0
          : documented.queue_time_target
            ? pow(math.greatest(0.0001, double(qos.queue_time_target_seconds - job.queue_seconds)), -2.0)
            : pow(0.0001, -2.0)
      CEL
      doc    = "Grows as the queue time nears the QOS's QTTARGET. Observed: the constant 1e8 for every QOS with a target."
    }
    term "targetxfactor" {
      weight = "param.TARGETXFACTORWEIGHT"
      cap    = "param.TARGETXFACTORCAP"
      factor = "qos.xfactor_target <= 0.0 ? 0.0 : pow(math.greatest(0.0001, qos.xfactor_target - define.xfactor), -2.0)"
      doc    = "Grows as the expansion factor nears the QOS's XFTARGET; 1e8 from there on."
    }
  }

  component "credential" {
    weight = "param.CREDWEIGHT"
    cap    = "documented.component_cap && param.CREDWEIGHT > 0 ? double(param.CREDCAP) / double(param.CREDWEIGHT) * 1.0000000000000002 : double(param.CREDCAP)"
    doc    = "Priorities the site gave to users, groups, accounts, QOS and classes."

    term "user" {
      weight = "param.USERWEIGHT"
      cap    = "param.USERCAP"
      factor = "user.priority"
    }
    term "group" {
      weight = "param.GROUPWEIGHT"
      cap    = "param.GROUPCAP"
      factor = "group.priority"
    }
    term "account" {
      weight = "param.ACCOUNTWEIGHT"
      cap    = "param.ACCOUNTCAP"
      factor = "account.priority"
    }
    term "qos" {
      weight = "param.QOSWEIGHT"
      cap    = "param.QOSCAP"
      factor = "qos.priority"
    }
    term "class" {
      weight = "group.class_weight > 0 ? group.class_weight : param.CLASSWEIGHT"
      cap    = "param.CLASSCAP"
      factor = "partition.priority"
      doc    = "A group's CLASSWEIGHT replaces the weight when above 0."
    }
  }

  component "fairshare" {
    weight = "param.FSWEIGHT"
    cap    = "documented.component_cap && param.FSWEIGHT > 0 ? double(param.FSCAP) / double(param.FSWEIGHT) * 1.0000000000000002 : double(param.FSCAP)"
    doc    = "How far each credential is below its fairshare target."

    term "fsuser" {
      weight = "param.FSUSERWEIGHT"
      cap    = "param.FSUSERCAP"
      factor = "param.FSPOLICY == \"\" ? 0.0 : user.fairshare_delta"
    }
    term "fsgroup" {
      weight = "param.FSGROUPWEIGHT"
      cap    = "param.FSGROUPCAP"
      factor = "param.FSPOLICY == \"\" ? 0.0 : group.fairshare_delta"
    }
    term "fsaccount" {
      weight = "param.FSACCOUNTWEIGHT"
      cap    = "param.FSACCOUNTCAP"
      factor = "param.FSPOLICY == \"\" ? 0.0 : account.fairshare_delta"
    }
    term "fsqos" {
      weight = "param.FSQOSWEIGHT"
      cap    = "param.FSQOSCAP"
      factor = "param.FSPOLICY == \"\" ? 0.0 : qos.fairshare_delta"
    }
    term "fsclass" {
      weight = "param.FSCLASSWEIGHT"
      cap    = "param.FSCLASSCAP"
      factor = "param.FSPOLICY == \"\" ? 0.0 : partition.fairshare_delta"
    }
  }

  component "resource" {
    weight = "param.RESWEIGHT"
    cap    = "documented.component_cap && param.RESWEIGHT > 0 ? double(param.RESCAP) / double(param.RESWEIGHT) * 1.0000000000000002 : double(param.RESCAP)"
    doc    = "What the job asks for."

    term "node" {
      weight = "param.NODEWEIGHT"
      cap    = "param.NODECAP"
      factor = "job.nodes"
      doc    = "Nodes asked for; 0 if the job named none."
    }
    term "proc" {
      weight = "param.PROCWEIGHT"
      cap    = "param.PROCCAP"
      factor = "job.procs"
    }
    term "mem" {
      weight = "param.MEMWEIGHT"
      cap    = "param.MEMCAP"
      factor = "job.mem_mb"
    }
    term "swap" {
      weight = "param.SWAPWEIGHT"
      cap    = "param.SWAPCAP"
      factor = "job.swap_mb"
    }
    term "disk" {
      weight = "param.DISKWEIGHT"
      cap    = "param.DISKCAP"
      factor = "job.disk_mb"
    }
    term "ps" {
      weight = "param.PSWEIGHT"
      cap    = "param.PSCAP"
      factor = "double(job.procs) * double(job.walltime_seconds)"
      doc    = "Processor-seconds: processors times limit."
    }
    term "pe" {
      weight = "param.PEWEIGHT"
      cap    = "param.PECAP"
      factor = "job.processor_equivalents"
      doc    = "Processor equivalents: the largest share of any resource of the cluster, in processors."
    }
    term "walltime" {
      weight = "param.WALLTIMEWEIGHT"
      cap    = "param.WALLTIMECAP"
      factor = "job.walltime_seconds"
    }
    term "uproc" {
      enabled = documented.user_activity
      weight  = "param.UPROCWEIGHT"
      factor  = "job.user_active_procs"
      doc     = "Processors of the user's running jobs. Observed: the sum ends before it."
    }
    term "ujob" {
      enabled = documented.user_activity
      weight  = "param.UJOBWEIGHT"
      factor  = "job.user_active_count"
      doc     = "Number of the user's running jobs. Observed: the sum ends before it."
    }
  }

  finish {
    floor    = "param.ENABLENEGJOBPRIORITY || param.REJECTNEGPRIOJOBS ? -double('inf') : documented.priority_floor ? 0.0 : 1.0"
    ceiling  = 1000000000
    rounding = "truncate"

    override "system_priority" {
      when  = "job.system_priority > 0 && job.system_priority <= 1000 && !job.system_priority_relative"
      value = "1e9 + double(job.system_priority)"
      doc   = "setspri N: above every computed priority. A number outside 0 to 1000 is none."
    }
    override "relative_system_priority" {
      when  = <<-CEL
        job.system_priority_relative && (documented.relative_priority_range
          ? job.system_priority != 0 && job.system_priority >= -1000000000 && job.system_priority <= 1000000000
          : job.system_priority > 0 && job.system_priority <= 1000)
      CEL
      value = "score + double(job.system_priority)"
      doc   = "setspri -r N: added to the computed priority. A number outside the command's range is none."
    }
  }

  # Where the manual and the program differ, by the numbers of the list of differences. They
  # come last, so that one more moves no other line of this file.

  deviation "name_case" {
    number     = "Δ1"
    doc        = "Names of parameters and attributes in maui.cfg."
    observed   = "upper case only; other spellings are ignored"
    documented = "any case"
    changes    = "how maui.cfg is read"
  }
  deviation "two_field_time" {
    number     = "Δ2"
    doc        = "Times of two fields, such as 2:30."
    observed   = "hours and minutes"
    documented = "minutes and seconds"
    changes    = "how maui.cfg is read: XFMINWCLIMIT, FSINTERVAL and other times"
  }
  deviation "manual_parameters" {
    number     = "Δ3"
    doc        = "Parameters and attributes that are in the manual, but that no code of Maui sets."
    observed   = "ignored, such as SERVWEIGHT, MAXPEPERUSERCOUNT, SYSTEMDEFAULTJOBWALLTIME or QOSCFG FLAGS"
    documented = "taken where one of our models has their meaning, else named in a finding; jobs without a limit get SYSTEMDEFAULTJOBWALLTIME, 10 days"
    changes    = "how maui.cfg is read, and the limit of jobs that give none"
  }
  deviation "class_default" {
    number     = "Δ4"
    doc        = "CLASSCFG[DEFAULT]."
    observed   = "a class that is called DEFAULT"
    documented = "all classes without a value of their own"
    changes    = "priorities, fairshare and limits of jobs in classes that are not configured"
  }
  deviation "component_cap" {
    number     = "Δ5"
    doc        = "Where a component cap applies."
    observed   = "to the component's sum, before the component weight"
    documented = "the appendix's RESCAP example applies it after the component weight"
    changes    = "priorities, where a component with a weight other than 1 reaches its cap"
  }
  deviation "partition_weights" {
    number     = "Δ6"
    doc        = "Weights and caps with a partition for an index, such as FSWEIGHT[fast]."
    observed   = "no job's priority; they show in `diagnose -p -t` alone"
    documented = "the weights of jobs that ask for that partition of nodes and no other"
    changes    = "priorities of jobs that ask for one partition of nodes"
  }
  deviation "user_activity" {
    number     = "Δ7"
    doc        = "UPROCWEIGHT and UJOBWEIGHT."
    observed   = "stored; the sum ends before these terms"
    documented = "terms of the resource component: processors and number of the user's running jobs"
    changes    = "priorities, where one of the two weights is set"
  }
  deviation "component_weight_defaults" {
    number     = "Δ8"
    doc        = "Weights of the components that are not set: RESWEIGHT, FSWEIGHT, TARGETWEIGHT, USAGEWEIGHT."
    observed   = "1"
    documented = "0 in appendix F, so that their terms count only once the component is weighed"
    changes    = "priorities, where such a component has terms of non-zero weight and no weight of its own"
  }
  deviation "queue_time_source" {
    number     = "Δ9"
    doc        = "From when queue time counts: USESYSTEMQUEUETIME."
    observed   = "TRUE if unset; FALSE counts from submission only until a job has been eligible once"
    documented = "OFF if unset, which counts from submission always; ON counts the time as an eligible job"
    changes    = "priorities, where limits, holds or dependencies have reset queue times"
  }
  deviation "xfactor_numerator" {
    number     = "Δ10"
    doc        = "Expansion factor of jobs shorter than XFMINWCLIMIT."
    observed   = "(queued + limit) / max(XFMINWCLIMIT, limit)"
    documented = "1 + queued / max(XFMINWCLIMIT, limit)"
    changes    = "priorities of jobs shorter than XFMINWCLIMIT"
  }
  deviation "queue_time_target" {
    number     = "Δ11"
    doc        = "Queue-time target of a QOS."
    observed   = "the target is compared with a date, so any target gives 1e8 at once; QTTARGET=4:00:00 is 4 seconds, and QOSTARGETQT is lost"
    documented = "max(0.0001, target - queued)^-2, with a target written as a time"
    changes    = "priorities of jobs whose QOS has a queue-time target"
  }
  deviation "priority_floor" {
    number     = "Δ12"
    doc        = "Lower bound of a priority unless negative ones are allowed."
    observed   = "1"
    documented = "0"
    changes    = "priorities below 1"
  }
  deviation "relative_priority_range" {
    number     = "Δ13"
    doc        = "Range of `setspri -r`."
    observed   = "0 to 1000; other values are refused, so the computed priority stays"
    documented = "-1000000000 to 1000000000"
    changes    = "priorities of jobs with a relative system priority outside 0 to 1000"
  }
  deviation "fspolicy_spelling" {
    number     = "Δ14"
    doc        = "FSPOLICY PSDEDICATED and PSUTILIZED."
    observed   = "refused, so that fairshare stays off; the words are DEDICATEDPS and UTILIZEDPS"
    documented = "the template of chapter 6.3 writes them so"
    changes    = "all of fairshare, where FSPOLICY is written so"
  }
  deviation "usage_file_words" {
    number     = "Δ15"
    doc        = "Usage files (FS.<epoch>) with lines such as User amy 100.0, Account a 100.0 or TOTAL 100.0."
    observed   = "ignored: the words are user, group, acct, qos and class, and a line has three fields"
    documented = "the sample of chapter 6.3 has such lines"
    changes    = "fairshare, where usage files have such lines"
  }
  deviation "report_sign" {
    number     = "Δ16"
    doc        = "The sign in which reports show how far a credential is off its fairshare target."
    observed   = "target - usage, as the priority counts it"
    documented = "usage - target in places"
    changes    = "what explain says of fairshare; no priority"
  }
  deviation "limit_mem" {
    number     = "Δ17"
    doc        = "The throttles MAXMEM and MINPROC."
    observed   = "stored and never looked at"
    documented = "memory of the running jobs is limited, and a job with fewer processors than MINPROC is held"
    changes    = "which jobs are blocked, where one of the two is set"
  }
  deviation "override_reach" {
    number     = "Δ18"
    doc        = "What the override limits of a QOS (OMAXJOB …) and its IGN flags replace."
    observed   = "the limits of every credential of the job, also where there was none"
    documented = "OMAXJOB counts beside the limits of user and group; the others replace limits that exist; IGN…PERUSER lifts limits of users"
    changes    = "which jobs of such a QOS are blocked"
  }
  deviation "multi_dimension" {
    number     = "Δ19"
    doc        = "Throttles across two credentials, such as CLASSCFG[fast] MAXPROC[USER:steve]."
    observed   = "only MAXJOB[USER] and MAX…PERUSER of a class; other indexes are ignored, or dropped so that the plain limit is set"
    documented = "any of USER, GROUP, ACCT, CLASS, QOS, for all names or for one; MAX…PERUSER of a QOS too"
    changes    = "which jobs are blocked, where such a throttle is set"
  }
  deviation "soft_backfill" {
    number     = "Δ20"
    doc        = "The first of two backfill passes, for jobs within their soft limits."
    observed   = "never, unless BACKFILLPOLICY[partition] is set to something else than FIRSTFIT"
    documented = "always, before the pass for jobs within their hard limits"
    changes    = "plans; priorities and limits do not change"
  }
  deviation "old_style" {
    number     = "Δ21"
    doc        = "The limit parameters of Maui 3.0, such as MAXPROCPERGROUPCOUNT."
    observed   = "a COUNT is in force without its POLICY; …PROCPERGROUP and …PROCPERACCOUNT limit nodes; limits of queued jobs per group or account have no effect"
    documented = "a COUNT needs its POLICY to be switched on, and limits what its name says"
    changes    = "which jobs are blocked, where such a parameter is set"
  }
  deviation "qos_flags" {
    number     = "Δ22"
    doc        = "The QOS flags NORESERVATION and RESTARTPREEMPT."
    observed   = "never set"
    documented = "as the manual describes them"
    changes    = "qos.flags, and plans"
  }
  deviation "greedy_backfill" {
    number     = "Δ23"
    doc        = "BACKFILLPOLICY GREEDY."
    observed   = "starts nothing"
    documented = "starts the best combination of jobs"
    changes    = "plans; priorities and limits do not change"
  }
  deviation "weekly_reservation" {
    number     = "Δ24"
    doc        = "STARTTIME and ENDTIME of a weekly standing reservation."
    observed   = "ignored: WSTARTTIME and WENDTIME alone count"
    documented = "hours of the day, as in the manual's example"
    changes    = "plans; priorities and limits do not change"
  }
  deviation "backfill_metric" {
    number     = "Δ25"
    doc        = "BACKFILLMETRIC PE and PESECONDS, and SCHEDULINGCRITERIA for its name."
    observed   = "no values and no name of Maui's; the metric stays PROCS"
    documented = "metrics, and another name of BACKFILLMETRIC"
    changes    = "plans; priorities and limits do not change"
  }
  deviation "reject_negative_default" {
    number     = "Δ26"
    doc        = "REJECTNEGPRIOJOBS if unset."
    observed   = "FALSE"
    documented = "TRUE"
    changes    = "priorities below 1, and whether such jobs may start"
  }
  deviation "soft_over_hard" {
    number     = "Δ27"
    doc        = "A soft limit above the hard one, such as MAXJOB=4,2."
    observed   = "kept as written: the first pass looks at the soft one alone"
    documented = "the soft one is lowered to the hard one"
    changes    = "which jobs are blocked, where such a limit is set"
  }
  deviation "queue_display" {
    number     = "Δ28"
    doc        = "Where a job over an active limit is shown."
    observed   = "blocked"
    documented = "idle, as on the Akka site's policy page"
    changes    = "states of jobs that only an active limit keeps from starting"
  }
  deviation "fractional_caps" {
    number     = "Δ29"
    doc        = "Fractions in QUEUETIMECAP, XFACTORCAP, FSCAP and RESCAP."
    observed   = "cut off, so that 0.5 is no cap at all"
    documented = "kept: their format is DOUBLE"
    changes    = "priorities, where one of these caps is written with a fraction"
  }
  deviation "defaults" {
    number     = "Δ30"
    doc        = "Defaults of other parameters, such as XFMINWCLIMIT, FSINTERVAL and FSDEPTH."
    observed   = "column default of the parameter table, printed by showconfig"
    documented = "column doc_default, the default that appendix F gives"
    changes    = "all that reads such a parameter"
  }
  deviation "idle_soft" {
    number     = "Δ31"
    doc        = "The soft number of a limit on idle jobs, such as MAXIJOB=1,3."
    observed   = "it limits how many jobs enter the first pass of an iteration"
    documented = "it is ignored"
    changes    = "which jobs are eligible, where such a limit is set"
  }
  deviation "idle_default" {
    doc        = "What DEFAULT says of idle jobs of groups, accounts and QOS, such as GROUPCFG[DEFAULT] MAXIJOB=2."
    observed   = "it reaches those that have some idle limit of their own"
    documented = "it reaches all without such a limit of their own, as for users"
    changes    = "which jobs are eligible, where such a limit is set"
  }
}
