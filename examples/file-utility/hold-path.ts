/**
 * Holds a file or directory while it is checked, so that replacing it between the check and the open has no effect. Symbolic links are
 * never followed.
 *
 * Linux: by a descriptor, through which exactly the checked file is opened. macOS: by a path without links, which the kernel refuses to
 * open if it has a link by then. On other systems the module does not load: they could only open the file and compare realpath and inode
 * afterwards, which is not safe if a directory is replaced in between.
 */
import { constants, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, statfs } from 'node:fs/promises'
import { ToolError } from 'myrmex'
import { type BaseDirectory, isWithin } from './base-directory.ts'

export interface HeldPath {
  /** a path of the held file or directory; add a slash and a name for an entry in it */
  readonly path: string
  readonly stats: Stats
  /** Opens it for reading, or returns why not: it is outside the base, or a pseudo-file of the system. */
  open(base: BaseDirectory): Promise<FileHandle | 'outside' | 'pseudo'>
  close(): Promise<void>
}

/** Opening a pipe without a writer must not block. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK

/** Linux, missing in node:fs: a descriptor that only refers to a file. It does not open the file or device itself. */
const O_PATH = 0o10000000

async function holdByDescriptor(path: string): Promise<HeldPath> {
  const handle = await open(path, O_PATH | constants.O_NOFOLLOW)
  try {
    const self = `/proc/self/fd/${handle.fd}`
    return { path: self, stats: await handle.stat(), open: (base) => reopen(self, base), close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The descriptor refers to the same file even if its path has changed. */
async function reopen(self: string, base: BaseDirectory): Promise<FileHandle | 'outside' | 'pseudo'> {
  // The walk never left the base, but a directory may have been moved out of it in the meantime.
  if (!isWithin(base, await readlink(self))) return 'outside'
  if (PSEUDO_FILE_SYSTEMS.has((await statfs(self)).type)) return 'pseudo'
  return open(self, READ)
}

/** File systems whose files look regular but have no real size, and may act or block when read. Numbers of linux/magic.h. */
const PSEUDO_FILE_SYSTEMS = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0xf97cff8c, // selinuxfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0x62656570, // configfs
  0x42494e4d, // binfmt_misc
  0xde5e81e4, // efivarfs
  0xcafe4a11, // bpf
  0x6e736673, // nsfs
])

/** macOS, missing in node:fs: no name on the whole path may be a link. */
const O_NOFOLLOW_ANY = 0x20000000

async function holdByPath(path: string): Promise<HeldPath> {
  const stats = await lstat(path)
  return { path, stats, open: () => open(path, READ | O_NOFOLLOW_ANY), close: async () => {} }
}

function wayOfThisSystem(): (path: string) => Promise<HeldPath> {
  if (process.platform === 'linux' && existsSync('/proc/self/fd')) return holdByDescriptor
  if (process.platform === 'darwin') return holdByPath
  throw new ToolError(
    'UnavailableError',
    'file_utility can keep to its directory on Linux with /proc and on macOS only.',
  )
}

/** Holds the file or directory at a path. If its last name is a symbolic link, the link itself is held. */
export const holdPath = wayOfThisSystem()
