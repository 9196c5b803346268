/**
 * A copy of what packing needs of the repository, so that tests pack and build without a change of the checkout in which other tests run.
 * Its node_modules are those of the checkout.
 */
import { execFile } from 'node:child_process'
import { cp, glob, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../paths.ts'

export const PACKAGES = ['packages/myrmex', 'packages/dropship'] as const
const COPIED = ['LICENSE', 'README.md', 'package.json', 'tsconfig.json', 'scripts', ...PACKAGES]
const NOT_COPIED = new Set(['dist', 'node_modules'])

/** npm runs on the machine's Node unless ours comes first. */
export const npmEnv = {
  ...process.env,
  NO_COLOR: '1',
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
}

export interface Packed {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

export interface RepositoryCopy {
  readonly root: string
  /** `npm pack` in the folder of a package */
  pack(folder: string, destination: string): Promise<Packed>
  /** Every file that is not built, with its content. */
  contents(): Promise<Readonly<Record<string, string>>>
  remove(): Promise<void>
}

export async function copyRepository(): Promise<RepositoryCopy> {
  const root = await mkdtemp(join(tmpdir(), 'myrmex-copy-'))
  const isCopied = (path: string): boolean => !NOT_COPIED.has(basename(path)) && !basename(path).startsWith('.packing')
  for (const name of COPIED) await cp(join(ROOT, name), join(root, name), { recursive: true, filter: isCopied })
  for await (const folder of glob(['node_modules', 'packages/*/node_modules'], { cwd: ROOT }))
    await symlink(join(ROOT, folder), join(root, folder))
  return {
    root,
    async pack(folder, destination) {
      const args = ['pack', '--json', '--pack-destination', destination]
      const { stdout } = await promisify(execFile)('npm', args, { cwd: join(root, folder), env: npmEnv })
      // What prepack prints comes before it.
      return Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as Record<string, Packed>)[0] as Packed
    },
    async contents() {
      const files: Record<string, string> = {}
      for (const path of (await readdir(root, { recursive: true })).filter((path) => !isBuilt(path))) {
        const content = await readFile(join(root, path), 'latin1').catch(ignoreFolder)
        if (content !== undefined) files[path] = content
      }
      return files
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

const isBuilt = (path: string): boolean => path.split(/[\\/]/).some((part) => NOT_COPIED.has(part))

/** A file that is gone again counts as none. */
function ignoreFolder(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EISDIR' && error.code !== 'ENOENT') throw error
}
