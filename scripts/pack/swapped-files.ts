/**
 * npm packs the files that are in a package's folder, so while it does, three of them are those of the published form. The originals are
 * kept in `.packing`, and put back when npm is done, or has ended in any other way: `restore-after.ts` waits for its process. If the machine
 * stopped meanwhile, the next `npm pack` puts them back.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isRunning, npmProcess } from './npm-process.ts'
import { packedFiles } from './packed-files.ts'

const SWAPPED = ['package.json', 'README.md', 'LICENSE'] as const
export type SwappedFile = (typeof SWAPPED)[number]

const KEPT = '.packing'
/** Its process, beside the originals. */
const NPM = 'npm.pid'

/** Before anything of the package is changed. Throws if another npm is packing it. */
export function keepFiles(folder: string): void {
  requireNoOther(folder)
  restoreFiles(folder)
  const kept = join(folder, KEPT)
  const unfinished = `${kept}.${process.pid}`
  mkdirSync(unfinished)
  const originals = SWAPPED.filter((name) => existsSync(join(folder, name)))
  for (const name of originals) cpSync(join(folder, name), join(unfinished, name))
  const npm = npmProcess()
  if (npm !== undefined) writeFileSync(join(unfinished, NPM), String(npm))
  try {
    renameSync(unfinished, kept)
  } catch {
    rmSync(unfinished, { recursive: true })
    throw new Error(`Another npm has begun to pack ${folder}. Try again when it is done.`)
  }
  if (npm !== undefined) restoreAfter(folder, npm)
}

export function swapFiles(folder: string, root: string): void {
  for (const [name, text] of Object.entries(packedFiles(folder, root))) replaceFile(join(folder, name), text)
}

/** Does nothing if nothing is swapped. */
export function restoreFiles(folder: string): void {
  const kept = join(folder, KEPT)
  if (!existsSync(kept)) return
  for (const name of SWAPPED) {
    if (existsSync(join(kept, name))) replaceFile(join(folder, name), readFileSync(join(kept, name)))
    else rmSync(join(folder, name), { force: true })
  }
  // In one step: a folder that has lost half of the originals would count as complete.
  const done = `${kept}.${process.pid}`
  renameSync(kept, done)
  rmSync(done, { recursive: true })
}

/** What that npm swapped, and not what another one has swapped since. */
export function restoreFilesOf(npm: number, folder: string): void {
  if (packingProcess(folder) === npm) restoreFiles(folder)
}

function requireNoOther(folder: string): void {
  const npm = packingProcess(folder)
  if (npm !== undefined && npm !== npmProcess() && isRunning(npm))
    throw new Error(`npm is packing ${folder} already, in process ${npm}. Try again when it is done.`)
}

/** Undefined if nothing is swapped, or nothing waits for that npm to end. */
export function packingProcess(folder: string): number | undefined {
  const file = join(folder, KEPT, NPM)
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
}

/** In one step: a reader of the file finds the old or the new one. */
function replaceFile(file: string, text: string | Buffer): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/** In a session of its own, so that Ctrl-C does not end it. */
function restoreAfter(folder: string, npm: number): void {
  const script = fileURLToPath(new URL('./restore-after.ts', import.meta.url))
  spawn(process.execPath, [script, folder, String(npm)], { detached: true, stdio: 'ignore' }).unref()
}
