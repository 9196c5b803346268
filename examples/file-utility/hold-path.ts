/**
 * How to hold on to what stands at a path while it is examined, so that swapping it between examining and opening gains
 * nothing. Neither way follows a symbolic link.
 *
 * Linux: by a descriptor, from which the very thing that was examined is opened. macOS: by a path that was free of links
 * when it was walked and that the kernel refuses to open if it no longer is. Elsewhere the module does not load: opening
 * and then comparing realpath and inode, all that is left there, loses the race against a directory that is swapped.
 */
import { constants, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, statfs } from 'node:fs/promises'
import { ToolError } from 'myrmex'
import { type BaseDirectory, isWithin } from './base-directory.ts'

export interface HeldPath {
  /** stands for the thing itself; a name after a slash stands for an entry of it */
  readonly path: string
  readonly stats: Stats
  /** Opens it for reading, or says why not: it turned out to be outside the base, or a pseudo-file of the system. */
  open(base: BaseDirectory): Promise<FileHandle | 'outside' | 'pseudo'>
  close(): Promise<void>
}

/** A pipe with nobody at its other end must not keep us waiting. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK

/** Linux, missing in node:fs: a descriptor that only names the thing. Nothing is opened, no device is disturbed. */
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

/** The kernel leads from the descriptor to the same file whatever its path names by now. */
async function reopen(self: string, base: BaseDirectory): Promise<FileHandle | 'outside' | 'pseudo'> {
  // The walk never left the base, but a directory may have been moved out of it meanwhile.
  if (!isWithin(base, await readlink(self))) return 'outside'
  if (PSEUDO_FILE_SYSTEMS.has((await statfs(self)).type)) return 'pseudo'
  return open(self, READ)
}

/** Files of these look regular, have no honest size, and some act or wait when read. Numbers of linux/magic.h. */
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

/** Holds what stands at a path; a symbolic link in its last name is held itself. */
export const holdPath = wayOfThisSystem()
