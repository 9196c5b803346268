import { expect, test } from 'vitest'
import { couldMean, hasSchemeOf, isSameResource, withPossibleResources } from './possible-resources.ts'
import { requestDefinition } from './request-definition.ts'

const definition = (name: string) => requestDefinition({ name, description: 'x', listing: {}, origin: 'upstream' })

test('an unlisted URI could mean every resource that its server lists', () => {
  const unlisted = definition('resource:files:*')
  expect(couldMean(unlisted, 'resource:files:file:///a')).toBe(false)
  withPossibleResources(unlisted, { owner: 'files', mayMean: () => true, listed: [] })
  expect(couldMean(unlisted, 'resource:files:file:///a')).toBe(true)
  for (const name of ['resource:files:*', 'resource:files', 'resource:other:file:///a', 'files.read', '*'])
    expect(couldMean(unlisted, name), name).toBe(false)
})

test('a template could mean the resources of its scheme', () => {
  const template = definition('resource:files:File:///{+path}')
  withPossibleResources(template, { owner: 'files', mayMean: hasSchemeOf('File:///{+path}'), listed: [] })
  expect(couldMean(template, 'resource:files:file:///a')).toBe(true)
  expect(couldMean(template, 'resource:files:memo://a')).toBe(false)
  expect(couldMean(template, template.name)).toBe(false)
  expect(hasSchemeOf('{+any}')('memo://a')).toBe(true)
})

test('two spellings of a URI are one resource of one server', () => {
  expect(isSameResource('resource:files:FILE:///a/./b', 'resource:files:file:///a/b')).toBe(true)
  expect(isSameResource('resource:files:file:///a', 'resource:other:file:///a')).toBe(false)
  expect(isSameResource('resource:files', 'resource:files:file:///a')).toBe(false)
})
