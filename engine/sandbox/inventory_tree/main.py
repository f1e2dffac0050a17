"""The program that prints, from inside the sandbox, the versions that programs find there, as JSON."""

from __future__ import annotations

import json
import platform

try:
    import numpy as np
except ImportError:  # of another version of Python than the service's
    NUMPY = ""
else:
    NUMPY = np.__version__

print(json.dumps([platform.python_version(), NUMPY]), flush=True)  # noqa: T201 - to who asks
