"""Charts as data that templates draw in SVG: rating pools, rating histories, SPRT tests."""
