package slurmtext

import (
	"slices"
	"strings"
)

// QOSFlags are the flags that a QOS of some version can have (sacctmgr manual, SPECIFICATIONS FOR QOS).
var QOSFlags = []string{"DenyOnLimit", "EnforceUsageThreshold", "NoDecay", "NoReserve", "OverPartQOS",
	"PartitionMaxNodes", "PartitionMinNodes",
	"PartitionTimeLimit", "Relative", "RequiresReservation", "UsageFactorSafe"}

// IsQOSFlag knows them in any case. Deleted is how the database marks a QOS that is gone, and -1
// clears the list.
func IsQOSFlag(word string) bool {
	known := func(flag string) bool { return strings.EqualFold(flag, word) }
	return known("Deleted") || known("-1") || slices.ContainsFunc(QOSFlags, known)
}

// AssociationKey names an association as the job table refers to it: account, account/user or account/user/partition.
func AssociationKey(account, user, partition string) string {
	key := account
	if user != "" {
		key += "/" + user
	}
	if partition != "" {
		key += "/" + partition
	}
	return key
}
