"""Parquet files: ``file`` reads one, ``columns`` decodes its columns."""
