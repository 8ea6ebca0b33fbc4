#!/bin/sh
# Tries traintop behind real engines, as root on Debian 12 with podman, docker.io, containerd, lxc, lxd, slurmctld, slurmd, slurm-client
# and munge installed (and no such service in use), and keeps what was found in test/fixtures/hosts/real.json, from which
# docs/hosts.md is made. Nothing is pulled: a container is a folder that has this machine's /usr. `npm test` does not run this.
set -eu
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d /tmp/traintop-real-XXXXXX)
hosts=$work/hosts
: >"$hosts"
LXD_DIR=$work/lxd SLURM_CONF=$work/slurm.conf DOCKER_HOST=unix://$work/docker.sock
export LXD_DIR SLURM_CONF DOCKER_HOST
podman="podman --root $work/pod --runroot $work/pod-run --cgroup-manager cgroupfs --events-backend file --runtime runc"

main() {
  trap clean EXIT
  trap 'exit 1' INT TERM
  make_root
  for each in docker podman lxc_attach lxd slurm; do
    ( set -e; "try_$each" ) || echo "hosts-real: $each could not be started; see $work/$each.log" >&2
  done
  cat "$hosts"
  TRAINTOP_REAL_HOSTS=$hosts npx vitest run test/e2e/hosts
}

# What a container's first process does: the run, and nothing else. Its PID inside is told by its first line.
run() {
  spec='{"threads": [{"name": "pump", "percent": 3}, {"name": "resting"}], "logSeconds": 0.5}'
  printf '%s\n' '#!/bin/sh' "sleep 100000 | /usr/bin/python3 $here/test/support/workload/workload.py '$spec' >$work/out/$1.log 2>&1" >"$work/out/$1.sh"
  chmod +x "$work/out/$1.sh"
  echo "$work/out/$1.sh"
}

# host NAME SHOWN WRAP ENGINE [PID]
host() {
  i=0
  until grep -q '"pid"' "$work/out/$1.log" 2>/dev/null; do
    i=$((i + 1)); [ $i -lt 100 ] || return 1
    sleep 0.2
  done
  run_pid=$(sed -n 's/.*"pid": \([0-9]*\).*/\1/p' "$work/out/$1.log" | head -n 1)
  printf '{"shown":"%s","wrap":"%s","engine":"%s",%s"runPid":%s,"logPath":"%s"}\n' "$2" "$3" "$4" "${5:+\"pid\":$5,}" "$run_pid" "$work/out/$1.log" >>"$hosts"
}

make_root() {
  mkdir -p "$work/root" "$work/out"
  for d in bin sbin lib lib64; do ln -s usr/$d "$work/root/$d"; done
  for d in usr etc proc sys dev tmp root run var/tmp "$here" "$work/out"; do mkdir -p "$work/root/$d"; done
  cp -a /etc/passwd /etc/group /etc/alternatives "$work/root/etc/"
  tar -c -C "$work/root" . >"$work/root.tar"
}

mounts="-v /usr:/usr:ro -v $here:$here:ro -v $work/out:$work/out"

try_docker() {
  dockerd --iptables=false --ip6tables=false --bridge=none --data-root "$work/docker" --exec-root "$work/docker-run" \
    -H "$DOCKER_HOST" --pidfile "$work/docker.pid" >"$work/docker.log" 2>&1 &
  until docker version >/dev/null 2>&1; do kill -0 $!; sleep 0.5; done
  docker import "$work/root.tar" box >/dev/null
  docker run -d --name box --network none --cap-add SYS_PTRACE $mounts box "$(run docker)" >/dev/null
  versions=$(docker version --format 'docker {{.Client.Version}}, dockerd {{.Server.Version}}')
  host docker 'docker exec -i BOX' 'docker exec -i box' "$versions, $(runc --version | sed -n '1s/ version//p')" \
    "$(docker inspect -f '{{.State.Pid}}' box)"
}

try_podman() {
  $podman import "$work/root.tar" box >/dev/null 2>"$work/podman.log"
  # crun 1.8 refuses the hybrid cgroups of some machines, and a container may not have more files than its engine.
  $podman run -d --name box --network none --cap-add SYS_PTRACE --ulimit nofile=10000:10000 --ulimit nproc=5000:5000 $mounts box \
    "$(run podman)" >/dev/null 2>>"$work/podman.log"
  host podman 'podman exec -i BOX' "$podman exec -i box" "$(podman --version | sed 's/ version//'), $(runc --version | sed -n '1s/ version//p')" \
    "$($podman inspect -f '{{.State.Pid}}' box)"
}

try_lxc_attach() {
  printf '%s\n' "lxc.rootfs.path = dir:$work/root" 'lxc.uts.name = box' 'lxc.net.0.type = empty' 'lxc.mount.auto = proc sys' \
    'lxc.mount.entry = /usr usr none bind,ro 0 0' "lxc.mount.entry = $here ${here#/} none bind,ro 0 0" \
    "lxc.mount.entry = $work/out ${work#/}/out none bind 0 0" "lxc.init.cmd = $(run lxc_attach)" >"$work/lxc.conf"
  mkdir -p "$work/lxc"
  lxc-start -P "$work/lxc" -n box -f "$work/lxc.conf" -o "$work/lxc_attach.log"
  host lxc_attach 'lxc-attach -n BOX -- (what pct exec runs)' "lxc-attach -P $work/lxc -n box --" "lxc $(lxc-attach --version)" \
    "$(lxc-info -P "$work/lxc" -n box -pH)"
}

try_lxd() {
  mkdir -p "$LXD_DIR"
  setsid lxd --group root >"$work/lxd.log" 2>&1 &
  lxd waitready -t 30
  printf '%s\n' 'storage_pools: [{name: default, driver: dir}]' \
    'profiles: [{name: default, devices: {root: {type: disk, path: /, pool: default}}}]' | lxd init --preseed >>"$work/lxd.log" 2>&1
  mkdir "$work/image"
  ln -s ../root "$work/image/rootfs"
  printf '%s\n' 'architecture: x86_64' 'creation_date: 1700000000' >"$work/image/metadata.yaml"
  tar -c -C "$work/image" metadata.yaml >"$work/image.tar"
  (cd "$work" && tar -c -z -f rootfs.tar.gz -C root .)
  lxc image import "$work/image.tar" "$work/rootfs.tar.gz" --alias box >>"$work/lxd.log" 2>&1
  lxc init box box >>"$work/lxd.log" 2>&1
  # Privileged: its root could end the daemon.
  lxc config set box security.privileged true
  lxc config set box raw.lxc "lxc.init.cmd = $(run lxd)"
  lxc config device add box usr disk source=/usr path=/usr readonly=true >/dev/null
  lxc config device add box here disk source="$here" path="$here" readonly=true >/dev/null
  lxc config device add box out disk source="$work/out" path="$work/out" >/dev/null
  lxc start box
  host lxd 'lxc exec BOX --' 'lxc exec box --' "lxd $(lxd --version), privileged container" "$(lxc info box | sed -n 's/^PID: //p')"
}

try_slurm() {
  name=$(hostname -s)
  mkdir -p "$work/slurm/state" "$work/slurm/spool" /run/munge
  chown munge: /run/munge
  [ -S /run/munge/munge.socket.2 ] || { runuser -u munge -- munged && touch "$work/munged"; }
  printf '%s\n' ClusterName=box "SlurmctldHost=$name(127.0.0.1)" SlurmctldPort=16817 SlurmdPort=16818 AuthType=auth/munge \
    "StateSaveLocation=$work/slurm/state" "SlurmdSpoolDir=$work/slurm/spool" "SlurmctldPidFile=$work/slurmctld.pid" \
    "SlurmdPidFile=$work/slurmd.pid" SlurmUser=root ProctrackType=proctrack/linuxproc TaskPlugin=task/none SelectType=select/cons_tres \
    MpiDefault=none ReturnToService=2 "NodeName=$name NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN" \
    'PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP' >"$SLURM_CONF"
  slurmctld -L "$work/slurm.log"
  slurmd -L "$work/slurmd.log"
  sleep 2
  job=$(sbatch --parsable -o /dev/null "$(run slurm)")
  host slurm 'srun --overlap --jobid JOB' "srun --overlap --jobid $job" "$(srun --version | sed 's/-wlm//')"
}

# Ends what was started here, by its own means, and nothing else.
clean() {
  set +e
  trap - EXIT
  {
    docker rm -f box; kill "$(cat "$work/docker.pid")"
    $podman rm -af
    lxc-stop -k -P "$work/lxc" -n box
    lxc delete -f box; lxd shutdown -t 20
    scancel -u root; sleep 2; kill "$(cat "$work/slurmd.pid")" "$(cat "$work/slurmctld.pid")"
    [ ! -e "$work/munged" ] || kill "$(cat /run/munge/munged.pid)"
    sleep 2
    grep " $work/" /proc/self/mounts | cut -d ' ' -f 2 | sort -r | xargs -r umount -l
    rm -rf "$work"
  } >/dev/null 2>&1
}

main
