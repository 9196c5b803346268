/** What a document says to callers of earlier major versions, and what is read back of it. */

import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { type ToolDefinition, tool } from '../tool/tool.ts'
import { type ToolBody, toolBody } from '../tool/verify/verify-tool.ts'
import { definitionOf } from './definition.ts'
import { addReleases, EMPTY_LOCK, type Lock, migrationSteps } from './lock.ts'
import { readDocument } from './read.ts'
import { renderDocument } from './render.ts'

const release = (version: string, input: z.ZodType, migration?: string): ToolBody =>
  toolBody(
    tool({
      ...toolDefaults,
      name: 'shop.sell',
      version,
      input,
      output: z.object({}),
      ...(migration !== undefined && { migration }),
      run: () => ({}),
    } as ToolDefinition),
  )

const first = release('1.0.0', z.object({ count: z.string() }))
const last = release('1.2.0', z.object({ count: z.string(), note: z.string().optional() }))
const second = release('2.0.0', z.object({ count: z.number() }), 'Pass numbers.')
const fixed = release('2.0.1', z.object({ count: z.number() }), 'Pass **numbers**:\n\n- `1`, not `"1"`.')
const third = release(
  '3.0.0',
  z.object({ count: z.number().max(9) }),
  '# Not a heading\n\n- **Version**: 9\n- at most nine.',
)

const lockOf = (...bodies: ToolBody[]): Lock =>
  bodies.reduce((lock, body) => addReleases(lock, [{ body, file: 'shop.tools.ts' }]), EMPTY_LOCK)

const migrationIn = (document: string): string => /^### Migration\n\n(.*?)\n\n## /ms.exec(document)?.[1] ?? ''

test('each major step has a part: what its author wrote, what broke, and what callers do; the latest first', () => {
  const lock = lockOf(first, last, second, fixed)
  const document = renderDocument([third], { migrations: migrationSteps([third], lock) })
  expect(migrationIn(document)).toBe(
    [
      '\\# Not a heading',
      '\\- \\*\\*Version\\*\\*: 9\\\n\\- at most nine.',
      '#### From 2.0.1 to 3.0.0',
      '- Parameter count: maximum added: 9. A value within the old bounds is rejected. Stay within the new bound.',
      '#### From 1.2.0 to 2.0.1',
      'Pass **numbers**:',
      '- `1`, not `"1"`.',
      '- Parameter count: type string → number. A value of the old type is rejected. Pass a value of the new type.\n' +
        '- Parameter note removed (was optional string). A call with it is rejected, or the parameter is silently ignored. Stop passing it.',
    ].join('\n\n'),
  )
  const [read] = readDocument(document).tools
  expect(read && definitionOf(read).body).toEqual(third)
})

test('a tool without earlier major versions has no such part', () => {
  for (const [body, lock] of [
    [last, lockOf(first)],
    [second, EMPTY_LOCK],
  ] as const) {
    const document = renderDocument([{ ...body, migration: undefined } as never], {
      migrations: migrationSteps([body], lock),
    })
    expect(document).not.toContain('Migration')
  }
})

test('the versions that are served side by side are compared too, and a step that breaks nothing says so', () => {
  const same = release('2.0.0', z.object({ count: z.string() }))
  const document = renderDocument([first, same], { migrations: migrationSteps([first, same], EMPTY_LOCK) })
  expect(document.match(/### Migration/g)).toHaveLength(1)
  expect(migrationIn(document)).toBe('#### From 1.0.0 to 2.0.0\n\nNothing breaks in this step.')
})
