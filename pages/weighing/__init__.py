"""Parts of the page that weighs protection against accuracy, one view a file."""
