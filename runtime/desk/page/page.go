// Package page is the page of the desk: its own HTML, CSS and script, which need no network and no other file.
package page

import "embed"

// Files are served as they are.
//
//go:embed index.html desk.css *.js
var Files embed.FS
