package impact

// Inversions is for the test against its slow twin.
var Inversions = inversions
