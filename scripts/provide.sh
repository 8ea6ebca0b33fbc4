#!/bin/sh
# Provides what `npm test` needs besides Node: as root on Debian it installs what is missing; elsewhere it says what is missing and
# which suites are then skipped. Quick when everything is there. PY_SPY_PYTHON names the Python that makes py-spy's venv, NEWER_PYTHON
# one from 3.12 on (provide-python.sh).
set -u
cd "$(dirname "$0")/.." || exit 1

PY_SPY_VERSION=0.4.2
VENV=.cache/py-spy
PATH=$PATH:/usr/sbin:/sbin
missing_packages=
missing_suites=

main() {
  mkdir -p .cache
  # tool          package         what is skipped without it
  need sshd       openssh-server  'everything over SSH'
  need google-authenticator libpam-google-authenticator 'log-ins with two factors'
  need tmux       tmux            'everything in tmux'
  need top        procps          'the host reader, and threads by top'
  need pidstat    sysstat         'threads by pidstat'
  need busybox    busybox         'the host scripts under busybox'
  need dash       dash            'the host scripts under dash'
  need ssh        openssh-client  'what ssh says of the same configuration and host keys'
  need ip         iproute2        'everything in network namespaces'
  need iptables   iptables        'everything on links that drop packets'
  need sudo       sudo            'wrappers'
  need fish       fish            'wrappers'
  need tcsh       tcsh            'wrappers'
  need python3    python3         'everything that watches a real Python process'
  need chromium-headless-shell chromium-headless-shell 'the page of a report in a browser'
  need jq         jq              'the commands of docs/recording.md'
  need less       less            'captures in the pager'
  need_venv
  if [ -n "$missing_packages" ]; then
    if may_install; then install; else say_missing; fi
  fi
  provide_py_spy
  sh scripts/provide-python.sh .cache/newer-python
  # sshd refuses to start without it; Debian makes it only when the service starts.
  if [ "$(id -u)" = 0 ] && command -v sshd >/dev/null && [ ! -d /run/sshd ]; then mkdir -p -m 755 /run/sshd; fi
  return 0
}

need() {
  command -v "$1" >/dev/null || miss "$2" "$3"
}

# Debian's python3 comes without the part that makes a venv.
need_venv() {
  [ -x "$VENV/bin/py-spy" ] && return
  "$(python)" -c 'import ensurepip, venv' 2>/dev/null || miss python3-venv 'stacks by py-spy'
}

miss() {
  missing_packages="$missing_packages $1"
  missing_suites="$missing_suites
    $1: $2"
}

may_install() {
  [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null
}

install() {
  echo "provide: installing$missing_packages"
  export DEBIAN_FRONTEND=noninteractive
  # Installing must not start an SSH server on the machine.
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    made_policy=1
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    chmod +x /usr/sbin/policy-rc.d
  fi
  # shellcheck disable=SC2086 # a list of packages
  { apt-get update && apt-get install -y --no-install-recommends $missing_packages; } >.cache/provide.log 2>&1 </dev/null
  status=$?
  [ "${made_policy:-0}" = 1 ] && rm -f /usr/sbin/policy-rc.d
  if [ "$status" != 0 ]; then
    tail -n 20 .cache/provide.log
    say_missing
  fi
}

say_missing() {
  echo "provide: MISSING on this machine:$missing_packages"
  echo "provide: these suites are skipped (as root on Debian they are installed by themselves):$missing_suites"
}

python() {
  if [ -n "${PY_SPY_PYTHON:-}" ]; then echo "$PY_SPY_PYTHON"; else command -v python3 || echo python3; fi
}

provide_py_spy() {
  [ -x "$VENV/bin/py-spy" ] && grep -q "$PY_SPY_VERSION" "$VENV/version" 2>/dev/null && return
  rm -rf "$VENV"
  if command -v "$(python)" >/dev/null &&
    "$(python)" -m venv "$VENV" >.cache/provide.log 2>&1 </dev/null &&
    "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check "py-spy==$PY_SPY_VERSION" >>.cache/provide.log 2>&1 </dev/null &&
    "$VENV/bin/py-spy" --version >"$VENV/version"; then
    echo "provide: $(cat "$VENV/version") in $VENV"
  else
    [ -e .cache/provide.log ] && tail -n 5 .cache/provide.log
    rm -rf "$VENV"
    echo "provide: MISSING py-spy $PY_SPY_VERSION (python3 -m venv $VENV && $VENV/bin/pip install py-spy==$PY_SPY_VERSION)"
    echo "provide: these suites are skipped: stacks by py-spy, thread names from py-spy"
  fi
}

main
