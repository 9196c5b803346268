/** Bytes to characters: encodings, marks, malformed bytes, and where max_chars cuts. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Result, serve, temporaryFolder } from './call-tool.ts'
import { SUPPORTED } from './encodings.ts'

const base = temporaryFolder(afterAll)
const read = await serve(base)

const readBytes = (bytes: Uint8Array | string, args: Record<string, unknown> = {}): Promise<Result> => {
  writeFileSync(join(base, 'file'), bytes)
  return read({ file_path: 'file', ...args })
}
const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** Label, canonical label, text, bytes. */
const WORDS: [string, string, string, Buffer][] = [
  ['utf-8', 'utf-8', 'aé漢😀', Buffer.from('aé漢😀')],
  ['UTF8', 'utf-8', 'ß', Buffer.from('ß')],
  ['utf-16le', 'utf-16le', 'aé漢😀', Buffer.from('aé漢😀', 'utf16le')],
  ['utf-16be', 'utf-16be', 'aé漢😀', Buffer.from('aé漢😀', 'utf16le').swap16()],
  ['latin1', 'windows-1252', '€é', hex('80e9')],
  ['ascii', 'ascii', 'plain', Buffer.from('plain')],
  ['shift_jis', 'shift_jis', '日本語テスト', hex('93fa967b8cea836583588367')],
  ['euc-jp', 'euc-jp', '日本丂', hex('c6fccbdc8fb0a1')],
  ['iso-2022-jp', 'iso-2022-jp', '日本A', hex('1b2442467c4b5c1b284241')],
  ['gb18030', 'gb18030', '你好🄬', hex('c4e3bac394398130')],
  ['big5', 'big5', '中文', hex('a4a4a4e5')],
  ['euc-kr', 'euc-kr', '한글', hex('c7d1b1db')],
  ['koi8-r', 'koi8-r', 'Привет', hex('f0d2c9d7c5d4')],
  ['windows-1251', 'windows-1251', 'Привет', hex('cff0e8e2e5f2')],
]

test.each(WORDS)('%s is read, as %s', async (encoding, encoding_used, text, bytes) => {
  const { data, explanation } = await readBytes(bytes, { encoding })
  expect(data).toEqual({ file_content: text, chars_read: [...text].length, encoding_used })
  expect(explanation).toBe(`Read ${[...text].length} characters of file as ${encoding_used}.`)
})

test.each(WORDS)(
  '%s is cut between characters, over more bytes than are read at once',
  async (encoding, _, text, word) => {
    const times = Math.ceil((1.5 * 1024 * 1024) / word.length)
    const characters = [...text]
    writeFileSync(join(base, 'file'), Buffer.concat(Array.from({ length: times }, () => word)))
    for (const max_chars of [1, 3, 262_143, 350_001]) {
      const { data } = await read({ file_path: 'file', encoding, max_chars })
      const whole = Math.floor(max_chars / characters.length)
      const expected = text.repeat(whole) + characters.slice(0, max_chars % characters.length).join('')
      expect(data?.file_content === expected, `${max_chars}`).toBe(true)
      expect(data?.chars_read).toBe(max_chars)
    }
  },
)

test('an unknown encoding is refused before the file is looked for, with some that are known', async () => {
  for (const encoding of ['utf-9', '', 'replacement', 'utf-7', 'hex', '__proto__', 'x'.repeat(1e6)]) {
    const { error } = await read({ file_path: 'absent', encoding })
    expect(error?.error_type).toBe('UnsupportedEncodingError')
    expect(error?.error_details).toMatchObject({ supported_encodings: SUPPORTED })
    expect(JSON.stringify(error).length).toBeLessThan(1000)
  }
  for (const encoding of SUPPORTED) expect((await readBytes('x', { encoding })).data?.encoding_used).toBe(encoding)
})

test('bytes that are not valid become U+FFFD, and the explanation says so', async () => {
  const { status, data, explanation } = await readBytes(hex('61ff62c3'))
  expect([status, data?.file_content, data?.chars_read]).toEqual(['success', 'a\ufffdb\ufffd', 4])
  expect(explanation).toMatch(/U\+FFFD occurs 2 times: bytes that are not valid utf-8/)
  expect((await readBytes(hex('41e942'), { encoding: 'ascii' })).data?.file_content).toBe('A\ufffdB')
  expect((await readBytes(hex('00d84100'), { encoding: 'utf-16le' })).data?.file_content).toBe('\ufffdA')
})

test('a character that the file ends in the middle of counts only where the file really ends', async () => {
  const bytes = Buffer.concat([Buffer.from('ab'), hex('f09f98')])
  expect((await readBytes(bytes)).data?.file_content).toBe('ab\ufffd')
  expect((await readBytes(bytes, { max_chars: 2 })).data?.file_content).toBe('ab')
  expect((await readBytes(bytes, { max_chars: 2 })).explanation).toMatch(/continues/)
})

test('a byte order mark is not part of the text, and tells utf-16 its order', async () => {
  expect((await readBytes('\ufeffabc')).data).toMatchObject({ file_content: 'abc', chars_read: 3 })
  expect((await readBytes('\ufeff😀😀', { max_chars: 1 })).data?.file_content).toBe('😀')
  const little = Buffer.from('\ufeffhé', 'utf16le')
  const big = Buffer.from(little).swap16()
  const encoding = 'utf-16'
  expect((await readBytes(little, { encoding })).data).toMatchObject({ file_content: 'hé', encoding_used: 'utf-16le' })
  expect((await readBytes(big, { encoding })).data).toMatchObject({ file_content: 'hé', encoding_used: 'utf-16be' })
})

test('where characters take more bytes than expected, more is read', async () => {
  const shifts = Buffer.concat([...Array.from({ length: 1000 }, () => hex('1b2842')), Buffer.from('end, and more')])
  const encoding = 'iso-2022-jp'
  const whole = (await readBytes(shifts, { encoding })).data?.file_content as string
  const max_chars = [...whole].length - 10
  expect(shifts.length).toBeGreaterThan((max_chars + 2) * 4)
  expect((await readBytes(shifts, { encoding, max_chars })).data?.file_content).toBe(whole.slice(0, max_chars))

  // Nine bytes for two characters: reading stops inside a shift sequence, which must not count as malformed.
  const words = Buffer.concat([Buffer.from('x'), ...Array.from({ length: 100 }, () => hex('1b2442467c1b284241'))])
  for (const max_chars of [7, 14, 21, 28, 35, 42, 49]) {
    const { data } = await readBytes(words, { encoding, max_chars })
    expect(data?.file_content).toBe(`x${'日A'.repeat(100)}`.slice(0, max_chars))
  }
})

test('random text as utf-8, with a random max_chars, gives exactly its first characters', async () => {
  // Every code point but the surrogates, of one to four bytes. (fc.string's unit 'binary' takes a second to start.)
  const code = fc.oneof(...[0x7f, 0x7ff, 0xf7ff, 0x10f7ff].map((max) => fc.nat({ max })))
  const character = code.map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800))
  const text = fc.array(character, { maxLength: 200 }).map((characters) => characters.join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 210 }), async (written, max_chars) => {
      const characters = [...written.replace(/^\ufeff/, '')]
      const { data, explanation } = await readBytes(written, { max_chars })
      const expected = characters.slice(0, max_chars)
      expect(data).toEqual({ file_content: expected.join(''), chars_read: expected.length, encoding_used: 'utf-8' })
      expect(explanation?.includes('continues')).toBe(characters.length > max_chars)
    }),
    { numRuns: 200 },
  )
})

test('random bytes in any encoding give well-formed text, and max_chars its beginning', async () => {
  const labels = [...SUPPORTED, 'gbk', 'iso-2022-jp', 'utf-16', 'macintosh', 'x-user-defined']
  const bytes = fc.uint8Array({ maxLength: 120 })
  await fc.assert(
    fc.asyncProperty(
      bytes,
      fc.constantFrom(...labels),
      fc.integer({ min: 1, max: 60 }),
      async (given, encoding, max_chars) => {
        const whole = (await readBytes(given, { encoding })).data?.file_content as string
        const part = (await read({ file_path: 'file', encoding, max_chars })).data?.file_content
        expect(whole.isWellFormed()).toBe(true)
        expect(part).toBe([...whole].slice(0, max_chars).join(''))
      },
    ),
    { numRuns: 250 },
  )
})

test('megabytes of noise are text too', async () => {
  const { data, explanation } = await readBytes(randomBytes(2 * 1024 * 1024))
  expect([...(data?.file_content ?? '')].length).toBe(data?.chars_read)
  expect(explanation).toMatch(/U\+FFFD occurs \d+ times/)
})
