import { expect, test } from 'vitest'
import { serviceName } from './service-file.ts'

test('the name of a service is stable for a folder, and another for every other one', () => {
  const paths = ['/a/shop', '/b/shop', '/a/sh op', '/a/sh.op', '/', '/a/ü', `/${'x'.repeat(300)}`]
  const names = paths.map((folder) => serviceName(`${folder}/myrmex.json`))
  expect(names).toEqual(paths.map((folder) => serviceName(`${folder}/myrmex.json`)))
  expect(new Set(names).size).toBe(paths.length)
  expect(serviceName('/a/shop/other.json')).not.toBe(names[0])
  expect(names[0]).toMatch(/^shop-[0-9a-f]{8}$/)
  expect(names[4]).toMatch(/^host-/)
  // systemd takes a leading dash for an option and an @ for a template.
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9-]{1,60}$/)
})
