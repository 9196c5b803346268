/** A folder of tool files inside the repository, so that they find the package, and the `spec` commands run in it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type CommandEnd, runToEnd } from '../cli/run-to-end.ts'
import { ROOT } from '../paths.ts'

export class SpecFolder {
  readonly path = mkdtempSync(join(ROOT, '.docs-spec-'))

  constructor() {
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }))
  }

  async write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.path, file)), { recursive: true })
    await writeFile(join(this.path, file), text)
  }

  read(file: string): Promise<string> {
    return readFile(join(this.path, file), 'utf8')
  }

  /** `myrmex spec …` as typed in the folder. */
  spec(...args: string[]): Promise<CommandEnd> {
    return runToEnd(['spec', ...args], { cwd: this.path, env: { ...process.env, NO_COLOR: '1' } })
  }
}

/** The source of a tool file with one tool, each field as TypeScript; fields given replace these or add to them. */
export function toolFile(fields: Record<string, string> = {}, more = ''): string {
  const all = {
    name: "'shop.sell'",
    version: "'1.0.0'",
    description: "'Sells an article.'",
    input:
      "z.object({ article: z.string().describe('Which one.'), count: z.int().min(1).optional().describe('How many.') })",
    output: "z.object({ sold: z.int().describe('How many were sold.') })",
    errors: "{ SoldOut: 'None is left.' }",
    idempotent: 'true',
    destructive: 'false',
    security: "'It reads and writes nothing.'",
    examples:
      "[{ arguments: { article: 'cup', count: 2 }, data: { sold: 2 } }, { arguments: { article: 'none' }, error: 'SoldOut' }]",
    run: "({ article, count }) => { if (article === 'none') throw new ToolError('SoldOut', 'None.'); return { sold: count ?? 1 } }",
    ...fields,
  }
  const lines = Object.entries(all).map(([field, value]) => `  ${field}: ${value},`)
  return `import { scratch, ToolError, tool } from 'myrmex'\nimport * as z from 'zod'\nvoid scratch\n\nexport const one = tool({\n${lines.join('\n')}\n})\n${more}`
}
