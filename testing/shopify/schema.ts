/**
 * The part of Shopify's Admin API (GraphQL, 2026-10) that the adapter speaks, with the types, fields and arguments as the public
 * reference at shopify.dev documents them. A field that the real API lacks is refused here too.
 */
export const SCHEMA = /* GraphQL */ `
directive @idempotent(key: String!) on FIELD

scalar DateTime
scalar Decimal
scalar HTML
scalar Money
scalar UnsignedInt64
scalar URL

enum CountryCode { AT AU BE CA CH CN CZ DE DK ES FI FR GB GR HU IE IN IT JP LU NL NO NZ PL PT SE SI SK US }
enum CurrencyCode { CHF EUR GBP USD }
enum FulfillmentOrderStatus { CANCELLED CLOSED INCOMPLETE IN_PROGRESS ON_HOLD OPEN SCHEDULED }
enum FulfillmentStatus { CANCELLED ERROR FAILURE SUCCESS }
enum MetafieldsSetUserErrorCode { INVALID_COMPARE_DIGEST INVALID_VALUE STALE_OBJECT }
enum OrderCreateFinancialStatus { AUTHORIZED EXPIRED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED }
enum OrderCreateInputsInventoryBehavior { BYPASS DECREMENT_IGNORING_POLICY DECREMENT_OBEYING_POLICY }
enum OrderCreateUserErrorCode { FULFILLMENT_SERVICE_INVALID INVALID SHOP_DORMANT }
enum OrderDisplayFinancialStatus { AUTHORIZED EXPIRED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED }
enum OrderDisplayFulfillmentStatus {
  FULFILLED IN_PROGRESS ON_HOLD OPEN PARTIALLY_FULFILLED PENDING_FULFILLMENT REQUEST_DECLINED RESTOCKED SCHEDULED UNFULFILLED
}
enum OrderSortKeys { CREATED_AT ID ORDER_NUMBER PROCESSED_AT UPDATED_AT }
enum OrderTransactionKind { AUTHORIZATION CAPTURE CHANGE REFUND SALE VOID }
enum OrderTransactionStatus { AWAITING_RESPONSE ERROR FAILURE PENDING SUCCESS UNKNOWN }
enum ProductSetUserErrorCode { GENERIC_ERROR HANDLE_NOT_UNIQUE INVALID_INPUT INVALID_PRODUCT PRODUCT_DOES_NOT_EXIST }
enum ProductStatus { ACTIVE ARCHIVED DRAFT }
enum ProductVariantSortKeys { ID NAME SKU TITLE }
enum ProductVariantsBulkUpdateUserErrorCode { GREATER_THAN_OR_EQUAL_TO PRODUCT_DOES_NOT_EXIST PRODUCT_VARIANT_DOES_NOT_EXIST }

interface DisplayableError { field: [String!] message: String! }

type UserError implements DisplayableError { field: [String!] message: String! }
type MetafieldsSetUserError implements DisplayableError {
  code: MetafieldsSetUserErrorCode elementIndex: Int field: [String!] message: String!
}
type OrderCreateUserError implements DisplayableError { code: OrderCreateUserErrorCode field: [String!] message: String! }
type ProductSetUserError implements DisplayableError { code: ProductSetUserErrorCode field: [String!] message: String! }
type ProductVariantsBulkUpdateUserError implements DisplayableError {
  code: ProductVariantsBulkUpdateUserErrorCode field: [String!] message: String!
}

type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
type MoneyBag { presentmentMoney: MoneyV2! shopMoney: MoneyV2! }
type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
type Shop { id: ID! name: String! currencyCode: CurrencyCode! ianaTimezone: String! myshopifyDomain: String! }
type SEO { description: String title: String }
type Metafield {
  id: ID! namespace: String! key: String! type: String! value: String! compareDigest: String! updatedAt: DateTime!
}
type Image { url: URL! altText: String }
type MediaPreviewImage { image: Image }
type MediaImage { id: ID! preview: MediaPreviewImage }

type Product {
  id: ID! legacyResourceId: UnsignedInt64! title: String! handle: String! descriptionHtml: HTML! status: ProductStatus!
  tags: [String!]! createdAt: DateTime! updatedAt: DateTime! seo: SEO! featuredMedia: MediaImage
  metafield(namespace: String, key: String!): Metafield
  variants(first: Int, after: String): ProductVariantConnection!
}
type ProductConnection { nodes: [Product!]! edges: [ProductEdge!]! pageInfo: PageInfo! }
type ProductEdge { cursor: String! node: Product! }

type ProductVariant {
  id: ID! legacyResourceId: UnsignedInt64! sku: String title: String! displayName: String! price: Money! createdAt: DateTime!
  product: Product! inventoryItem: InventoryItem! inventoryQuantity: Int
}
type ProductVariantConnection { nodes: [ProductVariant!]! edges: [ProductVariantEdge!]! pageInfo: PageInfo! }
type ProductVariantEdge { cursor: String! node: ProductVariant! }

type InventoryItem {
  id: ID! sku: String tracked: Boolean! unitCost: MoneyV2
  inventoryLevels(first: Int, after: String): InventoryLevelConnection!
}
type InventoryLevelConnection { nodes: [InventoryLevel!]! edges: [InventoryLevelEdge!]! pageInfo: PageInfo! }
type InventoryLevelEdge { cursor: String! node: InventoryLevel! }
type InventoryLevel { id: ID! location: Location! quantities(names: [String!]!): [InventoryQuantity!]! }
type InventoryQuantity { id: ID! name: String! quantity: Int! updatedAt: DateTime }
type Location { id: ID! name: String! }

type MailingAddress {
  name: String address1: String address2: String city: String zip: String countryCodeV2: CountryCode
}
type LineItem {
  id: ID! sku: String title: String! name: String! quantity: Int! currentQuantity: Int! originalUnitPriceSet: MoneyBag!
  discountedUnitPriceAfterAllDiscountsSet: MoneyBag!
  variant: ProductVariant
}
type LineItemConnection { nodes: [LineItem!]! edges: [LineItemEdge!]! pageInfo: PageInfo! }
type LineItemEdge { cursor: String! node: LineItem! }

type FulfillmentTrackingInfo { company: String number: String url: URL }
type Fulfillment {
  id: ID! name: String! status: FulfillmentStatus! createdAt: DateTime! deliveredAt: DateTime estimatedDeliveryAt: DateTime
  trackingInfo(first: Int): [FulfillmentTrackingInfo!]!
}
type FulfillmentOrderLineItem { id: ID! sku: String totalQuantity: Int! remainingQuantity: Int! }
type FulfillmentOrderLineItemConnection { nodes: [FulfillmentOrderLineItem!]! pageInfo: PageInfo! }
type FulfillmentOrderAssignedLocation { name: String location: Location }
type FulfillmentOrder {
  id: ID! status: FulfillmentOrderStatus! assignedLocation: FulfillmentOrderAssignedLocation! lineItems(first: Int, after: String): FulfillmentOrderLineItemConnection!
}
type FulfillmentOrderConnection { nodes: [FulfillmentOrder!]! pageInfo: PageInfo! }
type Refund { id: ID! note: String createdAt: DateTime totalRefundedSet: MoneyBag! }
type OrderTransaction {
  id: ID! kind: OrderTransactionKind! status: OrderTransactionStatus! gateway: String amountSet: MoneyBag!
}

type Order {
  id: ID! legacyResourceId: UnsignedInt64! name: String! createdAt: DateTime! cancelledAt: DateTime email: String
  tags: [String!]! note: String sourceName: String test: Boolean! displayFinancialStatus: OrderDisplayFinancialStatus
  displayFulfillmentStatus: OrderDisplayFulfillmentStatus! totalPriceSet: MoneyBag! totalRefundedSet: MoneyBag!
  shippingAddress: MailingAddress lineItems(first: Int, after: String): LineItemConnection!
  fulfillments(first: Int): [Fulfillment!]!
  fulfillmentOrders(first: Int, after: String): FulfillmentOrderConnection!
  refunds(first: Int): [Refund!]! transactions(first: Int): [OrderTransaction!]!
  metafield(namespace: String, key: String!): Metafield
}
type OrderConnection { nodes: [Order!]! edges: [OrderEdge!]! pageInfo: PageInfo! }
type OrderEdge { cursor: String! node: Order! }

type Query {
  shop: Shop!
  product(id: ID!): Product
  products(first: Int, after: String, query: String, reverse: Boolean = false): ProductConnection!
  productVariants(
    first: Int, after: String, query: String, reverse: Boolean = false, sortKey: ProductVariantSortKeys = ID
  ): ProductVariantConnection!
  order(id: ID!): Order
  orders(
    first: Int, after: String, query: String, reverse: Boolean = false, sortKey: OrderSortKeys = PROCESSED_AT
  ): OrderConnection!
}

input MetafieldInput { id: ID namespace: String key: String type: String value: String }
input MetafieldsSetInput {
  ownerId: ID! namespace: String key: String! type: String value: String! compareDigest: String
}
input SEOInput { description: String title: String }
input FileSetInput { id: ID alt: String originalSource: String contentType: FileContentType filename: String }
enum FileContentType { EXTERNAL_VIDEO FILE IMAGE MODEL_3D VIDEO }
input OptionValueSetInput { id: ID name: String }
input OptionSetInput { id: ID name: String position: Int values: [OptionValueSetInput!] }
input VariantOptionValueInput { id: ID name: String optionId: ID optionName: String }
input InventoryItemInput { cost: Decimal sku: String tracked: Boolean requiresShipping: Boolean }
input ProductVariantSetInput {
  id: ID sku: String price: Money inventoryItem: InventoryItemInput optionValues: [VariantOptionValueInput!]!
  metafields: [MetafieldInput!]
}
input ProductSetInput {
  id: ID title: String handle: String descriptionHtml: String status: ProductStatus tags: [String!] seo: SEOInput vendor: String
  files: [FileSetInput!] metafields: [MetafieldInput!] productOptions: [OptionSetInput!] variants: [ProductVariantSetInput!]
}
input UniqueMetafieldValueInput { namespace: String key: String! value: String! }
input ProductSetIdentifiers { customId: UniqueMetafieldValueInput handle: String id: ID }
input ProductUpdateInput {
  id: ID title: String handle: String descriptionHtml: String status: ProductStatus tags: [String!] seo: SEOInput
  metafields: [MetafieldInput!]
}
input ProductVariantsBulkInput { id: ID price: Money inventoryItem: InventoryItemInput }
input MailingAddressInput {
  firstName: String lastName: String address1: String address2: String city: String zip: String countryCode: CountryCode
  phone: String
}
input MoneyInput { amount: Decimal! currencyCode: CurrencyCode! }
input MoneyBagInput { shopMoney: MoneyInput! presentmentMoney: MoneyInput }
input OrderCreateLineItemInput { variantId: ID quantity: Int! title: String priceSet: MoneyBagInput }
input OrderCreateOrderTransactionInput {
  kind: OrderTransactionKind status: OrderTransactionStatus amountSet: MoneyBagInput! gateway: String
}
input OrderCreateOrderInput {
  email: String currency: CurrencyCode financialStatus: OrderCreateFinancialStatus lineItems: [OrderCreateLineItemInput!]
  shippingAddress: MailingAddressInput sourceIdentifier: String sourceName: String tags: [String!] note: String test: Boolean
  transactions: [OrderCreateOrderTransactionInput!]
}
input OrderCreateOptionsInput {
  inventoryBehaviour: OrderCreateInputsInventoryBehavior sendReceipt: Boolean sendFulfillmentReceipt: Boolean
}
input OrderInput { id: ID! note: String tags: [String!] shippingAddress: MailingAddressInput }
input FulfillmentTrackingInput { company: String number: String url: URL }
input FulfillmentOrderLineItemInput { id: ID! quantity: Int! }
input FulfillmentOrderLineItemsInput { fulfillmentOrderId: ID! fulfillmentOrderLineItems: [FulfillmentOrderLineItemInput!] }
input FulfillmentInput {
  lineItemsByFulfillmentOrder: [FulfillmentOrderLineItemsInput!]! notifyCustomer: Boolean trackingInfo: FulfillmentTrackingInput
}
input OrderTransactionInput { amount: Money! gateway: String! kind: OrderTransactionKind! orderId: ID! parentId: ID }
input RefundInput {
  orderId: ID! note: String notify: Boolean currency: CurrencyCode transactions: [OrderTransactionInput!]
}

type ProductSetPayload { product: Product userErrors: [ProductSetUserError!]! }
type ProductUpdatePayload { product: Product userErrors: [UserError!]! }
type ProductVariantsBulkUpdatePayload {
  product: Product productVariants: [ProductVariant!] userErrors: [ProductVariantsBulkUpdateUserError!]!
}
type MetafieldsSetPayload { metafields: [Metafield!] userErrors: [MetafieldsSetUserError!]! }
type OrderCreatePayload { order: Order userErrors: [OrderCreateUserError!]! }
type OrderUpdatePayload { order: Order userErrors: [UserError!]! }
type FulfillmentCreatePayload { fulfillment: Fulfillment userErrors: [UserError!]! }
type RefundCreatePayload { order: Order refund: Refund userErrors: [UserError!]! }

type Mutation {
  productSet(input: ProductSetInput!, synchronous: Boolean = true, identifier: ProductSetIdentifiers): ProductSetPayload
  productUpdate(product: ProductUpdateInput): ProductUpdatePayload
  productVariantsBulkUpdate(productId: ID!, variants: [ProductVariantsBulkInput!]!): ProductVariantsBulkUpdatePayload
  metafieldsSet(metafields: [MetafieldsSetInput!]!): MetafieldsSetPayload
  orderCreate(order: OrderCreateOrderInput!, options: OrderCreateOptionsInput): OrderCreatePayload
  orderUpdate(input: OrderInput!): OrderUpdatePayload
  fulfillmentCreate(fulfillment: FulfillmentInput!, message: String): FulfillmentCreatePayload
  refundCreate(input: RefundInput!): RefundCreatePayload
}
`
