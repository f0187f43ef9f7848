// Package packaging builds the packages that sites install, and installs, upgrades and removes them in roots
// of their own. The scripts in testdata say what holds.
package packaging
