/** The bytes of a group are those that a reader hashes and finds, whatever came before them in the same buffer. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { genesis, groupHash, groupText } from './chain.ts'
import { GroupEncoder } from './group-encoder.ts'

const text = fc
  .tuple(fc.string({ unit: 'binary' }), fc.constantFrom(1, 7, 40_000))
  .map(([unit, times]) => `${unit.toWellFormed().repeat(times)}\n`)

test('groups of any length, one after the other', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (groups) => {
      const encoder = new GroupEncoder()
      let head = genesis('journal', 'chain')
      for (const lines of groups) {
        const hash = encoder.hash(head, lines)
        expect(hash).toBe(groupHash(head, lines))
        head = { group: head.group + 1, hash }
        expect(encoder.stored(head.group, 'mac').toString()).toBe(groupText(head.group, lines, 'mac'))
      }
    }),
    { numRuns: 30 },
  )
})
