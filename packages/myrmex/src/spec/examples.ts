/**
 * Runs examples through a server and all its gates, in the scratch state of their module if there is one. Tools that would change
 * anything else are not registered on this server.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../client/connect.ts'
import type { Recorder } from '../ledger/journal/group.ts'
import { MYRMEX_VERSION } from '../protocol/versions.ts'
import { createServer } from '../server/server.ts'
import type { Module } from '../tool/discovery/module.ts'
import type { Scratch } from '../tool/discovery/scratch.ts'
import type { Tool } from '../tool/tool.ts'
import { type CallTool, type ExampleRun, type InScratch, runExamples, safeToRun } from '../tool/verify/examples.ts'

/** It has no trust of its own to ask, so that what is not verified yet can be. */
export async function tryExamples(modules: readonly Module[], recorder?: Recorder): Promise<Map<Tool, ExampleRun>> {
  const tried = new Map<Tool, ExampleRun>()
  const safe = modules.flatMap(({ tools, scratch }) =>
    tools.map((tool) => safeToRun(tool, scratch !== undefined)).filter((one) => typeof one !== 'string'),
  )
  const server = createServer({
    name: 'myrmex-examples',
    version: MYRMEX_VERSION,
    tools: safe,
    ...(recorder !== undefined && { recorder }),
  })
  const connection = await connect(server)
  const call: CallTool = ({ name, version }, args) => connection.call(name, args, { version })
  try {
    for (const { tools, scratch } of modules) {
      const inScratch = scratch && within(scratch)
      for (const tool of tools) tried.set(tool, await runExamples(tool, call, inScratch))
    }
  } finally {
    await connection.close()
  }
  return tried
}

const within =
  (scratch: Scratch): InScratch =>
  async (work) => {
    const folder = await mkdtemp(join(tmpdir(), 'myrmex-scratch-'))
    try {
      const close = await scratch.open(folder)
      try {
        return await work()
      } finally {
        await close?.()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
