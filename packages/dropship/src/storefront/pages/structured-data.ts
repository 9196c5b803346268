/** Structured data (schema.org) about a product for search engines. */
import { toAmount } from '../../money.ts'
import { type CatalogueItem, categoryOf } from '../catalogue.ts'

const BASE = 'https://schema.org/'

export interface ShopInfo {
  readonly currency: string
  /** where the shop is reached, such as https://shop.example; empty: unknown, and URLs stay relative */
  readonly origin: string
}

export const availabilityOf = ({ product }: CatalogueItem): 'InStock' | 'BackOrder' | 'Discontinued' =>
  product.status === 'paused' ? 'Discontinued' : product.on_hand > product.reserved ? 'InStock' : 'BackOrder'

export const absoluteUrl = (address: string, origin: string): string =>
  address.startsWith('/') ? origin + address : address

export function structuredData(item: CatalogueItem, { currency, origin }: ShopInfo): object {
  const { page, product, listing } = item
  const url = `${origin}/shop/products/${page.slug}`
  const category = categoryOf(item)
  return {
    '@context': BASE,
    '@graph': [
      {
        '@type': 'Product',
        name: page.title,
        sku: product.sku,
        description: page.meta_description,
        category,
        image: page.images.map((image) => absoluteUrl(image, origin)),
        offers: {
          '@type': 'Offer',
          url,
          price: toAmount(product.price).toFixed(2),
          priceCurrency: currency,
          availability: BASE + availabilityOf(item),
          itemCondition: `${BASE}NewCondition`,
        },
        ...(listing !== undefined &&
          listing.reviews > 0 && {
            aggregateRating: {
              '@type': 'AggregateRating',
              ratingValue: listing.rating,
              reviewCount: listing.reviews,
              bestRating: 5,
            },
          }),
        additionalProperty: Object.entries(listing?.facts ?? {}).map(([name, value]) => ({
          '@type': 'PropertyValue',
          name,
          value,
        })),
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: 'Shop', item: `${origin}/shop/` },
          {
            '@type': 'ListItem',
            position: 2,
            name: category,
            item: `${origin}/shop/?category=${encodeURIComponent(category)}`,
          },
          { '@type': 'ListItem', position: 3, name: page.title, item: url },
        ],
      },
    ],
  }
}
