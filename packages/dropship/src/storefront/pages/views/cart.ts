/** The cart: products, quantities, and the link to the order form. */

export const cart = `<h1>Your cart</h1>
{%- if lines.size == 0 %}
<p>Your cart is empty. <a href="/shop/">See all products</a>.</p>
{%- else %}
<ul class="lines">
{%- for line in lines %}
<li>
<img src="{{ line.image }}" alt="" width="96" height="96">
<div class="line-words">
<a href="{{ line.url }}">{{ line.title }}</a>
<p class="quiet small">{{ line.price }} each{% if line.paused %} <span class="badge">Not sold at the moment: take it out to go on</span>{% endif %}</p>
</div>
<form class="pieces" method="post" action="/shop/cart">
<input type="hidden" name="sku" value="{{ line.sku }}">
<label class="unseen" for="pieces-{{ forloop.index }}">Pieces of {{ line.title }}</label>
<input id="pieces-{{ forloop.index }}" name="quantity" type="number" min="0" max="{{ most_pieces }}" value="{{ line.quantity }}" required>
<button type="submit" name="do" value="set">Update<span class="unseen"> {{ line.title }}</span></button>
<button class="plain" type="submit" name="do" value="remove">Remove<span class="unseen"> {{ line.title }}</span></button>
</form>
<p class="line-total">{{ line.total }}</p>
</li>
{%- endfor %}
</ul>
<div class="total">
<p>Total <strong>{{ total }}</strong></p>
<p class="quiet small">Delivery is included. Nothing is charged: payment is a test.</p>
{%- if can_order %}
<a class="button" href="/shop/order">Go to the order</a>
{%- endif %}
</div>
{%- endif %}
`
