/** Removes the type declarations that no export of a package leads to: nobody can import them. */
import { existsSync, readFileSync } from 'node:fs'
import { glob, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

export async function removeUnreachableTypes(folder: string): Promise<void> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string>>
  }
  const reachable = new Set<string>()
  for (const source of Object.values(exports)) {
    const types = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.d.ts')
    for await (const file of glob(types, { cwd: folder })) follow(resolve(folder, file), reachable)
  }
  for await (const file of glob('dist/**/*.d.ts', { cwd: folder }))
    if (!reachable.has(resolve(folder, file))) await rm(join(folder, file))
}

/** Adds a file, and every file that it imports, to `reached`. */
function follow(file: string, reached: Set<string>): void {
  if (reached.has(file)) return
  reached.add(file)
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from |import |import\()['"](\.[^'"]+)['"]/g,
  )) {
    const imported = resolve(dirname(file), specifier).replace(/\.[jt]s$/, '.d.ts')
    if (existsSync(imported)) follow(imported, reached)
  }
}
