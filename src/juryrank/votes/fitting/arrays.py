"""Names for arrays. Their element types are for people: numpy's stubs lose them in `where` and `bincount`."""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Floats: TypeAlias = NDArray[Any]
Ints: TypeAlias = NDArray[Any]
Bools: TypeAlias = NDArray[Any]
