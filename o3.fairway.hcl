policy "a" {
component "site" {
weight = 1
term "t" { 
}
}
