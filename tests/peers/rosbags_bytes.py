"""Runs in the peers' Python: rosbags reads a message of ROS 2 and writes it again, in both orders.

python rosbags_bytes.py TYPE HEX
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version

from rosbags.typesys import Stores, get_typestore


def main(name: str, data: bytes) -> None:
    store = get_typestore(Stores.ROS2_JAZZY)
    message = store.deserialize_cdr(data, name)
    big, little = (bytes(store.serialize_cdr(message, name, little_endian=order)).hex() for order in (False, True))
    print(
        json.dumps({"version": version("rosbags"), "hash": store.hash_rihs01(name), "big": big, "little": little}),
        flush=True,
    )


if __name__ == "__main__":
    main(sys.argv[1], bytes.fromhex(sys.argv[2]))
