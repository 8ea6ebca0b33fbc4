/** What a thread waits for, in a word that fits a cell. */
export type WaitWord =
  | 'futex'
  | 'poll'
  | 'ioctl'
  | 'read'
  | 'write'
  | 'sync'
  | 'sleep'
  | 'child'
  | 'network'
  | 'file lock'
  | 'file'
  | 'memory'
  | 'signal'
  | 'exit';

/**
 * By its call, else by the function of the kernel in which it sleeps; undefined for one that says nothing. A call that was interrupted and goes on
 * (`restart_syscall`, after SIGCONT or a tracer) keeps its wait under another number: there the function decides.
 */
export function waitWord(call: string | undefined, where: string | undefined): WaitWord | undefined {
  const byCall = call === undefined ? undefined : calls.get(call);
  return byCall ?? (where === undefined ? undefined : functions.find(([pattern]) => pattern.test(where))?.[1]);
}

const families: Readonly<Record<WaitWord, string>> = {
  futex: 'futex futex_waitv futex_wait',
  poll: 'poll ppoll select pselect6 epoll_wait epoll_pwait epoll_pwait2 io_getevents io_pgetevents io_uring_enter',
  ioctl: 'ioctl',
  read: 'read readv pread64 preadv preadv2 getdents getdents64',
  write: 'write writev pwrite64 pwritev pwritev2 sendfile copy_file_range splice fallocate ftruncate',
  sync: 'fsync fdatasync sync syncfs sync_file_range msync',
  sleep: 'nanosleep clock_nanosleep pause',
  child: 'wait4 waitid vfork',
  network: 'recvfrom recvmsg recvmmsg sendto sendmsg sendmmsg accept accept4 connect',
  'file lock': 'flock',
  file: 'open openat openat2 stat lstat newfstatat statx access faccessat faccessat2 unlink unlinkat rename renameat renameat2 mkdir mkdirat close',
  memory: 'mmap munmap mremap mprotect madvise brk mlock mlock2',
  signal: 'rt_sigtimedwait rt_sigsuspend',
  exit: 'exit exit_group',
};

const calls: ReadonlyMap<string, WaitWord> = new Map(
  Object.entries(families).flatMap(([word, names]) => names.split(' ').map((name) => [name, word as WaitWord])),
);

/** Names of Linux 4.18 to 6.18; a compiler adds endings (`.constprop.0`). */
const functions: readonly (readonly [RegExp, WaitWord])[] = [
  [/^_*futex_(wait|do_wait|lock)/, 'futex'],
  [/^(poll_schedule_timeout|do_poll|do_sys_poll|do_select|do_epoll_wait|ep_poll|io_cqring_wait|read_events)/, 'poll'],
  [/^(hrtimer_nanosleep|do_nanosleep|schedule_hrtimeout|sys_pause|__x64_sys_pause)/, 'sleep'],
  [/^(do_wait|kernel_clone|_do_fork|wait_for_vfork_done)/, 'child'],
  [/^(anon_)?(pipe_read|pipe_wait)|^(tty_read|n_tty_read|eventfd_read|inotify_read)/, 'read'],
  [/^(anon_)?pipe_write|^balance_dirty_pages/, 'write'],
  [
    /^(sk_|__sk)?(wait_data|stream_wait)|^sk_(wait|stream)|^inet_csk_accept|^unix_(stream|wait|accept)|^wait_woken$/,
    'network',
  ],
  [/^(__skb_wait_for_more_packets|inet_stream_connect|inet_wait_for_connect|tcp_(recv|send)msg)/, 'network'],
  [/^(flock_lock_inode|locks_lock_inode|fcntl_setlk|posix_lock)/, 'file lock'],
  [
    /^(jbd2_|ext4_sync|xfs_log_force|btrfs_sync|file_write_and_wait|wait_on_page_writeback|folio_wait_writeback)/,
    'sync',
  ],
  [/^(rpc_|nfs\d?_|fuse_|ceph_|cl_sync|ll_|lustre|ptlrpc|gpfs|cxiWait|beegfs|FhgfsOps)/, 'file'],
  [
    /^(wait_on_page_bit|folio_wait_bit|filemap_|io_schedule|blk_|rq_qos_wait|bio_wait|submit_bio_wait|xfs_|ext4_|btrfs_)/,
    'file',
  ],
  [/^(nv_|nvidia|uvm_|_nv\d|os_acquire|rm_)/, 'ioctl'],
  [/^(rwsem_down|down_(read|write)|mmap_|__mmap|do_user_addr_fault|handle_mm_fault|swap_)/, 'memory'],
  [/^(do_sigtimedwait|sigsuspend|__x64_sys_rt_sig)/, 'signal'],
  [/^(do_exit|do_group_exit|exit_mm|coredump_)/, 'exit'],
];
