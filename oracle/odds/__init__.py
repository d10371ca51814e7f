"""Exact odds: how many ordered sequences of six cards end a coup in each way. Integers and fractions only.

`oracle.odds(…)` is the function `oracle.odds.summary.odds`.
"""

from oracle._callable_package import make_callable

make_callable(__name__, "oracle.odds.summary")
