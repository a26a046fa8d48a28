"""The package imports, and its version is the one it says."""

import juryrank


def test_version_and_door():
    assert juryrank.__version__.startswith("1.0.0")
    assert set(juryrank.__all__) <= set(dir(juryrank))
