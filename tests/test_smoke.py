"""The package imports, and its version is the one it says."""

import juryrank


def test_version_and_door():
    assert juryrank.__version__.count(".") == 2
    assert set(juryrank.__all__) <= set(dir(juryrank))
