"""Parquet files of strangers: ``file`` reads one, ``columns`` decodes its columns.

What such a file says about its own size is not believed: ``pages`` adds it up from the headers of the pages, which are
written in ``thrift``'s protocol.
"""
