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

  test('documents the tools of a server at a URL, and ours gives its names, versions and data', async () => {
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
      expect(await folder.spec('check', '.')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('2 examples executed'),
      })
    },
  )

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
    const again = await folder.spec('render', 'new', '--out', '-')
    expect(again.stdout).toBe(await folder.read(DOCUMENT))
    const twice = await folder.spec('import', DOCUMENT, '--out', 'new/shop.tools.ts')
    expect(twice.stderr).toContain('is not written over')
    expect(twice.code).toBe(1)
  })
})
