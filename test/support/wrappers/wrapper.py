"""Stands in for a container engine's client and its server: an argument says whose (engine.ts makes programs of these names).

usage: docker exec [-i] [-t] NAME CMD...         the same for podman
       kubectl exec [-i] NAME [-c C] -- CMD...
       lxc exec NAME -- CMD...
       srun [--overlap] --jobid NAME CMD...
       pct exec NAME -- CMD...
       engine                                    the server that owns the processes of all of them but pct

Before that name stands a folder. It has `containers/NAME`, a file that holds the PID of the container's first process, or
`stopped`, or `shell-less`. What each one does and what it says was seen on the real ones (docs/hosts.md), but for kubectl and pct,
which are written after their documentation.
"""

import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

FOLDER, NAME = sys.argv[1:3]
ARGUMENTS = sys.argv[3:]
SOCKET = os.path.join(FOLDER, "engine.sock")
POOR = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}

# Syntax of the call; what becomes of the command when its input ends and when its client is killed; its process group; what the
# client prints before everything else.
WRAPPERS = {
    "docker": dict(call=r"exec((?: -\w+)*) (\S+)", end="close", death="close", group="own"),
    "podman": dict(call=r"exec((?: -\w+)*) (\S+)", end="close", death="close", group="own"),
    # The end of input does not get through, and the client takes any end for a good one.
    "kubectl": dict(
        call=r"exec((?: -\w+)*) (\S+)(?: -c \S+)? --",
        end="nothing",
        death="nothing",
        group="own",
        notes=[
            'Defaulted container "train" out of: train, sidecar',
            "E1125 09:12:44.731022   12044 websocket.go:296] Unknown stream id 1, discarding message",
        ],
    ),
    # The command is in the process group of the daemon; of a lost client's command only the first process is killed.
    "lxc": dict(call=r"exec() (\S+) --", end="close", death="kill", group="daemon", input=True),
    # The task's environment is the caller's; a step whose srun is gone goes on, its input open.
    "srun": dict(call=r"(?:--overlap )?()--jobid (\S+)", end="close", death="nothing", group="own", input=True, env=True),
}


def main():
    if NAME == "engine":
        return serve()
    if NAME == "pct":
        return pct()
    wrapper = WRAPPERS[NAME]
    line = " ".join(ARGUMENTS)
    match = re.match(wrapper["call"] + " ", line)
    if not match:
        fail("%s: unknown call: %s" % (NAME, line), 2)
    words = match.group(0).split()
    command = ARGUMENTS[len(words) :]
    has_input = wrapper.get("input", False) or "-i" in match.group(1)
    if "-t" in match.group(1) or "-it" in match.group(1):
        fail("the input device is not a TTY", 1)
    check(match.group(2))
    for note in wrapper.get("notes", []):
        print(note, file=sys.stderr, flush=True)
    call(dict(wrapper=NAME, container=match.group(2), command=command, env=dict(os.environ)), has_input)


def check(name):
    state = state_of(name)
    if state is None:
        fail(
            {
                "docker": "Error response from daemon: No such container: %s",
                "podman": 'Error: no container with name or ID "%s" found: no such container',
                "kubectl": 'Error from server (NotFound): pods "%s" not found',
                "lxc": "Error: Instance not found",
                "srun": "srun: error: Unable to confirm allocation for job %s: Invalid job id specified\n"
                "srun: Check SLURM_JOB_ID environment variable. Expired or invalid job %s",
                "pct": "Configuration file 'nodes/pve/lxc/%s.conf' does not exist",
            }[NAME].replace("%s", name),
            1,
        )
    if state == "stopped":
        fail(
            {
                "docker": "Error response from daemon: Container 63257c7cb9c5 is not running",
                "podman": "Error: can only create exec sessions on running containers: container state improper",
                "kubectl": "error: cannot exec into a container in a completed pod; current phase is Succeeded",
                "lxc": "Error: Instance is not running",
                "srun": "srun: error: Unable to create step for job %s: Job/step already completing or completed" % name,
                "pct": "container '%s' not running!" % name,
            }[NAME],
            255,
        )
    if state == "shell-less":
        oci = 'exec failed: unable to start container process: exec: "sh": executable file not found in $PATH'
        fail(
            {
                "docker": "OCI runtime exec failed: %s: unknown" % oci,
                "podman": "Error: runc: %s: OCI runtime attempted to invoke a command that was not found" % oci,
                "kubectl": "error: Internal error occurred: error executing command in container: %s: unknown\n"
                "command terminated with exit code 126" % oci,
                "lxc": "Error: Command not found",
                "srun": "slurmstepd-vm: error: execve(): sh: No such file or directory\n"
                "srun: error: vm: task 0: Exited with exit code 2",
                "pct": 'lxc-attach: 200: ../src/lxc/attach.c: lxc_attach_run_command: 1841 No such file or directory - Failed to exec "sh"',
            }[NAME],
            127,
        )


def state_of(name):
    try:
        with open(os.path.join(FOLDER, "containers", name)) as file:
            return file.read().strip()
    except OSError:
        return None


def fail(text, code):
    print(text, file=sys.stderr)
    sys.exit(code)


def enter(container):
    return ["nsenter", "-t", state_of(container), "-m", "-p", "--"]


def pct():
    """As lxc-attach: no server, the caller's process group and environment; perl says what it thinks of the locale."""
    match = re.match(r"exec (\S+) -- ", " ".join(ARGUMENTS))
    if not match:
        fail("400 not enough arguments\npct exec <vmid> [<extra-args>]", 255)
    check(match.group(1))
    print("perl: warning: Setting locale failed.\nperl: warning: Please check that your locale settings:", file=sys.stderr)
    print('perl: warning: Falling back to the standard locale ("C").', file=sys.stderr, flush=True)
    os.execvp("nsenter", enter(match.group(1)) + ARGUMENTS[3:])


def call(request, has_input):
    """The client: standard input goes out as it is, frames come back: kind, length, bytes."""
    link = socket.socket(socket.AF_UNIX)
    link.connect(SOCKET)
    link.sendall(json.dumps(request).encode() + b"\n")
    sources = [link]
    if has_input:
        sources.append(sys.stdin)
    else:
        link.shutdown(socket.SHUT_WR)
    while True:
        if sys.stdin in select.select(sources, [], [])[0]:
            data = os.read(0, 65536)
            if data:
                link.sendall(data)
            else:
                if WRAPPERS[NAME]["end"] == "nothing":
                    sys.exit(0)
                sources.remove(sys.stdin)
                link.shutdown(socket.SHUT_WR)
            continue
        kind, length = struct.unpack("!cI", receive(link, 5))
        if kind == b"x":
            sys.exit(length)
        os.write(1 if kind == b"1" else 2, receive(link, length))


def receive(link, length):
    data = b""
    while len(data) < length:
        more = link.recv(length - len(data))
        if not more:
            sys.exit(0)  # the server is gone: no fault, says this one
        data += more
    return data


def serve():
    server = socket.socket(socket.AF_UNIX)
    server.bind(SOCKET)
    server.listen(64)
    print("ready", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    while True:
        threading.Thread(target=run, args=(server.accept()[0],), daemon=True).start()


def run(link):
    try:
        request = json.loads(link.makefile("rb", buffering=0).readline())
    except (OSError, ValueError):
        return link.close()  # the client was killed before it could ask
    wrapper = WRAPPERS[request["wrapper"]]
    own = ["setsid"] if wrapper["group"] == "own" else []
    child = subprocess.Popen(
        enter(request["container"]) + own + request["command"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=request["env"] if wrapper.get("env") else POOR,
    )
    lock = threading.Lock()

    def send(kind, data, length=None):
        with lock:
            try:
                link.sendall(struct.pack("!cI", kind, len(data) if length is None else length) + data)
            except OSError:
                pass  # nobody listens any more; what the command prints is lost

    def give(kind, pipe):
        while data := os.read(pipe.fileno(), 65536):
            send(kind, data)

    def take():
        poll = select.poll()
        poll.register(link, select.POLLIN)
        while data := received(link):
            try:
                os.write(child.stdin.fileno(), data)
            except OSError:
                return  # the command is gone
        if not any(event & select.POLLHUP for _, event in poll.poll(0)):
            if wrapper["end"] == "close":
                child.stdin.close()
            while child.poll() is None and not any(event & select.POLLHUP for _, event in poll.poll(0)):
                time.sleep(0.05)
        if child.poll() is not None:
            return
        if wrapper["death"] == "close":
            child.stdin.close()
        elif wrapper["death"] == "kill":
            for pid in children(child.pid):
                os.kill(pid, signal.SIGKILL)

    outputs = [threading.Thread(target=give, args=pair) for pair in ((b"1", child.stdout), (b"2", child.stderr))]
    for thread in [*outputs, threading.Thread(target=take, daemon=True)]:
        thread.start()
    for thread in outputs:
        thread.join()
    code = child.wait()
    send(b"x", b"", code if code >= 0 else 128 - code)
    link.close()


def received(link):
    try:
        return link.recv(65536)
    except OSError:
        return b""


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(word) for word in file.read().split()]


main()
