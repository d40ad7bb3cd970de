"""Parts of the page that explores a mechanism."""
