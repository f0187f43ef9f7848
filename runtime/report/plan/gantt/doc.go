// Package gantt draws a plan as an SVG: nodes from top to bottom, time from left to right. The output depends
// on nothing but the plan.
package gantt
