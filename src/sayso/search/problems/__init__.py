"""Three problems that the field measures itself by, each a small story."""

from sayso.search.problems.rocksample import rocksample
from sayso.search.problems.tag import tag
from sayso.search.problems.tiger import tiger

__all__ = ["rocksample", "tag", "tiger"]
