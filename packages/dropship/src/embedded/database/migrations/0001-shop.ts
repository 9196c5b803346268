/**
 * The first schema of the shop's file. Money is in cents, days are texts (2026-11-01), lists and objects are JSON. Only the market
 * reads the hidden_ tables: no agent and no port does.
 */
import { type Kysely, sql } from 'kysely'

const STATEMENTS = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE keys (key TEXT PRIMARY KEY, what TEXT NOT NULL, result TEXT NOT NULL, made_on TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE numbers (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE listings (
  product_id TEXT PRIMARY KEY, title TEXT NOT NULL, category TEXT NOT NULL, niche TEXT NOT NULL, price INTEGER NOT NULL,
  sellers INTEGER NOT NULL, rating REAL NOT NULL, reviews INTEGER NOT NULL, listed_on TEXT NOT NULL, facts TEXT NOT NULL,
  keywords TEXT NOT NULL, image TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX listings_of_niche ON listings (category, niche);
CREATE TABLE listing_days (
  product_id TEXT NOT NULL, day TEXT NOT NULL, units INTEGER NOT NULL, price INTEGER NOT NULL, sellers INTEGER NOT NULL,
  PRIMARY KEY (product_id, day)) STRICT, WITHOUT ROWID;
CREATE TABLE seller_shares (
  product_id TEXT NOT NULL, seller TEXT NOT NULL, price INTEGER NOT NULL, share REAL NOT NULL,
  PRIMARY KEY (product_id, seller)) STRICT, WITHOUT ROWID;
CREATE TABLE hidden_products (product_id TEXT PRIMARY KEY, parameters TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE suppliers (
  supplier_id TEXT PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, rating REAL NOT NULL, reviews INTEGER NOT NULL,
  on_time REAL NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE offers (
  supplier_id TEXT NOT NULL, product_id TEXT NOT NULL, unit INTEGER NOT NULL, shipping INTEGER NOT NULL,
  lead_days INTEGER NOT NULL, stock INTEGER NOT NULL, PRIMARY KEY (product_id, supplier_id)) STRICT, WITHOUT ROWID;
CREATE INDEX offers_of_supplier ON offers (supplier_id);
CREATE TABLE hidden_offers (
  supplier_id TEXT NOT NULL, product_id TEXT NOT NULL, parameters TEXT NOT NULL,
  PRIMARY KEY (product_id, supplier_id)) STRICT, WITHOUT ROWID;
CREATE TABLE talks (
  talk_id INTEGER PRIMARY KEY, supplier_id TEXT NOT NULL, product_id TEXT NOT NULL, day TEXT NOT NULL, said TEXT NOT NULL,
  quote_id TEXT) STRICT;
CREATE INDEX talks_of_supplier ON talks (supplier_id, product_id, day);
CREATE TABLE quotes (
  quote_id TEXT PRIMARY KEY, supplier_id TEXT NOT NULL, product_id TEXT NOT NULL, unit INTEGER NOT NULL, made_on TEXT NOT NULL,
  expires_on TEXT NOT NULL, dropped INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE TABLE products (
  sku TEXT PRIMARY KEY, product_id TEXT NOT NULL, title TEXT NOT NULL, price INTEGER NOT NULL, supplier_id TEXT NOT NULL,
  unit INTEGER NOT NULL, shipping INTEGER NOT NULL, on_hand INTEGER NOT NULL CHECK (on_hand >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0), reorder_point INTEGER NOT NULL, status TEXT NOT NULL,
  created_on TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE stock_moves (
  move_id INTEGER PRIMARY KEY, sku TEXT NOT NULL, day TEXT NOT NULL, change INTEGER NOT NULL, why TEXT NOT NULL) STRICT;
CREATE TABLE pages (
  page_id TEXT PRIMARY KEY, sku TEXT NOT NULL, slug TEXT NOT NULL UNIQUE, title TEXT NOT NULL, price INTEGER NOT NULL,
  images TEXT NOT NULL, template TEXT NOT NULL, html TEXT NOT NULL, meta_title TEXT NOT NULL, meta_description TEXT NOT NULL,
  keywords TEXT NOT NULL, seo_score REAL NOT NULL, version INTEGER NOT NULL, status TEXT NOT NULL, made_on TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX pages_of_product ON pages (sku, status, seo_score);

CREATE TABLE creatives (
  creative_id TEXT PRIMARY KEY, sku TEXT, product_name TEXT NOT NULL, tone TEXT NOT NULL, channel TEXT NOT NULL,
  headline TEXT NOT NULL, body TEXT NOT NULL, call_to_action TEXT NOT NULL, score REAL NOT NULL, made_on TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE campaigns (
  campaign_id TEXT PRIMARY KEY, platform TEXT NOT NULL, creative_id TEXT NOT NULL, sku TEXT NOT NULL, daily INTEGER NOT NULL,
  started_on TEXT NOT NULL, ends_on TEXT NOT NULL, status TEXT NOT NULL, stop_reason TEXT, spent INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE TABLE campaign_days (
  campaign_id TEXT NOT NULL, day TEXT NOT NULL, spend INTEGER NOT NULL, impressions INTEGER NOT NULL, clicks INTEGER NOT NULL,
  orders INTEGER NOT NULL, revenue INTEGER NOT NULL, PRIMARY KEY (campaign_id, day)) STRICT, WITHOUT ROWID;

CREATE TABLE visits (
  day TEXT NOT NULL, sku TEXT NOT NULL, channel TEXT NOT NULL, visits INTEGER NOT NULL,
  PRIMARY KEY (day, sku, channel)) STRICT, WITHOUT ROWID;
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, placed_on TEXT NOT NULL, status TEXT NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL,
  street TEXT NOT NULL, city TEXT NOT NULL, postal_code TEXT NOT NULL, country TEXT NOT NULL, total INTEGER NOT NULL,
  channel TEXT NOT NULL, fee INTEGER NOT NULL, refunded INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX orders_of_day ON orders (placed_on);
CREATE INDEX orders_of_status ON orders (status);
CREATE INDEX orders_of_customer ON orders (email);
CREATE TABLE order_lines (
  order_id INTEGER NOT NULL, line INTEGER NOT NULL, sku TEXT NOT NULL, title TEXT NOT NULL, quantity INTEGER NOT NULL,
  price INTEGER NOT NULL, cost INTEGER NOT NULL, PRIMARY KEY (order_id, line)) STRICT, WITHOUT ROWID;
CREATE TABLE purchases (
  purchase_id TEXT PRIMARY KEY, supplier_id TEXT NOT NULL, sku TEXT NOT NULL, quantity INTEGER NOT NULL, unit INTEGER NOT NULL,
  shipping INTEGER NOT NULL, total INTEGER NOT NULL, placed_on TEXT NOT NULL, arrives_on TEXT NOT NULL, order_id INTEGER,
  status TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_purchase_per_line ON purchases (order_id, sku) WHERE order_id IS NOT NULL;
CREATE INDEX purchases_under_way ON purchases (status, arrives_on);
CREATE TABLE shipments (
  order_id INTEGER PRIMARY KEY, carrier TEXT NOT NULL, tracking TEXT NOT NULL, shipped_on TEXT NOT NULL,
  arrives_on TEXT NOT NULL, delivered_on TEXT) STRICT;
CREATE INDEX shipments_under_way ON shipments (delivered_on, arrives_on);
CREATE TABLE refunds (
  refund_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, day TEXT NOT NULL, amount INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
CREATE INDEX refunds_of_day ON refunds (day);
CREATE TABLE messages (
  message_id INTEGER PRIMARY KEY, day TEXT NOT NULL, email TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
  about TEXT NOT NULL) STRICT;

CREATE TABLE tickets (
  ticket_id TEXT PRIMARY KEY, opened_on TEXT NOT NULL, email TEXT NOT NULL, order_id INTEGER, subject TEXT NOT NULL,
  body TEXT NOT NULL, status TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX tickets_of_status ON tickets (status, opened_on);
CREATE TABLE hidden_tickets (ticket_id TEXT PRIMARY KEY, intent TEXT NOT NULL, sentiment TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE replies (
  ticket_id TEXT PRIMARY KEY, made_on TEXT NOT NULL, intent TEXT NOT NULL, sentiment TEXT NOT NULL, confidence REAL NOT NULL,
  body TEXT NOT NULL, actions TEXT NOT NULL, sent INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE policies (
  policy_id TEXT PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, figures TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS.split(';\n').filter((text) => text.trim() !== ''))
    await sql.raw(statement).execute(db)
}
