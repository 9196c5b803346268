/** The image addresses that a page may use: images of the shop, and http or https addresses. */
import { ToolError } from 'myrmex'

const OWN = /^\/shop\/images\/[\w.~%-]+\.svg$/
const LONGEST = 2000

export function checkImage(image: string): string {
  const refuse = (why: string): never => {
    throw new ToolError(
      'InvalidImage',
      `The image ${JSON.stringify(image.slice(0, 100))} ${why}. Use an http or https address, or /shop/images/<product_id>.svg.`,
      { image: image.slice(0, 100) },
    )
  }
  if (image.startsWith('/')) return OWN.test(image) ? image : refuse('is not an image of this shop')
  if (image.length > LONGEST) refuse(`is longer than ${LONGEST} characters`)
  if (!URL.canParse(image)) refuse('is not an address')
  const url = new URL(image)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') refuse(`has the scheme ${url.protocol}`)
  if (url.username !== '' || url.password !== '') refuse('contains a user name or a password')
  return url.href
}
