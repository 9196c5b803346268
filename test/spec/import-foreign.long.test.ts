/** Documents as other people write them give code that type-checks with the settings of this repository, and that loads. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '@myrmex/testing/paths'
import { anyDocument } from '@myrmex/testing/spec/sample-documents'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importTools } from '../../packages/myrmex/src/spec/import.ts'
import { readDocument } from '../../packages/myrmex/src/spec/read.ts'
import { loadModule } from '../../packages/myrmex/src/tool/discovery/module.ts'

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, '.spec-import-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const TABLE = [
  '| Parameter | Type | Required | Default | Description |',
  '| --- | --- | --- | --- | --- |',
  '| `city` | `str \\| None` | Yes | — | Where, "quoted" and \\`odd\\` |',
  '| `config.days` | enum["a", "b"] | No | `"a"` | One of `a`, `b` |',
  '| `lines[].count` | int | No | 3 | Between 1 and 9 |',
  '| `__proto__` | dict[str, Any] | No | `{}` | Odd |',
].join('\n')

/** Forms that the generated documents do not have. */
const FORMS = [
  `# Tools\n\n## \`get_wind\`\n\nIt's *fast*.\n\n${TABLE}\n\n**Returns** (success):\n\n\`\`\`json\n{"speed": 3, "a-b": [null], "at": "noon"}\n\`\`\`\n`,
  '# Tools\n\n- **get-wind**: Tells.\n  - Inputs:\n    - `city` (string, optional, default "x"): Where\n- **delete**: Removes.\n',
  '# Tools\n\n| Tool | Parameters | Returns |\n|-|-|-|\n| `class` | `a: str = "x"` | `speed`, `unit` |\n| `get_wind` | none | text |\n',
  '# Tools\n\n### `get_wind(city: str, days: int = 3, *, raw=None) -> dict`\n\nTells.\n\n### `getRain()`\n\nTells.\n',
  '# Tools\n\n```json\n{"tools": [{"name": "get.Wind", "inputSchema": {"type": "object", "required": true}}, {"name": "x y", "inputSchema": {}}]}\n```\n',
  '## Tool: `run.plan`\n\n**Timeout**: 0 ms\n\n**Limit**: 0 calls per second\n\n### Input\n\n```json\n{"type": "object", "properties": {"__proto__": {}, "a": {"type": "string", "x-mcp-header": "a b"}}, "required": ["__proto__"]}\n```\n\n### Output\n\n```json\n{"oneOf": [{"type": "object"}]}\n```\n\n### Examples\n\n```json\n{"tool_name": "run.plan", "arguments": {"__proto__": 1}}\n```\n',
  '## Tool: `Odd Name!`\n\n**Version**: 1\n\n**Deprecated in**: soon\n\n### Input\n\n```json\n{"type": }\n```\n\n### Output\n\n```json\n{"type": "array"}\n```\n\n### Examples\n\n```json\n{"tool_name": "x", "arguments": {"a": 1}}\n```\n\n```json\n[1]\n```\n',
]

test('whatever is imported type-checks and loads', async () => {
  const generated = fc.sample(anyDocument(), 60)
  const tools: number[] = []
  for (const [index, markdown] of [...FORMS, ...generated].entries()) {
    const document = readDocument(markdown)
    if (document.tools.length === 0) continue
    const { source } = importTools(document, 'weather/a.md')
    await writeFile(join(folder, `${index}.tools.ts`), source)
    tools.push(index)
  }
  expect(tools.length).toBeGreaterThan(FORMS.length + 30)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../tsconfig.json', include: ['*.ts'] }))
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['-p', folder, '--pretty', 'false']).catch((error) => error)
  expect(stdout).toBe('')
  for (const index of tools) {
    const module = await loadModule(join(folder, `${index}.tools.ts`))
    expect(module.tools.length, `${index}`).toBeGreaterThan(0)
  }
}, 300_000)
