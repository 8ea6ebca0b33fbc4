import { any, rowsOf, type ClassRow } from './rows.ts';

/**
 * Functions of Python's standard library that wait, read or write. A plain stack has no more of them: what C code is in is told by the
 * innermost Python function that called it.
 */
export const standardTable: readonly ClassRow[] = [
  ...rowsOf({ class: 'idle', says: 'explains', source: 'CPython 3.8 to 3.14, Lib' }, [
    {
      file: /^concurrent\/futures\/thread\.py$/,
      call: /^(_worker|run)$/,
      because: 'is a pool thread with nothing to do',
    },
    {
      file: /^concurrent\/futures\/process\.py$/,
      call: /^(_process_worker|run|wait_result_broken_or_wakeup)$/,
      because: 'is part of a pool with nothing to do',
    },
    { file: /^multiprocessing\/queues\.py$/, call: /^_feed$/, because: 'feeds a queue, and has nothing for it' },
    {
      file: /^multiprocessing\/pool\.py$/,
      call: /^(worker|_handle_\w+|_wait_for_updates)$/,
      because: 'is part of a pool with nothing to do',
    },
    {
      file: /^multiprocessing\/(resource_tracker|resource_sharer|forkserver|managers)\.py$/,
      call: /^(main|_serve|serve_forever|accepter|serve_client)$/,
      because: 'serves other processes, none of which asks',
    },
    { file: /^asyncio\/base_events\.py$/, call: /^_run_once$/, because: 'is an event loop with nothing to do' },
    { file: /^socketserver\.py$/, call: /^(serve_forever|get_request)$/, because: 'is a server that nobody asks' },
    { file: /^threading\.py$/, call: /^run$/, because: 'is a timer' },
    { file: /^sched\.py$/, call: /^run$/, because: 'is a timer' },
  ]),
  ...rowsOf({ class: 'idle', says: 'decides', source: 'CPython 3.8 to 3.14, Lib' }, [
    { file: /^concurrent\/futures\/thread\.py$/, call: /^_worker$/, because: 'is a pool thread with nothing to do' },
    {
      file: /^asyncio\/(runners|base_events)\.py$/,
      call: /^(run|run_forever|run_until_complete)$/,
      because: 'is an event loop with nothing to do',
    },
    { file: /^uvloop\/__init__\.py$/, call: any, because: 'is an event loop with nothing to do' },
    { file: /^(socket|multiprocessing\/connection)\.py$/, call: /^_?accept$/, because: 'is a server that nobody asks' },
    {
      file: /^(pdb|bdb|cmd|code)\.py$/,
      call: /^(interaction|_?cmdloop|interact|raw_input|set_trace|dispatch_\w+)$/,
      because: 'is stopped in the debugger',
    },
    { file: /^sched\.py$/, call: /^run$/, because: 'is a timer' },
  ]),
  ...rowsOf(
    {
      class: 'lock wait',
      says: 'hints',
      source: 'CPython 3.8 to 3.14, Lib/threading.py, Lib/multiprocessing, Lib/subprocess.py, Lib/concurrent',
    },
    [
      {
        file: /^threading\.py$/,
        call: /^(wait|wait_for|acquire|__enter__|_acquire_restore|_wait|_shutdown|join|_wait_for_tstate_lock|_join_os_thread)$/,
        because: 'waits for another thread',
      },
      { file: /^queue\.py$/, call: /^(put|join)$/, because: 'waits for room in a queue' },
      {
        file: /^multiprocessing\/synchronize\.py$/,
        call: /^(__enter__|acquire|wait|wait_for)$/,
        because: 'waits for another process',
      },
      {
        file: /^multiprocessing\/connection\.py$/,
        call: /^(_?poll|wait|_?recv\w*|_?send\w*|_read|_exhaustive_wait)$/,
        because: 'waits for another process',
      },
      { file: /^multiprocessing\/(queues\.py)$/, call: /^(put|join)$/, because: 'waits for room in a queue' },
      {
        file: /^multiprocessing\/(popen_\w+|process|pool|managers|util)\.py$/,
        call: /^(poll|wait|join|get|_callmethod|_exit_function|_terminate_pool|next)$/,
        because: 'waits for another process',
      },
      {
        file: /^subprocess\.py$/,
        call: /^(_try_wait|_wait|wait|_?communicate|poll|_internal_poll|run|call|check_\w+)$/,
        because: 'waits for a child process',
      },
      {
        file: /^concurrent\/futures\/_base\.py$/,
        call: /^(result|exception|wait|as_completed|result_iterator|_result_or_cancel)$/,
        because: 'waits for a result of another thread',
      },
      {
        file: /^<frozen importlib\._bootstrap>$/,
        call: /^acquire$/,
        because: 'waits for another thread to import a module',
      },
      { file: /^os\.py$/, call: /^(waitpid|wait|popen|system|spawn\w+)$/, because: 'waits for a child process' },
    ],
  ),
  ...rowsOf(
    { class: 'input wait', says: 'hints', source: 'CPython 3.8 to 3.14, Lib/queue.py, Lib/multiprocessing/queues.py' },
    [
      {
        file: /^(queue|multiprocessing\/queues|asyncio\/queues)\.py$/,
        call: /^get$/,
        because: 'waits for something in a queue',
      },
    ],
  ),
  ...rowsOf({ class: 'network I/O', says: 'hints', source: 'CPython 3.8 to 3.14, Lib' }, [
    { file: /^selectors\.py$/, call: /^select$/, because: 'waits for a file descriptor' },
    {
      file: /^(socket|ssl)\.py$/,
      call: /^(readinto|recv\w*|send\w*|read|write|connect|_real_connect|do_handshake|create_connection|getaddrinfo|unwrap)$/,
      because: 'sends or receives',
    },
    {
      file: /^(http|urllib|xmlrpc|email)\/|^(ftplib|smtplib|poplib|imaplib)\.py$/,
      call: /^(read\w*|_read\w*|begin|connect|send\w*|endheaders|urlopen|urlretrieve|open|_?get_?line|getresponse)$/,
      because: 'sends or receives',
    },
    {
      file: /^(urllib3|requests|httpx|httpcore|aiohttp|botocore|s3transfer|grpc|redis|ray)\//,
      call: /^(read\w*|recv\w*|send\w*|connect\w*|_?make_request|urlopen|request|_?result|stream|get_response|_blocking|result|wait)$/,
      because: 'sends or receives',
    },
    { file: /^zmq\//, call: any, because: 'waits for a message' },
  ]),
  ...rowsOf({ class: 'file I/O', says: 'decides', source: 'CPython 3.8 to 3.14, Lib' }, [
    {
      file: /^<frozen importlib\._bootstrap_external>$/,
      call: /^(get_data|_path_\w+|path_stats|_fill_cache|set_data|_write_atomic)$/,
      because: 'reads the file of a module that is imported',
    },
    {
      file: /^(<frozen (genericpath|posixpath|os)>|(genericpath|posixpath|ntpath|os)\.py)$/,
      call: /^(exists|lexists|is(file|dir|link)|get(size|mtime|atime|ctime)|realpath|_joinrealpath|ismount|samefile|walk|_walk|fwalk|scandir|listdir|makedirs|removedirs|renames|fdopen)$/,
      because: 'asks the file system',
    },
    {
      file: /^(shutil|glob|tempfile|fileinput|mmap|filecmp)\.py$|^pathlib(\.py$|\/)/,
      call: /^(copy\w*|_copy\w*|_fastcopy\w*|move|rmtree|_rmtree\w*|disk_usage|_?i?glob\w*|_?(listdir|scandir|iterdir)|exists|is_\w+|stat|lstat|open|read_\w+|write_\w+|mkdir|unlink|rename|replace|resolve|touch|mk[ds]temp|_mk\w+_inner|readline|rglob|walk)$/,
      because: 'asks the file system',
    },
    {
      file: /^(tarfile|gzip|bz2|lzma|_compression|_pyio)\.py$|^(zipfile|compression)(\.py$|\/)/,
      call: /^(read\w*|write\w*|_read\w*|_write\w*|seek|flush|copyfileobj|next|open|extract\w*|_extract\w*|close)$/,
      because: 'reads or writes an archive',
    },
    {
      file: /^logging\/(__init__|handlers)\.py$/,
      call: /^(emit|flush|_open|doRollover|close)$/,
      because: 'writes a line of a log',
    },
    {
      file: /^(codecs|io|fileinput)\.py$/,
      call: /^(open|readline|readlines|read|write)$/,
      because: 'reads or writes a file',
    },
  ]),
  ...rowsOf(
    {
      class: 'Python',
      says: 'decides',
      source: 'CPython 3.8 to 3.14, Lib/importlib/_bootstrap_external.py, Lib/py_compile.py',
    },
    [
      {
        file: /^<frozen importlib\._bootstrap_external>$/,
        call: /^source_to_code$/,
        because: 'compiles the source of a module that is imported: it has no .pyc that fits',
      },
      { file: /^py_compile\.py$/, call: any, because: 'compiles a Python source' },
    ],
  ),
];
