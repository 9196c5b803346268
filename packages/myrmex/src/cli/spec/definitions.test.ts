import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { definitionsIn } from './definitions.ts'

const SCHEMA = '```json\n{ "type": "object" }\n```\n'

test('tools that a document only lists, and blanks of a template, are not compared', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'definitions-')), 'a.md')
  const list = '# Tools\n\n| Tool | Summary |\n|-|-|\n| `a.c` | Elsewhere. |\n'
  const tool = `## Tool: \`a.b\`\n\n**Version**: 1.0.0\n\n### Input\n\n${SCHEMA}\n### Output\n\n${SCHEMA}`
  writeFileSync(file, `${list}\n${tool}\n## Tool: \`[ToolName]\`\n\nTODO\n`)
  expect([...(await definitionsIn(file)).keys()]).toEqual(['a.b'])
})
