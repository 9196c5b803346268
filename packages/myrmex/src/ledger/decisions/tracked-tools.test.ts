import { expect, test } from 'vitest'
import { scanContext, type TrackedTool } from './tracked-tools.ts'

const NAMES = [
  'files.read',
  'prompt:files.greet',
  'resource:files:*',
  'resource:files:file:///a.b',
  'instructions:files',
  'mail.send',
  'prompt:mail.greet',
  'resource:mail:mail://inbox.mbox',
  'instructions:mail',
]
const known = NAMES.map((tool) => ({ tool, body: { description: `About ${tool}.` } }) as TrackedTool)

test.each(NAMES.slice(0, 5))(
  '%s is of the server files, and only tools of other servers are those of others',
  (name) => {
    expect(scanContext(name, known)).toEqual({
      own: NAMES.slice(0, 5),
      others: [{ name: 'mail.send', server: 'mail', description: 'About mail.send.' }],
    })
  },
)
