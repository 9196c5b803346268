/**
 * The files of a package that are different in its published form: a manifest whose exports are built files, a README whose links are
 * absolute, and the licence.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import type { SwappedFile } from './swapped-files.ts'

interface Manifest {
  readonly version: string
  readonly repository: { readonly url: string }
  readonly exports: Readonly<Record<string, string>>
  readonly imports?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** Contents by file name. `root` is the folder of the repository. */
export function packedFiles(folder: string, root: string): Readonly<Record<SwappedFile, string>> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  // The shop has a README of its own, the platform that of the repository.
  const readme = [join(folder, 'README.md'), join(root, 'README.md')].find((file) => existsSync(file)) ?? ''
  const place = relative(root, join(readme, '..')).replaceAll('\\', '/')
  return {
    'package.json': `${JSON.stringify(packedManifest(manifest), null, 2)}\n`,
    'README.md': withAbsoluteLinks(readFileSync(readme, 'utf8'), place, manifest),
    LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
  }
}

function packedManifest(manifest: Manifest): object {
  const { devDependencies: _, scripts: __, imports, ...packed } = manifest
  return {
    ...packed,
    exports: mapValues(manifest.exports, (source) => ({
      types: builtFile(source, '.d.ts'),
      default: builtFile(source, '.js'),
    })),
    ...(imports && { imports: mapValues(imports, (source) => builtFile(source, '.js')) }),
  }
}

const builtFile = (source: string, ending: string): string =>
  source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, ending)

const mapValues = <T>(record: Readonly<Record<string, string>>, map: (value: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/** Links to files of the repository, at the tag of this version. `place` is the folder of the text in the repository. */
function withAbsoluteLinks(text: string, place: string, { version, repository }: Manifest): string {
  const base = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
  return text.replace(/(!?\[[^\]]*\]\()([^)\s]+)\)/g, (link, opening: string, target: string) => {
    if (target.startsWith('#') || /^[a-z]+:/i.test(target)) return link
    const kind = opening.startsWith('!') ? 'raw' : 'blob'
    return `${opening}${base}/${kind}/v${version}/${posix.join(place, target)})`
  })
}
