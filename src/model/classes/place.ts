import type { StackFrame } from '../stacks.ts';
import { byFunction } from './by-function.ts';

/** Where the code of a frame is from. */
export interface Place {
  /** `user` is also a package of which nothing is known here. */
  readonly from: 'interpreter' | 'system' | 'native' | 'library' | 'user';
  /** The library's file name, or the module's path from its package on: `torch/cuda/memory.py`. */
  readonly name: string;
}

/** Where a frame is from, told by its file alone: py-spy gives whole paths in JSON, and short ones in text and records. */
export const placeOf = byFunction(findPlace);

function findPlace({ function: called, file, native }: StackFrame): Place {
  if (native || nativeFile.test(file) || /^0x[0-9a-f]+$/i.test(called)) return nativePlace(file);
  if (file.startsWith('<frozen ')) return { from: 'library', name: file };
  if (file.startsWith('<')) return { from: 'user', name: file };
  // What torch.compile writes and then runs.
  if (/\/torchinductor_[^/]+\//.test(file)) return { from: 'library', name: 'torchinductor/generated.py' };
  const installed = /^.*\/(?:site|dist)-packages\/(.*)$/.exec(file)?.[1];
  if (installed !== undefined) return packagePlace(installed);
  const standard = /^.*\/(?:lib\w*\/(?:python|pypy)\d[\d.]*t?|python\d+\.zip)\/(.*)$/.exec(file)?.[1];
  if (standard !== undefined) return { from: 'library', name: standard };
  // Short paths, and packages that were installed from their sources where they lie.
  const known = knownPackage.exec(file)?.[1];
  if (known !== undefined) return { from: 'library', name: known };
  return isStandard(file) ? { from: 'library', name: file } : { from: 'user', name: file };
}

/** Libraries, the interpreter's own file, and sources where there is debug information (py-spy 0.4.2 names them then). */
const nativeFile =
  /\.so(?:\.[\w.-]+)?$|(?:^|\/)(?:lib)?python\d?(?:\.\d+)?[td]*$|\.(?:c|h|cc|cpp|cxx|hpp|cu|cuh|rs|S)$|^\[?(?:linux-)?vdso/;

const interpreter = /^(?:lib)?python\d?(?:\.\d+)?[td]*(?:\.so[\d.]*)?$/;

/** What everything goes through, and which says nothing by itself. */
const system =
  /^(?:libc|libpthread|libm|ld-linux[\w-]*|ld-musl[\w-]*|libstdc\+\+|libgcc_s|librt)[.-]|^\[?(?:linux-)?vdso|^ld-/;

function nativePlace(file: string): Place {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (interpreter.test(name)) return { from: 'interpreter', name };
  // py-spy found no library at that address: what it read off the stack may be none.
  if (name === '?' || name === '') return { from: 'system', name };
  return { from: system.test(name) ? 'system' : 'native', name };
}

function packagePlace(path: string): Place {
  const isKnown = packages.includes(path.slice(0, Math.max(0, path.indexOf('/'))));
  return { from: isKnown ? 'library' : 'user', name: path };
}

/** A module of the standard library by its short path. A package of the same name in the user's folder is told by its deeper path. */
function isStandard(file: string): boolean {
  const [first = ''] = file.split('/');
  return file.includes('/') ? standardPackages.includes(first) : standardModules.has(file);
}

/**
 * Packages whose functions the table knows, or of which it may be taken that what has no row there is Python code. Others, and the
 * user's own, tell nothing.
 */
const packages = (
  'torch torchrl triton functorch transformers accelerate lightning lightning_fabric pytorch_lightning deepspeed megatron vllm sglang trl peft ' +
  'flash_attn xformers apex transformer_engine flashinfer bitsandbytes torchdata torchao safetensors numpy pandas pyarrow h5py zarr fsspec ' +
  'filelock huggingface_hub datasets tokenizers urllib3 requests httpx httpcore aiohttp botocore s3transfer grpc zmq redis ray wandb ' +
  'tensorboard tensorboardX tqdm mlflow jax jaxlib tensorflow numba cupy nvidia uvicorn uvloop gunicorn prometheus_client sympy mpmath networkx'
).split(' ');

const knownPackage = new RegExp(`(?:^|/)((?:${packages.join('|')})/.*)$`);

const standardPackages = (
  'asyncio collections concurrent ctypes email encodings html http importlib json logging multiprocessing pathlib re sqlite3 tomllib ' +
  'unittest urllib wsgiref xml xmlrpc zipfile zoneinfo compression'
).split(' ');

const standardModules = new Set(
  (
    'abc argparse ast base64 bdb bisect bz2 cmd code codecs codeop configparser contextlib contextvars copy copyreg csv dataclasses datetime ' +
    'decimal difflib dis enum fileinput fnmatch fractions ftplib functools genericpath getpass gettext glob graphlib gzip hashlib heapq hmac ' +
    'imaplib inspect io ipaddress keyword linecache locale lzma mimetypes ntpath numbers opcode operator optparse os pdb pickle pickletools ' +
    'pkgutil platform poplib posixpath pprint profile pstats pty py_compile queue quopri random reprlib runpy sched secrets selectors shelve shlex ' +
    'shutil signal site smtplib socket socketserver ssl stat statistics string struct subprocess symtable sysconfig tarfile tempfile textwrap ' +
    'threading timeit token tokenize trace traceback tracemalloc types typing uuid warnings wave weakref zipapp zipfile zipimport _compression ' +
    '_pyio _strptime _threading_local _weakrefset _collections_abc'
  )
    .split(' ')
    .map((module) => `${module}.py`),
);
