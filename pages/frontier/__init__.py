"""Parts of the page that weighs protection against accuracy, a package for each view."""
