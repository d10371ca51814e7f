"""Rule sets beside one another: question by question what they say alike, and where they contradict each other.

`oracle.compare(…)` is the function `oracle.compare.rule_sets.compare`.
"""

from oracle._callable_package import make_callable

make_callable(__name__, "oracle.compare.rule_sets")
