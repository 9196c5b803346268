/** The catalogue says which fields the details of our own errors have: errors that the gates really return have no others. */

import { call, countedTool, destructiveTool, serve, serveRefundTool } from '@myrmex/testing/gated-server'
import { behaveTool, waitTool } from '@myrmex/testing/sample-tools'
import type { Tool } from 'myrmex'
import { expect, test } from 'vitest'
import { ERROR_CATALOGUE, type ErrorType } from '../../packages/myrmex/src/protocol/errors.ts'

/** Those that are described as part of another field, such as the version of a tool, count as well. */
function isDescribed(type: ErrorType, field: string): boolean {
  const { details = {} } = ERROR_CATALOGUE[type]
  return Object.hasOwn(details, field) || Object.values(details).some((text) => text.match(/\w+/g)?.includes(field))
}

const counted = (tool: Tool) => ({ tool, ran: [] })

const PROVOKED: Record<string, [ErrorType, () => Promise<{ error: unknown }>]> = {
  'arguments that break the schema': [
    'SchemaError',
    async () => call((await serve([counted(behaveTool)])).server, 'test.behave', { how: 'odd' }),
  ],
  'an exception that is not declared': [
    'ToolExecutionError',
    async () => call((await serve([counted(behaveTool)])).server, 'test.behave', { how: 'throw' }),
  ],
  'output that breaks the schema': [
    'ToolExecutionError',
    async () => call((await serve([counted(behaveTool)])).server, 'test.behave', { how: 'badOutput' }),
  ],
  'a deadline': ['TimeoutError', async () => call((await serve([counted(waitTool(1).tool)])).server, 'test.wait', {})],
  'a limit': [
    'ApiLimitExceeded',
    async () => {
      const { server } = await serve([countedTool('shop.count', { limit: { calls: 1, per_ms: 3_600_000 } })])
      await call(server, 'shop.count', {})
      return call(server, 'shop.count', {})
    },
  ],
  'a tool that nobody trusts': [
    'PermissionError',
    async () => call((await serve([destructiveTool('shop.refund')])).server, 'shop.refund', {}),
  ],
  'a call that waits for approval': [
    'PermissionError',
    async () => call((await serveRefundTool()).server, 'shop.refund', {}),
  ],
  'a rule of the constitution': [
    'PermissionError',
    async () => {
      const few = { name: 'few', text: 'At most 10.', tools: ['shop.*'], forbid: [{ argument: '/n', above: 10 }] }
      const { server } = await serve([countedTool('shop.count')], { constitution: { articles: [few] } })
      return call(server, 'shop.count', { n: 11 })
    },
  ],
}

test.each(Object.entries(PROVOKED))('%s', async (_what, [type, provoke]) => {
  const { error } = (await provoke()) as { error: { error_type: string; error_details: object } }
  expect(error.error_type).toBe(type)
  expect(Object.keys(error.error_details)).not.toEqual([])
  expect(Object.keys(error.error_details).filter((field) => !isDescribed(type, field))).toEqual([])
})
