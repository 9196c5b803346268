/** A real browser for tests, headless and without a network of its own. Unpacked once a machine, started once a test file. */
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

/** Unpacked aside and moved in whole: test files that start at once never run half a browser. */
async function executable(): Promise<string> {
  const { version } = createRequire(import.meta.url)('playwright-core/package.json') as { version: string }
  const home = join(tmpdir(), `myrmex-browser-${version}`)
  if (!existsSync(home)) {
    const { inflate } = await import('@sparticuz/chromium')
    const bin = new URL('../bin/', import.meta.resolve('@sparticuz/chromium')).pathname
    const aside = await mkdtemp(join(tmpdir(), 'myrmex-browser-'))
    const before = process.env.TMPDIR
    process.env.TMPDIR = aside
    try {
      await Promise.all(['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br'].map((name) => inflate(join(bin, name))))
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
    // Whoever was first has put the same there.
    await rename(aside, home).catch(() => rm(aside, { recursive: true, force: true }))
  }
  return join(home, 'chromium')
}

export async function launchBrowser(): Promise<Browser> {
  const [{ chromium }, executablePath] = await Promise.all([import('playwright-core'), executable()])
  const args = [
    '--no-sandbox',
    '--font-render-hinting=none',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  ]
  return chromium.launch({ executablePath, args, headless: true })
}

/** The problems that axe finds on the current page, each with its elements. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const { default: axe } = await import('axe-core')
  // Run by the debugger, so the page's own policy against scripts stays as it is.
  await page.evaluate(`${axe.source}; undefined`)
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
