/**
 * Replaces a user's file: completely or not at all, with the same permissions, following a link, and only if no other program has
 * written it in the meantime. A backup is made first.
 */
import { constants, copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { decodeText } from './read-text.ts'

/**
 * `before` is the text that was read, without a byte order mark, which stays; undefined if there was no file. Returns the path of the
 * backup, if there was a file.
 */
export async function replaceFile(path: string, before: string | undefined, now: string): Promise<string | undefined> {
  if (before === undefined) {
    await mkdir(dirname(path), { recursive: true })
    await writeSynced(path, now, 0o600).catch((error: unknown) => {
      throw alreadyExists(error) ? ToolError.of('ConflictError', `${path} ${DANGLING_LINK}`) : error
    })
    return undefined
  }
  const file = await realpath(path)
  const rights = (await stat(file)).mode & 0o777
  if ((rights & OWNER_WRITES) === 0)
    throw ToolError.of('PermissionError', `${path} is read-only; nothing was changed. Make it writable and try again.`)
  const backup = await copyToBackup(file)
  const draft = `${file}.${crypto.randomBytes(6).toString('hex')}.draft`
  try {
    const { mark } = decodeText(await readFile(file))
    await writeSynced(draft, mark + now, rights)
    if (decodeText(await readFile(file)).text !== before)
      throw ToolError.of(
        'ConflictError',
        `${path} was changed by another program in the meantime; nothing was written. Try again.`,
      )
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return backup
}

const OWNER_WRITES = 0o200
const DANGLING_LINK =
  'was created a moment ago, or is a link to a file that does not exist; nothing was changed. ' +
  'Try again, or remove the link.'

const alreadyExists = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST'

/** Never overwrites a backup: it may be the only copy of what the user wrote. */
async function copyToBackup(file: string): Promise<string> {
  const first = `${file}.${stamp()}`
  for (let count = 1; ; count++) {
    const backup = `${first}${count === 1 ? '' : `-${count}`}.backup`
    try {
      await copyFile(file, backup, constants.COPYFILE_EXCL)
      return backup
    } catch (error) {
      if (!alreadyExists(error)) throw error
    }
  }
}

async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(text)
    // The process's umask must not change the permissions.
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** 20261116-103637 */
const stamp = (): string => new Date().toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '').replace('T', '-')
