import { execFileSync } from 'node:child_process'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { load, serve, temporaryFolder } from './call-tool.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const MiB = 1024 * 1024

test('the definition is the one of the specification', async () => {
  const { tool } = await load(folder)
  expect({ name: tool.name, version: tool.version }).toEqual({
    name: 'file_utility.read_file_content',
    // 1.0.0 is that of the specification. Since then only the details of the errors were described.
    version: '1.1.0',
  })
  expect(tool.input.json).toEqual({
    type: 'object',
    properties: {
      file_path: { type: 'string', description: expect.any(String) },
      max_chars: { type: 'integer', description: expect.any(String), minimum: 1 },
      encoding: { type: 'string', description: expect.any(String), default: 'utf-8' },
    },
    required: ['file_path'],
  })
  expect(tool.output.json).toEqual({
    type: 'object',
    properties: {
      file_content: { type: 'string', description: expect.any(String) },
      chars_read: { type: 'integer', description: expect.any(String) },
      encoding_used: { type: 'string', description: expect.any(String) },
    },
    required: ['file_content', 'chars_read', 'encoding_used'],
  })
  expect([...tool.errorTypes]).toEqual([
    'FileNotFoundError',
    'PermissionError',
    'UnsupportedEncodingError',
    'FileTooLargeError',
  ])
  expect([tool.idempotent, tool.destructive]).toEqual([true, false])
})

test('every example of the definition gives what it says', async () => {
  const { tool, read } = await load(folder)
  for (const { arguments: args, error } of tool.examples) {
    expect((await read(args)).error?.error_type, JSON.stringify(args)).toBe(error)
  }
})

test('a file is read whole, and the result is the envelope of the specification', async () => {
  const base = temporaryFolder()
  mkdirSync(join(base, 'src/app'), { recursive: true })
  const text = 'def main():\n  print("Hello, World!")\n'
  writeFileSync(join(base, 'src/app/main.py'), text)
  expect(await (await serve(base))({ file_path: 'src/app/main.py', encoding: 'utf-8' })).toEqual({
    status: 'success',
    data: { file_content: text, chars_read: text.length, encoding_used: 'utf-8' },
    error: null,
    explanation: `Read ${text.length} characters of src/app/main.py as utf-8.`,
  })
})

test('the same call gives the same result, and an empty file is a success', async () => {
  const base = temporaryFolder()
  writeFileSync(join(base, 'empty'), '')
  const read = await serve(base)
  const first = await read({ file_path: 'empty' })
  expect(first.data).toEqual({ file_content: '', chars_read: 0, encoding_used: 'utf-8' })
  expect(await read({ file_path: 'empty' })).toEqual(first)
})

test('max_chars gives the beginning, and the explanation says that the file goes on', async () => {
  const base = temporaryFolder()
  writeFileSync(join(base, 'a'), 'abcdef')
  const read = await serve(base)
  const part = await read({ file_path: 'a', max_chars: 4 })
  expect(part.data).toEqual({ file_content: 'abcd', chars_read: 4, encoding_used: 'utf-8' })
  expect(part.explanation).toBe('Read the first 4 characters of a as utf-8. The file continues after them.')
  for (const max_chars of [6, 7, Number.MAX_SAFE_INTEGER, 1e300]) {
    const whole = await read({ file_path: 'a', max_chars })
    expect([whole.data?.file_content, whole.explanation]).toEqual(['abcdef', 'Read 6 characters of a as utf-8.'])
  }
})

test('arguments that break the schema never reach the file system', async () => {
  const read = await serve(folder)
  for (const args of [
    {},
    { file_path: 1 },
    { file_path: 'README.md', max_chars: 0 },
    { file_path: 'a', max_chars: 1.5 },
  ]) {
    expect((await read(args)).error?.error_type).toBe('SchemaError')
  }
})

test('a file that is not there is a FileNotFoundError with the path as it was given', async () => {
  const base = temporaryFolder()
  writeFileSync(join(base, 'file'), 'x')
  const read = await serve(base)
  const failed = await read({ file_path: './src//non_existent.py' })
  expect(failed).toMatchObject({ status: 'failure', data: null, explanation: null })
  expect(failed.error).toEqual({
    error_type: 'FileNotFoundError',
    error_message: 'There is no file at file_path.',
    error_details: { path_attempted: './src//non_existent.py' },
  })
  const long = 'x'.repeat(300)
  for (const file_path of ['', 'file/', 'file/.', 'file/below', long, `${'a/'.repeat(3000)}b`, '\ud800', 'fil\ufffd']) {
    expect((await read({ file_path })).error?.error_type, file_path.slice(0, 20)).toBe('FileNotFoundError')
  }
})

test('a path of ten million characters is not sent back', async () => {
  const failed = await (await serve(folder))({ file_path: '\u{1f600}'.repeat(5e6) })
  expect(JSON.stringify(failed.error).length).toBeLessThan(20_000)
})

test('a file too large is refused, its beginning is not; one far too large is refused either way', async () => {
  const base = temporaryFolder()
  const sizes = { large: 10 * MiB + 1, huge: 1024 * MiB + 1 }
  for (const [name, size] of Object.entries(sizes)) {
    writeFileSync(join(base, name), 'begin')
    truncateSync(join(base, name), size)
  }
  const read = await serve(base)
  expect((await read({ file_path: 'large', max_chars: 5 })).data?.file_content).toBe('begin')
  for (const args of [{ file_path: 'large' }, { file_path: 'large', max_chars: 11 * MiB }]) {
    expect((await read(args)).error).toMatchObject({
      error_type: 'FileTooLargeError',
      error_details: { path_attempted: 'large', limit_bytes: 10 * MiB },
    })
  }
  for (const args of [{ file_path: 'huge' }, { file_path: 'huge', max_chars: 5 }]) {
    expect((await read(args)).error?.error_type).toBe('FileTooLargeError')
  }
})

test('an answer stays below the 10 MiB that clients take in one message, whatever JSON makes of the text', async () => {
  const base = temporaryFolder()
  const read = await serve(base)
  const ways: [string, Buffer][] = [
    ['utf-8', Buffer.alloc(6 * MiB, 'x')],
    ['utf-8', Buffer.alloc(6 * MiB, 'line "quoted"\n')],
    ['utf-8', Buffer.alloc(MiB)],
    ['utf-16le', Buffer.alloc(10 * MiB, 'x\0')],
    ['latin1', Buffer.alloc(3 * MiB, 0x80)],
  ]
  for (const [encoding, bytes] of ways) {
    writeFileSync(join(base, 'file'), bytes)
    const { error } = await read({ file_path: 'file', encoding })
    expect(error).toMatchObject({ error_type: 'FileTooLargeError', error_details: { limit_bytes: 10 * MiB - 65536 } })
    const { data } = await read({ file_path: 'file', encoding, max_chars: 750_000 })
    expect(data?.chars_read).toBe(750_000)
    expect(Buffer.byteLength(JSON.stringify([data, JSON.stringify(data)]))).toBeLessThan(10 * MiB)
  }
  writeFileSync(join(base, 'file'), Buffer.alloc(5_200_000, 'x'))
  expect((await read({ file_path: 'file' })).data?.chars_read).toBe(5_200_000)
})

test('the command of the README prints the result', () => {
  const args = [
    'call',
    'file_utility.read_file_content',
    '{"file_path":"examples/file-utility/README.md","max_chars":9}',
  ]
  const options = ['--file', 'examples/file-utility/file-utility.tools.ts', '--json']
  const bin = join(root, 'packages/myrmex/bin/myrmex.js')
  const env = { ...process.env, MYRMEX_FILE_BASE: '', MYRMEX_LEDGER: join(process.cwd(), 'ledger.db') }
  const printed = execFileSync(process.execPath, [bin, ...args, ...options], { cwd: root, env, encoding: 'utf8' })
  expect(JSON.parse(printed)).toMatchObject({ status: 'success', data: { file_content: '# A tool ', chars_read: 9 } })
})

test('a base directory that is not there stops the module from loading', async () => {
  await expect(serve(join(folder, 'nowhere'))).rejects.toThrow(/MYRMEX_FILE_BASE/)
  await expect(serve(join(folder, 'README.md'))).rejects.toThrow(/not a directory/)
})

test('a system on which the promise cannot be kept stops it too', async () => {
  for (const platform of ['win32', 'freebsd'])
    await expect(serve(folder, platform)).rejects.toThrow(/Linux .* macOS only/)
})
