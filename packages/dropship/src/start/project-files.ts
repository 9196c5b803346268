/** The folder a shop is started in: whether it can be written to, and the two files that its owner edits. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { ToolError } from 'myrmex'

const CONSTITUTION = 'myrmex.constitution.json'
const FLEET = 'myrmex.fleet.json'

/** Throws one clear line where nothing can be written. */
export async function checkWritable(folder: string): Promise<void> {
  const probe = join(folder, '.myrmex', `.probe-${process.pid}`)
  try {
    await mkdir(join(folder, '.myrmex'), { recursive: true })
    await writeFile(probe, '')
    await rm(probe, { force: true })
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new ToolError(
      'UnavailableError',
      `The folder ${folder} cannot be written to (${code}), and the shop and its ledger are kept in .myrmex there. ` +
        'Start it in a folder of your own.',
    )
  }
}

/** Makes what is not there; gives the names of what was made. */
export async function createProjectFiles(folder: string): Promise<string[]> {
  const made: string[] = []
  for (const name of [FLEET, CONSTITUTION]) {
    const text = await readFile(new URL(`../../files/${name}`, import.meta.url), 'utf8')
    try {
      await writeFile(join(folder, name), text, { flag: 'wx' })
      made.push(relative(folder, join(folder, name)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return made
}
