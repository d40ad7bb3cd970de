"""Parts of the page *ReRo vs prior*."""
