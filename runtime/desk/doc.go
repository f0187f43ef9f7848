// Package desk is what a page shows of a queue under a policy that a person changes: rows of jobs, before and now, and
// what each part of the priority decides.
//
// In: the result of the policy as it is in its files, and that of the policy as it is changed. Out: values that encode
// as JSON. Called by the command line, which serves them; the page itself is in the folder page. It evaluates nothing.
package desk
