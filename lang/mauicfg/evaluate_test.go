package mauicfg

import (
	"fmt"
	"strings"
	"testing"
)

// lines is a configuration written line by line.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

// TestOddConfiguration is a file of oddities that ran on the real Maui, with
// the values it held afterwards.
func TestOddConfiguration(t *testing.T) {
	cfg, _ := evaluateText(lines(
		"  PROCWEIGHT 5", "procweight 6", "MEMWEIGHT 010", "DISKWEIGHT 10.9", "SWAPWEIGHT -1", "PEWEIGHT=7",
		"ENABLENEGJOBPRIORITY on", "REJECTNEGPRIOJOBS ON # x", "FSPOLICY PSDEDICATED", "FSDEPTH 99", "FSDECAY .5",
		"UFSWEIGHT 9", "XFMINWCLIMIT 2:30", `QUEUETIMECAP \`, "  44", "NODEACCESSPOLICY DEDICATED",
		"NODEALLOCATIONPOLICY minresource", "BACKFILLMETRIC PE", "RESERVATIONQOSLIST[2] a b # c",
		"QUEUETIMEWEIGHT[1] 8", "QUEUETIMEWEIGHT 3",
	), Options{})
	want := map[string]string{
		"PROCWEIGHT": "0", "MEMWEIGHT": "8", "DISKWEIGHT": "10", "SWAPWEIGHT": "0", "PEWEIGHT": "7",
		"ENABLENEGJOBPRIORITY": "false", "REJECTNEGPRIOJOBS": "true", "FSPOLICY": "unset", "FSDEPTH": "24", "FSDECAY": "0.5",
		"FSUSERWEIGHT": "9", "XFMINWCLIMIT": "9000", "QUEUETIMECAP": "44", "NODEACCESSPOLICY": "SHARED",
		"NODEALLOCATIONPOLICY": "LASTAVAILABLE", "BACKFILLMETRIC": "PROCS", "RESERVATIONQOSLIST[2]": "[a b #]",
		"QUEUETIMEWEIGHT": "1", "QUEUETIMEWEIGHT[1]": "3",
	}
	for key, w := range want {
		name, index, _ := strings.Cut(strings.TrimSuffix(key, "]"), "[")
		if got := effective(cfg, name, index); got != w {
			t.Errorf("%s is %s, Maui held %s", key, got, w)
		}
	}
}

func effective(cfg *Config, name, index string) string {
	if p := cfg.Param(name, index); p != nil {
		return show(p.Value)
	}
	if v, ok := Default(name); ok {
		return show(v)
	}
	return "unset"
}

func show(v Value) string {
	switch v.Kind {
	case KindInt, KindTime, KindMemory:
		return fmt.Sprint(v.Int)
	case KindFloat:
		return fmt.Sprint(v.Float)
	case KindBool:
		return fmt.Sprint(v.Bool)
	case KindList:
		return fmt.Sprint(v.List)
	case KindLimit:
		return fmt.Sprintf("%d,%d", v.Soft, v.Hard)
	case KindFSTarget:
		return fmt.Sprintf("%v %s", v.Float, v.Target)
	}
	return v.Text
}

// TestAttributes gives one configuration and what one attribute is afterwards;
// the first rows are what recorded runs of Maui show by the jobs they started.
func TestAttributes(t *testing.T) {
	for _, c := range []struct{ text, attr, want string }{
		{"USERCFG[u1]=MAXJOB=2", "USERCFG[u1] MAXJOB", "unset"},
		{"USERCFG[u1]  MAXJOB=2", "USERCFG[u1] MAXJOB", "2,2"},
		{"   USERCFG[u1]  MAXJOB=2", "USERCFG[u1] MAXJOB", "2,2"},
		{"USERCFG[u1]  maxjob=2", "USERCFG[u1] MAXJOB", "unset"},
		{"USERCFG[u1]  PRIORITY=3 MAXJOB=2 # note MAXJOB=4", "USERCFG[u1] MAXJOB", "2,2"},
		{"USERCFG[u1] MAXJOB=2\nUSERCFG[u1] MAXPROC=5\nUSERCFG[u1] MAXJOB=3", "USERCFG[u1] MAXJOB", "3,3"},
		{"USERCFG[u1] MAXJOB=2\nUSERCFG[u1] MAXJOB+=3", "USERCFG[u1] MAXJOB", "3,3"},
		{"USERCFG[u1] PRIORITY=1 \\\n  MAXJOB=2", "USERCFG[u1] MAXJOB", "2,2"},
		{"USERCFG[u1] MAXJOB=-1", "USERCFG[u1] MAXJOB", "-1,-1"},
		{"USERCFG[u1] MAXWC=2:00:00", "USERCFG[u1] MAXWC", "2,2"},
		{"USERCFG[u1] MAXNODE[CLASS]=2", "USERCFG[u1] MAXNODE", "2,2"},
		{"CLASSCFG[c] MAXJOB[USER]=2", "CLASSCFG[c] MAXJOB[USER]", "2,2"},
		{"CLASSCFG[c] MAXJOB[USER]=2", "CLASSCFG[c] MAXJOB", "unset"},
		{"USERCFG[u1] MAXJOB=2,0", "USERCFG[u1] MAXJOB", "2,0"},
		{"MAXJOBPERUSERCOUNT 2", "USERCFG[DEFAULT] MAXJOB", "2,2"},
		{"MAXJOBPERUSERCOUNT 2\nMAXJOBPERUSERPOLICY OFF", "USERCFG[DEFAULT] MAXJOB", "unset"},
		{"MAXPROCPERGROUPCOUNT 2", "GROUPCFG[DEFAULT] MAXNODE", "2,2"},

		{"MAXJOBPERUSERCOUNT 2\nSMAXJOBPERUSERCOUNT 1", "USERCFG[DEFAULT] MAXJOB", "1,2"},
		{"MAXJOBPERUSERCOUNT 2\nMAXJOBPERUSERPOLICY OFF\nSMAXJOBPERUSERCOUNT 1", "USERCFG[DEFAULT] MAXJOB", "1,1"},
		{"MAXJOBPERUSERCOUNT 2,4\nUSERCFG[DEFAULT] MAXJOB=7", "USERCFG[DEFAULT] MAXJOB", "7,7"},
		{"USERCFG[u1] MAXPS=3000000000", "USERCFG[u1] MAXPS", "-1294967296,-1294967296"},
		{"USERCFG[u1] MAXJOB=010", "USERCFG[u1] MAXJOB", "8,8"},
		{"USERCFG[u1] MAXJOB+5", "USERCFG[u1] MAXJOB", "5,5"},
		{"USERCFG[u1] FSTARGET=25.5+", "USERCFG[u1] FSTARGET", "25.5 floor"},
		{"USERCFG[u1] FSTARGET=5-", "USERCFG[u1] FSTARGET", "5 ceiling"},
		{"USERCFG[u1] FSTARGET=7^", "USERCFG[u1] FSTARGET", "7 absolute_cap"},
		{"USERCFG[u1] FSTARGET=7%", "USERCFG[u1] FSTARGET", "7 relative_cap"},
		{"USERCFG[u1] FSTARGET=x", "USERCFG[u1] FSTARGET", "0 target"},
		{"USERCFG[u1] QLIST=a:b\nUSERCFG[u1] QLIST=c,d&", "USERCFG[u1] QLIST", "[c d&]"},
		{"USERCFG[u1] JOBFLAGS=A\nUSERCFG[u1] JOBFLAGS=B", "USERCFG[u1] JOBFLAGS", "[A B]"},
		{"QOSCFG[a] XFTARGET=2.5x", "QOSCFG[a] XFTARGET", "2.5"},
		{"QOSCFG[a] QTTARGET=4:00:00", "QOSCFG[a] QTTARGET", "4"},
		{"CLASSCFG[a] MAX.WCLIMIT=1:00:00:00", "CLASSCFG[a] MAX.WCLIMIT", "86400"},
		{"NODECFG[n] CFGMEM=2G", "NODECFG[n] CFGMEM", "2048"},
		{"NODECFG[n] CFGMEM=512", "NODECFG[n] CFGMEM", "512"},
		{"NODECFG[n] CFGMEM=1kw", "NODECFG[n] CFGMEM", "0"},
		{"NODECFG[n] PRIORITYF='A + B' SPEED=1.0", "NODECFG[n] PRIORITYF", "A + B"},
		{"NODECFG[n] SPEED=1.0 PRIORITYF='A + B'", "NODECFG[n] PRIORITYF", "A"},
		{"SRCFG[s] RESOURCES=PROCS:2;MEM=512", "SRCFG[s] RESOURCES", "[PROCS=2 MEM=512]"},
		{"RMCFG[r] TYPE=WIKI:Slurm", "RMCFG[r] TYPE", "WIKI:Slurm"},
		{"SYSCFG[any] QDEF=a", "SYSCFG QDEF", "a"},
		{"USERCFG[u1] MAXMEM=4 # kept, though nothing enforces it", "USERCFG[u1] MAXMEM", "4,4"},
	} {
		cfg, _ := evaluateText(c.text, Options{})
		object, attr, _ := strings.Cut(c.attr, " ")
		family, index, _ := strings.Cut(strings.TrimSuffix(object, "]"), "[")
		name, sub, _ := strings.Cut(strings.TrimSuffix(attr, "]"), "[")
		got := "unset"
		if a := cfg.Object(family, index).Attr(name, sub); a != nil {
			got = show(a.Value)
		}
		if got != c.want {
			t.Errorf("%q: %s is %s, want %s", c.text, c.attr, got, c.want)
		}
	}
}

// TestParams gives one configuration and what one parameter is afterwards.
func TestParams(t *testing.T) {
	manual := Options{CaseInsensitive: true, MinuteSecond: true}
	for _, c := range []struct {
		text, name, index, want string
		opt                     Options
	}{
		{"FSDEPTH 7\nFSDEPTH 9", "FSDEPTH", "", "9", Options{}},
		{"FSDEPTH 7\nFSDEPTH many", "FSDEPTH", "", "7", Options{}},
		{"FSDEPTH", "FSDEPTH", "", "8", Options{}},
		{"MEMWEIGHT 0x1f", "MEMWEIGHT", "", "31", Options{}},
		{"MEMWEIGHT -0", "MEMWEIGHT", "", "0", Options{}},
		{"SERVICEWEIGHT -1", "SERVICEWEIGHT", "", "-1", Options{}},
		{"SERVICEWEIGHT 30%", "SERVICEWEIGHT", "", "10", Options{}},
		{"FSDECAY .0", "FSDECAY", "", "1", Options{}},
		{"FSDECAY 0.0", "FSDECAY", "", "0", Options{}},
		{"REJECTNEGPRIOJOBS TRUE\nREJECTNEGPRIOJOBS maybe", "REJECTNEGPRIOJOBS", "", "false", Options{}},
		{"ENABLEMULTINODEJOBS Off", "ENABLEMULTINODEJOBS", "", "false", Options{}},
		{"FSPOLICY DEDICATEDPS%", "FSPOLICY", "", "DEDICATEDPS%", Options{}},
		{"FSPOLICY TRUE", "FSPOLICY", "", "DEDICATEDPS", Options{}},
		{"FSPOLICY NONE", "FSPOLICY", "", "unset", Options{}},
		{"FSPOLICY UTILIZEDPS\nFSPOLICY NONE", "FSPOLICY", "", "UTILIZEDPS", Options{}},
		{"FSINTERVAL INFINITY", "FSINTERVAL", "", "2140000000", Options{}},
		{"FSINTERVAL 1:00:00:00", "FSINTERVAL", "", "86400", Options{}},
		{"FSINTERVAL 00:09:08", "FSINTERVAL", "", "548", Options{}},
		{"FSINTERVAL 2:00", "FSINTERVAL", "", "7200", Options{}},
		{"FSINTERVAL 2:00", "FSINTERVAL", "", "120", manual},
		{"fsinterval 2:00", "FSINTERVAL", "", "43200", Options{}},
		{"fsinterval 2:00", "FSINTERVAL", "", "120", manual},
		{"nodeaccesspolicy singlejob", "NODEACCESSPOLICY", "", "SINGLEJOB", manual},
		{"JOBMAXOVERRUN -1", "JOBMAXOVERRUN", "", "-1", Options{}},
		{"SIMSTARTTIME 10:30_01/02/03", "SIMSTARTTIME", "", "1041503400", Options{}},
		{"NODESETLIST a b c\nNODESETLIST x", "NODESETLIST", "", "[x b c]", Options{}},
		{"ADMIN1 a b\nADMIN1 c", "ADMIN1", "", "[c]", Options{}},
		{"RESERVATIONDEPTH[DEFAULT] 3", "RESERVATIONDEPTH", "0", "3", Options{}},
		{"RESERVATIONDEPTH 3", "RESERVATIONDEPTH", "0", "3", Options{}},
		{"FSDEPTH[9] 3", "FSDEPTH", "3", "3", Options{}},
		{"FSDEPTH[ALL] 3", "FSDEPTH", "", "3", Options{}},
		{"FSDEPTH[fast] 3", "FSDEPTH", "fast", "3", Options{}},
		{"LOGFILE maui#1.log", "LOGFILE", "", "maui#", Options{}},
		{"LOGFILE 'a b'", "LOGFILE", "", "a", Options{}},
		{"FSDEPTH = 7", "FSDEPTH", "", "7", Options{}},
		{"FSDEPTH=7", "FSDEPTH", "", "7", Options{}},
		{"LOGFILE " + strings.Repeat("x", 2000), "LOGFILE", "", strings.Repeat("x", 1023), Options{}},
	} {
		cfg, _ := evaluateText(c.text, c.opt)
		if got := effective(cfg, c.name, c.index); got != c.want {
			t.Errorf("%q: %s[%s] is %s, want %s", c.text, c.name, c.index, got, c.want)
		}
	}
}

func TestReadValue(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		ok               bool
	}{
		{"FSDEPTH", "7", "7", true},
		{"RESERVATIONDEPTH", "3", "3", true},
		{"FSINTERVAL", "12:00:00", "43200", true},
		{"FSDEPTH", "many", "", false},
		{"FSDEPTH", "-1", "", false},
		{"FSDEPTH", "7\nFSDECAY 1", "", false},
		{"NOTHING", "7", "", false},
		{"USERCFG", "7", "", false},
		{"FSPOLICY", "NONE", "", true},
	} {
		v, ok := ReadValue(c.name, c.text)
		if ok != c.ok || ok && show(v) != c.want {
			t.Errorf("ReadValue(%s, %q) = %v, %v", c.name, c.text, show(v), ok)
		}
	}
}

func TestReadSetting(t *testing.T) {
	for _, c := range []struct {
		name, text, code string
		opt              Options
		ok               bool
	}{
		{"QUEUETIMEWEIGHT", "12abc", "maui-number-rest", Options{}, true},
		{"QUEUETIMEWEIGHT", "99999999999999", "maui-number-too-large", Options{}, true},
		{"QUEUETIMEWEIGHT", "-1", "maui-minus-one", Options{}, false},
		{"BACKFILLPOLICY", "NONSENSE", "maui-bad-enum", Options{}, false},
		{"BACKFILLPOLICY", "bestfit", "maui-wrong-case", Options{}, false},
		{"BACKFILLPOLICY", "bestfit", "", Options{CaseInsensitive: true}, true},
		{"SERVERHOST", "head", "", Options{}, true},
		{"LOGFILE", "{{ path }}", "maui-template", Options{}, false},
		{"FSPOLICY", "", "maui-missing-value", Options{}, false},
	} {
		_, found, ok := ReadSetting(c.name, c.text, c.opt)
		code := ""
		if len(found) > 0 {
			code = found[0].Code
		}
		if ok != c.ok || code != c.code {
			t.Errorf("ReadSetting(%s, %q) = %q, %v", c.name, c.text, code, ok)
		}
	}
}

// TestManualPolicies: the words of the manual's template are FSPOLICY's only to who follows it.
func TestManualPolicies(t *testing.T) {
	for text, want := range map[string]string{"PSDEDICATED": "DEDICATEDPS", "PSUTILIZED%": "UTILIZEDPS%", "DEDICATEDPES": "DEDICATEDPES"} {
		cfg, diags := evaluateText("FSPOLICY "+text, Options{ManualPolicies: true})
		if p := cfg.Param("FSPOLICY", ""); p == nil || p.Value.Text != want || len(diags) > 0 {
			t.Errorf("%s: %+v, want %s; %v", text, p, want, diags)
		}
	}
	cfg, diags := evaluateText("FSPOLICY PSDEDICATED", Options{})
	if cfg.Param("FSPOLICY", "") != nil || len(diags) != 1 || diags[0].Code != "maui-bad-enum" {
		t.Errorf("Maui takes PSDEDICATED: %v", diags)
	}
}
