/**
 * Bundles the libraries that a file `libraries.ts` exports into that one file, with their licences beside it. In the shop these are 56
 * packages for charts, more than all others together, of which little is used.
 */
import { glob, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

/** linkedom takes `canvas` from any folder above if it is there, where anybody may have put it. This is what it uses otherwise. */
const NEVER_INSTALLED = {
  canvas: join(import.meta.dirname, '../../node_modules/linkedom/commonjs/canvas-shim.cjs'),
}

export async function bundleLibraries(folder: string): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  // One copy of what is installed anyway.
  const external = Object.keys(dependencies)
  for await (const file of glob('dist/**/libraries.js', { cwd: folder })) await bundle(join(folder, file), external)
}

async function bundle(file: string, external: string[]): Promise<void> {
  const build = await rolldown({ input: file, platform: 'node', external, resolve: { alias: NEVER_INSTALLED } })
  const { output } = await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  await writeFile(file.replace(/\.js$/, '.LICENSES.txt'), await licencesOf(modules))
}

async function licencesOf(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined))
  const texts: string[] = []
  for (const folder of [...folders].sort()) {
    const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const file = (await readdir(folder)).find((entry) => /^licen[sc]e/i.test(entry))
    // Some packages state it in their manifest only.
    const by = typeof author === 'object' ? author.name : author
    const text = file === undefined ? `License: ${license}. Author: ${by}.` : await readFile(join(folder, file), 'utf8')
    texts.push(`${name} ${version}\n\n${text.trim()}\n`)
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

/** The folder of the package that a module belongs to. Undefined: it is ours. */
function packageFolder(module: string): string | undefined {
  if (!/[\\/]node_modules[\\/]/.test(module)) return undefined
  let folder = dirname(module)
  // Folders of a package may have a package.json that only gives the type of their modules.
  while (!/[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+$/.test(folder)) folder = dirname(folder)
  return folder
}
