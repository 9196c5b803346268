/**
 * `npm run build`: the published form of every package, in its folder `dist`. JavaScript and type declarations from the
 * sources, and a package.json that points at them. Only publishing needs it; everything here runs from source.
 */
import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Sources are named by their own ending; what was made of them is not. */
const compiled = (path: string): string => path.replace(/\.ts$/, '.js')

/** `place` says where in dist a source's file is found. */
async function build(source: string, place: (path: string) => string): Promise<void> {
  const dist = `${source}/dist`
  await rm(dist, { recursive: true, force: true })
  // Whether the types hold, `npm run types` says: looking at all of them again takes four times as long.
  const config = ['-p', `${source}/tsconfig.build.json`, '--noCheck']
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, ...config], { stdio: 'inherit' })
  const manifest = JSON.parse(await readFile(`${source}/package.json`, 'utf8'))
  manifest.exports = Object.fromEntries(
    Object.entries(manifest.exports as Record<string, string>).map(([name, path]) => {
      const file = compiled(place(path))
      return [name, { types: file.replace(/\.js$/, '.d.ts'), default: file }]
    }),
  )
  await writeFile(`${dist}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  for (const file of ['LICENSE', 'README.md']) await cp(`${root}${file}`, `${dist}/${file}`)
}

async function buildPlatform(): Promise<void> {
  const source = `${root}packages/myrmex`
  const dist = `${source}/dist`
  await build(source, (path) => path.replace(/^\.\/src\//, './'))
  await mkdir(`${dist}/bin`)
  const bin = await readFile(`${source}/bin/myrmex.js`, 'utf8')
  await writeFile(`${dist}/bin/myrmex.js`, bin.replace('../src/cli/main.ts', '../cli/main.js'))
  await cp(`${source}/bin/compile-cache.js`, `${dist}/bin/compile-cache.js`)
  await chmod(`${dist}/bin/myrmex.js`, 0o755)
  await cp(`${source}/schema`, `${dist}/schema`, { recursive: true })
}

/** It keeps its folder `src`, because the files for its owner are beside it in `files`. */
async function buildShop(): Promise<void> {
  const source = `${root}packages/dropship`
  await build(source, (path) => path)
  await cp(`${source}/files`, `${source}/dist/files`, { recursive: true })
}

await buildPlatform()
await buildShop()
