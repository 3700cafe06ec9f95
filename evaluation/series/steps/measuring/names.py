"""What figures are called that a series may measure; no arrays are loaded for them."""

VECTOR_NAMES = {
    "centroid": "centroid shift by the reference’s spread",
    "energy": "energy distance",
    "mmd": "squared MMD",
    "classifier": "classifier’s area under ROC",
    "sliced": "sliced Wasserstein distance",
}
LOG_NAMES = {
    "queries": "different queries",
    "traffic": "queries asked in all",
    "once": "share of different queries that were asked once",
    "top": "share of the traffic that the ten most frequent queries are",
}
