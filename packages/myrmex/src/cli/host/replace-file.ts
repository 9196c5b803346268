/**
 * Writes somebody's file anew: whole or not at all, with the rights it had, through a link to where the file really is, and only if
 * nobody else has written it meanwhile. A copy of what was there is made first.
 */
import { constants, copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'

export interface ReplaceResult {
  /** undefined: there was no file */
  readonly backup: string | undefined
}

/** `before` is what was read; undefined where there was no file. */
export async function replaceFile(
  path: string,
  before: string | undefined,
  now: string,
  { backup: wanted = true, mode = 0o600 }: { backup?: boolean; mode?: number } = {},
): Promise<ReplaceResult> {
  if (before === undefined) {
    await mkdir(dirname(path), { recursive: true })
    await writeSynced(path, now, mode, 'wx').catch((error: unknown) => {
      throw alreadyExists(error) ? ToolError.of('ConflictError', `${path} ${DANGLING_LINK}`) : error
    })
    return { backup: undefined }
  }
  const file = await realpath(path)
  const rights = (await stat(file)).mode & 0o777
  if ((rights & OWNER_WRITES) === 0)
    throw ToolError.of(
      'PermissionError',
      `${path} is read-only, so somebody wants it to stay as it is; nothing was changed. Make it writable to have it changed.`,
    )
  const backup = wanted ? await copyToBackup(file) : undefined
  const draft = `${file}.${process.pid}.draft`
  try {
    await writeSynced(draft, now, rights, 'wx')
    if ((await readFile(file, 'utf8')) !== before)
      throw ToolError.of(
        'ConflictError',
        `${path} was changed by somebody else meanwhile; nothing was written. Try again.`,
      )
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return { backup }
}

const OWNER_WRITES = 0o200
const DANGLING_LINK =
  'was not there a moment ago and is now, or it is a link to a file that does not exist; nothing was changed. ' +
  'Try again, or take the link away.'

const alreadyExists = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST'

/** A copy that is there already may be the only one of what its user wrote. */
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

async function writeSynced(path: string, text: string, mode: number, flags: string): Promise<void> {
  const file = await open(path, flags, mode)
  try {
    await file.writeFile(text)
    // Whatever mask this process has: the file is to be as it was.
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** 20261116-103637 */
const stamp = (): string => new Date().toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '').replace('T', '-')

/** Undefined: there is none. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw ToolError.of('ValidationError', `${path} cannot be read: ${message}`)
  }
}
