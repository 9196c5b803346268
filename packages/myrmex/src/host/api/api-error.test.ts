/** What a client of the operator's API learns of an error that is none of its own. */
import { expect, test } from 'vitest'
import { errorResponse } from './api-error.ts'

test('an error in Myrmex is reported under a reference, without its cause', async () => {
  const response = errorResponse(new Error('no such table: secrets'), () => 'a1-7')
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    error_type: 'InternalError',
    error_message: 'The request failed because of an error in Myrmex. The log of the host has the cause under a1-7.',
    error_details: { reference: 'a1-7' },
  })
})
