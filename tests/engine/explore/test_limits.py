from __future__ import annotations

import os
import signal

import pytest

from unfork.engine.explore.endings import Interrupt


def test_the_first_interrupt_is_a_request_and_the_second_raises_where_it_may() -> None:
    with Interrupt() as interrupt:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.requested
        interrupt.impatient = True
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
