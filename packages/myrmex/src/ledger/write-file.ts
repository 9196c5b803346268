/** Replaces a file as a whole: readers see either the old or the new text. Only its owner can read it. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crypto } from '../protocol/builtin.ts'
import { makePrivateFolder } from './private-folder.ts'

export async function writeFileAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.${crypto.randomBytes(6).toString('hex')}`
  makePrivateFolder(dirname(path))
  try {
    // A new file is private from the start. An existing one may belong to anybody.
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
    await rename(draft, path)
  } catch (thrown) {
    await rm(draft, { force: true })
    throw thrown
  }
}
