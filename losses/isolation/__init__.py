"""Untrusted files: each is read in a process of its own, whose memory and time are limited and which ends with it.

A file that is made to take all memory, or to end its reader, ends that process alone. What comes back are arrays and
texts, never objects: even a reader that a file has taken over could say nothing but what a table may hold.

====================================  ================================================
Read a file                           ``client.read(read_table, data)``
Start before the first file comes     ``client.start()``
What a reader may take                ``limits``
What goes between the processes       ``messages``
The process that starts the others    ``fork_server``: it has imported all they need
The process of a file                 ``worker``
Run a command that reads files        ``client.run(main)``
====================================  ================================================

Only Linux limits what a process takes; elsewhere files are read by the thread that asks, with the readers' own checks.
"""
