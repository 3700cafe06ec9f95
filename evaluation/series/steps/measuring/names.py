"""What figures are called that a series may measure; no arrays are loaded for them."""

VECTOR_NAMES = {
    "centroid": "centroid shift by the reference’s spread",
    "energy": "energy distance",
    "mmd": "squared MMD",
    "classifier": "classifier’s area under ROC",
    "sliced": "sliced Wasserstein distance",
}
SPACE_NAMES = {
    "effective_dimensions": "participation ratio by dimensions",
    "top_10": "share of the variance in ten directions",
    "mean_cosine": "mean cosine",
    "uniformity": "uniformity",
    "faint": "faint dimensions",
    "effective_rank": "effective rank",
    "hub_skewness": "skewness of hubs",
    "never_near": "share that is nobody’s neighbour",
}
LOG_NAMES = {
    "queries": "different queries",
    "traffic": "queries asked in all",
    "once": "share of different queries that were asked once",
    "top": "share of the traffic that the ten most frequent queries are",
    "zero": "share of the traffic that found nothing",
}
