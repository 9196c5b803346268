import { describe, expect, test } from 'vitest'
import { readDocument } from '../read.ts'

const names = (markdown: string): (string | undefined)[] =>
  readDocument(markdown).tools.map(({ headingName, invocationName }) => (invocationName ?? headingName)?.value)

const PARAMETERS = '| Parameter | Type | Required |\n| --- | --- | --- |\n| `city` | string | Yes |\n'
const DEFINITION = '{"name": "get_wind", "description": "Speed of the wind.", "inputSchema": {"type": "object"}}'
const fenced = (text: string, language = 'json'): string => `\`\`\`${language}\n${text}\n\`\`\`\n`

describe('a tool is found', () => {
  test.each([
    ['by its name as code, with sections below', `## \`get_wind\`\n\nTells.\n\n### Input Schema\n\n${PARAMETERS}`],
    ['by a bare name, with bold labels below', '## get_wind\n\n**Parameters**: None\n\n**Returns**: the speed\n'],
    ['by a name with a number', '# Weather\n\n### 1. get_wind\n\n**Parameters**: none\n'],
    ['by a name with a title', `### get_wind — Speed of the wind\n\n${PARAMETERS}`],
    ['by a title with the name in brackets', `### Speed of the wind (\`get_wind\`)\n\n${PARAMETERS}`],
    ['by a title with the name after a colon', `### Tool 2: Speed of the wind (\`get_wind\`)\n\nTells.\n`],
    ['by a signature', '# Weather tools\n\n## Air\n\n### `get_wind(city: str) -> dict`\n\nTells.\n'],
    ['by a signature without marks', '# MCP server\n\n### get_wind(city, at)\n\nTells.\n'],
    ['with a table of parameters right below', `## get_wind\n\nTells.\n\n${PARAMETERS}`],
    ['with a list of parameters right below', '## get_wind\n\n- `city` (string, required): Where.\n'],
    ['with labels in a list', '## get_wind\n\n- **Category**: air\n- **Parameters**:\n  - `city` (string): Where.\n'],
    ['with plain labels', '## get_wind\n\nTells.\n\nParameters:\n\n- `city`\n'],
    ['with a remark after a label', `## get_wind\n\n**Returns** (success):\n\n${fenced('{"speed": 3}')}`],
    ['with a label after a sentence', '## get_wind\n\nNo parameters. **Returns:** `speed`.\n'],
    ['with a definition below', `### get_wind\n\n#### Schema\n\n${fenced(DEFINITION)}`],
    ['with a definition below a title', `## Air\n\n### Speed of the wind\n\n${fenced(DEFINITION)}`],
    ['below a heading of tools', '# Weather\n\n## Available Tools\n\n### `get_wind`\n\nTells how fast it blows.\n'],
    ['right below the title', '# Weather MCP tools\n\n## `get_wind`\n\nTells how fast it blows.\n'],
    ['by a definition alone', `# Weather\n\n${fenced(DEFINITION)}`],
    ['by a definition in a list', `# Weather\n\n${fenced(`{"tools": [${DEFINITION}]}`)}`],
    [
      'by a function definition',
      `# Weather\n\n${fenced('{"type": "function", "function": {"name": "get_wind", "parameters": {"type": "object"}}}')}`,
    ],
    ['by YAML', `### get_wind\n\n${fenced('name: get_wind\nparameters:\n  type: object', 'yaml')}`],
    [
      'by a decorated function',
      `# Weather\n\n${fenced('@mcp.tool()\nasync def get_wind(city: str) -> dict:\n    ...', 'python')}`,
    ],
    ['in a table of tools', '# Weather\n\n| Tool | Summary |\n| --- | --- |\n| `get_wind` | Tells. |\n'],
    [
      'in a table of names below a heading of tools',
      '## Tools\n\n| Name | Description |\n|-|-|\n| get_wind | Tells. |\n',
    ],
    ['in a list of tools', '## Tools\n\n- **get_wind**\n  - Tells.\n  - Inputs:\n    - `city` (string): Where.\n'],
    ['in a list after a sentence', '# Weather\n\nThe following tools are available:\n\n- `get_wind`: Tells.\n'],
    ['in a paragraph of names', '# Weather\n\n### Read tools (1)\n\n`get_wind`\n'],
    ['below a group of a heading of tools', '# Weather\n\n## MCP Tools\n\n### Air\n\n#### `get_wind`\n\nTells.\n'],
    ['with an input on a line of its own', '## `get_wind`\n\nTells.\n\nInputs:\n\n- `city`\n'],
    ['by JSON in a block of another language', `# Weather\n\n${fenced(DEFINITION, 'typescript')}`],
    ['in a numbered list', '### Tools\n\n1. `get_wind`\n   - Tells.\n   - Input:\n     - `city` (string): Where.\n'],
    ['by a bold name below a heading of tools', '## Tools\n\n**get_wind**\n\nTells.\n\n**Parameters**: None\n'],
  ])('%s', (_, markdown) => {
    expect(names(markdown)).toEqual(['get_wind'])
  })

  test('by one word only if it is below a heading of tools and parameters or results are below it', () => {
    const returns = '- **Parameters**: None\n- **Returns**: `ok`\n'
    expect(names(`## Tools\n\n### push_all\n\n${returns}\n### pop\n\n${returns}`)).toEqual(['push_all', 'pop'])
    expect(names(`## Queue\n\n### pop\n\n${returns}`)).toEqual([])
    expect(names('## Tools\n\n### remarks\n\nWords.\n')).toEqual([])
  })

  test.each(['git.log', 'shop.lock', 'db.sql', 'page.go'])('by the name %s, which is no file', (name) => {
    expect(names(`## ${name}\n\n### Parameters\n\nNone.\n`)).toEqual([name])
  })

  test('because a heading beside it, written in the same way, opens one', () => {
    const markdown = `# Weather\n\n## \`get_wind\`\n\n${PARAMETERS}\n## \`get_rain\`\n\nTells.\n\n## Limits\n\nFew.\n`
    expect(names(markdown)).toEqual(['get_wind', 'get_rain'])
    expect(names(markdown.replace('## `get_rain`', '## get_rain'))).toEqual(['get_wind'])
  })

  test('twice in one heading', () => {
    expect(names(`## Tools\n\n### \`get_wind\` / \`get_rain\`\n\n${PARAMETERS}`)).toEqual(['get_wind', 'get_rain'])
  })

  test('once, if a table lists it and a section specifies it', () => {
    const table = '## Tools\n\n| Tool | Summary |\n|-|-|\n| `get_wind` | Tells. |\n| `get_rain` | Wets. |\n'
    const { tools } = readDocument(`${table}\n### \`get_wind\`\n\n${PARAMETERS}`)
    expect(
      tools.map(({ headingName, origin, description }) => [headingName?.value, origin, description?.value]),
    ).toEqual([
      ['get_rain', 'listing', 'Wets.'],
      ['get_wind', 'section', 'Tells.'],
    ])
  })
})

describe('a tool is not', () => {
  test.each([
    ['a section', '# Weather MCP tools\n\n## Overview\n\nWords.\n\n## Error handling\n\nNone.\n\n## Usage\n\nEasy.\n'],
    ['a file', `# Weather tools\n\n## \`mcp_tools.py\`\n\n${PARAMETERS}\n## README.md\n\nWords.\n`],
    ['a version', `# Tools\n\n## v1.2.0\n\n${PARAMETERS}`],
    ['a constant', '# Weather tools\n\n## `WEATHER_API_KEY`\n\nWords.\n'],
    ['the title of the document', '# weather_tools — MCP Tool Specification\n\n## Parameters\n\nNone.\n'],
    ['a module of tools', `# weather_module\n\n## Overview\n\nWords.\n\n## Errors\n\nNone.\n`],
    ['a planned one', '## Planned Tools (not yet implemented)\n\n| Tool | Summary |\n|-|-|\n| `get_wind` | Tells. |\n'],
    ['one that a sentence rules out', '# Tools\n\nThese are planned:\n\n- `get_wind`: Tells.\n'],
    ['a program', '# Setup\n\n| Tool | License |\n|-|-|\n| ruff | MIT |\n| mypy | MIT |\n'],
    ['an item of any list', '# Weather tools\n\n## Summary\n\n- `get_wind` is fast.\n- `get_rain` is not.\n'],
    ['an example call', `# Weather\n\n${fenced('{"name": "get_wind", "arguments": {"city": "Bern"}}')}`],
    ['a call with parameters', `# Weather\n\n${fenced('{"name": "get_wind", "parameters": {"city": "Bern"}}')}`],
    [
      'the format of a definition',
      `# Tools\n\n## Schema\n\n${fenced('{"name": "tool_name", "parameters": {"type": "object"}}')}`,
    ],
    ['a function of a library', '# weather\n\n## API\n\n### getWind(city, options)\n\nTells.\n'],
    ['a module', `# Tools\n\n## Python module: \`weather.air_models\`\n\n${PARAMETERS}`],
    [
      'a word after a label',
      '## Rules\n\nAll tools have a schema for:\n\n**Elements**:\n\n- `type`: What it is.\n- `items`: More.\n',
    ],
    ['a platform', '# Install the tools\n\n### macOS (Homebrew)\n\nRun it.\n'],
    ['one that comes later', `## Coming Soon\n\n### get_wind\n\n${PARAMETERS}`],
    [
      'a parameter in a list',
      '## Tools\n\nAll tools take these parameters:\n\n- `city_name`: Where.\n- `at_time`: When.\n',
    ],
    ['a value with a name', `# Memory\n\n${fenced('{"name": "John_Smith", "entityType": "person"}')}`],
  ])('%s', (_, markdown) => {
    expect(names(markdown)).toEqual([])
  })

  test('a parameter with a heading of its own', () => {
    const markdown = `## Tool: \`get_wind\`\n\n### Parameters\n\n#### \`city_name\`\n\n${PARAMETERS}\n### Returns\n\n#### \`wind_speed\`\n\nWords.\n`
    expect(names(markdown)).toEqual(['get_wind'])
  })

  test('the module above its tools', () => {
    const markdown = `# weather_module\n\n## Overview\n\nWords.\n\n## get_wind\n\n### Parameters\n\nNone.\n`
    expect(names(markdown)).toEqual(['get_wind'])
  })
})

test('a section of the document after the last tool is not part of the tool', () => {
  const tool = (name: string): string => `## \`${name}\`\n\n${PARAMETERS}\n`
  const { tools } = readDocument(
    `# Tools\n\n${tool('get_wind')}${tool('get_rain')}## Error Handling\n\n- \`GoneError\`: Gone.\n`,
  )
  expect(tools.map(({ errors }) => errors)).toEqual([[], []])
})

test.each([
  'No MCP tools are exposed by this module.',
  '## Current status: No MCP Tools Defined',
  'This module does **not** expose any MCP tools.',
  'The module does not currently expose production MCP tools.',
  'Currently, the module does not expose any functionalities as MCP tools.',
  '*No tools are currently defined.*',
  'It has no `@mcp_tool` functions.',
  'For now, this specification is N/A (Not Applicable).',
])('a document says that it defines no tool: %s', (words) => {
  const document = readDocument(`# Weather\n\nWords.\n\n${words}\n`)
  expect(document).toMatchObject({ tools: [], saysNoTool: { line: 5, column: 1 } })
})

test('a document that says that it defines no tool may show how one is written', () => {
  const shown = '```markdown\n## Tool: `a.b`\n\n### Security\n\nNone.\n```\n'
  expect(readDocument(`# How\n\nThis module does not define any tools.\n\n${shown}`).tools).toEqual([])
  expect(readDocument(`# How\n\nWords.\n\n${shown}`).tools).toHaveLength(1)
})

test.each(['No tool of this module changes state.', 'A tool without parameters.', 'Do not expose keys to tools.'])(
  'a document does not say that it defines no tool: %s',
  (words) => {
    expect(readDocument(`# Weather\n\n${words}\n`).saysNoTool).toBeUndefined()
  },
)

test.each([
  '[YourToolName]',
  '<tool_name>',
  '{{tool_name}}',
  'tool_name',
  'your_tool',
  'your_module.your_tool',
  'module.tool_name',
  'my_tool',
  'example_tool',
  'TODO',
])('%s is the blank of a template', (name) => {
  expect(readDocument(`## Tool: \`${name}\`\n\n${PARAMETERS}`).tools).toMatchObject([{ isPlaceholder: true }])
})

test.each(['tools.list', 'get_tool_name', 'todo.add', 'template_render', 'module.reload', 'example.add'])(
  '%s is a name',
  (name) => {
    expect(readDocument(`## Tool: \`${name}\`\n\n${PARAMETERS}`).tools).toMatchObject([{ isPlaceholder: false }])
  },
)

test('a sample result is not an output schema', () => {
  const output = (block: string) =>
    readDocument(`## Tool: \`a.b\`\n\n### Output Schema\n\n${block}`).tools[0]?.outputSchema
  expect(output(fenced('{"status": "success", "items": [1], "type": "wind"}'))).toBeUndefined()
  expect(output(fenced('[{"speed": 3}]'))).toBeUndefined()
  expect(output(fenced('{"lines": "one\ntwo"}'))).toBeUndefined()
  expect(output(fenced('{"results": { ... }}'))).toBeUndefined()
  expect(output(fenced('{"type": "object", "properties": {}}'))?.value).toMatchObject({ type: 'object' })
  expect(output(fenced('{"type": "object", "properties": {},'))?.faults).not.toEqual([])
  expect(output(fenced('null'))?.value).toBe(null)
})
