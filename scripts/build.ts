/**
 * `npm run build`: JavaScript and type declarations of every package, in its folder `dist`. `npm pack` and `npm publish` build by
 * themselves (scripts/pack); everything in the repository runs from source.
 *
 * `dist` is as deep as `src`, so that both find `bin`, `files` and `schema` beside them.
 */
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { bundleLibraries } from './pack/bundle-libraries.ts'
import { removeUnreachableTypes } from './pack/reachable-types.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = ['packages/myrmex', 'packages/dropship']

export async function buildPackage(folder: string): Promise<void> {
  await rm(join(folder, 'dist'), { recursive: true, force: true })
  // Whether the types hold, `npm run types` says: looking at all of them again takes four times as long.
  const config = ['-p', join(folder, 'tsconfig.build.json'), '--noCheck']
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...config], { stdio: 'inherit' })
  await bundleLibraries(folder)
  await removeUnreachableTypes(folder)
}

if (import.meta.main) for (const folder of PACKAGES) await buildPackage(join(ROOT, folder))
