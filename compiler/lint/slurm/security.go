package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// securityRules are the rules about who may act as another user, and who may read what.
var securityRules = []rule.Rule{
	{Code: "slurm-shared-user", Check: sharedUser},
	{Code: "slurm-auth-none", Check: authNone},
	{Code: "slurm-password-readable", Check: readablePasswords},
}

func sharedUser(p *rule.Pass) {
	user := strings.ToLower(p.Text("SlurmUser"))
	why := map[string]string{
		"munge":  "what breaks into slurmctld has the key of munge, and may be any user",
		"nobody": "other services run as nobody too, and may write what slurmctld keeps",
		"daemon": "other services run as daemon too, and may write what slurmctld keeps",
	}[user]
	if p.IsSet("SlurmUser") && why != "" {
		p.Report(p.At("SlurmUser"), "slurmctld runs as %s, which is another service's user", user).
			Note("%s", why).Note("make a user of its own, and write SlurmUser=slurm")
	}
}

func authNone(p *rule.Pass) {
	if p.IsSet("AuthType") && strings.EqualFold(p.Text("AuthType"), "auth/none") {
		p.Report(p.At("AuthType"), "nothing proves who a request is from: any user may act as root").
			Note("write AuthType=auth/munge, or auth/slurm from 23.11 on")
	}
}

// readablePasswords takes a path for the socket of munge, and a text in brackets or of one kind of sign for a template.
func readablePasswords(p *rule.Pass) {
	for _, name := range []string{"AccountingStoragePass", "JobCompPass", "DefaultStoragePass"} {
		text := strings.Trim(p.Text(name), `"'`)
		if !p.IsSet(name) || text == "" || strings.HasPrefix(text, "/") || strings.ContainsAny(text, "<>{}$%@") ||
			strings.Trim(text, text[:1]) == "" ||
			slices.Contains([]string{"none", "null", "(null)"}, strings.ToLower(text)) {
			continue
		}
		d := p.Report(p.At(name), "%s is in a file that every user reads", name)
		if name == "JobCompPass" {
			d.Note("slurm.conf is the same on all nodes and for all commands; let slurmdbd keep the records of jobs, " +
				"and remove it")
		} else {
			d.Note("slurmdbd keeps the password of the database in slurmdbd.conf; remove it, or write the path of " +
				"munge's socket")
		}
	}
}
