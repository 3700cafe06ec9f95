"""Documents as they come: long, empty, from right to left, without blanks, hostile. Most speak of the topic."""

from annotation.models import Batch
from tests.browser.desk import make_reading
from tests.factories import make_document, make_item

FILL = "The weather of that day was as it is on most days of the year. "
SLEEP = "Swifts sleep on the wing, high above the city, for half a minute at a time. "
BROKEN = "document.title = 'broken'"

PLAIN = {
    "long": f"{FILL * 8}\n\n" * 980 + SLEEP * 3 + f"\n\n{FILL * 8}" * 980,
    "line": FILL * 8_000 + SLEEP * 3 + FILL * 8_000,
    "middling": f"{FILL * 4}\n\n" * 15 + SLEEP * 2 + f"\n\n{FILL * 4}" * 15,
    "short": SLEEP * 2,
    "empty": "",
    "blank": " \n\t\n\u3000 ",
    "arabic": "طيور السمامة تنام في الهواء (swifts sleep) لمدة نصف دقيقة. ما هو معروف عن نومها قليل. " * 8,
    "hebrew": "סיסים ישנים באוויר, כך כתב Swifts Today בשנת 2019. " * 8 + "\n\nAn English paragraph about swifts.",
    "chinese": "雨燕在飞行中睡觉。它们一生中大部分时间都在空中度过，只有在繁殖时才落地。" * 60,
    "emoji": "🐦 Swifts sleep 💤 👩🏽‍🔬👨‍👩‍👧‍👦 of 🇩🇪🇫🇷 👍🏿 e\u0301te\u0301 z\u0335a\u0336l\u0337g\u0338. " * 6,
    "script": f'<script>{BROKEN}</script><img src=x onerror="{BROKEN}"> Swifts &amp; </p></article>',
    "control": "Swifts\x07 sleep\x1b[31m red\x1b[0m\x08\x0b on\x0cthe\x85wing\u2028now.\r\nPage\r\n\r\n\x7f\x9b two.",
    "bidi": "The file \u202egpj.exe\u202c about swifts, and \u202eall that follows turns around if it may\n\nNot this.",
    "code": "def sleep(swifts):\n    for swift in swifts:\n        if swift.is_flying:\n\t\treturn 1\n\n- one\n- two",
    "wide": "swifts" + "-" * 400 + " sleep " + "x" * 600,
    "wrapped": (
        "Swifts sleep on the wing, and their nests are built of what\n"
        "the wind carries past them. Nobody has seen them rest on the\n"
        "ground, but radar has followed them up to two kilometres high."
    ),
}
HTML = {
    "html": (
        "<h3>Swifts</h3><p>Swifts <em>sleep</em> on <b>wi</b>ngs &amp; eat 🐦.</p><blockquote><p>So.</p></blockquote>"
        "<ul><li>one swift</li><li>two<ul><li>three</li></ul></li></ul>"
        "<dl><dt>swift</dt><dd>bird</dd></dl><hr>x<sub>2</sub>"
    ),
    "table": (
        f"<table><thead><tr>{'<th>swifts by column</th>' * 14}</tr></thead>"
        f"<tbody><tr>{'<td>1,234,567</td>' * 14}</tr></tbody></table><pre>{'sleep(swift) -&gt; ' * 30}\n  two</pre>"
    ),
    "longhtml": f"<p>{FILL * 8}</p>" * 980 + f"<h3>Sleep</h3><p>{SLEEP * 3}</p>" + f"<p>{FILL * 8}</p>" * 980,
    "hostile": f"<p onclick='{BROKEN}'>Swifts <script>{BROKEN}</script>sleep</p><img src=x onerror={BROKEN}>",
}
NAMES = (*PLAIN, *HTML)


def make_odd(*names: str) -> Batch:
    """A batch of these documents, in this order for its one person, each titled by its name."""
    batch = make_reading(0)
    topic = batch.collection.topics.get()
    for place, name in enumerate(names):
        document = make_document(batch.collection, f"D-{name}", title=name, text=(PLAIN | HTML)[name])
        document.versions.update(form="html" if name in HTML else "text")
        make_item(batch, topic, document, shuffle=place + 1)
    Batch.objects.filter(pk=batch.pk).update(n_expected=len(names))
    batch.participations.update(salt=1)
    batch.refresh_from_db()
    return batch
