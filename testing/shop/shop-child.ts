/** A process of its own that uses a shop: says when it is ready, waits to be asked to go, says what came of it. */
import { flushCompileCache } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { createShop } from '../../packages/dropship/src/embedded/create.ts'
import { type EmbeddedShop, openShop } from '../../packages/dropship/src/embedded/open.ts'

const [job = '', file = '', name = '', count = '0'] = process.argv.slice(2)
const say = (word: string): Promise<void> =>
  new Promise((resolve) => process.send?.(word, () => resolve()) ?? resolve())
const told = (): Promise<unknown> => new Promise((resolve) => process.once('message', resolve))

const ADDRESS = { name: 'Ida Roth', street: 'Am Markt 1', city: 'Leipzig', postal_code: '04109', country: 'DE' }

export const place = (shop: EmbeddedShop, key: string) =>
  shop.orders.place(
    { email: `${key}@crash.example`, address: ADDRESS, lines: [{ sku: 'chair-red', quantity: 1 }], channel: 'direct' },
    `place ${key}`,
  )

export const fulfil = (shop: EmbeddedShop, key: string, order_id: string) =>
  shop.orders.fulfil(
    { order_id, address: ADDRESS, most: 100_000, message: { subject: 'On its way', body: 'It is on its way.' } },
    `fulfil ${key}`,
  )

/** Calls `work` before every statement that SQLite is given from now on, until what it returns is called. */
export function beforeEvery(work: () => void): () => void {
  const { exec } = DatabaseSync.prototype
  const { run, get, all } = StatementSync.prototype
  const led = <Method extends object>(own: Method): Method =>
    new Proxy(own, {
      apply(target, self, values) {
        work()
        return Reflect.apply(target as () => unknown, self, values)
      },
    })
  Object.assign(DatabaseSync.prototype, { exec: led(exec) })
  Object.assign(StatementSync.prototype, { run: led(run), get: led(get), all: led(all) })
  return () => {
    Object.assign(DatabaseSync.prototype, { exec })
    Object.assign(StatementSync.prototype, { run, get, all })
  }
}

const JOBS: Record<string, () => Promise<void>> = {
  /** Makes a small shop with so many days of history when told, so that several do at once. */
  async create() {
    await import('../../packages/dropship/src/market/world/fill-world.ts')
    await say('ready')
    await told()
    await say(String(await createShop({ file, seed: 1, products: 8, listings: 24, history: Number(count) })))
  },
  /** Places and ships as many orders as it is asked to, and says each. */
  async sell() {
    const shop = await openShop({ file })
    await say('ready')
    await told()
    for (let number = 0; number < Number(count); number++) {
      const key = `${name}-${number}`
      const { order_id } = await place(shop, key)
      await say(`place ${key}`)
      await fulfil(shop, key, order_id)
      await say(`fulfil ${key}`)
    }
    await shop.close()
    await say('done')
  },
  /** The same once, and dies before its given statement. */
  async die() {
    const shop = await openShop({ file })
    // One who is killed cannot do it on leaving.
    flushCompileCache()
    let left = Number(count)
    beforeEvery(() => {
      if (--left === 0) process.kill(process.pid, 'SIGKILL')
    })
    const { order_id } = await place(shop, name)
    await fulfil(shop, name, order_id)
    await say('done')
  },
}

if (process.send !== undefined && JOBS[job] !== undefined) {
  try {
    await JOBS[job]()
  } catch (error) {
    await say(`failed: ${(error as Error).message}`)
  }
  process.disconnect?.()
}
