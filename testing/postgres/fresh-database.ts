/** Fresh databases on the one PostgreSQL of this test run. For one of your own, to stop and start: postgres-server.ts. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import './global-setup.ts'

/** The address of a new, empty database. */
export async function freshDatabase(): Promise<string> {
  const { address, refused } = JSON.parse(await text(connect(inject('postgresDoor'), '127.0.0.1')))
  if (address === undefined) throw new Error(`There is no PostgreSQL for the tests: ${refused}`)
  return address
}
