"""Prints the sum of priorities, and the least nanoseconds a job of some runs: priority.py FOLDER RUNS."""
import os
import sys
import time

import numpy as np

folder, runs = sys.argv[1], int(sys.argv[2])
c = {name[:-4]: np.fromfile(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".f64")}


keys = ("user", "group", "account", "qos", "partition")
code = {key: c["job_" + key].astype(np.int32) for key in keys}


def table(column):
    """What a column has for each code of its credential."""
    of = code[column.split("_")[0]]
    values = np.zeros(of.max() + 1)
    values[of] = c[column]
    return values


tables = {name: table(name) for name in c if name.split("_")[0] in keys}


def joined(weights, what):
    """The sum of weighted values of each job's credentials."""
    return sum((weight * tables[key + what])[code[key]] for key, weight in weights.items())


def priority():
    credential = joined({"user": 2, "group": 2, "account": 2, "qos": 10, "partition": 10}, "_priority")
    fairshare = joined({"user": 100, "group": 10, "account": 100, "qos": 10}, "_fairshare_delta")
    wall = c["job_walltime_seconds"]
    service = (10 * np.minimum(c["job_queue_minutes"], 1000)
               + tables["qos_xfactor_weight"][code["qos"]] * np.minimum((c["job_queue_s"] + wall) / wall, 100)
               + 10 * np.minimum(c["job_bypass_count"], 100))
    resource = (10 * np.minimum(c["job_nodes"], 100) + 2 * np.minimum(c["job_procs"], 1000)
                + 0.5 * np.minimum(c["job_mem_mb"], 5000) + 0.5 * np.minimum(c["job_swap"], 5000)
                + 0.5 * np.minimum(c["job_disk"], 5000) + 0.5 * np.minimum(c["job_ps"], 40000)
                + 10 * np.minimum(c["job_pe"], 1000) + 0.5 * c["job_target"])
    x = (np.minimum(credential, 5000) + 2 * np.minimum(fairshare, 5000) + np.minimum(service, 40000)
         + np.minimum(resource, 40000))
    return np.where(c["job_held"] > 0, 0, np.maximum(x, 0))


least = float("inf")
for _ in range(runs):
    start = time.process_time_ns()
    out = priority()
    least = min(least, time.process_time_ns() - start)
print(out.sum(), least / len(out))
