/** The server that the examples of the grammar document speak to: its tax calculator, its log file, its prompt. */
import { answer, createServer, prompt, type Resource, resource, type Server, ToolError, tool } from 'myrmex'
import * as z from 'zod'
import { toolDefaults } from '../sample-tools.ts'

const LOG = 'file:///logs/error.txt'

export const taxTool = tool({
  ...toolDefaults,
  name: 'accounting.calculate_tax',
  description: 'The tax on a price: ten per cent of it.',
  input: z.object({ price: z.number().min(0) }),
  output: z.object({ tax: z.number() }),
  errors: { PriceTooHigh: 'The price is above a million.' },
  run: ({ price }, ctx) => {
    if (price > 1_000_000) throw new ToolError('PriceTooHigh', `${price} is above a million.`, { price })
    ctx.log('info', 'Connected to database successfully.')
    const tax = price / 10
    return answer({ tax }, { content: [{ type: 'text', text: tax.toFixed(2) }] })
  },
})

/** The log that the examples read. */
export const errorLogOf = (lines: readonly string[]): Resource =>
  resource({
    uri: LOG,
    name: 'error.txt',
    mimeType: 'text/plain',
    read: () => lines.join('\n'),
    version: () => String(lines.length),
  })

/** `lines` is the log: what is read changes only if a test adds a line. */
export function grammarServer(lines: string[] = ['12:00 disk full']): Server {
  const errorLog = errorLogOf(lines)
  const user = resource({
    uriTemplate: 'postgres://db/users/{id}',
    name: 'user',
    mimeType: 'application/json',
    read: (_uri, { id }) => JSON.stringify({ id }),
  })
  const debugError = prompt({
    name: 'debug_error',
    title: 'Debug Error',
    description: 'Asks why something failed, with the log.',
    get: () => [
      { role: 'user', content: { type: 'text', text: 'Why did this fail?' } },
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: LOG, mimeType: 'text/plain', text: lines.join('\n') } },
      },
    ],
  })
  return createServer({
    name: 'accounting',
    version: '1.0.0',
    tools: [taxTool],
    resources: [errorLog, user],
    prompts: [debugError],
    observe: () => {},
  })
}
