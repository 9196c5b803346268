/**
 * `npm run build`: the published form of packages/myrmex, in packages/myrmex/dist. JavaScript and type declarations from
 * the sources, and a package.json that points at them. Only publishing needs it; everything here runs from source.
 */
import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = `${root}packages/myrmex`
const dist = `${source}/dist`

await rm(dist, { recursive: true, force: true })
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${source}/tsconfig.build.json`], {
  stdio: 'inherit',
})

/** Sources are named by their own ending; what was made of them is not. */
const renamed = (path: string): string => path.replace(/^\.\/src\//, './').replace(/\.ts$/, '.js')

const manifest = JSON.parse(await readFile(`${source}/package.json`, 'utf8'))
manifest.exports = Object.fromEntries(
  Object.entries(manifest.exports as Record<string, string>).map(([name, path]) => [
    name,
    { types: renamed(path).replace(/\.js$/, '.d.ts'), default: renamed(path) },
  ]),
)
await writeFile(`${dist}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)

await mkdir(`${dist}/bin`)
const bin = await readFile(`${source}/bin/myrmex.js`, 'utf8')
await writeFile(`${dist}/bin/myrmex.js`, bin.replace('../src/cli/main.ts', '../cli/main.js'))
await chmod(`${dist}/bin/myrmex.js`, 0o755)
await cp(`${source}/schema`, `${dist}/schema`, { recursive: true })
for (const file of ['LICENSE', 'README.md']) await cp(`${root}${file}`, `${dist}/${file}`)
