#!/bin/sh
# Provides a Python from 3.12 on as FOLDER/newer-python3, for tests that run on two versions: NEWER_PYTHON, one of the system's or pyenv's,
# else (as root on Debian, whose own is older) that of the next Debian, from its packages, unpacked into FOLDER and linked with their libraries there:
# nothing of the system is changed but that patchelf is installed. NEWER_PYTHON=debian takes that one at once. A mirror that does not answer
# holds nobody up for long, and is asked again after an hour.
set -u
folder=$1
suite=trixie
version=3.13

main() {
  [ "${NEWER_PYTHON:-}" != debian ] && is_newer "$folder/newer-python3" && return
  mkdir -p "$folder" && folder=$(cd "$folder" && pwd) || exit 1
  rm -f "$folder/newer-python3"
  # In a shell of its own, which ends at what fails.
  find_one || { may_unpack && (from_debian) >"$folder/log" 2>&1 </dev/null; }
  if is_newer "$folder/newer-python3"; then
    echo "provide: $("$folder/newer-python3" --version) as the newer one"
  else
    [ -e "$folder/log" ] && tail -n 5 "$folder/log"
    echo "provide: MISSING a Python from 3.12 on (NEWER_PYTHON=PATH names one)"
    echo "provide: left out: suites of a newer Python"
  fi
}

is_newer() {
  [ -x "$1" ] && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null
}

find_one() {
  [ "${NEWER_PYTHON:-}" = debian ] && return 1
  for each in "${NEWER_PYTHON:-}" python3.14 python3.13 python3.12 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[3-9]*/bin/python3 python3; do
    found=$(command -v "$each" 2>/dev/null) && is_newer "$found" || continue
    # What pyenv has in PATH is a script that goes by its own name.
    ln -s "$("$found" -c 'import os, sys; print(os.path.realpath(sys.executable))')" "$folder/newer-python3" && return
  done
  return 1
}

may_unpack() {
  [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && { [ "${NEWER_PYTHON:-}" = debian ] || [ -z "$(find "$folder/log" -mmin -60 2>/dev/null)" ]; }
}

from_debian() {
  set -e
  rm -rf "$folder/apt" "$folder/root"
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/root"
  : >"$folder/apt/status"
  # The mirror that this machine uses, and lists of packages of its own.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep /debian/ | head -n 1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$folder/apt/sources.list"
  other update --error-on=any
  # Into an empty system: with its C library.
  other install -y --download-only "python$version-minimal" "libpython$version-stdlib"
  for package in "$folder"/apt/archives/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
  command -v patchelf || timeout 60 apt-get install -y --no-install-recommends patchelf
  root=$folder/root
  library=$(dirname "$(find "$root" -name libc.so.6 | head -n 1)")
  patchelf --set-interpreter "$(find "$library" -name 'ld-linux-*.so.*' | head -n 1)" --force-rpath --set-rpath "$library" "$root/usr/bin/python$version"
  ln -s "$root/usr/bin/python$version" "$folder/newer-python3"
  rm -rf "$folder/apt"
}

other() {
  timeout 90 apt-get -o "Dir::State=$folder/apt" -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::State::Status=$folder/apt/status" \
    -o "Dir::Cache=$folder/apt" -o "Dir::Cache::Archives=$folder/apt/archives" -o "Dir::Etc::SourceList=$folder/apt/sources.list" \
    -o Dir::Etc::SourceParts=/dev/null -o APT::Install-Recommends=false -o APT::Sandbox::User=root \
    -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 -o Acquire::Retries=1 -o Acquire::Languages=none "$@"
}

main
