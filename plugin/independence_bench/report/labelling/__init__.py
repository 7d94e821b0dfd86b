"""Labels of people: what a rater is shown, what is drawn, and how far raters agree. Serves nothing, asks no model."""
