/** `npm start` as its user meets it: up in seconds, useful at once, clear about problems, gone without a trace. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { longTest } from '@myrmex/testing/long'
import { ShopOwner } from '@myrmex/testing/shop/shop-owner'
import { shopTemplate } from '@myrmex/testing/shop/test-shops'
import { ENFORCED } from '@myrmex/testing/time-limit'
import { connect } from 'myrmex/client'
import { expect, onTestFinished, test } from 'vitest'

const LINK = /The shop is open: (http:\/\/127\.0\.0\.1:(\d+)\/)/

test('fleet, shop, storefront and endpoint come up on one port, print a link and a goal, and end in order', async () => {
  const owner = new ShopOwner()
  const shop = owner.start('dropship', 'start', '--port', '0')
  await shop.prints(LINK)
  await shop.prints('ready after')
  expect(shop.stdout).toContain('npx myrmex run "Launch a new coffee brand" --budget 5000')
  const [, seconds] = /ready after ([\d.]+) s/.exec(shop.stderr) ?? []
  expect(Number(seconds)).toBeLessThan(ENFORCED ? 5 : Number.POSITIVE_INFINITY)
  const [, home = '', port = ''] = LINK.exec(shop.stdout) ?? []

  const front = await fetch(home)
  expect(front.status).toBe(200)
  const html = await front.text()
  for (const link of ['href="/shop/"', 'href="/runs"', '/mcp', 'customer_service']) expect(html).toContain(link)
  expect((await fetch(`${home}shop/`)).status).toBe(200)
  expect((await fetch(`${home}runs`)).status).toBe(200)
  expect(await (await fetch(`${home}reports/last_30_days`)).text()).toContain('.svg')
  expect((await fetch(`${home}nowhere`)).status).toBe(404)
  expect((await fetch(home, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  expect((await fetch(home, { method: 'POST' })).status).toBe(405)

  const connection = await connect({ url: `${home}mcp` })
  const tools = (await connection.tools()).map(({ name }) => name)
  expect(tools).toHaveLength(17)
  const { data } = await connection.call('operations.check_inventory', { sku: 'chair-red' })
  expect(data).toMatchObject({ on_hand: 50 })
  await connection.close()

  const second = await owner.start('dropship', 'start', '--port', port).ended
  expect(second.code).toBe(1)
  expect(second.stderr.trim().split('\n')).toHaveLength(1)
  expect(second.stderr).toContain('The shop is already running')

  shop.child.kill('SIGINT')
  expect((await shop.ended).code).toBe(0)
  await expect(fetch(home)).rejects.toThrow()
  expect(readdirSync(owner.folder)).toEqual(['.myrmex'])
  const left = readdirSync(join(owner.folder, '.myrmex', 'demo')).filter((name) => /-wal|-shm|making|probe/.test(name))
  expect(left).toEqual([])
}, 120_000)

longTest(
  'other commands find the demo without flags, and those that serve or call tools read nothing of it',
  async () => {
    const owner = new ShopOwner()
    const demo = join(owner.folder, '.myrmex', 'demo')
    mkdirSync(demo, { recursive: true })
    copyFileSync(await shopTemplate('default'), join(demo, 'shop.db'))
    const shop = owner.start('dropship', 'start', '--port', '0')
    await shop.prints(LINK)

    const run = await owner.myrmex('run', 'How many red chairs do we have in stock?')
    expect(run.stdout, run.stderr).toContain('We have 50 Red Chairs in stock.')
    expect((await owner.myrmex('runs', 'list')).stdout).toContain('succeeded')
    expect((await owner.myrmex('audit', 'tail')).stdout).toContain('operations.check_inventory')
    expect((await owner.myrmex('status', 'marketing.create_ad_campaign')).stdout).toContain('trusted')
    expect((await owner.myrmex('approvals', 'list')).stdout).toContain('nothing waits for approval')
    expect((await owner.myrmex('dropship', 'simulate', '--days', '1')).stdout).toContain('1 day,')
    expect(existsSync(join(owner.folder, '.myrmex', 'shop.db'))).toBe(false)

    writeFileSync(
      join(owner.folder, 'hello.tools.ts'),
      `import { tool } from 'myrmex'
export const hello = tool({ name: 'demo.hello', version: '1.0.0', description: 'Says hello to somebody.',
  input: { type: 'object' }, output: { type: 'object' }, errors: {}, idempotent: true, destructive: false,
  security: 'None.', examples: [], run: () => ({}) })
`,
    )
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(owner.folder, 'node_modules'))
    const called = await owner.myrmex('call', 'demo.hello', '--file', 'hello.tools.ts')
    expect(called.code, called.stderr).toBe(0)
    expect(existsSync(join(owner.folder, '.myrmex', 'ledger.db'))).toBe(true)
    const tail = await owner.myrmex('audit', 'tail')
    expect(tail.stdout).toContain('demo.hello')
    expect(tail.stdout).not.toContain('check_inventory')
    expect(tail.stderr).toContain('--ledger .myrmex/demo/ledger.db')
    expect((await owner.myrmex('runs', 'list')).stdout).toContain('succeeded')
  },
  120_000,
)

test('a port that another program has is one clear line, and nothing was made', async () => {
  const other = createServer((_, response) => response.end('hello'))
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  const owner = new ShopOwner()
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await owner.myrmex('dropship', 'start', '--port', String(port))
  expect(code).toBe(1)
  expect(stderr.trim()).toContain(`Port ${port} is in use by another program`)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(existsSync(join(owner.folder, '.myrmex'))).toBe(false)
})

test('a door open to other machines is one clear line, and nothing was made', async () => {
  const owner = new ShopOwner()
  const { code, stderr } = await owner.myrmex('dropship', 'start', '--port', '0', '--host', '0.0.0.0')
  expect(code).toBe(1)
  expect(stderr).toContain('can be reached from other machines')
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(existsSync(join(owner.folder, '.myrmex'))).toBe(false)
})

longTest('a folder that cannot be written to is one clear line', async () => {
  const owner = new ShopOwner()
  // A file where the folder should be: the owner of these tests may write everywhere else.
  writeFileSync(join(owner.folder, '.myrmex'), '')
  const { code, stderr } = await owner.myrmex('dropship', 'start', '--port', '0')
  expect(code).toBe(1)
  expect(stderr).toContain('.myrmex is not a folder, so Myrmex does not write there')
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

longTest('with a token, shoppers still get in and nobody sees runs or reports without it', async () => {
  const owner = await new ShopOwner({ MYRMEX_TOKEN: 'open-sesame-0123456789' }).withShop()
  const shop = owner.start('dropship', 'start', '--port', '0')
  await shop.prints(LINK)
  const [, home = ''] = LINK.exec(shop.stdout) ?? []
  expect((await fetch(`${home}shop/`)).status).toBe(200)
  const html = await (await fetch(home)).text()
  expect(html).toContain('bearer token')
  expect(html).not.toContain('orders are waiting')
  for (const path of ['runs', 'reports/last_30_days', 'mcp']) expect((await fetch(`${home}${path}`)).status).toBe(401)
  // Sent as they are: fetch would resolve the dots itself.
  for (const path of ['/shop/../runs', '/shop/%2e%2e/reports/last_30_days', '/shop/x/../../runs'])
    expect(await statusOf(home, path)).toBe(401)
})

const statusOf = (home: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(home, { path, agent: false }, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end()
  })
