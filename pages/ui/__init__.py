"""What several pages use: widgets, the address, page state, words, figures on a page, downloads, documents."""
