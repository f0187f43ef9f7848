package convert

func (w *writer) translate(family string) {}
