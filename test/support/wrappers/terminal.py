#!/usr/bin/env python3
"""Stands in for a container engine's client with a terminal, as docker's: `docker exec [-i] [-t] NAME CMD...`

The folder above has `containers/NAME`, which holds the PID of the container's first process. With -t the command and its terminal
belong to a daemon: when the client is killed, both stay (moby issue 9098). Without, the client is the command.
"""

import fcntl
import os
import pty
import re
import select
import signal
import socket
import struct
import sys
import termios
import tty

POOR = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "TERM": "xterm"}


def main():
    match = re.match(r"exec((?: -\w+)*) (\S+) ", " ".join(sys.argv[1:]))
    folder = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0])))
    try:
        with open(os.path.join(folder, "containers", match.group(2))) as file:
            first = file.read().strip()
    except OSError:
        fail("Error response from daemon: No such container: " + match.group(2))
    command = ["nsenter", "-t", first, "-m", "-p", "--"] + sys.argv[1 + len(match.group(0).split()) :]
    if "t" not in match.group(1):
        os.execvpe(command[0], command, POOR)
    if not os.isatty(0):
        fail("the input device is not a TTY")
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ours.close()
            daemon(theirs, command)
        os._exit(0)
    theirs.close()
    client(ours)


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(1)


def client(link):
    before = termios.tcgetattr(0)
    tty.setraw(0, termios.TCSANOW)  # what was typed before stays
    size = lambda *_: send(link, b"w", fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8))
    signal.signal(signal.SIGWINCH, size)
    size()
    code = 255
    while True:
        ready = select.select([0, link], [], [])[0]
        if 0 in ready:
            send(link, b"d", os.read(0, 4096))
        if link in ready:
            kind, data = take(link)
            if kind == b"d":
                os.write(1, data)
                continue
            code = data[0] if kind == b"x" else 255
            break
    termios.tcsetattr(0, termios.TCSADRAIN, before)
    sys.exit(code)


def daemon(link, command):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, POOR)
    nothing = os.open("/dev/null", os.O_RDWR)
    for fd in range(3):
        os.dup2(nothing, fd)
    sources = [terminal, link]
    while True:
        ready = select.select(sources, [], [])[0]
        if link in ready:
            kind, data = take(link)
            if kind == b"d":
                os.write(terminal, data)
            elif kind == b"w":
                fcntl.ioctl(terminal, termios.TIOCSWINSZ, data)
            else:
                sources.remove(link)  # the client is gone; nobody tells the command
        if terminal in ready:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                data = b""
            if not data:
                break
            send(link, b"d", data)
    status = os.waitpid(pid, 0)[1]
    send(link, b"x", bytes([os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)]))


def send(link, kind, data):
    try:
        link.sendall(struct.pack("!cI", kind, len(data)) + data)
    except OSError:
        pass  # nobody listens any more


def take(link):
    try:
        head = link.recv(5, socket.MSG_WAITALL)
        if len(head) < 5:
            return b"", b""
        kind, length = struct.unpack("!cI", head)
        return kind, link.recv(length, socket.MSG_WAITALL)
    except OSError:
        return b"", b""


main()
