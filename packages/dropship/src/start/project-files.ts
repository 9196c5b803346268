/** The folder that a shop is started in: whether it is writable, and the two files that its owner edits. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from 'myrmex'
import { makePrivateFolder } from 'myrmex/serve'

const FILES = ['myrmex.fleet.json', 'myrmex.constitution.json']

/** Throws an error of one line if nothing can be written to the folder, which is created if it does not exist. */
export async function checkWritable(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    makePrivateFolder(folder)
    await writeFile(probe, '', { flag: 'wx' })
    await rm(probe, { force: true })
  } catch (error) {
    if (error instanceof ToolError) throw error
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new ToolError(
      'UnavailableError',
      `The folder ${folder} cannot be written to (${code}), and the shop and its ledger are kept there. ` +
        'Start the shop in a folder of your own.',
    )
  }
}

/** Creates the files that do not exist yet, and returns their paths. */
export async function createProjectFiles(folder: string): Promise<string[]> {
  const created: string[] = []
  for (const name of FILES) {
    const text = await readFile(new URL(`../../files/${name}`, import.meta.url), 'utf8')
    const path = join(folder, name)
    try {
      await writeFile(path, text, { flag: 'wx' })
      created.push(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return created
}
