from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    """`?page=2&page_size=500`; a larger page than the largest is cut to it."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000
