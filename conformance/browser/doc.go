// Package browser looks at Fairway's pages in a real Chromium without a screen: it installs Debian's packages where
// they are missing, and drives them through chromedriver's WebDriver protocol on the loopback. Installing needs root,
// so it comes after the build tag browser:
//
//	go test -tags browser ./conformance/browser
package browser
