/** The command as people type it: its output, its exit codes and what it says when something is wrong. */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandEnd, runToEnd } from '@myrmex/testing/cli/run-to-end'
import { serveHttp } from '@myrmex/testing/http-server'
import { longTest } from '@myrmex/testing/long'
import { CLI, fixturePath, ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'

const TOOLS = fixturePath('all.tools.ts')

const myrmex = (
  args: string[],
  input?: string,
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<CommandEnd> => runToEnd(args, { cwd, env: { ...process.env, ...env, NO_COLOR: '1' }, input })

test.each([
  [['call'], "missing required argument 'name'", '(run myrmex call --help for usage)'],
  [['runs', 'show'], "missing required argument 'id'", '(run myrmex runs show --help for usage)'],
  [['nothing'], "unknown command 'nothing'", '(run myrmex --help for usage)'],
])('%j names its own help', async (args, problem, usage) => {
  const { code, stderr } = await myrmex(args)
  expect(code).toBe(1)
  expect(stderr).toContain(problem)
  expect(stderr).toContain(usage)
})

longTest('the list of commands has those of packages in the folder, and runs none of their code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'))
  const add = (name: string, manifest: object): void => {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ name, ...manifest }))
    writeFileSync(join(folder, 'node_modules', name, 'command.js'), "process.stderr.write('it ran'); process.exit(3)")
  }
  const exports = { './command': './command.js' }
  add('myrmex-bakery', { description: 'Bake bread.\u001b[31m', exports })
  add('myrmex-helper', { description: 'No command.' })
  add('myrmex-audit', { description: 'Not the audit of Myrmex.', exports })
  for (const args of [['--help'], ['help'], ['-h'], ['--version']]) {
    const { code, stdout, stderr } = await myrmex(args, undefined, {}, folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.includes('bakery')).toBe(args[0] !== '--version')
    for (const hidden of ['\u001b', 'helper', 'Not the audit']) expect(stdout).not.toContain(hidden)
  }
  expect(await myrmex(['bakery'], undefined, {}, folder)).toMatchObject({ code: 3, stderr: 'it ran' })
  rmSync(folder, { recursive: true })
})

test('a folder without tool files is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'empty-'))
  expect((await myrmex(['tools', folder])).stderr).toContain(
    `${folder} has no tool files (*.tools.ts, *.agent.ts; also .mts, .js and .mjs)`,
  )
  rmSync(folder, { recursive: true })
})

test('tools lists what files offer, for people', async () => {
  const { code, stdout } = await myrmex(['tools', TOOLS])
  expect(code).toBe(0)
  expect(stdout).toContain('all.add  1.0.0\n  For tests.\n    a  number')
})

test('tools --json gives what the protocol gives', async () => {
  const { stdout } = await myrmex(['tools', TOOLS, '--json'])
  const list = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
  expect(list[0]).toMatchObject({ name: 'add', _meta: { 'myrmex/name': 'all.add' } })
})

test('call prints the result and exits 0, from a file, a command and a URL alike', async () => {
  const served = await serveHttp()
  try {
    for (const where of [
      ['--file', TOOLS],
      ['--url', served.url],
      ['--', process.execPath, CLI, 'serve', TOOLS],
    ]) {
      const ran = await myrmex(['call', 'all.add', '{"a": 1, "b": 2}', '--json', ...where])
      expect(ran.code, ran.stderr).toBe(0)
      expect(JSON.parse(ran.stdout.slice(ran.stdout.indexOf('{\n')))).toEqual({
        status: 'success',
        data: { sum: 3 },
        error: null,
        explanation: null,
      })
    }
  } finally {
    await served.close()
  }
})

test('a failure is shown readably and exits 1', async () => {
  const { code, stdout } = await myrmex(['call', 'add', '{"a": 1}', '--file', TOOLS])
  expect(code).toBe(1)
  expect(stdout).toContain('failure\nSchemaError: The arguments do not fit all.add: /b')
})

test('arguments may come from stdin', async () => {
  const { stdout } = await myrmex(['call', 'add', '-', '--file', TOOLS, '--json'], '{"a": 2, "b": 3}')
  expect(stdout).toContain('"sum": 5')
})

test.each([
  [['call', 'add', '{"a": 1', '--file', TOOLS], /not valid JSON/],
  [['call', 'add', '[1]', '--file', TOOLS], /must be a JSON object/],
  [['call', 'add', '{}'], /nothing was given/],
  [['call', 'add', '{}', '--file', TOOLS, '--url', 'http://127.0.0.1:9/mcp'], /files and --url were given/],
  [['call', 'add', '{}', '--url', 'http://127.0.0.1:9/mcp'], /TransportError: http:\/\/127\.0\.0\.1:9\/mcp/],
  [
    ['call', 'add', '{}', '--', 'no-such-command-here'],
    /TransportError: no-such-command-here: the command does not exist/,
  ],
  [['tools', 'nowhere.tools.ts'], /nowhere\.tools\.ts does not exist/],
  [['tools', join(ROOT, 'package.json')], /does not load/],
  [['serve', TOOLS, '--http', 'eighty'], /port from 0 to 65535/],
  [['serve', TOOLS, '--http', '0', '--host', '0.0.0.0'], /bearer token/],
  [['nothing'], /unknown command/],
])('myrmex %j says what is wrong and exits 1', async (args, message) => {
  const { code, stderr } = await myrmex(args)
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(code).toBe(1)
})

test('a port in use is one clear line', async () => {
  const served = await serveHttp()
  const { code, stderr } = await myrmex(['serve', TOOLS, '--http', String(served.port)])
  await served.close()
  expect(code).toBe(1)
  expect(stderr).toMatch(/EADDRINUSE|in use/)
})

test('on an old Node it says so in one line and exits 1', async () => {
  // The file runs on any Node; only the version it reads is made older here.
  const { code, stderr } = await new Promise<CommandEnd>((resolve) => {
    const script = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' }); Object.defineProperty(process, 'version', { value: 'v20.1.0' }); import('${CLI}')`
    execFile(process.execPath, ['--input-type=module', '-e', script], (error, stdout, stderr) =>
      resolve({ code: Number((error as { code?: number } | null)?.code ?? 0), stdout, stderr }),
    )
  })
  expect(stderr).toBe(
    'myrmex needs Node.js 24 or newer; this is v20.1.0. Install a newer one from nodejs.org; in a checkout, use npx myrmex.\n',
  )
  expect(code).toBe(1)
})

test('what a hostile server says cannot act on the terminal', async () => {
  const hostile = `process.stdin.on('data', (text) => { for (const line of String(text).split('\\n')) {
    if (!line) continue
    const { id, method } = JSON.parse(line)
    const result = method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
      : { tools: [{ name: 'evil', description: '\\u001b[2Jcleared \\u202edesrever', inputSchema: { type: 'object' } }] }
    if (id !== undefined) console.log(JSON.stringify(method === 'server/discover' ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } } : { jsonrpc: '2.0', id, result })) } })`
  const { stdout, code } = await myrmex(['tools', '--', process.execPath, '-e', hostile])
  expect(code).toBe(0)
  expect(stdout).toContain('evil\n  �[2Jcleared �desrever')
})
