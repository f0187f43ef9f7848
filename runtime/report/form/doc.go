// Package form is how reports write numbers, times, cells and columns of text. It knows no scheduler and no
// result.
package form
