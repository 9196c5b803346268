/**
 * Opens only files below the base directory. The path is resolved name by name. Symbolic links are read and resolved as text, and never
 * followed by the kernel. So no file outside the base is opened, and no result reveals whether one exists.
 */
import { type FileHandle, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type BaseDirectory, baseDirectory } from './base-directory.ts'
import { fromSystem, MAX_PATH, notFound, notRegular, outside } from './failures.ts'
import { type HeldPath, holdPath } from './hold-path.ts'

let base = baseDirectory()

/** Reads from another directory until the function that it returns is called: for examples, which have files of their own. */
export function readFrom(directory: string): () => void {
  const before = base
  base = baseDirectory(directory)
  return () => {
    base = before
  }
}

/** Maximum number of names for one path, including those of links: ends loops of links and paths made to waste time. */
const MAX_STEPS = 256

/** The file, open for reading, regular, and inside the base. The caller closes it. */
export async function openInside(path: string): Promise<FileHandle> {
  if (path === '' || path.length > MAX_PATH || !path.isWellFormed()) throw notFound(path)
  // Some systems would end the path at the NUL and open the part before it.
  if (path.includes('\0')) throw outside(path)
  try {
    const held = await walk(path)
    try {
      return await openHeld(held, path)
    } finally {
      await held.close()
    }
  } catch (error) {
    throw fromSystem(error, path)
  }
}

async function openHeld(held: HeldPath, path: string): Promise<FileHandle> {
  if (!held.stats.isFile()) throw notRegular(path)
  const file = await held.open(base)
  if (file === 'outside') throw outside(path)
  if (file === 'pseudo') throw notRegular(path)
  try {
    if (!(await file.stat()).isFile()) throw notRegular(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The held end of the path. */
async function walk(path: string): Promise<HeldPath> {
  let steps = stepsInside(base, path) ?? refuse(path)
  if (climbsOut(steps)) refuse(path)
  /** names from the base to here, none of them a link */
  let trail: string[] = []
  let here = await holdPath(base.real)
  const moveTo = async (next: HeldPath): Promise<void> => {
    await here.close()
    here = next
  }
  try {
    for (let left = MAX_STEPS; steps.length > 0; left--) {
      // Too many names, or a file in place of a directory.
      if (left === 0 || !here.stats.isDirectory()) throw notFound(path)
      const [step = '.', ...rest] = steps
      steps = rest
      if (step === '.') continue
      if (step === '..') {
        // `..` starts again from the base: the parent of a held directory may have changed.
        if (trail.length === 0) refuse(path)
        steps = [...trail.slice(0, -1), ...steps]
        trail = []
        await moveTo(await holdPath(base.real))
        continue
      }
      const at = join(here.path, step)
      const next = await holdPath(at)
      if (!next.stats.isSymbolicLink()) {
        await moveTo(next)
        trail.push(step)
        continue
      }
      await next.close()
      const target = await readlink(at)
      steps = [...(stepsInside(base, target) ?? refuse(path)), ...steps]
      if (target.startsWith('/')) {
        trail = []
        await moveTo(await holdPath(base.real))
      }
    }
    return here
  } catch (error) {
    await here.close()
    throw error
  }
}

function refuse(path: string): never {
  throw outside(path)
}

/** The names to resolve from the base (absolute path) or from the current directory (relative). Undefined: not in the base. */
function stepsInside({ spellings }: BaseDirectory, path: string): string[] | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  // A slash at the end requires a directory.
  if (/(^|\/)\.?$/.test(path)) steps.push('.')
  if (!path.startsWith('/')) return steps
  const spelling = spellings.find((names) => names.every((name, i) => steps[i] === name))
  return spelling && steps.slice(spelling.length)
}

/** Whether the path as written goes above its start, whatever stands on the way: that is refused before a look at it. */
function climbsOut(steps: readonly string[]): boolean {
  let depth = 0
  for (const step of steps) {
    if (step === '..') depth--
    else if (step !== '.') depth++
    if (depth < 0) return true
  }
  return false
}
