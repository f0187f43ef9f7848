//go:build !linux

package main

import "os"

// regular is a regular file.
type regular struct{ *os.File }
