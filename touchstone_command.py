"""What the command `touchstone` loads before all else, as `manage.py` does.

While a command is loaded Ctrl-C ends the process as a signal does, which a shell calls 130 as well: an exception in the
middle of an import may be swallowed there, or told as a fault of what is imported.
"""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell has it ignored in the background
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from touchstone.command_line import main

__all__ = ["main"]
