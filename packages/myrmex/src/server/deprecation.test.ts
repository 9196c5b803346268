import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../client/connect.ts'
import { partial } from '../tool/answer.ts'
import { tool } from '../tool/tool.ts'
import { createServer } from './server.ts'

const definition = {
  ...toolDefaults,
  version: '1.3.0',
  input: z.object({ how: z.enum(['well', 'partly', 'badly']) }),
  output: z.object({ how: z.string() }),
  run: ({ how }: { how: string }) => {
    if (how === 'badly') throw new Error('no')
    return how === 'partly' ? partial({ how }, { explanation: 'half' }) : { how }
  },
}
const server = createServer({
  name: 'shop',
  version: '1.0.0',
  observe: () => {},
  tools: [
    tool({ ...definition, name: 'shop.old', deprecatedIn: '1.2.0', replacedBy: 'shop.new' }),
    tool({ ...definition, name: 'shop.new' }),
  ],
})
const SAID = { 'myrmex/deprecatedIn': '1.2.0', 'myrmex/replacedBy': 'shop.new' }

test.each(['auto', 'legacy'] as const)(
  'a tool on its way out says so in lists and in every result (%s)',
  async (era) => {
    const connection = await connect(server, { era })
    const listed = await connection.tools()
    expect(listed.find(({ name }) => name === 'old')?._meta).toMatchObject(SAID)
    expect(listed.find(({ name }) => name === 'new')?._meta).not.toHaveProperty('myrmex/deprecatedIn')
    for (const how of ['well', 'partly', 'badly']) {
      const old = await connection.client.callTool({ name: 'old', arguments: { how } })
      expect(old._meta, how).toMatchObject(SAID)
      const now = await connection.client.callTool({ name: 'new', arguments: { how } })
      expect(now._meta, how).not.toHaveProperty('myrmex/deprecatedIn')
    }
    await connection.close()
  },
)
