package draft

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// qosVersion is the first in which sacctmgr dumps, and loads, QOS.
const qosVersion = "25.05"

// qosLines reports lines of QOS that an older sacctmgr would refuse, and with them the file. A site that has
// such a dump has a sacctmgr for it.
func (w *Writer) qosLines() bool {
	version := w.Asked
	if !w.Foreign() && w.Version {
		version = w.Policy.Version
	}
	if version != "" {
		return slurmconf.Older(version, qosVersion) && w.HasRecord("QOS", "")
	}
	return w.HasRecord("QOS", "") && !w.dumpsQOS
}

// qosCommands make the QOS where sacctmgr does not load them.
func (w *Writer) qosCommands() (list []string) {
	if !w.qosLines() {
		return nil
	}
	list = []string{
		"sacctmgr load takes QOS since Slurm " + qosVersion + ". Before, make them first, with the commands below, " +
			"and load this file",
		"without its lines of QOS: grep -v '^QOS - ' THIS_FILE >load.cfg; sacctmgr load file=load.cfg",
	}
	for _, r := range w.Records {
		if !strings.EqualFold(r.Kind, "QOS") {
			continue
		}
		command := "sacctmgr -i add qos " + shellWord(r.Name)
		if strings.EqualFold(r.Name, "normal") { // which each database has
			command = "sacctmgr -i modify qos " + shellWord(r.Name) + " set"
			if len(r.Settings) == 0 {
				continue
			}
		}
		for _, s := range r.Settings {
			command += " " + shellWord(s.Name+"="+s.Text)
		}
		list = append(list, "  "+command)
	}
	return list
}

// QosByHand says so in the list too.
func (w *Writer) QosByHand() {
	if !w.qosLines() {
		return
	}
	var names []string
	for _, r := range w.Records {
		if strings.EqualFold(r.Kind, "QOS") &&
			!(strings.EqualFold(r.Name, "normal") && len(r.Settings) == 0) { // which each database has
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		w.Diags.Infof("convert-incomplete", w.Policy.Span,
			"sacctmgr before Slurm %s refuses a file with lines of QOS: load it without that of normal, which is there",
			qosVersion)
		return
	}
	w.Diags.Infof("convert-incomplete", w.Policy.Span, "sacctmgr before Slurm %s refuses a file with lines of QOS: "+
		"make %s by hand", qosVersion, Few(names)).
		Note("the commands are at the top of the file with the accounts, and how to load the rest")
}

// shellWord is a word as a shell reads it.
func shellWord(text string) string {
	plain := strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=,./+:") == ""
	if plain && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\\''`) + "'"
}
