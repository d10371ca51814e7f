"""A small process between the harness and a program: whoever leaves the program's session becomes its own child.

It runs by itself, as `python -I -S supervisor.py ALIVE REPORT COMMAND…`, and imports nothing of this package. Linux
hands the orphans of a process to the nearest one that asked for them (PR_SET_CHILD_SUBREAPER, prctl(2)), so that all
that a program starts stays below this process, by whatever session or double fork. ALIVE and REPORT are pipes; into
REPORT it writes:

pid N      the program was started
error N    it could not be, by this errno
status N   the program ended; the status of wait(2)
alone      this system doesn't hand orphans over, or has no /proc: nothing was started
gone, left all that was below it has ended; or something has not, and can't be made to

Once the other side writes to ALIVE or closes it, or ends in whatever way, everything below is killed.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
SECONDS = 5.0  # to end everything; what is left then waits for the kernel


def adopt_orphans() -> bool:
    """Ask for the orphans of all descendants; whether that was granted."""
    try:
        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (AttributeError, OSError):
        return False


def processes() -> dict[int, tuple[int, int]]:
    """Every process, with its parent and its group; also one whose first thread alone has ended."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b") ")[2].split()
            except OSError:
                continue
            if len(fields) > 2:
                found[int(name)] = (int(fields[1]), int(fields[2]))
    return found


def below(ancestor: int, processes: dict[int, tuple[int, int]]) -> set[int]:
    """All descendants of a process."""
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in processes.items():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    left = [ancestor]
    while left:
        for child in children.get(left.pop(), ()):
            if child not in found:
                found.add(child)
                left.append(child)
    return found


def kill(pid: int, *, group: bool = False) -> None:
    """Kill a process or a group, if it is still there."""
    try:
        (os.killpg if group else os.kill)(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def reap() -> tuple[list[tuple[int, int]], bool]:
    """Take leave of children that have ended, each with its status; and whether any child is left."""
    ended: list[tuple[int, int]] = []
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return ended, True
            ended.append((pid, status))
    except ChildProcessError:
        return ended, False


def end_all() -> bool:
    """Kill all that is below, groups first, and whoever is adopted by that, until nobody is left; whether that is so.

    From a group nobody escapes by forking while its list is read.
    """
    until = time.monotonic() + SECONDS
    pause = 0.0005
    while reap()[1]:
        if time.monotonic() > until:
            return False
        there = processes()
        found = below(os.getpid(), there)
        for group in {there[pid][1] for pid in found} - {os.getpgrp()}:
            kill(group, group=True)
        for pid in found:
            kill(pid)
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    return True


def main() -> None:
    """Start the program, tell what becomes of it, and end everything in the end."""
    alive, report, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    for pipe in (alive, report):
        os.set_inheritable(pipe, False)  # noqa: FBT003 (its only form)

    def tell(text: str) -> None:
        try:
            os.write(report, f"{text}\n".encode())
        except OSError:  # nobody is there any more, which the loop will see
            pass

    if not (os.path.isdir("/proc/self") and adopt_orphans()):
        tell("alone")
        return
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    ignored = [signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
    try:
        program = os.posix_spawnp(command[0], command, os.environ, setsid=True, setsigdef=ignored)
    except OSError as error:
        tell(f"error {error.errno}")
        return
    tell(f"pid {program}")
    nothing = os.open(os.devnull, os.O_RDWR)
    for pipe in (0, 1, 2):  # only the program holds its pipes
        os.dup2(nothing, pipe)
    poll = select.poll()
    poll.register(alive, select.POLLIN)
    poll.register(woken, select.POLLIN)
    while True:
        ready = {fd for fd, _ in poll.poll()}
        if woken in ready:
            try:
                os.read(woken, 4096)
            except BlockingIOError:
                pass
            for pid, status in reap()[0]:
                if pid == program:
                    tell(f"status {status}")
        if alive in ready:
            break
    tell("gone" if end_all() else "left")


if __name__ == "__main__":
    main()
