/** The published form: packed, installed in an empty folder, and used there as a stranger would, on every supported Node. */

import { execFile } from 'node:child_process'
import { chmod, copyFile, glob, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { fixturePath, ROOT } from '@myrmex/testing/paths'
import { copyRepository, npmEnv, PACKAGES, type Packed } from '@myrmex/testing/published/repository-copy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)

let folder: string
let packed: readonly Packed[]
const filesOf = (wanted: string): string[] =>
  packed.find(({ name }) => name === wanted)?.files.map(({ path }) => path) ?? []
const install = (cwd: string, ...args: string[]) =>
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...args], {
    cwd,
    env: npmEnv,
  })

/** The programs of Node, from the package that npm has for this platform. */
const nodes: Record<string, string> = {}

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'myrmex-published-')), 'project')
  await mkdir(folder)
  const copy = await copyRepository()
  packed = [await copy.pack(PACKAGES[0], folder), await copy.pack(PACKAGES[1], folder)]
  await copy.remove()
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  await install(folder, ...packed.map(({ filename }) => `./${filename}`), 'zod')
  await writeFile(
    join(folder, 'greet.tools.ts'),
    `import { tool } from 'myrmex'
     import * as z from 'zod'
     export const greet = tool({
       name: 'demo.greet', version: '1.0.0', description: 'Greets.', input: z.object({ name: z.string() }),
       output: z.object({ said: z.string() }), errors: {}, idempotent: true, destructive: false, security: 'None.',
       examples: [], run: ({ name }) => ({ said: 'Hello ' + name }) })`,
  )
  nodes['26'] = process.execPath
  nodes['24'] = await installNode('24')
}, 600_000)
afterAll(() => rm(dirname(folder), { recursive: true, force: true }))

async function installNode(major: string): Promise<string> {
  const place = await mkdtemp(join(folder, 'node-'))
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  await writeFile(join(place, 'package.json'), '{ "private": true }')
  await install(place, `${name}@${major}`)
  return join(place, 'node_modules', name, 'bin/node')
}

describe.each(['24', '26'])('on Node %s', (version) => {
  const node = (): string => nodes[version] as string
  const options = (env: NodeJS.ProcessEnv = {}) => ({
    cwd: folder,
    env: { ...npmEnv, PATH: `${dirname(node())}${delimiter}${process.env.PATH}`, ...env },
  })
  const myrmex = async (...args: string[]): Promise<string> =>
    (await run(join(folder, 'node_modules/.bin/myrmex'), args, options())).stdout
  const script = async (code: string): Promise<string> =>
    (await run(node(), ['--input-type=module', '-e', code], options())).stdout

  test('that is the version that runs', async () => {
    expect((await run('node', ['--version'], options())).stdout).toMatch(`v${version}.`)
  })

  test('the command calls a tool file, directly and over a server on stdio', async () => {
    const call = await myrmex('call', 'demo.greet', '{"name":"Ada"}', '--file', 'greet.tools.ts', '--json')
    expect(JSON.parse(call)).toMatchObject({ status: 'success', data: { said: 'Hello Ada' } })
    const served = ['npx', 'myrmex', 'serve', 'greet.tools.ts']
    const over = await myrmex('call', 'greet', '{"name":"Eve"}', '--json', '--', ...served)
    expect(JSON.parse(over)).toMatchObject({ data: { said: 'Hello Eve' } })
  })

  test('the command writes the document of a tool file, checks it, and reads it again', async () => {
    await myrmex('spec', 'render', 'greet.tools.ts')
    await myrmex('spec', 'lock', 'greet.tools.ts')
    await myrmex('spec', 'check', 'greet.tools.ts', '--locked')
    expect(await myrmex('spec', 'import', 'MCP_TOOL_SPECIFICATION.md')).toContain("name: 'demo.greet'")
    const diff = await myrmex('spec', 'diff', 'myrmex.lock.json', 'MCP_TOOL_SPECIFICATION.md', '--json')
    expect(JSON.parse(diff).tools).toMatchObject([{ name: 'demo.greet', level: 'none', changes: [] }])
  })

  test('the library and its client are imported by name', async () => {
    const printed = await script(`import { createServer, discover } from 'myrmex'
      import { connect } from 'myrmex/client'
      const { tools } = await discover('.')
      const connection = await connect(createServer({ name: 'x', version: '1.0.0', tools }))
      process.stdout.write(JSON.stringify(await connection.call('demo.greet', { name: 'Bo' })))
      await connection.close()`)
    expect(JSON.parse(printed)).toMatchObject({ data: { said: 'Hello Bo' } })
  })

  test('every export is imported', async () => {
    const names = (await Promise.all(packed.map(({ name }) => exportsOf(name)))).flat()
    expect(names).toEqual(expect.arrayContaining(['myrmex', 'myrmex/serve', 'myrmex-dropship/agents/supplier']))
    const imports = names.map(
      (name) => `if (Object.keys(await import('${name}')).length === 0) throw new Error('${name}')`,
    )
    await script(imports.join('\n'))
  })

  test('metrics are served by the bundled library', async () => {
    const printed = await script(`import { createServer, listenHttp } from 'myrmex'
      const server = createServer({ name: 'x', version: '1.0.0' })
      const listener = await listenHttp(server, { port: 0 })
      process.stdout.write(await (await fetch(new URL('/metrics', listener.url))).text())
      await listener.close()`)
    expect(printed).toContain('myrmex_build_info')
    expect(printed).toContain('process_cpu_seconds_total')
  })

  test('the shop is made in an empty folder, its fleet runs, and its agents draw and know what they learnt', async () => {
    const place = await mkdtemp(join(folder, 'shop-'))
    const inPlace = { ...options(), cwd: place }
    const command = async (...args: string[]): Promise<string> =>
      (await run(join(folder, 'node_modules/.bin/myrmex'), args, inPlace)).stdout
    await command('dropship', 'init')
    expect(await command('run', 'How many red chairs do we have in stock?')).toContain(
      'We have 50 Red Chairs in stock.',
    )
    const agents = join(folder, 'node_modules/myrmex-dropship/dist/agents')
    const service = join(agents, 'customer_service/customer_service.agent.js')
    const asked = await command('call', 'generate_faq', '{"topic":"returns"}', '--json', '--file', service)
    expect(JSON.parse(asked)).toMatchObject({ status: 'success' })
    expect(await command('run', 'Report on the last 30 days')).toMatch(/revenue {2}\S/)
    const charts = join(folder, 'node_modules/myrmex-dropship/dist/charts/drawing.js')
    const drawn = await script(`import { drawChart } from ${JSON.stringify(charts)}
      const plot = (plot) => ({ marks: [plot.ruleY([1])] })
      const chart = await drawChart({ name: 'n', title: 't', description: 'd', isEmpty: false, plot })
      process.stdout.write(chart.svg)`)
    expect(drawn).toMatch(/^<svg .*<line /s)
  }, 240_000)
})

/** Names to import, from the manifest that was packed. */
async function exportsOf(name: string): Promise<string[]> {
  const place = join(folder, 'node_modules', name)
  const { exports } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))
  const names: string[] = []
  for (const [key, { default: target }] of Object.entries<{ default: string }>(exports)) {
    if (!key.includes('*')) names.push(join(name, key))
    else
      for await (const file of glob(target, { cwd: place }))
        names.push(join(name, key.replace('*', basename(dirname(file)))))
  }
  return names
}

const OLD_NODE = '/usr/bin/node'
const isOld = await run(OLD_NODE, ['--version']).then(
  ({ stdout }) => Number(/\d+/.exec(stdout)?.[0]) < 24,
  () => false,
)
test.runIf(isOld)('an older Node prints one line and exits 1', async () => {
  const command = join(folder, 'node_modules/myrmex/bin/myrmex.js')
  await expect(run(OLD_NODE, [command, '--help'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^myrmex needs Node\.js 24 or newer; this is v\d+\.\d+\.\d+\..*\n$/),
  })
})

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('every export has types under module %s and moduleResolution %s', async (module, moduleResolution) => {
  const config = {
    compilerOptions: {
      module,
      moduleResolution,
      target: 'esnext',
      strict: true,
      exactOptionalPropertyTypes: false,
      noEmit: true,
      // Our own declarations are checked, and those of what they need.
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    files: ['uses-every-export.ts'],
  }
  await copyFile(fixturePath('published/uses-every-export.ts'), join(folder, 'uses-every-export.ts'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error)
  expect(stdout).toBe('')
})

test('they bring types and data, and no tests or sources', () => {
  const platform = filesOf('myrmex')
  const common = ['dist/index.js', 'dist/index.d.ts', 'LICENSE', 'README.md']
  expect(platform).toEqual(expect.arrayContaining([...common, 'bin/myrmex.js', 'bin/compile-cache.js']))
  expect(platform).toContain('schema/myrmex.policy.schema.json')
  const shop = filesOf('myrmex-dropship')
  expect(shop).toEqual(expect.arrayContaining([...common, 'files/myrmex.fleet.json']))
  expect(shop).toEqual(
    expect.arrayContaining(['dist/tickets/model/weights.json', 'dist/charts/libraries.LICENSES.txt']),
  )
  expect([...platform, ...shop].filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name))).toEqual([])
})

test('both together install at most 110 packages and 60 MB', async () => {
  const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: folder, env: npmEnv })
  const installed = new Set(stdout.trim().split('\n').slice(1))
  expect(installed.size).toBeGreaterThan(10)
  expect(installed.size).toBeLessThanOrEqual(110)
  const place = join(folder, 'node_modules')
  const entries = await readdir(place, { recursive: true })
  const sizes = await Promise.all(entries.map((entry) => stat(join(place, entry))))
  const bytes = sizes.filter((entry) => entry.isFile()).reduce((sum, { size }) => sum + size, 0)
  expect(bytes).toBeLessThanOrEqual(60_000_000)
})

const ASK = ['run', 'How many red chairs do we have in stock?', '--json']
const CALL = ['call', 'demo.greet', '{"name":"Ada"}', '--file', '../greet.tools.ts']

test('a package that another user put above the installation is not loaded', async () => {
  const planted = join(dirname(folder), 'node_modules')
  await mkdir(join(planted, 'pg'), { recursive: true })
  await writeFile(join(planted, 'pg/index.js'), 'process.stdout.write("planted")')
  await chmod(planted, 0o777)
  const command = [...CALL.slice(0, -1), 'greet.tools.ts', '--ledger', 'postgres://nobody@127.0.0.1:1/none']
  await expect(
    run(join(folder, 'node_modules/.bin/myrmex'), command, { cwd: folder, env: npmEnv }),
  ).rejects.toMatchObject({
    stdout: '',
    stderr: expect.stringMatching(/PermissionError: .* needs the package pg, and .* can be changed by another user/),
  })
  await rm(planted, { recursive: true })
})

// Last, because it installs more.
test.each([
  ['a model', ASK, { MYRMEX_BRAIN: 'ollama:llama3.2', MYRMEX_BRAIN_URL: 'http://127.0.0.1:1/v1' }],
  [
    'a model of Anthropic',
    ASK,
    { MYRMEX_BRAIN: 'anthropic:c', MYRMEX_BRAIN_KEY: 'none', MYRMEX_BRAIN_URL: 'http://127.0.0.1:1' },
  ],
  ['PostgreSQL', [...CALL, '--ledger', 'postgres://nobody@127.0.0.1:1/none'], {}],
])(
  'without the packages of %s, the error has the command that installs them',
  async (_feature, args, variables) => {
    const cwd = await mkdtemp(join(folder, 'needs-'))
    const env = { ...npmEnv, ...variables }
    const myrmex = (...args: string[]) => run(join(folder, 'node_modules/.bin/myrmex'), args, { cwd, env })
    const printed = async (): Promise<string> => {
      const { stdout, stderr } = await myrmex(...args).catch((error) => error)
      return stdout + stderr
    }
    await run(join(folder, 'node_modules/.bin/myrmex'), ['dropship', 'init'], { cwd, env: npmEnv })
    const needs = /needs the package \S+, which is not installed\. Run: npm install ([^"\n]+)/
    const packages = needs.exec(await printed())?.[1]?.split(' ') ?? []
    expect(packages).toHaveLength(2)
    await install(folder, ...packages)
    const now = await printed()
    expect(now).not.toMatch(needs)
    expect(now).toMatch(/We have 50 Red Chairs|cannot be opened at 127\.0\.0\.1:1/)
  },
  120_000,
)
