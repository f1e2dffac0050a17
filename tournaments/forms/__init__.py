"""Forms: parse the input of people and check its form. Services decide on its meaning."""
