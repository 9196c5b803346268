/** The published form: built, packed, installed in an empty folder, and used there as a stranger would. */

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '@myrmex/testing/paths'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
// npm runs on the machine's Node unless ours comes first.
const env = { ...process.env, NO_COLOR: '1', PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
const PACKAGES = ['./packages/myrmex/dist', './packages/dropship/dist']

interface Packed {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

let folder: string
let packed: readonly Packed[]
const filesOf = (wanted: string): string[] =>
  packed.find(({ name }) => name === wanted)?.files.map(({ path }) => path) ?? []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'myrmex-published-'))
  await run(process.execPath, [join(ROOT, 'scripts/build.ts')], { cwd: ROOT, env })
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, ...PACKAGES], { cwd: ROOT, env })
  packed = Object.values(JSON.parse(stdout)) as Packed[]
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  const archives = packed.map(({ filename }) => `./${filename}`)
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...archives, 'zod'], {
    cwd: folder,
    env,
  })
  await writeFile(
    join(folder, 'greet.tools.ts'),
    `import { tool } from 'myrmex'
     import * as z from 'zod'
     export const greet = tool({
       name: 'demo.greet', version: '1.0.0', description: 'Greets.', input: z.object({ name: z.string() }),
       output: z.object({ said: z.string() }), errors: {}, idempotent: true, destructive: false, security: 'None.',
       examples: [], run: ({ name }) => ({ said: 'Hello ' + name }) })`,
  )
}, 180_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the command serves and calls a tool file', async () => {
  const { stdout } = await run(
    join(folder, 'node_modules/.bin/myrmex'),
    ['call', 'demo.greet', '{"name":"Ada"}', '--file', 'greet.tools.ts', '--json'],
    { cwd: folder, env },
  )
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { said: 'Hello Ada' } })
  const over = ['call', 'greet', '{"name":"Eve"}', '--json', '--', 'npx', 'myrmex', 'serve', 'greet.tools.ts']
  const child = await run(join(folder, 'node_modules/.bin/myrmex'), over, { cwd: folder, env })
  expect(JSON.parse(child.stdout)).toMatchObject({ data: { said: 'Hello Eve' } })
})

test('the command writes the document of a tool file, checks it, and reads it again', async () => {
  const spec = (...args: string[]) =>
    run(join(folder, 'node_modules/.bin/myrmex'), ['spec', ...args], { cwd: folder, env })
  await spec('render', 'greet.tools.ts')
  await spec('lock', 'greet.tools.ts')
  await spec('check', 'greet.tools.ts', '--locked')
  expect((await spec('import', 'MCP_TOOL_SPECIFICATION.md')).stdout).toContain("name: 'demo.greet'")
  const { stdout } = await spec('diff', 'myrmex.lock.json', 'MCP_TOOL_SPECIFICATION.md', '--json')
  expect(JSON.parse(stdout).tools).toMatchObject([{ name: 'demo.greet', level: 'none', changes: [] }])
})

test('the library and its client are imported by name', async () => {
  const script = `import { createServer, discover } from 'myrmex'
    import { connect } from 'myrmex/client'
    const { tools } = await discover('.')
    const connection = await connect(createServer({ name: 'x', version: '1.0.0', tools }))
    process.stdout.write(JSON.stringify(await connection.call('demo.greet', { name: 'Bo' })))
    await connection.close()`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env })
  expect(JSON.parse(stdout)).toMatchObject({ data: { said: 'Hello Bo' } })
})

test('the shop is made in an empty folder, its fleet runs, and its agents have what they learnt', async () => {
  const myrmex = async (...args: string[]): Promise<string> =>
    (await run(join(folder, 'node_modules/.bin/myrmex'), args, { cwd: folder, env })).stdout
  await myrmex('dropship', 'init')
  expect(await myrmex('run', 'How many red chairs do we have in stock?')).toContain('We have 50 Red Chairs in stock.')
  const agent = 'node_modules/myrmex-dropship/src/agents/customer_service/customer_service.agent.js'
  const asked = await myrmex('call', 'generate_faq', '{"topic":"returns"}', '--json', '--file', agent)
  expect(JSON.parse(asked)).toMatchObject({ status: 'success' })
}, 120_000)

test('they bring types and data, and no tests or sources', () => {
  const platform = filesOf('myrmex')
  expect(platform).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'bin/myrmex.js', 'LICENSE', 'README.md']))
  expect(platform).toContain('schema/myrmex.policy.schema.json')
  const shop = filesOf('myrmex-dropship')
  expect(shop).toEqual(expect.arrayContaining(['src/index.js', 'src/index.d.ts', 'LICENSE', 'README.md']))
  expect(shop).toEqual(expect.arrayContaining(['src/tickets/model/weights.json', 'files/myrmex.fleet.json']))
  expect([...platform, ...shop].filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name))).toEqual([])
})
