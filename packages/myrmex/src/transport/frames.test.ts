import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineFrames } from './frames.ts'

const texts = fc.array(
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll(/[\r\n]/g, ' ')),
  { minLength: 1, maxLength: 10 },
)

test('the same lines come out however the bytes are cut, also if every chunk is in the same memory', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (lines, sizes) => {
      const bytes = Buffer.from(lines.join('\n'))
      const memory = Buffer.alloc(60)
      const seen: string[] = []
      const frames = new LineFrames((line) => seen.push(line))
      for (let start = 0, turn = 0; start < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] as number
        const length = bytes.copy(memory, 0, start, start + size)
        frames.push(memory.subarray(0, length))
        memory.fill(0)
        start += length
      }
      frames.end()
      expect(seen).toEqual(bytes.toString().split('\n').filter(Boolean))
    }),
  )
})

test('the rest of a line above the limit is dropped, and the next line is whole', () => {
  const seen: string[] = []
  const frames = new LineFrames((line) => seen.push(line), 10)
  for (const chunk of ['123456', '789012', 'dropped', 'dropped', 'end\nnext\n']) frames.push(Buffer.from(chunk))
  expect(seen).toEqual(['123456789012end', 'next'])
  expect(frames.pendingBytes).toBe(0)
})
