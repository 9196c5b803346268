/** What the system itself makes special: pseudo-files, magic links, permissions. */
import { execFileSync } from 'node:child_process'
import { linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serve, temporaryFolder } from './call-tool.ts'

test.runIf(process.platform === 'linux')('pseudo-files and magic links of /proc and /sys are refused', async () => {
  const base = temporaryFolder()
  writeFileSync(join(base, 'inside'), 'inside')
  linkSync(join(base, 'inside'), join(base, 'hard'))
  const read = await serve('/')
  const ways = [
    '/proc/self/environ',
    '/proc/self/mem',
    '/proc/kmsg',
    '/proc/self/fd/0',
    '/proc/self/exe/x',
    '/sys/kernel/notes',
  ]
  for (const file_path of ways) {
    const { error } = await read({ file_path, max_chars: 1 })
    expect(error?.error_type, file_path).toMatch(/PermissionError|FileNotFoundError/)
  }
  expect((await (await serve('/proc/self'))({ file_path: 'root/etc/passwd' })).error?.error_type).toBe(
    'PermissionError',
  )
  expect((await read({ file_path: join(base, 'hard') })).data?.file_content).toBe('inside')
})

test('a file the system keeps from us is a PermissionError', () => {
  const base = temporaryFolder()
  // A child of its own, because the one who runs the tests may be root and allowed everything.
  const script = `
    import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
    import { connect } from 'myrmex/client'
    import { createServer } from 'myrmex'
    import { readFileContent } from './file-utility.tools.ts'
    writeFileSync(process.env.MYRMEX_FILE_BASE + '/locked', 'x', { mode: 0 })
    mkdirSync(process.env.MYRMEX_FILE_BASE + '/shut')
    writeFileSync(process.env.MYRMEX_FILE_BASE + '/shut/file', 'x')
    chmodSync(process.env.MYRMEX_FILE_BASE + '/shut', 0)
    chmodSync(process.env.MYRMEX_FILE_BASE, 0o755)
    const client = await connect(createServer({ name: 'test', version: '1.0.0', tools: [readFileContent] }))
    if (process.getuid() === 0) process.seteuid(65534)
    const results = []
    for (const file_path of ['locked', 'shut/file', 'shut/none']) results.push(await client.call(readFileContent.name, { file_path }))
    process.stdout.write(JSON.stringify(results.map(({ error }) => error)))
    if (process.getuid() === 0) process.seteuid(0)
    chmodSync(process.env.MYRMEX_FILE_BASE + '/shut', 0o755)
    await client.close()`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('.', import.meta.url),
    env: { ...process.env, MYRMEX_FILE_BASE: base },
    encoding: 'utf8',
  })
  const error_message = 'The system does not let this tool read file_path.'
  expect(JSON.parse(printed)).toEqual(
    ['locked', 'shut/file', 'shut/none'].map((path_attempted) => ({
      error_type: 'PermissionError',
      error_message,
      error_details: { path_attempted },
    })),
  )
})
