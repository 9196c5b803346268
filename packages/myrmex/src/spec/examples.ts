/**
 * Runs examples through a server and all its gates, in the scratch state of their module if there is one. Of tools that would change
 * anything else, this server has only the definition.
 */

import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../client/connect.ts'
import type { Recorder } from '../ledger/journal/group.ts'
import { secretFields } from '../pipeline/audit/call-secrets.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import { ToolError } from '../protocol/errors.ts'
import { SecretFilter, secretTexts } from '../protocol/secret.ts'
import { MYRMEX_VERSION } from '../protocol/versions.ts'
import { createServer } from '../server/server.ts'
import type { Module } from '../tool/discovery/module.ts'
import type { Scratch } from '../tool/discovery/scratch.ts'
import type { Tool } from '../tool/tool.ts'
import { type CallTool, type ExampleRun, type InScratch, runExamples, safeToRun } from '../tool/verify/examples.ts'
import { atMoment, type Moment } from './examples/moment.ts'
import { withoutPlaces } from './examples/stable-text.ts'

export interface TryOptions {
  readonly recorder?: Recorder
  /** when and where the examples in a scratch state run; default: now and here. Others may keep what they compute, so their clock is not moved. */
  readonly moment?: Moment
  /** a call that its tool must refuse, made besides the examples */
  readonly refusedCall?: (tool: Tool) => Record<string, unknown> | undefined
}

/** The results have no secrets, and mention no folder of this machine: they are written to documents. */
export interface TriedExamples extends ExampleRun {
  /** what came of the call that must be refused */
  readonly refused?: ToolResult
}

/** It has no trust of its own to ask, so that what is not verified yet can be. */
export async function tryExamples(
  modules: readonly Module[],
  { recorder, moment, refusedCall }: TryOptions = {},
): Promise<Map<Tool, TriedExamples>> {
  const tried = new Map<Tool, TriedExamples>()
  const safe = modules.flatMap(({ tools, scratch }) =>
    tools.map((tool) => {
      const runnable = safeToRun(tool, scratch !== undefined)
      return typeof runnable === 'string' ? withoutCode(tool) : runnable
    }),
  )
  const server = createServer({
    name: 'myrmex-examples',
    version: MYRMEX_VERSION,
    tools: safe,
    // Messages of an example belong to no caller.
    log: () => {},
    ...(recorder !== undefined && { recorder }),
  })
  const connection = await connect(server)
  const places = new Places()
  let results: ToolResult[] = []
  const call: CallTool = async (tool, args) => {
    const result = await connection.call(tool.name, args, { version: tool.version })
    results.push(withoutSecrets(tool, args, places.removedFrom(result)))
    return result
  }
  try {
    for (const { tools, scratch } of modules) {
      const inScratch = scratch && within(scratch, places, moment)
      for (const tool of tools) {
        results = []
        const run = { ...(await runExamples(tool, call, inScratch)), results }
        const args = refusedCall?.(tool)
        tried.set(
          tool,
          args === undefined
            ? run
            : { ...run, refused: await connection.call(tool.name, args, { version: tool.version }) },
        )
      }
    }
  } finally {
    await connection.close()
  }
  return tried
}

function withoutSecrets(tool: Tool, args: Record<string, unknown>, result: ToolResult): ToolResult {
  const { input, output } = tool
  const texts = [...secretTexts(args, input.secrets), ...secretTexts(result.data, output.secrets)]
  return new SecretFilter(secretFields(tool), texts).value(result)
}

/** It can refuse calls as the tool does, and do nothing else. */
const withoutCode = (tool: Tool): Tool =>
  Object.freeze({
    ...tool,
    run: () => {
      throw ToolError.of('PermissionError', `${tool.name} is not run here.`)
    },
    ask: undefined,
    origin: 'own',
    destructive: false,
    task: false,
    limit: undefined,
  } as const)

/** The folders that results may mention, which are elsewhere on every machine. */
class Places {
  readonly #always = [process.cwd()]
  scratch: readonly string[] = []

  removedFrom(result: ToolResult): ToolResult {
    const places = [...this.scratch, ...this.#always]
    const clean = (_name: string, value: unknown): unknown =>
      typeof value === 'string' ? withoutPlaces(value, places) : value
    return JSON.parse(JSON.stringify(result, clean))
  }
}

const within =
  (scratch: Scratch, places: Places, moment: Moment | undefined): InScratch =>
  async (work) => {
    const folder = await mkdtemp(join(tmpdir(), 'myrmex-scratch-'))
    places.scratch = [...new Set([await realpath(folder), folder])]
    const inside = async () => {
      const close = await scratch.open(folder)
      try {
        return await work()
      } finally {
        await close?.()
      }
    }
    try {
      return await (moment === undefined ? inside() : atMoment(moment, inside))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
