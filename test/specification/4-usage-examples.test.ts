/** Document 4: usage examples. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { callTool, createServer, parseToolCall, parseToolResult } from 'myrmex'
import { beforeAll, describe, expect, test } from 'vitest'
import { readFileContent as readFile } from '../../examples/file-utility/file-utility.tools.ts'
import { lint } from '../../packages/myrmex/src/spec/lint.ts'
import { readDocument } from '../../packages/myrmex/src/spec/read.ts'
import { USAGE_DOCUMENT } from './usage-document.ts'

const MAIN = 'def main():\n  print("Hello, World!")\n\nif __name__ == "__main__":\n  main()'

/** The tool reads inside the folder of its process, which is one of the test's own. */
beforeAll(() => {
  mkdirSync('src/app', { recursive: true })
  writeFileSync('src/app/main.py', MAIN)
  return () => rmSync('src', { recursive: true })
})

const call = (args: Record<string, unknown>) =>
  callTool(createServer({ name: 'files', version: '1.0.0', tools: [readFile] }), {
    tool_name: 'file_utility.read_file_content',
    arguments: args,
  })

describe('§1 A tool in its document', () => {
  const document = readDocument(USAGE_DOCUMENT)

  test('the document defines file_utility.read_file_content in version 1.0.0', () => {
    expect(document.tools).toMatchObject([
      { invocationName: { value: 'file_utility.read_file_content' }, version: { value: '1.0.0' } },
    ])
  })

  test('spec lint has no error to report about it', () => {
    expect(lint('usage.md', USAGE_DOCUMENT).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('the tool of the example folder has its name, schemas, errors and idempotency, in a compatible version', () => {
    expect(readFile).toMatchObject({ name: 'file_utility.read_file_content', idempotent: true })
    expect(readFile.version).toMatch(/^1\./)
    expect(readFile.input.json).toMatchObject({
      properties: { file_path: { type: 'string' }, max_chars: { type: 'integer' }, encoding: { default: 'utf-8' } },
      required: ['file_path'],
    })
    expect(readFile.output.json).toMatchObject({ required: ['file_content', 'chars_read', 'encoding_used'] })
    expect([...readFile.errorTypes]).toEqual([
      'FileNotFoundError',
      'PermissionError',
      'UnsupportedEncodingError',
      'FileTooLargeError',
    ])
  })

  test('path traversal is refused', async () => {
    expect((await call({ file_path: '../../etc/passwd' })).error?.error_type).toBe('PermissionError')
  })
})

describe('§2 A tool call', () => {
  test('the message is accepted, and the file is read', async () => {
    const message = {
      tool_name: 'file_utility.read_file_content',
      arguments: { file_path: 'src/app/main.py', encoding: 'utf-8' },
    }
    expect(parseToolCall(JSON.stringify(message))).toEqual(message)
    expect(await call(message.arguments)).toMatchObject({ status: 'success' })
  })
})

describe('§3 The result of a success', () => {
  test('data, null as error, and an explanation', async () => {
    expect(await call({ file_path: 'src/app/main.py', encoding: 'utf-8' })).toEqual({
      status: 'success',
      data: { file_content: MAIN, chars_read: MAIN.length, encoding_used: 'utf-8' },
      error: null,
      explanation: expect.stringContaining('src/app/main.py'),
    })
  })

  test('the line breaks inside the strings of the example are not JSON; escaped, the example is accepted', () => {
    const text = `{"status": "success", "data": {"file_content": "${JSON.stringify(MAIN).slice(1, -1)}"}, "error": null}`
    expect(parseToolResult(text).data).toEqual({ file_content: MAIN })
    expect(() => parseToolResult(text.replaceAll('\\n', '\n'))).toThrow(
      expect.objectContaining({ error_type: 'ValidationError' }),
    )
  })
})

describe('§4 The result of a failure', () => {
  test('FileNotFoundError with the path that was tried', async () => {
    expect(await call({ file_path: 'src/app/non_existent_file.py' })).toMatchObject({
      status: 'failure',
      data: null,
      error: { error_type: 'FileNotFoundError', error_details: { path_attempted: 'src/app/non_existent_file.py' } },
    })
  })
})
