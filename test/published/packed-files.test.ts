/** The files that a package has in its published form only: its manifest, its README, its licence. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { PACKAGES } from '@myrmex/testing/published/repository-copy'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { installCommand } from '../../packages/myrmex/src/ledger/optional-packages.ts'
import { packedFiles } from '../../scripts/pack/packed-files.ts'

const readManifest = (folder: string) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
const REPOSITORY = 'https://github.com/myrmex/myrmex'

describe.each(PACKAGES)('%s', (folder) => {
  const files = packedFiles(join(ROOT, folder), ROOT)
  const manifest = JSON.parse(files['package.json'])
  const source = readManifest(folder)

  test('the manifest says where the package is from and what it is about', () => {
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: folder },
      bugs: { url: `${REPOSITORY}/issues` },
      homepage: expect.stringMatching(new RegExp(`^${REPOSITORY}`)),
      license: 'MIT',
      engines: { node: '>=24' },
      publishConfig: { access: 'public' },
    })
    expect(manifest.keywords.length).toBeGreaterThan(4)
    expect(files.LICENSE).toContain('MIT License')
  })

  test('every export is a built file with its types, and its source exists', () => {
    expect(Object.keys(manifest.exports)).toEqual(Object.keys(source.exports))
    for (const [name, { types, default: file }] of Object.entries<{ types: string; default: string }>(
      manifest.exports,
    )) {
      expect(types).toBe(file.replace(/\.js$/, '.d.ts'))
      expect(file).toMatch(/^\.\/dist\/.+\.js$/)
      if (!name.includes('*')) expect(existsSync(join(ROOT, folder, source.exports[name]))).toBe(true)
    }
    expect(JSON.stringify([manifest.exports, manifest.imports])).not.toContain('src/')
  })

  test('the README has absolute links only, to files that exist', () => {
    const targets = linksOf(fromMarkdown(files['README.md']))
    const own = targets.filter((target) => target.startsWith(REPOSITORY))
    expect(own.length).toBeGreaterThan(4)
    for (const target of targets) expect(target).toMatch(/^https:/)
    for (const target of own) {
      const [, path = ''] = new RegExp(`^${REPOSITORY}/(?:blob|raw)/v${source.version}/([^#]+)`).exec(target) ?? []
      expect(existsSync(join(ROOT, path)), target).toBe(true)
      if (/\.(png|svg)$/.test(path)) expect(target).toContain('/raw/')
    }
  })
})

const linksOf = (node: Nodes): string[] => [
  ...('url' in node ? [node.url] : []),
  ...('children' in node ? node.children.flatMap(linksOf) : []),
]

test('the packages of a feature are optional, and installed in the checkout, where its tests need them', () => {
  const { peerDependencies, peerDependenciesMeta, dependencies, devDependencies } = readManifest('packages/myrmex')
  for (const [name, range] of Object.entries(peerDependencies)) {
    expect(peerDependenciesMeta[name]).toEqual({ optional: true })
    expect(dependencies).not.toHaveProperty(name)
    expect(devDependencies[name]).toBe(range)
  }
  expect(installCommand(['ai', 'pg-boss'])).toBe(
    `npm install ai@${peerDependencies.ai} pg-boss@${peerDependencies['pg-boss']}`,
  )
})
