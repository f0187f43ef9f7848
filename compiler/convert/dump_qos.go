package convert

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// qosVersion is the first in which sacctmgr dumps, and loads, QOS.
const qosVersion = "25.05"

// qosLines reports lines of QOS that an older sacctmgr would refuse, and with them the file. A site that has
// such a dump has a sacctmgr for it.
func (w *writer) qosLines() bool {
	version := w.asked
	if !w.foreign() && w.version {
		version = w.policy.Version
	}
	if version != "" {
		return slurmconf.Older(version, qosVersion) && w.hasRecord("QOS", "")
	}
	return w.hasRecord("QOS", "") && !w.dumpsQOS
}

// qosCommands make the QOS where sacctmgr does not load them.
func (w *writer) qosCommands() (list []string) {
	if !w.qosLines() {
		return nil
	}
	list = []string{
		"sacctmgr load takes QOS since Slurm " + qosVersion + ". Before, make them first, with the commands below, " +
			"and load this file",
		"without its lines of QOS: grep -v '^QOS - ' THIS_FILE >load.cfg; sacctmgr load file=load.cfg",
	}
	for _, r := range w.records {
		if !strings.EqualFold(r.kind, "QOS") {
			continue
		}
		command := "sacctmgr -i add qos " + shellWord(r.name)
		if strings.EqualFold(r.name, "normal") { // which each database has
			command = "sacctmgr -i modify qos " + shellWord(r.name) + " set"
			if len(r.settings) == 0 {
				continue
			}
		}
		for _, s := range r.settings {
			command += " " + shellWord(s.name+"="+s.text)
		}
		list = append(list, "  "+command)
	}
	return list
}

// qosByHand says so in the list too.
func (w *writer) qosByHand() {
	if !w.qosLines() {
		return
	}
	var names []string
	for _, r := range w.records {
		if strings.EqualFold(r.kind, "QOS") &&
			!(strings.EqualFold(r.name, "normal") && len(r.settings) == 0) { // which each database has
			names = append(names, r.name)
		}
	}
	if len(names) == 0 {
		w.diags.Infof("convert-incomplete", w.policy.Span,
			"sacctmgr before Slurm %s refuses a file with lines of QOS: load it without that of normal, which is there",
			qosVersion)
		return
	}
	w.diags.Infof("convert-incomplete", w.policy.Span, "sacctmgr before Slurm %s refuses a file with lines of QOS: "+
		"make %s by hand", qosVersion, few(names)).
		Note("the commands stand at the top of the file with the accounts, and how to load the rest")
}

// shellWord is a word as a shell reads it.
func shellWord(text string) string {
	plain := strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=,./+:") == ""
	if plain && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\\''`) + "'"
}
