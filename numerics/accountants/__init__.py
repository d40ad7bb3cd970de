"""What other accountants say of a release, read as a release: ``release_of``.

``names`` has the words that they use, ``values`` takes texts and objects apart without running or importing anything,
``stated`` makes the release of what is found, and refuses by name what it does not understand.
"""

from numerics.accountants.stated import StatedRelease, release_of, steps_of
