package fairshare

// Cluster is what the machine has in total, nodes that are down included.
type Cluster struct{ Procs, MemMB, SwapMB, DiskMB float64 }

// Task is what one task of a job asks for.
type Task struct{ Procs, MemMB, SwapMB, DiskMB float64 }

// ProcessorEquivalents are the processors that a job is worth: tasks times the largest share that a
// task has of any of the cluster's resources, times the cluster's processors. What the job does
// not ask for or the cluster does not have is left out (Maui manual 3.2 and 5.1.2).
func (c Cluster) ProcessorEquivalents(tasks float64, t Task) float64 {
	if c.Procs <= 0 {
		return 0
	}
	share := 0.0
	for _, of := range [][2]float64{{t.Procs, c.Procs}, {t.MemMB, c.MemMB}, {t.SwapMB, c.SwapMB}, {t.DiskMB, c.DiskMB}} {
		if of[1] > 0 {
			share = max(share, of[0]/of[1])
		}
	}
	return tasks * share * c.Procs
}
