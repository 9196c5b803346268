/** A server that can answer every example payload of the five documents: their hypothetical tools, the file tool, the shop and its leader. */
import { answer, createServer, type Ledger, type Server, type Tool, ToolError, tool } from 'myrmex'
import * as dropship from 'myrmex-dropship'
import * as z from 'zod'
import { readFileContent } from '../../examples/file-utility/file-utility.tools.ts'
import { launch } from '../../packages/dropship/src/playbooks/launch.ts'
import type { ShopSource } from '../../packages/dropship/src/ports.ts'
import { rulesBrain } from '../../packages/myrmex/src/agent/brain/rules-brain.ts'
import { ceo } from '../../packages/myrmex/src/agent/ceo.ts'
import { Runs } from '../../packages/myrmex/src/agent/run/runs.ts'
import { fleetOf } from '../fleet/local-fleet.ts'
import { toolDefaults } from '../sample-tools.ts'
import { errorLogOf, taxTool } from './grammar-server.ts'

/** Technical overview, section 3.1. It writes one function, which is enough for the example. */
const generateCode = tool({
  ...toolDefaults,
  name: 'ai_code_editing.generate_code',
  description: 'Writes a function that sums a list.',
  input: z.object({ prompt: z.string(), language: z.string(), context_code: z.string().optional() }),
  output: z.object({ generated_code: z.string(), language: z.string(), lines_generated: z.int() }),
  errors: { ValidationError: 'The prompt is empty.' },
  run: ({ prompt, language }) => {
    if (prompt === '') throw new ToolError('ValidationError', 'Invalid prompt: prompt cannot be empty')
    const generated_code = 'def sum_numbers(numbers):\n    return sum(numbers)'
    return answer(
      { generated_code, language, lines_generated: 2 },
      { explanation: 'Generated Python function to sum a list of numbers.' },
    )
  },
})

export const shopTools = (source: ShopSource): Tool[] => {
  const { analytics, customerService, marketing, operations, productResearch, storeBuild, supplier } = dropship
  const agents = [analytics, customerService, marketing, operations, productResearch, storeBuild, supplier]
  return agents.flatMap((make) => make(source).tools)
}

/** Plans and judges as the leader of the shop's fleet does. */
export function payloadServer(ledger: Ledger, source: ShopSource): Server {
  const tools = [generateCode, readFileContent, taxTool, ...shopTools(source)]
  const fleet = { ...fleetOf(shopTools(source), ledger), playbooks: [launch(source)] }
  const { methods } = ceo(new Runs({ fleet, ledger, brain: rulesBrain }))
  return createServer({
    name: 'specification',
    version: '1.0.0',
    tools,
    resources: [errorLogOf(['12:00 disk full'])],
    methods: { ...methods },
    ledger,
    observe: () => {},
  })
}
