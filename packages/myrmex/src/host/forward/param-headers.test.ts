import { expect, test } from 'vitest'
import { headerParameters } from '../../tool/headers.ts'
import { paramHeaders } from './param-headers.ts'

const marked = (type: string, name: string): object => ({ type, 'x-mcp-header': name })
const parameters = headerParameters(
  {
    type: 'object',
    properties: {
      region: marked('string', 'Region'),
      deep: { type: 'object', properties: { n: marked('integer', 'N') } },
    },
  } as never,
  (why) => {
    throw new Error(why)
  },
)

test('arguments are in their headers, encoded if a header cannot hold them', () => {
  expect(paramHeaders(parameters, { region: 'eu west', deep: { n: 3 } })).toEqual({
    'mcp-param-region': 'eu west',
    'mcp-param-n': '3',
  })
  expect(paramHeaders(parameters, { deep: {} })).toEqual({})
  for (const text of ['zürich', ' padded ', 'a\r\nb', '=?base64?x?=']) {
    const { 'mcp-param-region': sent = '' } = paramHeaders(parameters, { region: text })
    expect(sent).toMatch(/^=\?base64\?[A-Za-z0-9+/=]+\?=$/)
    expect(Buffer.from(sent.slice(9, -2), 'base64').toString()).toBe(text)
  }
})
