/** `myrmex spec …` as authors and CI run it: real processes, real files, servers that others wrote. */
import process from 'node:process'
import { serveHttp } from '@myrmex/testing/http-server'
import { longTest } from '@myrmex/testing/long'
import { SpecFolder, toolFile } from '@myrmex/testing/spec/spec-folder'
import { describe, expect, test } from 'vitest'

const DOCUMENT = 'MCP_TOOL_SPECIFICATION.md'

async function folderWith(source = toolFile()): Promise<SpecFolder> {
  const folder = new SpecFolder()
  await folder.write('shop.tools.ts', source)
  return folder
}

describe('render', () => {
  test('writes the document of a folder, and leaves one alone that is up to date', async () => {
    const folder = await folderWith()
    const first = await folder.spec('render', 'shop.tools.ts')
    expect(first.code, first.stderr).toBe(0)
    expect(first.stderr).toBe(`myrmex: ${DOCUMENT} written: 1 tool\n`)
    expect(await folder.read(DOCUMENT)).toContain('## Tool: `shop.sell`')
    expect((await folder.spec('render', '.')).stderr).toBe(`myrmex: ${DOCUMENT} is up to date: 1 tool\n`)
  })

  longTest('a folder has one document, whichever of its files was named', async () => {
    const folder = await folderWith()
    await folder.write('other.tools.ts', toolFile({ name: "'shop.other'" }, "process.stdout.write('noise')\n"))
    await folder.spec('render', 'shop.tools.ts')
    const document = await folder.read(DOCUMENT)
    expect(document).toContain('## Tool: `shop.other`')
    const all = await folder.spec('render', '.', '--out', '-')
    expect(all.stdout).toBe(document)
  })

  test('a file that does not load is not left out in silence', async () => {
    const folder = await folderWith()
    await folder.write('broken.tools.ts', 'throw new Error("broken")')
    const { code, stderr } = await folder.spec('render', '.')
    expect(stderr).toMatch(/broken\.tools\.ts does not load/)
    expect(code).toBe(1)
  })

  longTest('documents the tools of a server that others wrote, on stdio', async () => {
    const folder = await folderWith()
    const everything = new URL(
      '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
      import.meta.url,
    )
    const ran = await folder.spec('render', '--out', DOCUMENT, '--', process.execPath, everything.pathname, 'stdio')
    expect(ran.code, ran.stderr).toBe(0)
    const document = await folder.read(DOCUMENT)
    expect(document).toContain('## Tool: `get-sum`')
    expect(document).toContain('| `a` | `number` | Yes | First number |')
    const linted = await folder.spec('lint', DOCUMENT)
    // Names of theirs are not ours; everything that the renderer is answerable for is in order.
    const rules = new Set([...linted.stdout.matchAll(/^[^:]+:\d+: ([\w-]+):/gm)].map(([, rule]) => rule))
    for (const rule of ['missing-section', 'table-disagrees', 'json-invalid', 'schema-invalid', 'section-order'])
      expect(rules).not.toContain(rule)
    expect(rules).toContain('name-pattern')
  })

  longTest('documents the tools of a server at a URL, and ours gives its names, versions and data', async () => {
    const served = await serveHttp()
    const folder = await folderWith()
    try {
      const { stdout, code, stderr } = await folder.spec('render', '--url', served.url)
      expect(code, stderr).toBe(0)
      expect(stdout).toContain('## Tool: `all.add`')
      expect(stdout).toContain('| `sum` | `number` | Yes |')
      expect(stdout).not.toContain('error_type')
    } finally {
      await served.close()
    }
  })
})

describe('check', () => {
  test('passes when the document is up to date and the examples come true', async () => {
    const folder = await folderWith()
    await folder.spec('render', '.')
    const ran = await folder.spec('check', '.')
    expect(ran.code, ran.stdout).toBe(0)
    expect(ran.stderr).toBe('myrmex: 1 tool in 1 document, 2 examples executed: 0 errors\n')
  })

  longTest('fails when there is no document, and names the line where one is out of date', async () => {
    const folder = await folderWith()
    expect(await folder.spec('check', '.')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('document-missing'),
    })
    await folder.spec('render', '.')
    const document = await folder.read(DOCUMENT)
    await folder.write(DOCUMENT, document.replaceAll('\n', '\r\n'))
    expect((await folder.spec('check', '.')).code, 'other line ends say the same').toBe(0)
    await folder.write(DOCUMENT, document.replace('Sells an article.\n\n| P', 'Sells two.\n\n| P'))
    const stale = await folder.spec('check', '.')
    const line = document.split('\n').indexOf('Sells an article.') + 1
    expect(stale.stdout).toContain(
      `${DOCUMENT}:${line}: document-stale: is not what the definitions say: "Sells two." should be "Sells an article.".`,
    )
    expect(stale.code).toBe(1)
  })

  longTest('fails when an example does not come true', async () => {
    const folder = await folderWith(toolFile({ examples: "[{ arguments: { article: 'cup' }, data: { sold: 7 } }]" }))
    await folder.spec('render', '.')
    const { code, stdout } = await folder.spec('check', '.')
    expect(stdout).toContain('example-fails: shop.sell: example 1: promises {"sold":7}, but the call gave {"sold":1}.')
    expect(code).toBe(1)
  })

  longTest(
    'executes a tool that changes state in its scratch state or as a dry run, and asks for one of them',
    async () => {
      const changing = { destructive: 'true', idempotent: 'false' }
      const folder = await folderWith(toolFile(changing))
      await folder.spec('render', '.')
      const bare = await folder.spec('check', '.')
      expect(bare.code).toBe(1)
      expect(bare.stdout).toContain('example-not-run: shop.sell: examples are not executed')
      expect(bare.stdout).toContain('Give the tool a dryRun, or export a scratch state from its module.')

      await folder.write('shop.tools.ts', toolFile(changing, 'export const state = scratch(() => undefined)\n'))
      await folder.spec('render', '.')
      expect(await folder.spec('check', '.')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('2 examples executed'),
      })

      const dryRun =
        "({ article }) => { if (article === 'none') throw new ToolError('SoldOut', 'None.'); return { sold: 2 } }"
      await folder.write(
        'shop.tools.ts',
        toolFile({ ...changing, dryRun, run: "() => { throw new Error('run for real') }" }),
      )
      await folder.spec('render', '.')
      expect(await folder.spec('check', '.')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('2 examples executed'),
      })
    },
  )

  longTest('lock records exactly the files that it was given, and no tool that is defined twice', async () => {
    const folder = await folderWith()
    await folder.write('again.tools.ts', toolFile())
    await folder.write('export.tools.ts', "export * from './shop.tools.ts'\n")
    await folder.write('broken.tools.ts', 'throw new Error("broken")')
    const twice = await folder.spec('lock', 'shop.tools.ts', 'again.tools.ts')
    expect(twice.code).toBe(1)
    expect(twice.stderr).toMatch(
      /again\.tools\.ts does not load: .*shop\.sell 1\.0\.0 is defined in two files: in shop\.tools\.ts:\d+:\d+ and in again\.tools\.ts:\d+:\d+\. /,
    )
    const again = await folder.spec('lock', 'shop.tools.ts', 'export.tools.ts')
    expect(again.stdout, again.stderr).toBe('shop.sell 1.0.0\n')
    const one = await folder.spec('lock', 'shop.tools.ts')
    expect([one.code, one.stderr]).toEqual([0, 'myrmex: myrmex.lock.json: 0 versions added\n'])
  })

  longTest('prints JSON for programs', async () => {
    const folder = await folderWith(toolFile({}, "process.stdout.write('noise')\n"))
    const { stdout } = await folder.spec('check', '.', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      tools: 1,
      examples: 2,
      errors: 1,
      findings: expect.arrayContaining([expect.objectContaining({ rule: 'document-missing', severity: 'error' })]),
    })
  })
})

describe('versions', () => {
  async function released(): Promise<SpecFolder> {
    const folder = await folderWith()
    await folder.spec('render', '.')
    const { code, stdout, stderr } = await folder.spec('lock', '.')
    expect(code, stderr).toBe(0)
    expect(stdout).toBe('shop.sell 1.0.0\n')
    return folder
  }

  longTest('a release may not change', async () => {
    const folder = await released()
    expect((await folder.spec('check', '.', '--locked')).code).toBe(0)
    await folder.write('shop.tools.ts', toolFile({ description: "'Sells some article.'" }))
    await folder.spec('render', '.')
    const { code, stdout } = await folder.spec('check', '.')
    expect(stdout).toMatch(/changed-release: .*1\.0\.1/)
    expect(code).toBe(1)
    expect((await folder.spec('lock', '.')).code).toBe(1)
  })

  longTest('a version step that is too small is refused everywhere, with the version that would do', async () => {
    const folder = await released()
    const narrowed = toolFile({
      version: "'1.1.0'",
      input: "z.object({ article: z.string().describe('Which one.') })",
      examples: "[{ arguments: { article: 'cup' }, data: { sold: 1 } }]",
      run: '() => ({ sold: 1 })',
    })
    await folder.write('shop.tools.ts', narrowed)
    await folder.spec('render', '.')
    const checked = await folder.spec('check', '.')
    expect(checked.stdout).toMatch(/bump-too-small: .*2\.0\.0/)
    expect(checked.code).toBe(1)
    const diffed = await folder.spec('diff', 'myrmex.lock.json', 'shop.tools.ts')
    expect(diffed.stdout).toMatch(/^shop\.sell {2}1\.0\.0 → 1\.1\.0 {2}major\n {2}major {2}parameter-removed\n/)
    expect(diffed.stdout).toContain('2.0.0 would do')
    expect(diffed.code).toBe(1)
    const locked = await folder.spec('lock', '.')
    expect(locked.code).toBe(1)
    expect(locked.stderr).toContain('2.0.0')

    await folder.write('shop.tools.ts', narrowed.replace('1.1.0', '2.0.0'))
    await folder.spec('render', '.')
    expect((await folder.spec('check', '.')).stdout).toMatch(/migration-missing: .*breaks callers of 1\.0\.0/)
    const migration = "migration: 'Call it once for each article.',"
    await folder.write('shop.tools.ts', narrowed.replace('1.1.0', '2.0.0').replace('run:', `${migration}\n  run:`))
    await folder.spec('render', '.')
    expect(await folder.read(DOCUMENT)).toMatch(
      /### Migration\n\nCall it once for each article\.\n\n#### From 1\.0\.0 to 2\.0\.0\n\n- Parameter count removed \(was optional integer\)\. .* Stop passing it\.\n/,
    )
    expect((await folder.spec('check', '.')).code).toBe(0)
    expect((await folder.spec('check', '.', '--locked')).code, 'not released yet').toBe(1)
    expect((await folder.spec('lock', '.')).stdout).toBe('shop.sell 2.0.0\n')
    expect((await folder.spec('check', '.', '--locked')).code).toBe(0)
  })

  longTest('diff compares documents, writes a note to start from, and prints JSON', async () => {
    const folder = await released()
    await folder.write('old.md', await folder.read(DOCUMENT))
    await folder.write(
      'shop.tools.ts',
      toolFile({
        version: "'1.1.0'",
        output: "z.object({ sold: z.int().describe('How many were sold.'), left: z.int() })",
      }),
    )
    await folder.spec('render', '.')
    const { code, stdout } = await folder.spec('diff', 'old.md', DOCUMENT, '--json', '--note', 'note.md')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).tools[0]).toMatchObject({ name: 'shop.sell', level: 'minor', bump: { enough: true } })
    expect(await folder.read('note.md')).toContain('1.1.0')
    const printed = await folder.spec('diff', 'old.md', DOCUMENT, '--note', '-')
    expect(printed.stdout).toBe(await folder.read('note.md'))
    expect((await folder.spec('diff', 'old.md', DOCUMENT, '--note', '-', '--json')).code).toBe(1)
  })

  longTest(
    'diff holds a version against the release before it, as lock does, and not against a prerelease',
    async () => {
      const folder = await released()
      await folder.write('shop.tools.ts', toolFile({ version: "'1.1.0-rc.1'" }))
      expect((await folder.spec('lock', '.')).code).toBe(0)
      await folder.write('shop.tools.ts', toolFile({ version: "'1.1.0'", destructive: 'true' }))
      const { code, stdout } = await folder.spec('diff', 'myrmex.lock.json', '.')
      expect(stdout).toContain('shop.sell  1.0.0 → 1.1.0  major')
      expect([code, (await folder.spec('lock', '.')).code]).toEqual([1, 1])
    },
  )

  longTest('diff does not take what a document fails to say for a schema that says nothing', async () => {
    const folder = await folderWith()
    await folder.spec('render', '.')
    const document = await folder.read(DOCUMENT)
    await folder.write('broken.md', document.replace('"type": "object",', '"type": object,'))
    const broken = await folder.spec('diff', DOCUMENT, 'broken.md')
    expect(broken.stderr).toMatch(/broken\.md:\d+: shop\.sell: not JSON/)
    expect(broken.code).toBe(1)
    await folder.write('partial.md', document.replace(/### 4\..*?(?=### 5\.)/s, ''))
    const partial = await folder.spec('diff', DOCUMENT, 'partial.md')
    expect(partial.stderr).toContain('shop.sell cannot be compared: the document does not give outputSchema.')
    expect(partial.code).toBe(1)
    expect((await folder.spec('diff', DOCUMENT, 'none.md')).stderr).toContain('none.md does not exist')
  })

  /** A folder with two files that define the same tool, which differ in its input only. */
  async function twoFiles(): Promise<SpecFolder> {
    const folder = await folderWith()
    const bounded = 'z.object({ article: z.string().max(9), count: z.int().min(1).optional() })'
    await folder.write('new.tools.ts', toolFile({ input: bounded }))
    await folder.write('other/new.tools.ts', toolFile({ input: bounded }))
    return folder
  }

  test('diff compares exactly what it was given, also two files of one folder', async () => {
    const folder = await twoFiles()
    const refused = { code: 1, stdout: expect.stringMatching(/^shop\.sell {2}1\.0\.0 → 1\.0\.0 {2}major\n/) }
    expect(await folder.spec('diff', 'shop.tools.ts', 'new.tools.ts')).toMatchObject(refused)
    expect(await folder.spec('diff', 'shop.tools.ts', 'other')).toMatchObject(refused)
    await folder.spec('render', 'other')
    expect(await folder.spec('diff', 'shop.tools.ts', `other/${DOCUMENT}`)).toMatchObject(refused)
    expect(await folder.spec('diff', `other/${DOCUMENT}`, 'new.tools.ts')).toMatchObject({
      code: 0,
      stdout: 'shop.sell  1.0.0 → 1.0.0  none\n',
    })
    await folder.spec('lock', 'other')
    expect(await folder.spec('diff', 'myrmex.lock.json', 'new.tools.ts')).toMatchObject({ code: 0 })
    expect(await folder.spec('diff', 'shop.tools.ts', 'myrmex.lock.json')).toMatchObject(refused)
    expect(await folder.spec('diff', 'other', 'other')).toMatchObject({ code: 0 })
  })

  longTest('a path that has no tools is an error, never "none"', async () => {
    const folder = await folderWith()
    await folder.write('empty/README.md', '')
    await folder.write('notes.md', '# Notes\n')
    await folder.write('notes.txt', 'Notes')
    const prompt = "prompt({ name: 'p', description: 'Asks.', get: () => 'x' })"
    await folder.write('prompts.tools.ts', `import { prompt } from 'myrmex'\nexport const p = ${prompt}\n`)
    for (const [path, message] of [
      ['none.tools.ts', 'none.tools.ts does not exist'],
      ['none.md', 'none.md does not exist'],
      ['none.json', 'none.json does not exist'],
      ['empty', 'no *.tools.ts or *.tools.js file in empty'],
      ['prompts.tools.ts', 'prompts.tools.ts defines no tool'],
      ['notes.md', 'notes.md defines no tool'],
      ['notes.txt', 'notes.txt does not load'],
    ] as const) {
      const { code, stdout, stderr } = await folder.spec('diff', 'shop.tools.ts', path)
      expect(stderr).toContain(message)
      expect([code, stdout]).toEqual([1, ''])
    }
    expect((await folder.spec('diff', 'prompts.tools.ts', 'shop.tools.ts')).code).toBe(1)
    expect((await folder.spec('render', 'notes.txt')).stderr).toContain('notes.txt is not a tool file')
  })

  longTest('a tool may not disappear before a release announced it', async () => {
    const folder = await released()
    await folder.write('other.tools.ts', toolFile({ name: "'shop.other'" }))
    await folder.write('shop.tools.ts', toolFile({ name: "'shop.rest'" }))
    await folder.spec('render', '.')
    const gone = await folder.spec('check', '.')
    expect(gone.stdout).toMatch(/removed-unannounced: .*shop\.sell/)
    expect(gone.code).toBe(1)

    const announced = toolFile({ version: "'1.1.0'", deprecatedIn: "'1.1.0'", replacedBy: "'shop.rest'" })
    await folder.write('old.tools.ts', announced)
    await folder.spec('render', '.')
    expect((await folder.spec('check', '.')).code).toBe(0)
    expect((await folder.spec('lock', '.')).stdout).toContain('shop.sell 1.1.0')
    await folder.write('old.tools.ts', toolFile({ name: "'shop.old'" }))
    await folder.spec('render', '.')
    const after = await folder.spec('check', '.')
    expect(after.stdout).not.toContain('removed-unannounced')
    expect(after.code, after.stdout).toBe(0)
  })
})

describe('lint', () => {
  test('prints a line a finding, JSON or SARIF, and exits 1 for errors', async () => {
    const folder = await folderWith()
    await folder.write('a.md', '## Tool: `shop.Sell`\n\n**Version**: one\n')
    const text = await folder.spec('lint', 'a.md')
    expect(text.stdout).toMatch(/^a\.md:3: version-not-semantic: /m)
    expect(text.stdout).toMatch(/^a\.md:1: name-pattern: /m)
    expect(text.stdout).toMatch(/missing-section: /)
    expect(text.code).toBe(1)
    const json = await folder.spec('lint', 'a.md', '--json')
    expect(JSON.parse(json.stdout).findings).toContainEqual(expect.objectContaining({ rule: 'name-pattern', line: 1 }))
    const sarif = JSON.parse((await folder.spec('lint', 'a.md', '--sarif')).stdout)
    expect(sarif.version).toBe('2.1.0')
    expect(sarif.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('a.md')
  })

  longTest('a rendered document has nothing to find', async () => {
    const folder = await folderWith()
    await folder.spec('render', '.')
    expect(await folder.spec('lint', DOCUMENT)).toMatchObject({ code: 0, stdout: '' })
  })

  longTest('a folder and a binary file are reported as such', async () => {
    const folder = await folderWith()
    await folder.write('a/b.md', '')
    await folder.write('utf16.md', '#\0 \0')
    expect((await folder.spec('lint', 'a')).stderr).toContain(
      `a is a folder. Name the documents in it, such as a/${DOCUMENT}.`,
    )
    expect((await folder.spec('import', 'utf16.md')).stderr).toContain('utf16.md is not text in UTF-8.')
  })

  test('the tools that were found are listed, also those of other forms', async () => {
    const folder = new SpecFolder()
    await folder.write('a.md', FOREIGN)
    await folder.write('none.md', '# Weather\n\nNo MCP tools are defined.\n')
    const { code, stdout } = await folder.spec('lint', '--json', 'a.md', 'none.md')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      files: ['a.md', 'none.md'],
      tools: [
        { file: 'a.md', name: 'get_wind', line: 3, column: 1, origin: 'section', found: ['parameters'] },
        { file: 'a.md', name: 'get_rain', line: 9, column: 1, origin: 'section', found: ['inputSchema'] },
      ],
      withoutTools: [{ file: 'none.md', line: 3, column: 1 }],
    })
    expect((await folder.spec('lint', 'none.md')).code).toBe(0)
  })

  longTest('a file is linted once however often it is named, and listed also where nothing is found', async () => {
    const folder = await folderWith()
    await folder.spec('render', '.')
    const { code, stdout } = await folder.spec('lint', '--json', DOCUMENT, `./${DOCUMENT}`)
    expect(JSON.parse(stdout)).toMatchObject({ files: [expect.stringContaining(DOCUMENT)], findings: [] })
    expect(code).toBe(0)
  })

  longTest('a missing file is reported, and exits 1', async () => {
    const folder = await folderWith()
    expect(await folder.spec('lint', 'none.md')).toMatchObject({ code: 1, stderr: expect.stringContaining('none.md') })
  })
})

describe('import', () => {
  test('gives a tool file that loads, and writes over nothing', async () => {
    const folder = await folderWith()
    await folder.spec('render', '.')
    expect((await folder.spec('import', DOCUMENT, '--out', 'new/shop.tools.ts')).code).toBe(1)
    await folder.write('new/README.md', '')
    const ran = await folder.spec('import', DOCUMENT, '--out', 'new/shop.tools.ts')
    expect(ran.code, ran.stderr).toBe(0)
    expect(await folder.spec('diff', DOCUMENT, 'new/shop.tools.ts')).toMatchObject({
      code: 0,
      stdout: 'shop.sell  1.0.0 → 1.0.0  none\n',
    })
    const twice = await folder.spec('import', DOCUMENT, '--out', 'new/shop.tools.ts')
    expect(twice.stderr).toContain('is not written over')
    expect(twice.code).toBe(1)
  })

  test('takes what it can of a document that others wrote, and reports the rest', async () => {
    const folder = new SpecFolder()
    await folder.write('weather/tools.md', FOREIGN)
    const ran = await folder.spec('import', 'weather/tools.md', '--out', 'weather/weather.tools.ts')
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stderr.split('\n')).toEqual([
      'myrmex: weather/tools.md:3: 2 names have no module and got "weather". Choose another with --module.',
      'myrmex: weather/tools.md:14: weather.get_rain: The input schema is not JSON and was left out. "}" is where a value is expected.',
      'myrmex: weather/weather.tools.ts written: 2 tools',
      '',
    ])
    const rendered = await folder.spec('render', 'weather', '--out', '-')
    expect(rendered.stdout).toContain('| `city` | `string` | Yes | Where |')
    expect(rendered.stdout).toContain('## Tool: `weather.get_rain`')
    const named = await folder.spec('import', 'weather/tools.md', '--module', 'sky')
    expect(named.stdout).toContain("name: 'sky.get_wind'")
    expect(named.stderr).not.toContain('no module')
  })

  test('says why there is nothing to import', async () => {
    const folder = new SpecFolder()
    await folder.write('none.md', '# Weather\n\nNo MCP tools are defined.\n')
    expect(await folder.spec('import', 'none.md')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('none.md:3 says that there is no tool.'),
    })
  })
})

const FOREIGN = `# Weather MCP tools

## \`get_wind\`

| Parameter | Type | Required | Description |
| --- | --- | --- | --- |
| \`city\` | string | Yes | Where |

## \`get_rain\`

**Parameters**:

\`\`\`json
{ "type": }
\`\`\`
`
