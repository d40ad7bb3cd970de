"""One script a page; what they share lies in ``pages.shared``."""
