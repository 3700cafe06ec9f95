"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.corpus.api import guideline as api_guideline
from annotation.corpus.api import pools as api_pools
from annotation.corpus.api import scale as api_scale
from annotation.corpus.api import texts as api_texts
from annotation.corpus.views import collections, guideline, pools, scale, texts
from annotation.kernel.api.page import COLLECTION as C

urlpatterns: list[URLPattern] = [
    path("collections/new", collections.collection_new, name="collection_new"),
    path("c/<slug:slug>/edit", collections.collection_edit, name="collection_edit"),
    path("c/<slug:slug>/guideline/", guideline.guideline, name="guideline"),
    path("c/<slug:slug>/guideline/edit", guideline.guideline_edit, name="guideline_edit"),
    path("c/<slug:slug>/guideline/preview", guideline.guideline_preview, name="guideline_preview"),
    path("c/<slug:slug>/guideline/<int:number>", guideline.guideline_version, name="guideline_version"),
    path("c/<slug:slug>/scale", scale.scale, name="scale"),
    path("c/<slug:slug>/topics/", texts.topics, name="topics"),
    path("c/<slug:slug>/documents/", texts.documents, name="documents"),
    path("c/<slug:slug>/pools/", pools.pools, name="pools"),
    path("c/<slug:slug>/pools/file", pools.pool_file, name="pool_file"),
    path("c/<slug:slug>/pools/<int:pk>/", pools.pool, name="pool"),
    path("c/<slug:slug>/pools/<int:pk>/delete", pools.pool_delete, name="pool_delete"),
    path(f"{C}/scale", api_scale.Scale.as_view(), name="api_scale"),
    path(f"{C}/guideline", api_guideline.Guideline.as_view(), name="api_guideline"),
    path(f"{C}/guideline/versions", api_guideline.GuidelineVersions.as_view(), name="api_guideline_versions"),
    path(
        f"{C}/guideline/versions/<int:number>",
        api_guideline.OneGuidelineVersion.as_view(),
        name="api_guideline_version",
    ),
    path(f"{C}/pools", api_pools.Pools.as_view(), name="api_pools"),
    path(f"{C}/pools/<int:pk>", api_pools.OnePool.as_view(), name="api_pool"),
    path(f"{C}/topics", api_texts.Topics.as_view(), name="api_topics"),
    path(f"{C}/topics/<path:number>", api_texts.OneTopic.as_view(), name="api_topic"),
    path(f"{C}/documents", api_texts.Documents.as_view(), name="api_documents"),
    path(f"{C}/documents/<path:docno>", api_texts.OneDocument.as_view(), name="api_document"),
]
