package fairway_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"testing/fstest"

	"github.com/fairway-sched/fairway"
)

// Rank a Maui queue.
func Example() {
	files := os.DirFS("examples/maui-queue")
	policy, err := fairway.Compile(files, []string{"maui.cfg"}, fairway.Options{})
	if err != nil {
		log.Fatal(err)
	}
	queue, err := fairway.Read(files, "jobs.json", "nodes.json")
	if err != nil {
		log.Fatal(err)
	}
	result, err := policy.Evaluate(queue)
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range result.Jobs() {
		if job.Rank != 0 && job.Rank <= 3 {
			fmt.Println(job.Rank, job.ID, job.User, job.Priority)
		}
	}
	// Output:
	// 1 903 bo 5622
	// 3 905 dee 1473
	// 2 907 eli 2320
}

// Ask when jobs of a Slurm queue start. The snapshot does not say when it was taken, so the time is given.
func ExampleResult_Plan() {
	files := os.DirFS("examples/slurm-plan")
	policy, err := fairway.Compile(files, []string{"slurm.conf"}, fairway.Options{})
	if err != nil {
		log.Fatal(err)
	}
	queue, err := fairway.Read(files, "jobs.txt", "nodes.txt", "reservations.txt")
	if err != nil {
		log.Fatal(err)
	}
	result, err := policy.Evaluate(queue.At(1795176000))
	if err != nil {
		log.Fatal(err)
	}
	plan, err := result.Plan()
	if err != nil {
		log.Fatal(err)
	}
	if err := plan.Write(os.Stdout, "squeue-start"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// JOBID PARTITION     NAME     USER ST          START_TIME  NODES SCHEDNODES           NODELIST(REASON)
	//               7012     batch    check       bo PD 2026-11-20T12:00:00      1 m8                   (Priority)
	//               7010     batch wind-nex      ana PD 2026-11-20T14:10:00      6 m[1-6]               (Resources)
	//               7015     batch train-mo      dee PD 2026-11-20T18:00:00      2 m[7-8]               (Priority)
	//               7011     batch     fold       cy PD 2026-11-20T23:00:00      1 m8                   (Priority)
	//               7013     batch    dream      eli PD                 N/A     12 (null)               (PartitionConfig)
	//               7014     batch    plots      ana PD                 N/A      1 (null)               (Dependency)
}

// What if a parameter had another value? Params are as in the scheduler's file.
func ExampleOptions() {
	files := os.DirFS("examples/maui-queue")
	queue, err := fairway.Read(files, "jobs.json", "nodes.json")
	if err != nil {
		log.Fatal(err)
	}
	for _, weight := range []string{"XFACTORWEIGHT=0", "XFACTORWEIGHT=1000"} {
		policy, err := fairway.Compile(files, []string{"maui.cfg"}, fairway.Options{Params: []string{weight}})
		if err != nil {
			log.Fatal(err)
		}
		result, err := policy.Evaluate(queue)
		if err != nil {
			log.Fatal(err)
		}
		for _, job := range result.Jobs() {
			if job.Rank == 1 {
				fmt.Println(weight, "puts", job.ID, "first")
			}
		}
	}
	// Output:
	// XFACTORWEIGHT=0 puts 903 first
	// XFACTORWEIGHT=1000 puts 907 first
}

// Mistakes in a policy have a stable code and a place.
func ExampleError() {
	files := fstest.MapFS{"site.fairway.hcl": {Data: []byte(`policy "site" {
  component "size" {
    term "procs" { factor = "job.procs * 0.5" }
  }
}`)}}
	_, err := fairway.Compile(files, []string{"site.fairway.hcl"}, fairway.Options{})
	var wrong *fairway.Error
	if errors.As(err, &wrong) {
		f := wrong.Findings[0]
		fmt.Println(f.File, f.Line, f.Column, f.Code)
	}
	// Output:
	// site.fairway.hcl 3 30 cel-type
}

// What a policy is warned of, and what a snapshot lacks, is reported apart from the result.
func ExamplePolicy_Findings() {
	files := os.DirFS("examples/maui-queue")
	policy, err := fairway.Compile(files, []string{"mistakes.cfg"}, fairway.Options{})
	if err != nil {
		log.Fatal(err)
	}
	f := policy.Findings()[0]
	fmt.Println(f.File, f.Line, f.Column, f.Severity, f.Code)
	queue, err := fairway.Read(files, "jobs.json")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(queue.Findings()), "remarks on the queue")
	// Output:
	// mistakes.cfg 4 1 warning maui-unknown-parameter
	// 0 remarks on the queue
}

// Results are written in every format and view of the command.
func ExampleResult_Write() {
	files := os.DirFS("examples/policy-from-scratch")
	policy, err := fairway.Compile(files, []string{"lab.fairway.hcl"}, fairway.Options{})
	if err != nil {
		log.Fatal(err)
	}
	queue, err := fairway.Read(files, "queue.csv")
	if err != nil {
		log.Fatal(err)
	}
	result, err := policy.Evaluate(queue.At(1795168800))
	if err != nil {
		log.Fatal(err)
	}
	if err := result.Write(os.Stdout, "csv"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// id,user,group,account,qos,partition,state,reason,rank,priority,score,failed,why,teaching.course,teaching.classroom,waiting.hours,modesty.small
	// 16,fay,,theses,exam,batch,eligible,,1,10000,12.666666666666666,false,,0,0,0.16666666666666666,12.5
	// 11,ana,,hpc101,,classroom,eligible,,2,827,826.6666666666666,false,,300,500,1.6666666666666665,25
	// 13,cy,,bio7,,classroom,eligible,,3,801,800.8333333333334,false,,200,500,0.8333333333333333,100
	// 14,dee,,theses,,batch,eligible,,4,483,483.125,false,,0,0,720,3.125
	// 12,bo,,hpc101,,batch,eligible,,5,326,326.25,false,,300,0,20,6.25
	// 15,eli,,theses,,batch,eligible,,6,130,130,false,,0,0,30,100
	// 17,gus,,theses,,batch,held,the lab has 64 processors,,241,240.78125,false,the lab has 64 processors,0,0,240,0.78125
}
