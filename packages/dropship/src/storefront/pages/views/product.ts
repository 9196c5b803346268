/** Around a product's own page: breadcrumb, a form to buy it if the page has none, and related products. */
import { BUY_FORM } from './parts.ts'

export const product = `<nav class="way" aria-label="Breadcrumb">
<ol>
<li><a href="/shop/">Shop</a></li>
{%- if category %}
<li><a href="/shop/?category={{ category | url_encode }}">{{ category }}</a></li>
{%- endif %}
<li aria-current="page">{{ title }}</li>
</ol>
</nav>
{%- if sells_itself %}
{{ own | markup }}
{%- else %}
<div class="halves bare">
<div>
{{ own | markup }}
</div>
<section class="sum" aria-labelledby="buy">
<h2 id="buy">{{ price }}</h2>
<p class="stock {{ stock_kind }}">{{ stock }}</p>
${BUY_FORM}
<p class="quiet small">Delivery is included in the price. <a href="/shop/policies">Delivery and returns</a></p>
</section>
</div>
{%- endif %}
{%- if related.size > 0 %}
<section class="related" aria-labelledby="related">
<h2 id="related">More from {{ category }}</h2>
<ul class="tiles">
{%- for item in related %}
<li class="tile">
<a href="{{ item.url }}">
<img src="{{ item.image }}" alt="" width="400" height="400" loading="lazy">
<span class="tile-title">{{ item.title }}</span>
</a>
<p class="tile-price">{{ item.price }}</p>
</li>
{%- endfor %}
</ul>
</section>
{%- endif %}
`
