package oracle

import "slices"

// ClusterQOS is a QOS with its limits.
type ClusterQOS struct {
	Name   string
	Limits map[string]int64
	Used   map[string]int64 // as of Association
}

// ClusterJob runs since Start, or waits if that is 0.
type ClusterJob struct {
	ID, User, Account, QOS string
	CPUs, Minutes, Start   int64
	Exclusive              bool // it gets whole nodes
}

// clusterTest is a limit: who it counts, when it stops a job, and what squeue then says.
type clusterTest struct {
	limit  string
	phase  int // limits on counts of jobs and wall time are asked before nodes are chosen
	reason map[string]string
	stops  func(w *clusterWalk, limit int64) bool
}

// clusterTests are in the order in which they are asked (acct_policy_job_runnable_pre_select and …_post_select).
// TRES is CPUs; the other resources go the same way.
var clusterTests = []clusterTest{
	{"GrpJobs", 0, words("QOSGrpJobsLimit", "AssocGrpJobsLimit"),
		func(w *clusterWalk, limit int64) bool { return w.count(w.group) >= limit }},
	{"GrpWall", 0, words("QOSGrpWallLimit", "AssocGrpWallLimit"), func(w *clusterWalk, limit int64) bool {
		return w.used["GrpWall"] >= limit || w.Safe && w.used["GrpWall"]+w.job.Minutes > limit
	}},
	{"MaxJobsPA", 0, words("MaxJobsPerAccount", ""),
		func(w *clusterWalk, limit int64) bool { return w.count(w.account) >= limit }},
	{"MaxJobsPU", 0, words("QOSMaxJobsPerUserLimit", ""),
		func(w *clusterWalk, limit int64) bool { return w.count(w.user) >= limit }},
	{"MaxJobs", 0, words("", "AssocMaxJobsLimit"),
		func(w *clusterWalk, limit int64) bool { return w.count(w.own) >= limit }},
	{"MaxWall", 0, words("QOSMaxWallDurationPerJobLimit", "AssocMaxWallDurationPerJobLimit"),
		func(w *clusterWalk, limit int64) bool { return w.job.Minutes > limit }},

	{"GrpTRESMins", 1, words("QOSGrpCPUMinutesLimit", "AssocGrpCPUMinutesLimit"), func(w *clusterWalk, limit int64) bool {
		used := w.used["GrpTRESMins"]
		return used >= limit || w.Safe && (w.need() > limit || w.need()+w.reserved() > limit-used)
	}},
	{"GrpTRES", 1, words("QOSGrpCpuLimit", "AssocGrpCpuLimit"),
		func(w *clusterWalk, limit int64) bool { return w.gets()+w.cpus(w.group) > limit }},
	{"GrpTRESRunMins", 1, words("QOSGrpCPURunMinutesLimit", "AssocGrpCPURunMinutesLimit"),
		func(w *clusterWalk, limit int64) bool { return w.need()+w.reserved() > limit }},
	{"MaxTRESMins", 1, words("QOSMaxCpuMinutesPerJobLimit", "AssocMaxCpuMinutesPerJobLimit"),
		func(w *clusterWalk, limit int64) bool { return w.need() > limit }},
	{"MaxTRES", 1, words("QOSMaxCpuPerJobLimit", "AssocMaxCpuPerJobLimit"),
		func(w *clusterWalk, limit int64) bool { return w.gets() > limit }},
	{"MinTRES", 1, words("QOSMinCpuNotSatisfied", ""), func(w *clusterWalk, limit int64) bool { return w.gets() < limit }},
	{"MaxTRESPA", 1, words("MaxCpuPerAccount", ""),
		func(w *clusterWalk, limit int64) bool { return w.gets()+w.cpus(w.account) > limit }},
	{"MaxTRESPU", 1, words("QOSMaxCpuPerUserLimit", ""),
		func(w *clusterWalk, limit int64) bool { return w.gets()+w.cpus(w.user) > limit }},
}

func words(qos, association string) map[string]string {
	return map[string]string{"qos": qos, "association": association}
}

// clusterWalk asks for one job at one QOS or association.
type clusterWalk struct {
	*Cluster
	job   *ClusterJob
	used  map[string]int64
	group func(*ClusterJob) bool // the jobs that count there
}

func (w *clusterWalk) account(j *ClusterJob) bool { return w.group(j) && j.Account == w.job.Account }
func (w *clusterWalk) user(j *ClusterJob) bool    { return w.group(j) && j.User == w.job.User }
func (w *clusterWalk) own(j *ClusterJob) bool     { return w.account(j) && j.User == w.job.User }

func (w *clusterWalk) sum(of func(*ClusterJob) bool, what func(*ClusterJob) int64) (n int64) {
	for i := range w.Jobs {
		if j := &w.Jobs[i]; j.Start > 0 && of(j) {
			n += what(j)
		}
	}
	return n
}

func (w *clusterWalk) count(of func(*ClusterJob) bool) int64 {
	return w.sum(of, func(*ClusterJob) int64 { return 1 })
}

func (w *clusterWalk) cpus(of func(*ClusterJob) bool) int64 {
	return w.sum(of, func(j *ClusterJob) int64 { return j.CPUs })
}

func (w *clusterWalk) need() int64 { return w.job.Minutes * w.gets() }

// gets are the CPUs that the job would have: of one with nodes for itself all of as many as it needs (reference,
// slurm.md §11.2).
func (w *clusterWalk) gets() int64 {
	if !w.job.Exclusive && !w.WholeNodes {
		return w.job.CPUs
	}
	n := w.NodeCPUs
	for n < w.job.CPUs {
		n += w.NodeCPUs
	}
	return n
}

// reserved are the CPU minutes that running jobs may still use.
func (w *clusterWalk) reserved() int64 {
	return w.sum(w.group, func(j *ClusterJob) int64 { return max(0, 60*j.Minutes-(w.Now-j.Start)) * j.CPUs }) / 60
}

// Stopped is the reason of the first limit that stops a job: first the job's QOS, then its association
// and the accounts above; "" if none does. What a QOS limits, associations do not.
func (c *Cluster) Stopped(job *ClusterJob) string {
	qos, path := c.standing(job)
	for phase := range 2 {
		if reason := c.stoppedByQOS(job, qos, phase); reason != "" {
			return reason
		}
		for step := range path {
			if reason := c.stoppedByAssociation(job, qos, path, step, phase); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// standing is the job's QOS, nil if it has none, and its association with all above.
func (c *Cluster) standing(job *ClusterJob) (qos *ClusterQOS, path []*Association) {
	for i := range c.QOS {
		if c.QOS[i].Name == job.QOS {
			qos = &c.QOS[i]
		}
	}
	for i := range c.Associations {
		if a := &c.Associations[i]; a.Account == job.Account && a.User == job.User && a.User != "" {
			path = c.path(a)
		}
	}
	return qos, path
}

func (c *Cluster) stoppedByQOS(job *ClusterJob, qos *ClusterQOS, phase int) string {
	if qos == nil {
		return ""
	}
	w := &clusterWalk{c, job, qos.Used, func(j *ClusterJob) bool { return j.QOS == qos.Name }}
	for _, test := range clusterTests {
		limit, set := qos.Limits[test.limit]
		if test.phase == phase && set && test.reason["qos"] != "" && test.stops(w, limit) {
			return test.reason["qos"]
		}
	}
	return ""
}

// stoppedByAssociation asks the association so many steps above the job's own.
func (c *Cluster) stoppedByAssociation(job *ClusterJob, qos *ClusterQOS, path []*Association, step, phase int) string {
	a := path[step]
	w := &clusterWalk{c, job, a.Used, func(j *ClusterJob) bool { return c.below(j, a) }}
	for _, test := range clusterTests {
		limit, set := a.Limits[test.limit]
		if test.limit[:3] == "Max" { // of the nearest that sets it, asked once
			if limit, set = nearest(path, test.limit); step > 0 {
				continue
			}
		}
		reason := test.reason["association"]
		if test.phase == phase && set && reason != "" && !qos.hides(test.limit) && test.stops(w, limit) {
			return reason
		}
	}
	return ""
}

// hides reports a limit that associations do not have beside the one of the QOS.
func (q *ClusterQOS) hides(limit string) bool {
	if q == nil {
		return false
	}
	_, set := q.Limits[limit]
	_, perUser := q.Limits["MaxJobsPU"]
	_, perAccount := q.Limits["MaxJobsPA"]
	return set || limit == "MaxJobs" && (perUser || perAccount)
}

// below: a job counts at its association and at all above.
func (c *Cluster) below(j *ClusterJob, a *Association) bool {
	return slices.ContainsFunc(c.Associations, func(x Association) bool {
		return x.Account == j.Account && x.User == j.User && x.User != "" &&
			slices.ContainsFunc(c.path(&x), func(up *Association) bool { return up.Name() == a.Name() })
	})
}

func nearest(path []*Association, limit string) (int64, bool) {
	for _, a := range path {
		if n, set := a.Limits[limit]; set {
			return n, true
		}
	}
	return 0, false
}
