package slurmtext

import "testing"

// The cases beginning with "time-" are the project's reference cases of the
// same id, taken from the behaviour of time_str2secs and time_str2mins.
func TestParseTime(t *testing.T) {
	for _, c := range []struct {
		text             string
		seconds, minutes int64
	}{
		{"10", 600, 10},
		{"1:30", 90, 2},
		{"90:00", 5400, 90},
		{"1:00:00", 3600, 60},
		{"0:0:1", 1, 1},
		{"0:90:0", 5400, 90},
		{"1-0", 86400, 1440},
		{"14-0", 1209600, 20160},
		{"1-12:30", 131400, 2190},
		{"2-03:04:05", 183845, 3065},
		{"INFINITE", Infinite, Infinite},
		{"unlimited", Infinite, Infinite},
		{"-1", Infinite, Infinite},
		{"7-", 604800, 10080},
		{"0", 0, 0},
	} {
		seconds, err := ParseTimeSeconds(c.text)
		if err != nil || seconds != c.seconds {
			t.Errorf("ParseTimeSeconds(%q) = %d, %v, want %d", c.text, seconds, err, c.seconds)
		}
		minutes, err := ParseTimeMinutes(c.text)
		if err != nil || minutes != c.minutes {
			t.Errorf("ParseTimeMinutes(%q) = %d, %v, want %d", c.text, minutes, err, c.minutes)
		}
	}
}

func TestParseTimeErrors(t *testing.T) {
	for text, offset := range map[string]int{
		"abc": 0, "1:2:3:4": 5, "1--2": 2, "5:": 2, "1h": 1, "": 0, " 10": 0, "-5": 0,
		"1:2-3": 3, "7-:30": 2, "99999999999": 0, ":": 0, "1::2": 2,
	} {
		_, err := ParseTimeSeconds(text)
		e, ok := err.(*Error)
		if !ok || e.Offset != offset {
			t.Errorf("ParseTimeSeconds(%q): error %v at %+v, want offset %d", text, err, e, offset)
		}
	}
}

func TestFormatTime(t *testing.T) {
	for seconds, want := range map[int64]string{
		0: "00:00:00", 61: "00:01:01", 7200: "02:00:00", 604800: "7-00:00:00", 183845: "2-03:04:05",
		Infinite: "UNLIMITED", -5: "-00:00:05", -1 << 63: "-106751991167300-15:30:08",
	} {
		if got := FormatTime(seconds); got != want {
			t.Errorf("FormatTime(%d) = %q, want %q", seconds, got, want)
		}
	}
}

func FuzzTime(f *testing.F) {
	for _, s := range []string{"10", "1-12:30", "7-", "1:2:3:4", "-1", "UNLIMITED"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seconds, err := ParseTimeSeconds(text)
		if err != nil {
			return
		}
		again, err := ParseTimeSeconds(FormatTime(seconds))
		if err != nil || again != seconds {
			t.Fatalf("%q is %d, prints as %q, which is %d (%v)", text, seconds, FormatTime(seconds), again, err)
		}
	})
}
