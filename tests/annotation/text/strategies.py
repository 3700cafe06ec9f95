"""Texts as they come: scripts, marks, emoji, controls, blanks; and plain words that meet the topic's."""

from hypothesis import strategies as st

PARTS = [
    *("swifts ", "Swifts", " sleep", "sleeping ", "café", "cafe\u0301", " nest", "nests. ", "a ", "B! ", "x" * 40),
    *(
        "燕子",
        "睡觉",
        "。",
        "ツバメ",
        "は",
        "제비",
        "นก",
        "हिन्दी",
        "שלום ",
        "مرحبا ",
        "👩‍👩‍👧",
        "🇩🇪🇫🇷",
        "👍🏽",
        "e\u0301\u0327",
        "각",
    ),
    *(
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\u2028",
        "\x0b",
        "\t",
        " ",
        "\u00a0",
        "\u3000",
        "\u200d",
        "\u0301",
        "\u202e",
        "\x00",
    ),
    *("<b>", "&amp;", "\x1b[0m", ". ", "? ", "\ufffe", "\u00ad"),
]
ODD = st.lists(st.sampled_from(PARTS) | st.text(max_size=4), max_size=60).map("".join)
LONG_ODD = st.lists(st.sampled_from(PARTS), min_size=20, max_size=60).map(lambda parts: "".join(parts) * 12)
TOPICS = st.sampled_from(["swifts sleep", "燕子睡觉", "cafe nests", "", "제비 นก", "of the"])
