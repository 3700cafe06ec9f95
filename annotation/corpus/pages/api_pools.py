"""A pool as programs get it."""

from rest_framework import serializers
from rest_framework.reverse import reverse

from annotation.corpus.read.pools import batches_of
from annotation.models import Pool


class PoolSerializer(serializers.Serializer[Pool]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    n_pairs = serializers.IntegerField()
    n_batches = serializers.SerializerMethodField(help_text="Batches made from it; while there are any, it stays.")
    origin = serializers.DictField(
        help_text=(
            "How it came about: `kind` is `runs` (with `runs`, `depth`, `topics`), `file`, `list`, `chosen` (pairs "
            "that drop), `unjudged` (of a run), `next` (what would tell most about `runs`), `adaptive` (portion `n` of "
            "the growing pool `series`), or, without runs, `all`, `sample` (`per_topic`, `seed`) or `bm25` "
            "(`per_topic`, `k1`, `b`)."
        )
    )
    created_by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_n_batches(self, pool: Pool) -> int:
        counted: int | None = getattr(pool, "n_batches", None)
        return batches_of(pool).count() if counted is None else counted

    def get_url(self, pool: Pool) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_pool", args=[slug, pool.pk], request=self.context["request"])
