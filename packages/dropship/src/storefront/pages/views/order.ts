/** One order: its status, products and delivery address. */

export const order = `<h1>Order {{ order_id }}</h1>
<p class="status"><span class="badge badge-strong">{{ status }}</span> {{ meaning }}</p>
{%- if stages.size > 0 %}
<ol class="steps">
{%- for stage in stages %}
<li{% if stage.current %} aria-current="step"{% endif %}{% if stage.done %} class="done"{% endif %}>{{ stage.name }}</li>
{%- endfor %}
</ol>
{%- endif %}
<div class="halves">
<section aria-labelledby="content">
<h2 id="content">What you ordered</h2>
<div class="scroll">
<table>
<thead><tr><th scope="col">Product</th><th scope="col" class="number">Pieces</th><th scope="col" class="number">Each</th><th scope="col" class="number">Sum</th></tr></thead>
<tbody>
{%- for line in lines %}
<tr><td>{{ line.title }}</td><td class="number">{{ line.quantity }}</td><td class="number">{{ line.price }}</td><td class="number">{{ line.total }}</td></tr>
{%- endfor %}
</tbody>
<tfoot><tr><th scope="row" colspan="3">Total (test payment, no money moved)</th><td class="number">{{ total }}</td></tr>
{%- if refunded %}
<tr><th scope="row" colspan="3">Refunded</th><td class="number">{{ refunded }}</td></tr>
{%- endif %}
</tfoot>
</table>
</div>
</section>
<section class="sum" aria-labelledby="where">
<h2 id="where">Delivery</h2>
<dl>
<dt>Ordered on</dt><dd>{{ placed_on }}</dd>
{%- if shipment %}
<dt>Sent on</dt><dd>{{ shipment.shipped_on }} with {{ shipment.carrier }}</dd>
<dt>Tracking number</dt><dd>{{ shipment.tracking }}</dd>
{%- if shipment.delivered_on %}
<dt>Delivered on</dt><dd>{{ shipment.delivered_on }}</dd>
{%- else %}
<dt>Expected on</dt><dd>{{ shipment.arrives_on }}</dd>
{%- endif %}
{%- endif %}
<dt>To</dt><dd><address>{% for part in address %}{{ part }}{% unless forloop.last %}<br>{% endunless %}{% endfor %}</address></dd>
</dl>
</section>
</div>
<p class="quiet">Keep the link to this page: it is the only way back to your order, and anybody who has it can read it.</p>
`
