"""What this tool does with a visitor's data."""

import streamlit as st

_STATEMENT = """
**Where it runs.** Everything is computed on the computer that serves this page. No request goes to any other host,
neither from the page nor from the server: fonts and scripts come with it. There is no account.

**Uploads.** A file is read in memory; its bytes are dropped as soon as they are read. What was read is kept in the
memory of your session only: never on disk, never in a cache that sessions share. It is gone when you remove it, when
you close the tab (after 30 seconds, in which a broken connection may be taken up again, and at most a minute more
while many visitors are there), and when the server stops. Files up to 200 MB are accepted.

**What is shared between visitors.** Results that depend on settings alone (noise, steps, rates) are remembered for
everybody, so that the second visitor does not wait. Nothing that depends on an upload is.

**The address.** It holds the settings of the controls, so that a link restores the view. It never holds anything of
an upload. Who sees the address sees the settings.

**Cookies and storage.** One cookie, `_streamlit_xsrf`, which keeps other sites from sending files in your name; it
says nothing about you. The browser may remember a choice of light or dark for this page. Nothing is used to recognise
you.

**Telemetry.** None: usage statistics of the framework are switched off.

**What is logged.** The server writes its start, its stop and program faults to its own console, without the content
of uploads. It keeps no list of visits; a proxy that somebody puts in front of it may, and then the addresses of views
are in it.

**Downloads.** Reports, tables and figures are made when you ask for them, from what the page shows, and sent to
your browser only.
"""


def draw() -> None:
    """Draw the statement."""
    st.markdown(_STATEMENT)
