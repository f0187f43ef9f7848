package attack

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// garbled runs a command and prints what it printed after some mutations; seed says which.
func garbled(seed string, words []string) int {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), garbledVariable+"=")
	cmd.Stdin = os.Stdin
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	err := cmd.Run()
	var number uint64
	if _, err := fmt.Sscan(seed, &number); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 126
	}
	r := newRandom(number, uint64(out.Len()))
	text := out.Bytes()
	if r.IntN(3) > 0 {
		text = mutated(r, "output.txt", text, [][]byte{text})
	}
	os.Stdout.Write(text)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}
